"""What an operator tunes: the settings, the rubrics, the commented default goldassay.toml."""
