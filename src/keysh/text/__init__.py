"""Text: chunks, lines, patterns. Pure functions that know neither files nor commands."""
