"""Sieve: records for which no rule does anything are not even cut.

`awk '/error/ { print $2 }'` passes over most lines. Where a program cannot tell that it was not
shown them, a chunk is looked through as `grep` does it, and only the lines that match are records.
The rule still asks its pattern: what comes by another way than the sieve is judged as ever.
"""

from __future__ import annotations

from keysh.commands.awk import tree
from keysh.text.line_search import selected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.commands.awk.names import Names
    from keysh.text.regex import Regex

COUNTING = frozenset({"NR", "FNR", "RT"})  # these tell how many records there were


class Sieve:
    """Lets through the lines that hold a match, or those that hold none, and counts all."""

    __slots__ = ("_before", "_keeps", "_passed", "_passed_before", "_regex", "_text", "_tick")

    def __init__(self, regex: Regex, keeps: bool, tick: Callable[[], object]) -> None:
        self._regex, self._keeps, self._tick = regex, keeps, tick
        self.begin()

    def begin(self) -> None:
        """A new file."""
        self._text, self._passed, self._before, self._passed_before = "", 0, 0, 0

    def chosen(self, text: str) -> str:
        """The lines of a text, each with its newline, that are let through."""
        self._before += self._text.count("\n")
        self._passed_before += self._passed
        self._text = text
        made = selected(self._regex, text, self._tick, keeps=self._keeps)
        self._passed = made.count("\n")
        return made

    def place(self, number: int) -> int:
        """Which line of its file the line is that was let through as the so-many-th."""
        left = number - self._passed_before
        at = self._before
        for line in self._text.split("\n")[:-1] if left > 0 else ():
            at += 1
            left -= self._regex.is_in(line) == self._keeps
            if not left:
                return at
        return at + left


def sieved(names: Names) -> tuple[tree.Expression, bool] | None:
    """The pattern that every record must match for a rule to see it, and whether it must or must
    not; None where a program needs all.
    """
    program = names.program
    if len(program.rules) != 1 or program.begin_file or program.end_file or program.functions:
        return None
    if COUNTING & names.mentioned or names.is_open or names.is_dynamic:
        return None
    blocks = [*program.begin, *program.rules, *program.end]
    if any(isinstance(node, tree.Getline) for block in blocks for node in block.walk()):
        return None
    if any(asks_for_record(node) for block in program.end for node in block.walk()):
        return None
    rule = program.rules[0]
    return None if rule.pattern is None or rule.last is not None else needed(rule.pattern)


def asks_for_record(node: tree.Node) -> bool:
    """Whether something looks at the record: in END that is the last one."""
    if isinstance(node, tree.Name):
        return node.name == "NF"
    if isinstance(node, tree.Builtin):
        return node.name == "length" and not node.arguments
    if isinstance(node, tree.Print):
        return not node.values
    return isinstance(node, tree.Field | tree.Expression)


def needed(pattern: tree.Node) -> tuple[tree.Expression, bool] | None:
    """The first thing that a condition asks of the record, if it is a match."""
    while True:
        if isinstance(pattern, tree.Group):
            pattern = pattern.inner
        elif isinstance(pattern, tree.Logical) and pattern.operator == "&&":
            pattern = pattern.left
        else:
            break
    wanted = True
    while isinstance(pattern, tree.Group) or (
        isinstance(pattern, tree.Unary) and pattern.operator == "!"
    ):
        if isinstance(pattern, tree.Group):
            pattern = pattern.inner
        else:
            pattern, wanted = pattern.operand, not wanted
    if isinstance(pattern, tree.Expression) and not pattern.is_typed:
        return pattern, wanted
    return None
