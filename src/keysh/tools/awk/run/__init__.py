"""The state and the library that generated awk code runs with."""
