"""Version: which keysh this is, as in pyproject.toml."""

__version__ = "0.1.0"
