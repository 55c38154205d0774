"""Trees: what each piece of the syntax becomes, and where in the source it says it stands.

Each line of a table is a source, `=>`, and its tree in short; `⏎` is a newline. In the short form
`<…>` is a simple command, `·` joins the parts of a word, `«…»` is bare text with characters that
mean something elsewhere, and quoted text keeps its quotes. Other nodes are their class with their
fields in parentheses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysh.errors import ScriptError
from keysh.source import Source
from keysh.syntax import ast, parse
from keysh.syntax.node import Node

PLAIN = re.compile(r"[\w./:,+@%^=-]+")


def script(text: str) -> ast.Script:
    return parse(Source(text, "test"))


def short(node: object) -> str:
    """A tree on one line."""
    if not isinstance(node, Node):
        return str(node)
    if type(node).__name__ in FORMS:
        return FORMS[type(node).__name__](node)
    fields = []
    for name in node.fields():
        value = getattr(node, name)
        if isinstance(value, list):
            if value:
                fields.append("[" + ", ".join(map(short, value)) + "]")
        elif value is True:
            fields.append(name)
        elif value not in (None, False, "", 0):
            fields.append(short(value))
    return f"{type(node).__name__}({', '.join(fields)})"


def visible(text: str) -> str:
    return text.encode("unicode_escape").decode().replace("\\\\", "\\") if text else text


def text_form(node: ast.Text) -> str:
    return node.value if PLAIN.fullmatch(node.value) else f"«{visible(node.value)}»"


def quoted_form(node: ast.Quoted) -> str:
    closer = {"\\": "", "$'": "'"}.get(node.style, node.style)
    return node.style + visible(node.value) + closer


def simple_form(node: ast.Simple) -> str:
    return f"<{' '.join(map(short, node.children()))}>"


def target_form(node: ast.Assign | ast.Named | ast.Entry) -> str:
    target = f"@{node.key}" if isinstance(node, ast.Named) else short(next(node.children()))
    return target + ("+=" if node.append else "=") + ("" if node.value is None else short(node.value))


def redirect_form(node: ast.Redirect) -> str:
    fd = "" if node.fd is None else node.fd if isinstance(node.fd, int) else "{" + node.fd + "}"
    return f"{fd}{node.operator}{short(node.target)}"


def binary_form(node: ast.Binary) -> str:
    rest = zip(node.operators, node.operands[1:], strict=True)
    return f"({short(node.operands[0])}{''.join(f' {sign} {short(x)}' for sign, x in rest)})"


FORMS = {
    "Text": text_form,
    "Quoted": quoted_form,
    "Glob": lambda node: f"glob({node.value})",
    "Tilde": lambda node: f"tilde({node.value})",
    "Variable": lambda node: f"${node.name}",
    "Word": lambda node: "·".join(map(short, node.parts)) or "empty",
    "DoubleQuoted": lambda node: f'"[{"·".join(map(short, node.parts))}]"',
    "Substitution": lambda node: f"$({short(node.body) if node.body else ''})",
    "ArithmeticExpansion": lambda n: f"$(({short(n.expression) if n.expression else ''}))",
    "Block": lambda node: "; ".join(map(short, node.commands)),
    "Simple": simple_form,
    "Assign": target_form,
    "Named": target_form,
    "Entry": target_form,
    "Redirect": redirect_form,
    "Reference": lambda node: node.name + "".join(map(short, node.subscripts)),
    "Subscript": lambda node: f"[{short(node.word)}]",
    "AllSubscript": lambda node: f"[{node.mark}]",
    "Spread": lambda node: f"...{short(node.word)}",
    "List": lambda node: f"[{', '.join(map(short, node.elements))}]",
    "Record": lambda node: f"{{{', '.join(map(short, node.pairs))}}}",
    "Pair": lambda node: f"{short(node.key)}: {short(node.value)}",
    "Array": lambda node: f"({' '.join(map(short, node.entries))})",
    "Number": lambda node: node.text,
    "Binary": binary_form,
    "Power": lambda node: f"({' ** '.join(map(short, node.operands))})",
    "Unary": lambda node: "".join(node.operators) + short(node.operand),
    "Step": lambda n: (n.operator * n.before) + short(n.reference) + (n.operator * (not n.before)),
    "Sequence": lambda node: f"({', '.join(map(short, node.expressions))})",
    "Parentheses": lambda node: f"paren({short(node.expression)})",
    "Target": lambda node: f"{short(node.reference)} {node.operator}",
}
