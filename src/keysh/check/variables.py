"""Rules for variables: read but never assigned, and arrays read without a subscript."""

from __future__ import annotations

from keysh.check.builtin_effects import KEYSH_ONLY_COMMANDS
from keysh.check.facts import MAX_TRACKED_ASSIGNMENTS
from keysh.check.static_words import command_name
from keysh.schema.arguments import nearest_fix
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from keysh.check.facts import Facts, VariableRead
    from keysh.check.report import CheckReport

MAX_VARIABLE_SUGGESTIONS = 5  # unknown names that get one: no more are shown


class VariableRules:
    """Checks every variable that a script reads; `known` are set before it runs."""

    __slots__ = ("_facts", "_known", "_suggestion_count", "_report")

    def __init__(self, facts: Facts, known: Container[str], report: CheckReport) -> None:
        self._facts, self._known, self._report = facts, known, report
        self._suggestion_count = 0

    def check(self) -> None:
        """Check all reads, unless the script runs unknown code."""
        facts = self._facts
        if facts.hides_variables:
            return
        arrays: set[str] = set()
        for name, made in facts.assignments.items():
            if len(made) <= MAX_TRACKED_ASSIGNMENTS:
                kinds = {one.kind for one in made}
                if kinds <= {"array", "declared"} and "array" in kinds:
                    arrays.add(name)
        missing: set[str] = set()
        for read in self._report.ticking(facts.reads):
            name = read.name
            if name not in facts.assignments:
                if name not in missing and self.is_unassigned(name):
                    missing.add(name)
                    self.report_unassigned(read)
            elif name in arrays and self.is_certain(read):
                self.check_array(read)

    def is_certain(self, read: VariableRead) -> bool:
        """Whether all assignments of a variable precede a read."""
        if read.name in self._known:
            return False
        return all(
            one.start < read.node.start and self._facts.is_visible(read.scope, one.scope)
            for one in self._facts.assignments[read.name]
        )

    # ------------------------------------------------------------ nothing assigned

    def is_unassigned(self, name: str) -> bool:
        """Whether the script should have assigned a variable; one in capitals may be inherited."""
        return (
            name not in self._facts.possibly_unset
            and name not in self._known
            and name != "_"
            and not name.isupper()
        )

    def report_unassigned(self, read: VariableRead) -> None:
        """Report W301."""
        start, end = read.node.start, read.node.end
        fix = ""
        if self._suggestion_count < MAX_VARIABLE_SUGGESTIONS:
            self._suggestion_count += 1
            fix = nearest_fix(read.name, self._facts.assignments, "$")
        self._report.add("W301", start, end, "nothing assigns this variable", f"`{read.name}`",
                         fix or f"assign it, or write `${{{read.name}:-}}` if it may be unset",
                         )  # fmt: skip

    # ------------------------------------------------------------ arrays

    def check_array(self, read: VariableRead) -> None:
        """Report E311: in sh, an array without a subscript is its first element."""
        if not isinstance(read.node, ast.Variable) or read.role == "list":
            return
        command = command_name(read.command)
        if command in KEYSH_ONLY_COMMANDS or self._facts.is_declared(command):
            return
        name = read.name
        fix = f'write `${{{name}[0]}}`, `"${{{name}[@]}}"`, or `$(tojson ${name})`'
        self._report.add("E311", read.node.start, read.node.end,
                         "an array is read without a subscript", f"`${name}`", fix)  # fmt: skip
