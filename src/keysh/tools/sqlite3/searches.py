"""Bounds of full-text searches, which SQLite cannot stop.

FTS5 compares the places of all phrases of a NEAR with each other, at each place of a document,
before SQLite looks at its limits again: places * phrases ** 2 steps. So a document is bounded, and
the text of a search is read before it starts. It has to be known by then.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MAX_DOCUMENT_BYTES = 1 << 20  # half a million places
MAX_NEAR_PAIRS = 144  # phrases ** 2 of all NEAR of a search: 0.3 s at half a million places
MAX_SEARCH_TEXTS = 64  # which CASE and || can make of the literals of one search

GROUP = re.compile(r'NEAR\s*\(((?:"(?:[^"]|"")*"|[^")])*)')
PHRASE = re.compile(r'"(?:[^"]|"")*"|[A-Za-z0-9_\x1a\x80-\U0010ffff]+')
# One letter for each value that FTS5 gets; M or m stands for the text of a search.
PLANNED_VALUE = re.compile(r"[a-zA-Z=<>]")
# Where an instruction puts a value that may be text: the column of its operand in EXPLAIN.
P1, P2, P3 = 2, 3, 4
WRITTEN_OPERAND = {
    "AggFinal": P1, "AggValue": P3, "Blob": P2, "Cast": P1, "Column": P3,
    "Concat": P3, "Function": P3, "Param": P2, "PureFunc": P3, "RowData": P2,
    "SCopy": P2, "String8": P2, "VColumn": P3, "Variable": P2,
}  # fmt: skip
RANGE_COPIES = {"Copy": 1, "Move": 0}  # by how much their third operand is less than the number


def document_limit(program: Sequence[Sequence[Any]], max_bytes: int) -> int:
    """Return how large a value may be in a program, which may write a table of full text."""
    if any(opcode == "VUpdate" for _, opcode, *_ in program):
        return min(max_bytes, MAX_DOCUMENT_BYTES)
    return max_bytes


def search_refusal(program: Sequence[Sequence[Any]]) -> str:
    """Return why FTS5 must not search for the texts of a program; empty if it may."""
    registers = []
    for _, opcode, _, _, base, plan, *_ in program:
        if opcode == "VFilter":
            planned = enumerate(PLANNED_VALUE.findall(str(plan or "")), base + 2)
            registers += [register for register, letter in planned if letter in "Mm"]
    if not registers:
        return ""
    sources = sources_of(program)
    for register in registers:
        texts = texts_of(register, sources, frozenset())
        if texts is None:
            return "the text of a full-text search is not known before it starts"
        if any(near_pairs(text) > MAX_NEAR_PAIRS for text in texts):
            return "NEAR in a full-text search has too many phrases"
    return ""


def sources_of(program: Sequence[Sequence[Any]]) -> dict[int, list[Sequence[Any]]]:
    """Return the instructions that put text into each register; a range is made single copies."""
    sources: dict[int, list[Sequence[Any]]] = {}
    for row in program:
        opcode = row[1]
        if opcode in WRITTEN_OPERAND:
            sources.setdefault(row[WRITTEN_OPERAND[opcode]], []).append(row)
        elif opcode in RANGE_COPIES:
            _, _, start, to, count, *_ = row
            for offset in range(count + RANGE_COPIES[opcode]):
                copy = (0, "SCopy", start + offset, to + offset, 0, None)
                sources.setdefault(to + offset, []).append(copy)
    return sources


def texts_of(
    register: int, sources: dict[int, list[Sequence[Any]]], outer: frozenset[int]
) -> frozenset[str] | None:
    """Return all texts that a register may have; None if they are computed."""
    if register in outer:
        return None
    outer |= {register}
    texts: set[str] = set()
    for _, opcode, first, second, _, literal, *_ in sources.get(register, ()):
        if opcode == "String8":
            texts.add(str(literal))
        elif opcode == "SCopy":
            copied = texts_of(first, sources, outer)
            if copied is None:
                return None
            texts |= copied
        elif opcode == "Concat":
            ends, starts = texts_of(first, sources, outer), texts_of(second, sources, outer)
            if ends is None or starts is None or len(ends) * len(starts) > MAX_SEARCH_TEXTS:
                return None
            texts.update(start + end for start in starts for end in ends)
        elif opcode != "Variable":  # which has no value in keysh
            return None
    return frozenset(texts) if len(texts) <= MAX_SEARCH_TEXTS else None


def near_pairs(text: str) -> int:
    """Return how many pairs of phrases all NEAR of a search compare at each place."""
    return sum(len(PHRASE.findall(group)) ** 2 for group in GROUP.findall(text))
