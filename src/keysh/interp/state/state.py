"""State: what a running script can change; a subshell is a fork of it.

    session     what all forks share: commands, files, clock
    budget      what this run may still use
    variables   name -> value; a name that is missing is unset
    attributes  name -> bits, for the few names that have any
    functions, aliases, traps, flags, arguments, frames, cwd, descriptors

Values in variables are never shared between two variables, so a list may be changed in place. A
fork shares them with its parent until one of both changes one: `owned` names those that are known
to be its own; None means all.
"""

from __future__ import annotations

from time import time_ns

from keysh.interp.run.control_flow import Exit, LimitReached, stack_limit_reached
from keysh.interp.run.limits import Budget
from keysh.interp.run.options import DEFAULT_FLAGS, ERRTRACE, FUNCTRACE, NOUNSET
from keysh.interp.run.pipe_status import INITIAL_STATUS
from keysh.interp.state.call import exception_text
from keysh.interp.streams.descriptors import Descriptor
from keysh.interp.variables.variable import (
    COMPUTED,
    EXPORTED,
    INITIAL_VARIABLES,
    READONLY,
    SPECIAL_ASSIGNMENT,
    NameReference,
    is_array,
    missing_subscript,
    readonly_variable,
    refuse_export,
    unbound_variable,
)
from keysh.values import ABSENT, CONTAINERS, count_items, deep_copy, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence
    from random import Random
    from typing import Any, TypeVar

    from keysh.interp.jobs.jobs import ShellJob
    from keysh.interp.run.function import Frame, ShellFunction
    from keysh.interp.state.call import Call
    from keysh.interp.state.session import Session
    from keysh.interp.streams.descriptors import Saved
    from keysh.interp.streams.streams import Reader, Writer
    from keysh.process.spec import Ulimits
    from keysh.vfs.router import Router

    T = TypeVar("T")

CHARS_PER_ELEMENT = 64  # characters that an element of a list counts for, where lists grow
MANY_ELEMENTS = 5000  # elements that take so long that the end of the run is looked for


class State:
    """One shell or subshell."""

    __slots__ = (
        "__weakref__", "aliases", "arguments", "attributes", "background_job", "budget", "cwd",
        "max_depth", "depth", "descriptors", "directories", "err", "flags", "frames", "functions",
        "getopts_position", "has_set_umask", "is_tested", "last_words", "level", "max_value_chars", "loops",
        "name", "nesting", "out", "owned", "parent", "pid", "redirect_saves", "seconds_from", "session",
        "shared_frames", "source_name", "status", "stdin", "temporary", "is_in_trap", "traps",
        "traps_above", "ulimits", "umask", "variables",
    )  # fmt: skip

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
    ) -> None:
        self.session = session
        self.budget = Budget(session.limits)
        self.max_value_chars = session.limits.value or 1 << 62
        self.max_depth = session.limits.depth
        self.variables: dict[str, Any] = dict(INITIAL_VARIABLES)
        self.attributes: dict[str, int] = {"RANDOM": COMPUTED, "SECONDS": COMPUTED}
        self.owned: set[str] | None = None
        self.functions: dict[str, ShellFunction] = {}
        self.aliases: dict[str, Any] = {}
        self.traps: dict[str, Any] = {}
        self.traps_above: dict[str, Any] | None = None  # those of the parent, until one is set here
        self.is_in_trap = False  # whether a trap is running
        self.flags = DEFAULT_FLAGS
        self.arguments: list[object] = list(arguments)
        self.name = name
        self.source_name = name
        self.frames: list[Frame] = []
        self.shared_frames = 0  # how many of them are the parent's
        self.depth = self.level = self.loops = self.is_tested = 0
        self.nesting = 0  # how many `$(…)`, `eval` and `source` are around, for `set -x`
        self.status: int = INITIAL_STATUS
        self.last_words: Sequence[object] = ()
        self.background_job: ShellJob | None = None  # the newest that this has started
        self.pid = 0
        # What is set for the command that runs, as in `x=1 f`: its value before, its attributes,
        # and how many frames there are in the function it is set for, if it is one.
        self.temporary: dict[str, tuple[Any, int, int]] = {}
        self.getopts_position = (1, 0)
        self.seconds_from = session.started_at
        self.cwd = cwd
        self.directories: list[str] = []
        self.umask = 0o022
        self.has_set_umask = False  # until then programs have the host's
        self.ulimits: Ulimits = {}  # of the programs it starts, where it has set any
        self.parent: State | None = None
        self.stdin, self.out, self.err = stdin, out, err
        self.descriptors = {
            0: Descriptor(reader=stdin), 1: Descriptor(writer=out), 2: Descriptor(writer=err),
        }  # fmt: skip
        self.redirect_saves: list[
            Saved
        ] = []  # what the commands around with redirections will undo
        for key, value in (env or {}).items():
            self.variables[key] = value
            self.attributes[key] = self.attributes.get(key, 0) | EXPORTED
        self.variables["PWD"] = cwd
        self.attributes["PWD"] = EXPORTED

    # ------------------------------------------------------------ forks

    def fork(self) -> State:
        """A subshell: it sees all and changes nothing here. This state waits until it has ended."""
        child = State.__new__(State)
        child.session, child.budget, child.max_value_chars = (
            self.session,
            self.budget,
            self.max_value_chars,
        )
        child.variables = self.variables.copy()
        child.attributes = self.attributes.copy()
        child.owned = set()
        child.functions = self.functions.copy()
        child.aliases = self.aliases.copy() if self.aliases else {}
        child.traps = inherited_traps(self.traps, self.flags) if self.traps else {}
        child.traps_above = self.traps.copy() if self.traps else self.traps_above
        child.is_in_trap = self.is_in_trap
        child.flags = self.flags
        child.arguments = self.arguments
        child.name, child.source_name = self.name, self.source_name
        child.frames = self.frames.copy()
        child.shared_frames = len(self.frames)
        child.depth, child.max_depth, child.level = self.depth, self.max_depth, self.level + 1
        child.loops, child.nesting = 0, self.nesting
        child.is_tested = self.is_tested
        child.status = self.status
        child.last_words = self.last_words
        child.background_job, child.pid = self.background_job, 0
        child.getopts_position, child.seconds_from = self.getopts_position, self.seconds_from
        child.cwd, child.directories = self.cwd, self.directories.copy()
        child.umask, child.has_set_umask = self.umask, self.has_set_umask
        child.ulimits, child.temporary = self.ulimits, self.temporary
        child.parent = self
        child.stdin, child.out, child.err = self.stdin, self.out, self.err
        child.descriptors = self.descriptors.copy()
        child.redirect_saves = []
        return child

    def fork_concurrent(self) -> State:
        """A subshell that runs while this state goes on."""
        child = self.fork()
        above: State | None = self
        while above is not None:
            above.owned = set()
            above = above.parent
        return child

    def reset_position(self) -> None:
        """Be fit for the next run, wherever this one has been left."""
        self.depth = self.loops = self.is_tested = 0
        self.is_in_trap = False
        self.frames.clear()

    # ------------------------------------------------------------ what a Call asks for

    @property
    def fs(self) -> Router:
        return self.session.fs

    def environment(self) -> dict[str, str]:
        """The exported variables as text."""
        variables = self.variables
        return {
            name: text_of(variables[name])
            for name, bits in self.attributes.items()
            if bits & EXPORTED and name in variables and not is_array(variables[name])
        }

    def tick(self) -> None:
        self.budget.check()

    def count_unpacked(self, size: int) -> None:
        self.budget.count_unpacked(size)

    def now(self) -> int:
        return self.session.clock()

    def has_real_clock(self) -> bool:
        return self.session.clock is time_ns

    def random(self) -> Random:
        return self.session.random_source()

    def sleep(self, seconds: float) -> bool:
        """Wait so long; what waits to be read goes on its way first.

        Whether nothing has interrupted it: Ctrl-C is for what waits, as for a program. It ends a
        subshell, which does not have the trap.
        """
        self.out.flush()
        if self.budget.sleep(seconds):
            return True
        if self.parent is not None:
            raise Exit(128 + self.budget.interruption)
        return False

    def run_coroutine(self, coroutine: Coroutine[Any, Any, object]) -> object:
        """What a coroutine of the host's gives: its own loop runs it, if that waits."""
        return self.session.services.run_coroutine(self, coroutine)

    def on_fresh_stack(self, work: Callable[[], T]) -> T:
        return self.session.services.on_fresh_stack(self, work)

    def report_exception(self, call: Call, error: BaseException) -> int:
        """A command has raised what it should not: the script gets a message, the host the rest."""
        if isinstance(error, RecursionError):
            raise stack_limit_reached() from None
        self.session.error = error
        call.warn(exception_text(error))
        return 1

    def run_words(
        self,
        call: Call,
        words: Sequence[object],
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
    ) -> int:
        """Run a command for a command: in a fork, with the streams of the call."""
        child = self.fork()
        child.set_streams(call.stdin, call.out, call.err)
        if env is not None:
            child.replace_environment(env)
        if cwd is not None:
            child.cwd = cwd
        return self.session.services.run_words(child, words)

    # ------------------------------------------------------------ variables

    def variable_text(self, name: str, value: Any) -> str:
        """The text of a variable whose value is no string."""
        kind = value.__class__
        if kind is int:
            return str(value)
        if value is None:
            if self.flags & NOUNSET and name not in self.variables:
                raise unbound_variable(name)
            return ""
        return text_of(self.variable_value(name, value))

    def variable_value(self, name: str, value: Any) -> Any:
        """The value of a variable that is neither string nor number: it may not be what it seems.

        A reference leads to another variable, and what sh made an array needs a subscript.
        """
        if value is None:
            if self.flags & NOUNSET and name not in self.variables:
                raise unbound_variable(name)
            return None
        kind = value.__class__
        if kind is NameReference:
            return self.session.services.read_text_path(self, value)
        if is_array(value):
            raise missing_subscript(name, value)
        return value

    def assign(self, name: str, value: Any) -> None:
        """Set a variable, by its attributes. A container must be the variable's own: copied."""
        bits = self.attributes.get(name, 0)
        if bits & SPECIAL_ASSIGNMENT:
            self.session.services.assign_by_attributes(self, name, value, bits)
            return
        if bits & EXPORTED:
            refuse_export(name, value)
        self.variables[name] = value
        if self.owned is not None:
            self.owned.discard(name)

    def assign_copy(self, name: str, value: Any) -> None:
        """Set a variable to a value that something else may hold too."""
        self.assign(name, deep_copy(value) if isinstance(value, CONTAINERS) else value)

    def element_copy(self, value: Any) -> Any:
        """A value that goes into a list or record: its own copy there, which has to fit."""
        if not isinstance(value, CONTAINERS):
            return value
        made: Any = deep_copy(value)
        self.check_elements(count_items(made))
        return made

    def own_value(self, name: str) -> Any:
        """The value of a variable, to be changed in place."""
        value = self.variables.get(name)
        if self.owned is not None and name not in self.owned and isinstance(value, CONTAINERS):
            value = self.variables[name] = deep_copy(value)
            self.owned.add(name)
        return value

    def unset(self, name: str) -> None:
        """Take a variable away.

        What the running function has made local stays local; what one that called it has made
        local is no more, and what it hid is there again.
        """
        if self.attributes.get(name, 0) & READONLY:
            raise readonly_variable(name)
        self.variables.pop(name, None)
        self.attributes.pop(name, None)
        last = len(self.frames) - 1
        for at in range(last, -1, -1):
            saved = self.frames[at].saved_variables
            if saved is not None and name in saved:
                if at < last:
                    restore_variable(self, name, *self.saved_by(at).pop(name))
                return

    def saved_by(self, at: int) -> dict[str, tuple[Any, int]]:
        """What a frame gives back in the end, to be changed; a parent's frame is copied first."""
        frame = self.frames[at]
        if at < self.shared_frames:
            frame = self.frames[at] = frame.copy()
        if frame.saved_variables is None:
            frame.saved_variables = {}
        return frame.saved_variables

    def export(self, name: str) -> None:
        """Let commands see a variable."""
        refuse_export(name, self.variables.get(name))
        self.attributes[name] = self.attributes.get(name, 0) | EXPORTED

    def replace_environment(self, env: Mapping[str, str]) -> None:
        """Exactly these variables are exported."""
        for name in [name for name, bits in self.attributes.items() if bits & EXPORTED]:
            if name not in env:
                self.variables.pop(name, None)
                self.attributes.pop(name, None)
        for name, value in env.items():
            if self.variables.get(name, ABSENT) != value:
                self.variables[name] = value
            self.export(name)

    # ------------------------------------------------------------ streams

    def set_streams(self, stdin: Reader, out: Writer, err: Writer) -> None:
        """Connect the three streams anew."""
        self.stdin, self.out, self.err = stdin, out, err
        self.descriptors[0] = Descriptor(reader=stdin)
        self.descriptors[1] = Descriptor(writer=out)
        self.descriptors[2] = Descriptor(writer=err)

    def set_stdin(self, reader: Reader) -> None:
        """Read from somewhere else."""
        self.stdin = reader
        self.descriptors[0] = Descriptor(reader=reader)

    def set_out(self, writer: Writer) -> None:
        """Write to somewhere else."""
        self.out = writer
        self.descriptors[1] = Descriptor(writer=writer)

    # ------------------------------------------------------------ depth

    def enter_level(self) -> None:
        """Go one level deeper: into a function, a substitution, a sourced script, a trap."""
        self.depth += 1
        if self.depth > self.max_depth:
            self.depth -= 1
            raise LimitReached("depth", self.max_depth + 1, self.max_depth)

    def check_elements(self, items: int) -> None:
        """So many elements are in one list, which takes room beside their texts."""
        if items * CHARS_PER_ELEMENT > self.max_value_chars:
            raise self.value_too_long(items * CHARS_PER_ELEMENT)
        if items > MANY_ELEMENTS:
            self.budget.check()

    def check_length(self, length: int) -> None:
        """A value has so many characters."""
        if length > self.max_value_chars:
            raise self.value_too_long(length)

    def value_too_long(self, length: int) -> LimitReached:
        """What ends a run whose value grows beyond its limit."""
        return LimitReached("value", length, self.max_value_chars)


def inherited_traps(traps: dict[str, Any], flags: int) -> dict[str, Any]:
    """What a subshell keeps of the traps: those that ignore a signal, and what `set -ET` adds."""
    kept = ["ERR"] if flags & ERRTRACE else []
    if flags & FUNCTRACE:
        kept += ["DEBUG", "RETURN"]
    return {name: trap for name, trap in traps.items() if trap is None or name in kept}


def restore_variable(state: State, name: str, value: Any, bits: int) -> None:
    """End an assignment that was for one command, or one run."""
    if value is ABSENT:
        state.variables.pop(name, None)
    else:
        state.variables[name] = value
    if bits:
        state.attributes[name] = bits
    else:
        state.attributes.pop(name, None)
