"""Compiling: a syntax tree becomes closures that run it."""
