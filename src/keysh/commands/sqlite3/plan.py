"""Plan: how SQLite is going to run a statement, as a tree."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

BEFORE = r"(?:\s|--[^\n]*\n|/\*.*?\*/)*"  # blanks and comments
EXPLAIN = re.compile(BEFORE + r"explain\b", re.IGNORECASE | re.DOTALL)
PLAN = re.compile(BEFORE + r"explain\s+query\s+plan\b", re.IGNORECASE | re.DOTALL)


def plan_text(rows: Iterable[Sequence[Any]]) -> str:
    """The rows of EXPLAIN QUERY PLAN as lines; nothing where there are none."""
    inside: dict[int, list[tuple[int, str]]] = {}
    for number, above, _, detail in rows:
        inside.setdefault(above, []).append((number, detail))
    lines = ["QUERY PLAN"] if inside else []
    stack = [("", entry) for entry in reversed(marked(inside.get(0, [])))]
    while stack:
        margin, (number, detail, is_last) = stack.pop()
        lines.append(f"{margin}{'`--' if is_last else '|--'}{detail}")
        inner = margin + ("   " if is_last else "|  ")
        stack += [(inner, entry) for entry in reversed(marked(inside.get(number, [])))]
    return "".join(f"{line}\n" for line in lines)


def marked(entries: list[tuple[int, str]]) -> list[tuple[int, str, bool]]:
    """Entries, each with whether it is the last."""
    return [(number, detail, at == len(entries)) for at, (number, detail) in enumerate(entries, 1)]
