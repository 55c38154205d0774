"""keysh: a shell that lives inside Python programs."""

__version__ = "0.1.0"
