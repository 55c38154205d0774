"""Preparing: a text becomes what runs: parsed, checked, compiled, and kept where it is right."""

from __future__ import annotations

from keysh.check.checker import check
from keysh.check.report import refuse_unknown_severities
from keysh.compile.cache import TextCache
from keysh.compile.compiler import Compiler
from keysh.diagnostics.errors import ScriptError
from keysh.diagnostics.source import Source
from keysh.interp.engine.strand import run_on_thread
from keysh.interp.run.site import report_diagnostic
from keysh.shell.registry import CheckedNames
from keysh.syntax.parser import GarbagePause, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State
    from keysh.shell.registry import CommandRegistry
    from keysh.syntax.ast import Script

    # What runs, if anything may, and what the check says.
    Prepared: TypeAlias = tuple[Body | None, list[Diagnostic]]

COMPILER = Compiler()
MOST_TOLD = 5  # diagnostics of one script


class Preparing:
    """Of the texts of one shell. `ready` has those about which there is nothing to say."""

    __slots__ = ("_checks", "_registry", "ready")

    def __init__(self, checks: bool | Mapping[str, str], registry: CommandRegistry) -> None:
        """`checks` is whether to check, or what the codes' severities are."""
        if not isinstance(checks, bool):
            refuse_unknown_severities(checks)
        self._checks, self._registry = checks, registry
        self.ready = TextCache()

    def prepared(self, state: State, text: str) -> Prepared:
        """What runs a text; nothing where it is refused. What there is to say has been printed."""
        try:
            with GarbagePause(text):
                try:
                    body, diagnostics = self._checked(state, text)
                except RecursionError:  # little is left of the stack
                    body, diagnostics = run_on_thread(lambda: self._checked(state, text))
        except ScriptError as error:
            body, diagnostics = None, error.diagnostics
        if diagnostics:
            print_most(state, diagnostics)
        return body, diagnostics

    def _checked(self, state: State, text: str) -> Prepared:
        diagnostics: list[Diagnostic] = []
        script = None
        if self._checks is not False:
            script = parse(Source(text, state.source_name))
            diagnostics = self.diagnostics(state, script)
            if any(one.severity == "error" for one in diagnostics):
                return None, diagnostics
        body = COMPILER.script(text, state.source_name, script)
        if not diagnostics:
            self.ready.store(text, body)
        return body, diagnostics

    def diagnostics(self, state: State, script: Script) -> list[Diagnostic]:
        """What the checker says of a script, given what the shell has already."""
        severities = {} if self._checks in (True, False) else self._checks
        more = [*state.functions, *state.aliases]
        has_programs = state.session.has_programs
        known = CheckedNames(
            self._registry, more, has_programs, lambda name: is_script(state, name)
        )
        functions = {name: found.node for name, found in state.functions.items()}
        return check(
            script, known, severities=severities, variables=state.variables, functions=functions  # type: ignore[arg-type]
        )  # fmt: skip


def is_script(state: State, name: str) -> bool:
    """Whether a name is that of a script on `$PATH`."""
    from keysh.interp.engine.scripts import find_script  # noqa: PLC0415 - for names no command has

    return find_script(state, name)[0] is not None


def print_most(state: State, diagnostics: list[Diagnostic]) -> None:
    """Print what the check says: five at most, errors before warnings."""
    ordered = sorted(diagnostics, key=lambda one: one.severity != "error")
    for diagnostic in ordered[:MOST_TOLD]:
        report_diagnostic(state, diagnostic)
    if len(ordered) > MOST_TOLD:
        state.err.write(f"keysh: {len(ordered) - MOST_TOLD} more\n")
