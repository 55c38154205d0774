"""Parse, check and compile the scripts of one shell, and cache those without diagnostics."""

from __future__ import annotations

from keysh.check.checker import check
from keysh.check.report import refuse_unknown_severities
from keysh.compile.compiler import BYTES_PER_CHARACTER, CompilerTable
from keysh.compile.context import MAX_KEPT_SCRIPT_CHARS
from keysh.diagnostics.dialect import BASH, KEYSH, declared_dialect
from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source
from keysh.interp.run.budget import Budget
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.site import report_diagnostic
from keysh.shell.registry import CheckedNames, known_members
from keysh.syntax.parser import GarbagePause, parse
from keysh.text.cache import ENTRY_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias, TypeVar

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.diagnostics.dialect import Dialect
    from keysh.interp.run.closures import Body
    from keysh.interp.run.limits import Limits
    from keysh.interp.state.state import State
    from keysh.shell.registry import CommandRegistry
    from keysh.syntax.ast import Script
    from keysh.syntax.lexer.cursor import Tick

    T = TypeVar("T")

    # The compiled script, if it may run, and its diagnostics.
    CompiledScript: TypeAlias = tuple[Body | None, list[Diagnostic]]


COMPILERS = CompilerTable()
MAX_PRINTED_DIAGNOSTICS = 5
MAX_READY_BYTES = 64 << 20  # of the scripts that one shell keeps compiled


class HostWork(str):
    """Work that a host asks for in place of a text, which only names it. It equals no text."""

    __slots__ = ("body",)

    body: Body

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


class ScriptCache:
    """Compiles the scripts of one shell.

    `ready` holds those that had no diagnostics, each with its dialect. The key of a text is the
    text itself, or `cache_key` where the host names its dialect.
    """

    __slots__ = ("_dialect", "_ready_bytes", "_registry", "checks", "ready")

    def __init__(
        self, checks: bool | Mapping[str, str], registry: CommandRegistry, dialect: Dialect | None
    ) -> None:
        """`checks` says whether to check, or gives severities by code.

        Without a dialect each text is taken for what its first lines declare.
        """
        if not isinstance(checks, bool):
            refuse_unknown_severities(checks)
        self.checks, self._registry, self._dialect = checks, registry, dialect
        # For this shell alone and by one run at a time: a TextCache would take 2 us of a new shell.
        self.ready: dict[str, tuple[Body, Dialect]] = {}
        self._ready_bytes = 0

    def forget_all(self) -> None:
        """Compile each script again: commands have changed, or there are too many scripts."""
        self.ready.clear()
        self._ready_bytes = 0

    def keep(self, key: str, body: Body, dialect: Dialect) -> None:
        """Keep a compiled script, unless it is too long."""
        if len(key) > MAX_KEPT_SCRIPT_CHARS:
            return
        self._ready_bytes += ENTRY_BYTES + len(key) * BYTES_PER_CHARACTER
        if self._ready_bytes > MAX_READY_BYTES:
            self.forget_all()
        self.ready[key] = body, dialect

    @property
    def dialect_name(self) -> str | None:
        """The dialect of all texts; None if each says its own."""
        return None if self._dialect is None else self._dialect.name

    @property
    def shell_name(self) -> str:
        """`$0` of texts that have no name: the shell of their dialect."""
        return (self._dialect or KEYSH).name

    def dialect_of(self, state: State, text: str) -> Dialect:
        """Return the dialect of a text for which the host names none."""
        return self._dialect or declared_dialect(text, state.source_name) or KEYSH

    def compile(self, state: State, text: str, dialect: Dialect, key: str) -> CompiledScript:
        """Compile a script and print its diagnostics; the body is None if it is refused.

        The run's limits hold while it is read, too: LimitReached ends the run.
        """
        state.check_text(text)
        source = Source(text, state.source_name, dialect)
        try:
            with GarbagePause(text):
                try:
                    body, diagnostics = self._check_and_compile(state, source, key)
                except RecursionError:  # too little is left of this stack
                    from keysh.interp.engine.thread_handoff import run_on_thread  # noqa: PLC0415 - rare

                    body, diagnostics = run_on_thread(
                        lambda: self._check_and_compile(state, source, key)
                    )
        except ScriptError as error:
            body, diagnostics = None, error.diagnostics
        if diagnostics and (body is None or dialect is not BASH):  # bash itself warns of nothing
            print_diagnostics(state, diagnostics)
        return body, diagnostics

    def _check_and_compile(self, state: State, source: Source, key: str) -> CompiledScript:
        diagnostics: list[Diagnostic] = []
        script = None
        if source.dialect is BASH:
            from keysh.interp.engine.line_by_line import is_read_by_line, run_by_line  # noqa: PLC0415 - few scripts have aliases

            if is_read_by_line(state, source.text):
                return lambda state: run_by_line(state, source.text, source.name), []
        if self.checks is not False:
            script = parse(source, state.tick)
            diagnostics = self.diagnostics(state, script, state.tick)
            if any(one.severity == "error" for one in diagnostics):
                return None, diagnostics
        body = COMPILERS[source.dialect].script(source.text, source.name, state, script)
        if not diagnostics:
            self.keep(key, body, source.dialect)
        return body, diagnostics

    def diagnostics(self, state: State, script: Script, tick: Tick) -> list[Diagnostic]:
        """Return what the checker finds in a script, given the state of the shell."""
        severities = {} if self.checks in (True, False) else self.checks
        more = [*state.functions, *state.aliases]
        has_programs = state.session.has_programs
        known = CheckedNames(
            self._registry, more, has_programs, lambda name: is_script(state, name),
            lambda group: known_members(state, group),
        )  # fmt: skip
        functions = {name: found.node for name, found in state.functions.items()}
        return check(
            script, known, severities=severities, variables=state.variables, functions=functions,  # type: ignore[arg-type]
            tick=tick,
        )  # fmt: skip


def read_within(limits: Limits, source: Source, work: Callable[[Tick], T]) -> T:
    """Return what `work` makes of a text outside of any run; ScriptError with E121 at a limit."""
    budget = Budget(limits)
    size = len(source.text)
    try:
        if limits.value is not None and size > limits.value:
            raise LimitReached("value", size, limits.value)
        return work(budget.check)
    except LimitReached as limit:
        from keysh.diagnostics.diagnostic import Diagnostic  # noqa: PLC0415 - only for an error

        fact = "reading the script exceeds a limit"
        datum = f"{limit.kind}: {limit.used} used, {limit.allowed} allowed"
        fix = "divide the script, or give the shell higher limits"
        raise ScriptError([Diagnostic("E121", source, 0, 0, fact, datum, fix)]) from None


def cache_key(text: str, dialect: Dialect) -> str:
    """Return the key of a text whose dialect the host names."""
    return f"{dialect.name}\0{text}"


def is_script(state: State, name: str) -> bool:
    """Whether a script of this name is on `$PATH`."""
    from keysh.interp.engine.scripts import find_script  # noqa: PLC0415 - only for unknown names

    return find_script(state, name)[0] is not None


def print_diagnostics(state: State, diagnostics: list[Diagnostic]) -> None:
    """Print the first diagnostics, errors before warnings."""
    ordered = sorted(diagnostics, key=lambda one: one.severity != "error")
    for diagnostic in ordered[:MAX_PRINTED_DIAGNOSTICS]:
        report_diagnostic(state, diagnostic)
    if len(ordered) > MAX_PRINTED_DIAGNOSTICS:
        state.err.write(f"keysh: {len(ordered) - MAX_PRINTED_DIAGNOSTICS} more\n")
