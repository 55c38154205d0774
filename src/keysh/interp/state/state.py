"""State: everything that a running script can change; a subshell is a fork of it.

A state is built in layers, one module each: Connections (streams and descriptors), Position (frames
and counters), Scope (variables) and State (the rest). They are base classes rather than members
because the compiled closures read these attributes all the time.
"""

from __future__ import annotations

from time import time_ns

from keysh.diagnostics.dialect import KEYSH
from keysh.interp.run.budget import Budget
from keysh.interp.run.control_flow import Exit, stack_limit_reached
from keysh.interp.run.options import DEFAULT_FLAGS, ERRTRACE, FUNCTRACE
from keysh.interp.run.pipe_status import INITIAL_STATUS
from keysh.interp.state.scope import Scope
from keysh.interp.streams.descriptors import Descriptor
from keysh.interp.variables.variable import COMPUTED, EXPORTED, INITIAL_VARIABLES, READONLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence
    from random import Random
    from typing import Any, TypeVar

    from keysh.diagnostics.dialect import Dialect
    from keysh.interp.jobs.jobs import ShellJob
    from keysh.interp.run.function import ShellFunction
    from keysh.interp.run.site import Site
    from keysh.interp.state.call import Call
    from keysh.interp.state.completion_specs import CompletionSpec
    from keysh.interp.state.hashed_files import HashedFiles
    from keysh.interp.state.session import ScriptCompiler, Session
    from keysh.interp.streams.streams import Reader, Writer
    from keysh.process.spec import Ulimits
    from keysh.vfs.router import Router

    T = TypeVar("T")


NO_COMPLETIONS: Mapping[str, CompletionSpec] = {}
NO_ULIMITS: Ulimits = {}  # a new one for a change
OF_ONE_PROCESS = ("has_own_jobs", "pid", "random_seed")  # what a fork does not inherit
NO_TEMPORARIES: Mapping[str, tuple[Any, int, int]] = {}


MAX_CHARACTER_BYTES = 4  # of one character in UTF-8
STATUS_SEARCH_LIMIT = 2  # of a command whose search costs too much


class State(Scope):
    """One shell or subshell."""

    # What few scripts change has no slot but a default here: a fork, which each `$(…)` makes, then
    # copies a third less.
    __slots__ = (
        "__dict__", "__weakref__", "aliases", "arguments", "cwd", "functions", "last_words", "name",
        "parent", "seconds_from", "source_name", "span", "status", "traps",
    )  # fmt: skip

    background_job: ShellJob | None = None  # the newest it has started: `$!`
    completions: Mapping[str, CompletionSpec] = NO_COMPLETIONS  # a new one for a change
    directories: tuple[str, ...] = ()  # of `pushd`
    getopts_position = (1, 0)
    has_own_jobs = False  # as `( … )` does: `jobs` lists nothing from above
    hashed_files: HashedFiles | None = None  # of the bash dialect, from the first
    pid = 0
    random_seed: tuple[int, int] | None = None  # and the last number; see `random`
    traps_above: dict[str, Any] | None = None  # the parent's, until one is set here
    ulimits: Ulimits = NO_ULIMITS  # of its programs, as far as it has set them
    umask = 0o022
    has_set_umask = False  # until then programs inherit the host's

    def __init__(
        self,
        session: Session,
        stdin: Reader,
        out: Writer,
        err: Writer,
        cwd: str = "/",
        env: Mapping[str, str] | None = None,
        arguments: Sequence[object] = (),
        name: str = "keysh",
        dialect: Dialect = KEYSH,
    ) -> None:
        self.session = session
        self.budget = Budget(session.limits)
        self.max_value_bytes = session.limits.value or 1 << 62
        self.safe_length = self.max_value_bytes // MAX_CHARACTER_BYTES
        self.max_depth = session.limits.depth
        self.variables = dict(INITIAL_VARIABLES)
        self.attributes = {
            "RANDOM": COMPUTED, "SECONDS": COMPUTED, "BASHOPTS": READONLY, "SHELLOPTS": READONLY,
        }  # fmt: skip
        self.owned = None
        self.functions: dict[str, ShellFunction] = {}
        self.aliases: dict[str, str] = {}
        self.traps: dict[str, Any] = {}
        self.is_in_trap = False
        self.flags = DEFAULT_FLAGS
        self.dialect = dialect
        self.arguments: list[object] = list(arguments)
        self.name = name
        self.source_name = name
        self.frames, self.shared_frames = [], 0
        self.depth = self.level = self.loops = self.nesting = self.is_tested = 0
        self.expression_depth = 0
        self.site = self.evaluating_site = None
        self.status: int = INITIAL_STATUS
        self.span = 0  # of an audit: the run, command or pipeline that this is a part of
        self.last_words: Sequence[object] = ()
        self.temporary = NO_TEMPORARIES
        self.seconds_from = session.started_at
        self.cwd = cwd
        self.parent: State | None = None
        self.stdin, self.out, self.err = stdin, out, err
        self.descriptors = {
            0: Descriptor(reader=stdin), 1: Descriptor(writer=out), 2: Descriptor(writer=err),
        }  # fmt: skip
        self.redirect_saves, self.holds_streams = [], False
        if env:
            for key, value in env.items():
                self.variables[key] = value
                self.attributes[key] = self.attributes.get(key, 0) | EXPORTED
        self.variables["PWD"] = cwd
        self.attributes["PWD"] = EXPORTED

    # ------------------------------------------------------------ the environment

    def environment(self) -> dict[str, str]:
        """Return the exported variables and functions, as commands receive them."""
        environment = self.exported_variables()
        exported = [function for function in self.functions.values() if function.is_exported]
        if exported:
            from keysh.interp.variables.exported_functions import environment_of_functions  # noqa: PLC0415 - rare

            environment |= environment_of_functions(exported)
        return environment

    def replace_environment(self, env: Mapping[str, str]) -> None:
        """Export exactly these variables, and the functions that are among them."""
        exported = [function for function in self.functions.values() if function.is_exported]
        if exported:
            from keysh.interp.variables.exported_functions import environment_of_functions  # noqa: PLC0415 - rare

            variables = dict(env)
            for function in exported:
                for name in environment_of_functions([function]):
                    if variables.pop(name, None) is None:
                        self.functions[function.name] = function.with_export(False)
            env = variables
        self.replace_exported_variables(env)

    # ------------------------------------------------------------ forks

    def fork(self) -> State:
        """Return a subshell, which changes nothing here; this state must wait for its end."""
        child = State.__new__(State)
        child.session, child.budget = self.session, self.budget
        child.max_value_bytes, child.safe_length = self.max_value_bytes, self.safe_length
        child.variables = self.variables.copy()
        child.attributes = self.attributes.copy()
        child.owned = ()
        child.functions = self.functions.copy()
        child.aliases = self.aliases.copy() if self.aliases else {}
        if self.__dict__:
            child.inherit_rare(self.__dict__)
        if self.traps:
            child.traps = inherited_traps(self.traps, self.flags)
            child.traps_above = self.traps.copy()
        else:
            child.traps = {}
        child.is_in_trap = self.is_in_trap
        child.flags, child.dialect = self.flags, self.dialect
        child.expression_depth = self.expression_depth
        child.arguments = self.arguments
        child.name, child.source_name = self.name, self.source_name
        child.frames = self.frames.copy()
        child.shared_frames = len(self.frames)
        child.depth, child.max_depth, child.level = self.depth, self.max_depth, self.level + 1
        child.loops, child.nesting = 0, self.nesting
        child.is_tested = self.is_tested
        child.site, child.evaluating_site = self.site, self.evaluating_site
        child.status, child.span = self.status, self.span
        child.last_words = self.last_words
        child.cwd, child.seconds_from = self.cwd, self.seconds_from
        child.temporary, child.parent = self.temporary, self
        child.stdin, child.out, child.err = self.stdin, self.out, self.err
        child.descriptors = self.descriptors.copy()
        child.redirect_saves, child.holds_streams = [], self.holds_streams
        return child

    def inherit_rare(self, rare: dict[str, Any]) -> None:
        """Take from the parent what few scripts change."""
        own = self.__dict__
        own.update(rare)
        for name in OF_ONE_PROCESS:
            own.pop(name, None)
        if self.hashed_files is not None:
            self.hashed_files = self.hashed_files.copy()

    def fork_concurrent(self) -> State:
        """Return a subshell that runs while this state goes on."""
        child = self.fork()
        self.share_values()
        return child

    def share_values(self) -> None:
        """Let this state and those above it copy each list or record before they change it."""
        above: State | None = self
        while above is not None:
            above.owned = ()
            above = above.parent

    # ------------------------------------------------------------ what a Call asks for

    @property
    def fs(self) -> Router:
        return self.session.fs

    @property
    def compiler(self) -> ScriptCompiler:
        """Compiles text of the dialect that runs here."""
        return self.session.compilers[self.dialect]

    def tick(self) -> None:
        budget = self.budget
        if budget.limits.steps is None:
            budget.check()
        else:
            budget.tick()

    def reserve(self, size: int) -> None:
        self.budget.reserve(size)

    def count_unpacked(self, size: int) -> None:
        self.budget.count_unpacked(size)

    def now(self) -> int:
        return self.session.clock()

    def has_real_clock(self) -> bool:
        return self.session.clock is time_ns

    def random(self) -> Random:
        return self.session.random_source()

    def sleep(self, seconds: float) -> bool:
        """Flush the output and sleep; return False if a trapped Ctrl-C cut the sleep short.

        A subshell does not inherit the trap, so there Ctrl-C ends the subshell.
        """
        self.out.flush()
        if self.budget.sleep(seconds):
            return True
        if self.parent is not None:
            raise Exit(128 + self.budget.interruption)
        return False

    def run_coroutine(self, coroutine: Coroutine[Any, Any, object]) -> object:
        """Run a coroutine of the host on the loop that awaits the script; return its result."""
        return self.session.services.run_coroutine(self, coroutine)

    def on_fresh_stack(self, work: Callable[[], T]) -> T:
        return self.session.services.on_fresh_stack(self, work)

    def report_exception(self, call: Call, error: BaseException) -> int:
        """Report an unexpected exception of a command: a message now, the exception to the host.

        A search or a pattern that costs too much is an error of the command like any other.
        """
        if issubclass(type(error), RecursionError):
            raise stack_limit_reached() from None
        from keysh.text.regex.regex_errors import RegexLimit  # noqa: PLC0415 - rare

        if type(error) is RegexLimit:
            call.warn(error.message)
            return STATUS_SEARCH_LIMIT
        from keysh.interp.state.exception_report import report_unexpected  # noqa: PLC0415 - rare

        report_unexpected(self, error, call.err, call.name)
        return 1

    def message_place(self, command: str = "", site: Site | None = None, message: str = "") -> str:
        """Return what stands in front of a message of a command, or of the shell itself.

        In sh a line of usage begins as the message of a tool does.
        """
        from keysh.interp.run.message_place import message_place, running_site  # noqa: PLC0415 - only for a message

        is_of_tool = message.startswith("usage: ") or (
            bool(command) and not self.session.registry.is_builtin(command)
        )
        return message_place(self, site or running_site(self), is_of_tool=is_of_tool)

    def complain(self, message: str) -> None:
        """Print a message of the shell itself on standard error, behind its place."""
        self.err.write(f"{self.message_place()}{message}\n")

    def run_words(
        self,
        call: Call,
        words: Sequence[object],
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        launch_error: str = "",
    ) -> int:
        """Run a command for another one: in a fork, with the streams of the call."""
        child = self.fork()
        child.set_streams(call.source, call.out, call.err)
        if env is not None:
            child.replace_environment(env)
        if cwd is not None:
            child.cwd = cwd
        return self.session.services.run_words(child, words, launch_error)


def inherited_traps(traps: dict[str, Any], flags: int) -> dict[str, Any]:
    """Return the traps that a subshell keeps: ignored signals, and what `set -ET` adds."""
    kept = ["ERR"] if flags & ERRTRACE else []
    if flags & FUNCTRACE:
        kept += ["DEBUG", "RETURN"]
    return {name: trap for name, trap in traps.items() if trap is None or name in kept}
