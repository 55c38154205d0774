"""Variables: read where nothing assigns them, or where sh would make something else of them."""

from __future__ import annotations

from keysh.check.builtin_effects import OWN
from keysh.check.facts import MOST
from keysh.check.static_words import name_of
from keysh.schema.binder import nearest_fix
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from keysh.check.facts import Facts, Read
    from keysh.check.report import Report

NEAREST = 5  # names for which a near one is looked up


class Variables:
    """The judge of every variable in one script; `known` are those that are there already."""

    __slots__ = ("_facts", "_known", "_looked_up", "_report")

    def __init__(self, facts: Facts, known: Container[str], report: Report) -> None:
        self._facts, self._known, self._report = facts, known, report
        self._looked_up = 0

    def judge(self) -> None:
        """Judge all that is read, unless the script assigns what cannot be seen."""
        facts = self._facts
        if facts.hides_variables:
            return
        arrays: set[str] = set()
        for name, made in facts.assigned.items():
            if len(made) <= MOST:
                kinds = {one.kind for one in made}
                if kinds <= {"array", "declared"} and "array" in kinds:
                    arrays.add(name)
        missing: set[str] = set()
        for read in facts.reads:
            name = read.name
            if name not in facts.assigned:
                if name not in missing and self.is_missing(name):
                    missing.add(name)
                    self.say_missing(read)
            elif name in arrays and self.is_certain(read):
                self.judge_array(read)

    def is_certain(self, read: Read) -> bool:
        """Whether everything that is assigned to a variable has been where it is read."""
        if read.name in self._known:
            return False
        return all(
            one.start < read.node.start and self._facts.sees(read.scope, one.scope)
            for one in self._facts.assigned[read.name]
        )

    # ------------------------------------------------------------ nothing assigned

    def is_missing(self, name: str) -> bool:
        """Whether a variable is expected from the script: one in capitals is the environment's."""
        return (
            name not in self._facts.spared
            and name not in self._known
            and name != "_"
            and not name.isupper()
        )

    def say_missing(self, read: Read) -> None:
        """W301."""
        start, end = read.node.start, read.node.end
        fix = ""
        if self._looked_up < NEAREST:
            self._looked_up += 1
            fix = nearest_fix(read.name, self._facts.assigned, "$")
        self._report.say("W301", start, end, "nothing assigns this variable", f"`{read.name}`",
                         fix or f"assign it, or write `${{{read.name}:-}}` where it may be unset",
                         )  # fmt: skip

    # ------------------------------------------------------------ arrays

    def judge_array(self, read: Read) -> None:
        """E311: in sh, an array without a subscript is its first element."""
        if not isinstance(read.node, ast.Variable) or read.place == "list":
            return
        command = name_of(read.command)
        if command in OWN or self._facts.is_declared(command):
            return
        name = read.name
        fix = f'write `${{{name}[0]}}`, `"${{{name}[@]}}"`, or `$(tojson ${name})`'
        self._report.say("E311", read.node.start, read.node.end,
                         "an array is read without a subscript", f"`${name}`", fix)  # fmt: skip
