"""Questions asked of the store: rates, history, comparison, reasons; by DuckDB over Parquet."""
