"""Text as rules and parsers see it: normalised once, with offsets back into the original."""
