"""Printer: a tree becomes its canonical text."""

from keysh.syntax import ast


def format_script(script: ast.Script) -> str:
    raise NotImplementedError
