"""Compile a tree to a program for the engines: a Thompson automaton.

Each step is a tuple that starts with its kind:

    (CHARACTER, set, next)   (SPLIT, first, second)   (ASSERT, table, next)
    (OPEN, group, next)      (CLOSE, group, next, is_optional)         (MATCH,)
    (BACK_REFERENCE, group, next, ignores_case)
"""

from __future__ import annotations

from keysh.text.regex.charset import is_word
from keysh.text.regex.regex_errors import TOO_BIG, RegexLimit
from keysh.text.regex.regex_tree import (
    Alternation,
    Assertion,
    BackReference,
    CaptureGroup,
    CharacterNode,
    Concatenation,
    Repeat,
    automaton_size,
    is_nullable,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from keysh.text.regex.regex_tree import Node

    Step: TypeAlias = tuple[Any, ...]

MATCH, CHARACTER, SPLIT, ASSERT, OPEN, CLOSE, BACK_REFERENCE = range(7)
MAX_PROGRAM_STEPS = 20_000

# The neighbour of a position: none, a newline, a word character of ASCII, another character, a word
# character beyond ASCII, or the newline that ends the text.
BORDER, NEWLINE, WORD_CHARACTER, OTHER, NON_ASCII_WORD_CHARACTER, LAST_NEWLINE = range(6)
LINE_BORDERS = (BORDER, NEWLINE, LAST_NEWLINE)
# Stands for the newline that ends a text, where an engine reads one character after the other.
LAST_NEWLINE_MARK = "\n$"


def neighbour_kind(char: str) -> int:
    """Return the kind of a neighbour; an empty string is the border of the text."""
    if not char:
        return BORDER
    if char == LAST_NEWLINE_MARK:
        return LAST_NEWLINE
    if is_word(char):
        return WORD_CHARACTER if char.isascii() else NON_ASCII_WORD_CHARACTER
    return NEWLINE if char == "\n" else OTHER


def assertion_holds(kind: str, left_kind: int, right_kind: int) -> bool:
    """Whether an assertion holds between two neighbours."""
    if kind == "text start":
        return left_kind == BORDER
    if kind == "text end":
        return right_kind == BORDER
    if kind == "last newline":
        return right_kind in (BORDER, LAST_NEWLINE)
    if kind == "line start":
        return left_kind in LINE_BORDERS
    if kind == "line end":
        return right_kind in LINE_BORDERS
    if kind == "word start":
        return left_kind != WORD_CHARACTER and right_kind == WORD_CHARACTER
    if kind == "word end":
        return left_kind == WORD_CHARACTER and right_kind != WORD_CHARACTER
    if kind == "no word before":
        return left_kind != WORD_CHARACTER
    if kind == "no word behind":
        return right_kind != WORD_CHARACTER
    is_boundary = (left_kind == WORD_CHARACTER) != (right_kind == WORD_CHARACTER)
    return is_boundary if kind == "boundary" else not is_boundary


def assertion_table(kind: str, *, is_ascii: bool) -> tuple[tuple[bool, ...], ...]:
    """Return whether an assertion holds, by the neighbours at its left and right."""
    beyond_ascii = OTHER if is_ascii else WORD_CHARACTER
    meanings = (BORDER, NEWLINE, WORD_CHARACTER, OTHER, beyond_ascii, LAST_NEWLINE)
    return tuple(
        tuple(assertion_holds(kind, left, right) for right in meanings) for left in meanings
    )


ASSERTION_TABLES = {
    (kind, is_ascii): assertion_table(kind, is_ascii=is_ascii)
    for is_ascii in (False, True)
    for kind in (
        "text start", "text end", "line start", "line end", "word start", "word end", "boundary",
        "no boundary", "last newline", "no word before", "no word behind",
    )
}  # fmt: skip


class RegexProgram:
    """The steps of a tree, the start, and whether there are assertions, or Perl's `$`."""

    __slots__ = ("has_assertions", "has_perl_ends", "is_backward", "start", "steps")

    def __init__(self, node: Node, *, saves: bool = False, is_backward: bool = False) -> None:
        """Compile a tree; with `is_backward`, for a string read from its end."""
        if automaton_size(node) > MAX_PROGRAM_STEPS:
            raise RegexLimit(TOO_BIG)
        self.steps: list[Step] = []
        self.is_backward, self.has_assertions, self.has_perl_ends = is_backward, False, False
        self.start = ProgramWriter(self, saves).write(node, self.add((MATCH,)))

    def add(self, step: Step) -> int:
        self.steps.append(step)
        return len(self.steps) - 1


class ProgramWriter:
    """Writes a program from its end to its start."""

    __slots__ = ("program", "saves")

    def __init__(self, program: RegexProgram, saves: bool) -> None:
        self.program, self.saves = program, saves

    def write(self, node: Node, next_step: int) -> int:
        """Write the steps of a node that continues at `next_step`; return where they start."""
        add = self.program.add
        if isinstance(node, CharacterNode):
            return add((CHARACTER, node.characters, next_step))
        if isinstance(node, Concatenation):
            parts = node.parts
            for part in parts if self.program.is_backward else reversed(parts):
                next_step = self.write(part, next_step)
            return next_step
        if isinstance(node, Alternation):
            starts = [self.write(alternative, next_step) for alternative in node.alternatives]
            start = starts.pop()
            while starts:
                start = add((SPLIT, starts.pop(), start))
            return start
        if isinstance(node, CaptureGroup):
            return self.write_group(node, next_step, False)
        if isinstance(node, Repeat):
            return self.write_repeat(node, next_step)
        if isinstance(node, Assertion):
            self.program.has_assertions = True
            self.program.has_perl_ends |= node.kind == "last newline"
            return add((ASSERT, ASSERTION_TABLES[node.kind, node.is_ascii], next_step))
        assert isinstance(node, BackReference)
        return add((BACK_REFERENCE, node.number, next_step, node.ignores_case))

    def write_group(self, node: CaptureGroup, next_step: int, is_optional: bool) -> int:
        if not self.saves:
            return self.write(node.body, next_step)
        inner = self.write(
            node.body, self.program.add((CLOSE, node.number, next_step, is_optional))
        )
        return self.program.add((OPEN, node.number, inner))

    def write_optional_body(self, body: Node, next_step: int) -> int:
        """Write one turn of an optional repetition."""
        if isinstance(body, CaptureGroup):
            return self.write_group(body, next_step, True)
        return self.write(body, next_step)

    def write_repeat(self, node: Repeat, next_step: int) -> int:
        least = node.least
        if node.most is None:
            start = self.write_loop(node, next_step)
        else:
            start = next_step
            for _ in range(node.most - least):
                start = self.add_split(
                    self.write_optional_body(node.body, start), next_step, node.is_lazy
                )
        for _ in range(least):
            start = self.write(node.body, start)
        return start

    def write_loop(self, node: Repeat, next_step: int) -> int:
        """Write any number of turns. A body that can be empty is passed once before the loop
        decides whether to continue, so `(a*)*` captures an empty group, as in the C library.
        """
        loop = self.program.add((SPLIT, -1, next_step))
        body = self.write_optional_body(node.body, loop)
        self.program.steps[loop] = self.split_step(body, next_step, node.is_lazy)
        return self.add_split(body, next_step, node.is_lazy) if is_nullable(node.body) else loop

    def add_split(self, body: int, next_step: int, is_lazy: bool) -> int:
        return self.program.add(self.split_step(body, next_step, is_lazy))

    def split_step(self, body: int, next_step: int, is_lazy: bool) -> Step:
        return (SPLIT, next_step, body) if is_lazy else (SPLIT, body, next_step)
