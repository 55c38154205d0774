"""Syntax: source text becomes tokens, a tree, and text again; nothing here knows how to run."""

from keysh.syntax.parser import parse, parse_arithmetic, parse_path, parse_value
from keysh.syntax.printer import format_script

__all__ = ["format_script", "parse", "parse_arithmetic", "parse_path", "parse_value"]
