"""Site: the location of a command in its script, for messages and traces."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.interp.run.control_flow import (
    STATUS_NOT_FOUND,
    LineDiscarded,
    Refused,
    ScriptAborted,
)
from keysh.interp.run.options import ERREXIT, FROM_COMMAND_STRING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.diagnostics.source import Source
    from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
    from keysh.interp.streams.streams import Writer
    from keysh.syntax.node import Node

    class ReportingState(Protocol):
        """The part of a state needed to print a diagnostic."""

        flags: int
        parent: Any

        @property
        def err(self) -> Writer: ...
        def environment(self) -> dict[str, str]: ...
        def message_place(
            self, command: str = "", site: Site | None = None, message: str = ""
        ) -> str: ...


class Site:
    """A node and its source."""

    __slots__ = ("node", "source")

    def __init__(self, source: Source, node: Node) -> None:
        self.source, self.node = source, node

    @property
    def line(self) -> int:
        """The line where the command begins."""
        return self.source.position(self.node.start)[0]

    @property
    def place(self) -> str:
        """The start of the command as file:line:column."""
        line, column = self.source.position(self.node.start)
        return f"{self.source.name}:{line}:{column}"

    @property
    def text(self) -> str:
        """The command as its dialect shows it: its source text, or the form that bash prints."""
        if self.source.dialect is BASH:
            from keysh.syntax.printer.bash_commands import bash_command_text  # noqa: PLC0415 - only where it is shown

            return bash_command_text(self.source, self.node)
        return self.source.text[self.node.start : self.node.end]

    def report(self, state: ReportingState, problem: RuntimeDiagnostic) -> int:
        """Print a diagnostic; return its status, or end what the problem ends."""
        diagnostic = problem.diagnostic(self.source, self.node)
        if self.source.dialect.is_lenient:
            name = name_before_expression(self.node, problem)
            message = f"{name}{one_line_message(diagnostic)}"
            state.err.write(f"{state.message_place(site=self)}{message}\n")
            if not problem.is_final and problem.discards_line:
                raise LineDiscarded(problem.status)
            flags = state.flags & (FROM_COMMAND_STRING | ERREXIT)
            if problem.is_final and flags == FROM_COMMAND_STRING and state.parent is None:
                raise ScriptAborted(STATUS_NOT_FOUND)  # `bash -c 'set -u; $x'` ends with 127
        else:
            report_diagnostic(state, diagnostic)
            if problem.is_refusal:
                raise Refused(diagnostic, problem.status)
        if problem.is_final:
            raise ScriptAborted(problem.status)
        return problem.status


# What bash says behind the datum where keysh's own language says its fact before it. Scripts look
# for these words in what a command that they run has written.
BASH_FACTS = {
    "ambiguous redirect": "ambiguous redirect",
    "bad substitution": "bad substitution",
    "division by zero": "division by 0",
    "readonly variable": "readonly variable",
    "unset variable": "unbound variable",
}


# How bash's messages about an expression begin, behind the expression.
ARITHMETIC_FACTS = (
    "syntax error", "value too great", "invalid arithmetic base", "attempted assignment",
    "expression ", "missing `)'", "`:' expected",
)  # fmt: skip


def name_before_expression(node: Node, problem: RuntimeDiagnostic) -> str:
    """Return the command that evaluates a wrong expression, as bash names it; or nothing."""
    if not problem.fact.startswith(ARITHMETIC_FACTS):
        return ""
    name = NAMES_BY_NODE.get(node.__class__.__name__, problem.command_name)
    return f"{name}: " if name else ""


NAMES_BY_NODE = {"Test": "[[", "ArithmeticCommand": "(("}


def one_line_message(diagnostic: Diagnostic) -> str:
    """Return a diagnostic in the form of bash's messages, with its code and fix behind it."""
    from keysh.diagnostics.display import visible  # noqa: PLC0415 - only for an error

    if diagnostic.code == "E209" and diagnostic.fact not in BASH_FACTS:
        return diagnostic.message  # `${x:?message}`: the script's own words
    is_of_expression = diagnostic.fact.startswith(ARITHMETIC_FACTS)
    fact = diagnostic.fact if is_of_expression else BASH_FACTS.get(diagnostic.fact)
    datum = diagnostic.datum
    if diagnostic.code == "E209" and not datum[0].isalpha() and datum[0] != "_":
        datum = f"${datum}"  # `$1`, `$!`
    text = visible(f"{datum}: {fact}") if fact else diagnostic.message
    fix = f"; fix: {diagnostic.fix}" if diagnostic.fix else ""
    return f"{text} ({diagnostic.code}{fix})"


def report_diagnostic(state: ReportingState, diagnostic: Diagnostic) -> None:
    """Print a diagnostic, in color on a terminal."""
    from keysh.diagnostics.diagnostic import has_colors  # noqa: PLC0415 - only for an error

    columns = state.err.width
    is_seen = columns > 0 and has_colors(state.environment())
    state.err.write(f"{diagnostic.shown(columns, colored=is_seen)}\n")
