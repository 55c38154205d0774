"""A tree as a program for the engines that never turn back: a Thompson automaton.

Each step is a tuple that begins with its kind:

    (ONE, characters, next)     (FORK, first, second)     (PLACE, table, next)
    (OPEN, group, next)         (CLOSE, group, next, is optional)           (MATCH,)
    (REFER, group, next, ignores case)
"""

from __future__ import annotations

from keysh.text.regex.charset import is_word
from keysh.text.regex.errors import TOO_BIG, RegexLimit
from keysh.text.regex.tree import (
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

    from keysh.text.regex.tree import Node

    Step: TypeAlias = tuple[Any, ...]

MATCH, CHARACTER, SPLIT, ASSERT, OPEN, CLOSE, BACK_REFERENCE = range(7)
MAX_PROGRAM_STEPS = 20_000  # steps of a program

# What stands beside a place: the text's border, a newline, a letter, or
# anything else.
BORDER, NEWLINE, WORD_CHARACTER, OTHER = range(4)


def neighbour_kind(char: str) -> int:
    """The kind of neighbour that a character is; the empty text is the border."""
    if not char:
        return BORDER
    return NEWLINE if char == "\n" else WORD_CHARACTER if is_word(char) else OTHER


def assertion_holds(kind: str, left: int, right: int) -> bool:
    """Whether an assertion holds between two neighbours."""
    if kind == "text start":
        return left == BORDER
    if kind in ("text end", "last newline"):
        return right == BORDER
    if kind == "line start":
        return left in (BORDER, NEWLINE)
    if kind == "line end":
        return right in (BORDER, NEWLINE)
    if kind == "word start":
        return left != WORD_CHARACTER and right == WORD_CHARACTER
    if kind == "word end":
        return left == WORD_CHARACTER and right != WORD_CHARACTER
    if kind == "no word before":
        return left != WORD_CHARACTER
    if kind == "no word behind":
        return right != WORD_CHARACTER
    is_boundary = (left == WORD_CHARACTER) != (right == WORD_CHARACTER)
    return is_boundary if kind == "boundary" else not is_boundary


ASSERTION_TABLES = {
    kind: tuple(tuple(assertion_holds(kind, left, right) for right in range(4)) for left in range(4))
    for kind in (
        "text start", "text end", "line start", "line end", "word start", "word end", "boundary",
        "no boundary", "last newline", "no word before", "no word behind",
    )
}  # fmt: skip


class RegexProgram:
    """The steps of a tree, where they start, and whether any asks for its neighbours."""

    __slots__ = ("has_assertions", "is_backward", "start", "steps")

    def __init__(self, node: Node, *, saves: bool = False, is_backward: bool = False) -> None:
        """Read a tree; `is_backward` makes the program for a text that is read from its end."""
        if automaton_size(node) > MAX_PROGRAM_STEPS:
            raise RegexLimit(TOO_BIG)
        self.steps: list[Step] = []
        self.is_backward, self.has_assertions = is_backward, False
        self.start = ProgramWriter(self, saves).write(node, self.add((MATCH,)))

    def add(self, step: Step) -> int:
        self.steps.append(step)
        return len(self.steps) - 1


class ProgramWriter:
    """Writes a program from its end to its start."""

    __slots__ = ("program", "saves")

    def __init__(self, program: RegexProgram, saves: bool) -> None:
        self.program, self.saves = program, saves

    def write(self, node: Node, behind: int) -> int:
        """The steps of a node, after which those at `behind` follow; where they start."""
        add = self.program.add
        if isinstance(node, CharacterNode):
            return add((CHARACTER, node.characters, behind))
        if isinstance(node, Concatenation):
            parts = node.parts
            for part in parts if self.program.is_backward else reversed(parts):
                behind = self.write(part, behind)
            return behind
        if isinstance(node, Alternation):
            starts = [self.write(one, behind) for one in node.alternatives]
            start = starts.pop()
            while starts:
                start = add((SPLIT, starts.pop(), start))
            return start
        if isinstance(node, CaptureGroup):
            return self.write_group(node, behind, False)
        if isinstance(node, Repeat):
            return self.write_repeat(node, behind)
        if isinstance(node, Assertion):
            self.program.has_assertions = True
            return add((ASSERT, ASSERTION_TABLES[node.kind], behind))
        assert isinstance(node, BackReference)
        return add((BACK_REFERENCE, node.number, behind, node.ignores_case))

    def write_group(self, node: CaptureGroup, behind: int, is_optional: bool) -> int:
        if not self.saves:
            return self.write(node.body, behind)
        inner = self.write(node.body, self.program.add((CLOSE, node.number, behind, is_optional)))
        return self.program.add((OPEN, node.number, inner))

    def write_optional_body(self, body: Node, behind: int) -> int:
        """One turn of a repetition that need not be."""
        if isinstance(body, CaptureGroup):
            return self.write_group(body, behind, True)
        return self.write(body, behind)

    def write_repeat(self, node: Repeat, behind: int) -> int:
        least = node.least
        if node.most is None:
            start = self.write_loop(node, behind)
        else:
            start = behind
            for _ in range(node.most - least):
                start = self.add_split(
                    self.write_optional_body(node.body, start), behind, node.is_lazy
                )
        for _ in range(least):
            start = self.write(node.body, start)
        return start

    def write_loop(self, node: Repeat, behind: int) -> int:
        """Any number of turns. A body that may be empty is passed once before the loop is asked
        whether to go on: so `(a*)*` remembers an empty group, as in the C library."""
        loop = self.program.add((SPLIT, -1, behind))
        body = self.write_optional_body(node.body, loop)
        self.program.steps[loop] = self.split_step(body, behind, node.is_lazy)
        return self.add_split(body, behind, node.is_lazy) if is_nullable(node.body) else loop

    def add_split(self, body: int, behind: int, is_lazy: bool) -> int:
        return self.program.add(self.split_step(body, behind, is_lazy))

    def split_step(self, body: int, behind: int, is_lazy: bool) -> Step:
        return (SPLIT, behind, body) if is_lazy else (SPLIT, body, behind)
