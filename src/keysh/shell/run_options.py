"""What a host passes to a run and to a shell, as two objects that refuse values of a wrong type."""

from __future__ import annotations

from os import fsdecode
from time import time_ns

from keysh.diagnostics.dialect import DIALECTS
from keysh.diagnostics.exceptions import refuse
from keysh.interp.run.limits import Limits
from keysh.interp.run.options import ASKS_HOST
from keysh.shell.lazy_files import refuse_files
from keysh.values import plain_text, value_of_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from random import Random
    from typing import Any, TypeAlias
    from weakref import ref

    from keysh.audit.audit import Audit
    from keysh.audit.event_reader import EventReader
    from keysh.audit.events import Events
    from keysh.diagnostics.dialect import Dialect
    from keysh.external.gate import ProgramGate
    from keysh.interp.run.cancel import Cancel
    from keysh.interp.run.network import Network
    from keysh.interp.state.session import Session
    from keysh.interp.state.state import State
    from keysh.rules.rule_set import Rules
    from keysh.shell.history.journal import Journal
    from keysh.shell.host.host_stdin import Stdin
    from keysh.shell.host.host_tools import HostTools, Tools
    from keysh.shell.permissions.host_permissions import OnAsk, OnCommand
    from keysh.shell.registry import CommandRegistry

    OnOutput: TypeAlias = Callable[[str, str], object]
    OnEvent: TypeAlias = Events | Callable[[dict[str, object]], object]
    OnRecord: TypeAlias = Callable[[dict[str, object]], object]
    OnProgress: TypeAlias = Callable[[int, int | None, str], object]


def dialect_named(name: str | None) -> Dialect | None:
    """Return the dialect of a name; None where each text declares its own."""
    if name is None:
        return None
    if not isinstance(name, str) or name not in DIALECTS:
        raise ValueError(f"dialect must be 'keysh' or 'bash', but is {name!r}")
    return DIALECTS[name]


class RunSettings:
    """The options of `Shell.run`."""

    __slots__ = (
        "cancel",
        "changes_state",
        "cwd",
        "dialect",
        "env",
        "on_output",
        "stdin",
        "timeout",
    )

    def __init__(
        self,
        stdin: Stdin = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
        cancel: Cancel | None = None,
        on_output: OnOutput | None = None,
        dialect: str | None = None,
    ) -> None:
        self.dialect = dialect_named(dialect)
        self.stdin, self.env, self.cwd = stdin, env, cwd
        self.timeout, self.cancel, self.on_output = timeout, cancel, on_output
        # Whether the state has to be changed for this run, and restored after it.
        self.changes_state = not (stdin is None and env is None and cwd is None and dialect is None)

    def refuse_wrong_types(self) -> None:
        """Raise TypeError for an option that no script can be run with."""
        stdin = self.stdin
        if stdin is not None and not hasattr(stdin, "read") and not hasattr(stdin, "__iter__"):
            refuse("stdin", "text, bytes, a file or pieces of text", stdin)
        if self.env is not None:
            self.env = plain_environment(self.env)
        if self.cwd is not None:
            self.cwd = plain_name("cwd", self.cwd)
        if self.timeout is not None:
            refuse_seconds("timeout", self.timeout)
        if self.cancel is not None:
            from keysh.interp.run.cancel import Cancel  # noqa: PLC0415 - most runs have none

            if not isinstance(self.cancel, Cancel):
                refuse("cancel", "a Cancel", self.cancel, "cancel=keysh.Cancel()")
        if self.on_output is not None and not callable(self.on_output):
            refuse("on_output", "a function", self.on_output, "on_output=lambda stream, text: …")


DEFAULT_RUN_SETTINGS = RunSettings()


class ShellSettings:
    """The options of `Shell` that its state is made of when the first script runs."""

    # Shell, and what makes the engine of a scatter that leaves this process.
    make_shell: Any = None
    make_engine: Any = None

    __slots__ = (
        "args", "audit", "clock", "concern_host", "cwd", "env", "external", "journal",
        "mapper", "name", "network", "on_ask", "on_command", "on_event", "on_progress",
        "owns_audit", "random", "rules", "tools",
    )  # fmt: skip

    def __init__(
        self,
        *,
        cwd: str,
        env: Mapping[str, str] | None,
        args: Sequence[object],
        name: str,
        external: object,
        on_command: OnCommand | None,
        rules: Rules | None,
        on_ask: OnAsk | None,
        clock: Callable[[], float] | float | None,
        random: int | None,
        on_event: OnEvent | None,
        network: Network | bool | None,
        journal: Journal | bool | None,
        audit: Audit | OnRecord | None,
        mapper: Any = None,
        on_progress: OnProgress | None = None,
        tools: Tools | HostTools = (),
    ) -> None:
        if cwd.__class__ is not str or "\0" in cwd:
            cwd = plain_name("cwd", cwd)
        if name.__class__ is not str or "\0" in name:
            name = plain_name("name", name)
        if env is not None:
            env = plain_environment(env)
        if random is not None and (not isinstance(random, int) or isinstance(random, bool)):
            refuse("random", "a whole number, the seed", random, "random=1")
        if args.__class__ is not tuple and (
            isinstance(args, str | bytes) or not hasattr(args, "__iter__")
        ):
            refuse("args", "a list of words", args, "args=['word']")
        if args:
            args = [plain_value(f"args[{number}]", word) for number, word in enumerate(args)]
        self.cwd, self.env, self.args, self.name = cwd, env, args, name
        self.clock, self.random, self.mapper = clock, random, mapper
        self.tools: HostTools | None = None
        if tools != ():
            from keysh.shell.host.host_tools import host_tools  # noqa: PLC0415 - few shells have any

            self.tools = host_tools(tools)
        self.journal: Journal | None = None
        if journal is not None:
            from keysh.shell.host.host_options import journal_of  # noqa: PLC0415 - most shells have none

            self.journal = journal_of(journal)
        self.on_command = on_command
        self.on_event: Events | None = None
        self.on_progress = on_progress
        self.rules, self.on_ask = rules, on_ask
        if external.__class__ is not bool or mapper is not None:
            from keysh.shell.host.host_options import refuse_runners  # noqa: PLC0415 - most shells have none

            refuse_runners(external, mapper)
        self.external, self.owns_audit = external, False
        self.network: Network | bool | None = None
        self.audit: Audit | None = None
        # Whether the host watches or decides anything, or lets scripts reach what is outside.
        self.concern_host = not (
            external is False and on_command is None and on_event is None and rules is None
            and on_ask is None and network is None and audit is None and on_progress is None
        )  # fmt: skip
        if self.concern_host:
            self._take_connections(network, audit, on_event)

    def _take_connections(
        self,
        network: Network | bool | None,
        audit: Audit | OnRecord | None,
        on_event: OnEvent | None,
    ) -> None:
        """Take what connects a shell with its host and the world; TypeError for what cannot."""
        if self.rules is not None or self.on_ask is not None:
            from keysh.shell.host.host_options import refuse_rules  # noqa: PLC0415 - most shells have none

            refuse_rules(self.rules, self.on_ask, self.external, network)
        for option in ("on_command", "on_ask", "on_progress"):
            function = getattr(self, option)
            if function is not None and not callable(function):
                refuse(option, "a function", function)
        self.network = network or None
        if network is not None and network.__class__ is not bool:
            from keysh.interp.run.network import network_of  # noqa: PLC0415 - most hosts allow none

            self.network = network_of(network)
        if audit is not None:
            from keysh.shell.host.host_options import audit_of  # noqa: PLC0415 - most shells have none

            self.audit = audit_of(audit)
        self.owns_audit = self.audit is not audit
        if on_event is not None:
            from keysh.shell.host.host_options import events_of  # noqa: PLC0415 - most shells have none

            self.on_event = events_of(on_event)

    def connect(self, session: Session, state: State, shell: ref[Any]) -> None:
        """Let the host watch and decide, and let scripts reach what it allows them."""
        if (reader := self.event_reader()) is not None:
            from keysh.audit.trail import Trail  # noqa: PLC0415 - most shells have none

            session.trail = Trail(session, reader)
            state.flags |= ASKS_HOST
        if self.asks_host:
            from keysh.shell.permissions.host_permissions import begin_permissions  # noqa: PLC0415 - many hosts allow all

            begin_permissions(state, self.all_rules, self.on_command, self.on_ask)
            state.flags |= ASKS_HOST
        session.network = self.network
        if self.on_progress is not None:
            from keysh.interp.state.progress_report import ProgressReport  # noqa: PLC0415 - few hosts ask

            session.progress = ProgressReport(self.on_progress, session.note_error)
        if self.external:
            session.allow_programs(lambda: self._program_gate(shell))
            if self.external is not True:
                # A bad policy shows now.
                session.opened_programs = self._program_gate(shell)

    def _program_gate(self, shell: ref[Any]) -> ProgramGate:
        from keysh.shell.host.host_options import program_gate  # noqa: PLC0415 - brings in processes

        return program_gate(self.external, shell)

    def event_reader(self) -> EventReader | None:
        """Return what gets the events of the shell: an audit, a function of the host, or both."""
        if self.audit is None or self.on_event is None:
            return self.audit if self.on_event is None else self.on_event.shell_feed()
        from keysh.audit.events import AuditAndEvents  # noqa: PLC0415 - few shells have both

        return AuditAndEvents(self.audit, self.on_event.shell_feed())

    def add_commands(
        self, shell: Any, registry: CommandRegistry, commands: Iterable[Callable[..., Any]]
    ) -> None:
        """Add the commands of the host to a new shell, and those of its servers."""
        for function in commands:
            registry.add(function)
        if self.tools is not None:
            self.tools.join(shell, registry)

    def close(self, shell: object) -> None:
        """A shell is closed: close the audit that was made for it, and connections it used last."""
        if self.tools is not None:
            self.tools.leave(shell)
        if self.owns_audit and self.audit is not None:
            self.audit.close()

    @property
    def asks_host(self) -> bool:
        """Whether anything is judged before a script does it."""
        has_rules = bool(self.all_rules) or getattr(self.network, "rules", None) is not None
        return has_rules or self.on_command is not None

    @property
    def all_rules(self) -> tuple[Rules, ...]:
        """The rules that judge all that scripts do: the shell's own, and those of its policy."""
        sets = (self.rules, getattr(self.external, "rules", None))
        return tuple({id(rules): rules for rules in sets if rules is not None}.values())

    def for_fork(self) -> dict[str, Any]:
        """Return the options of a fork, whose state is copied: what the host decides."""
        return {
            "name": self.name, "external": self.external, "network": self.network,
            "on_command": self.on_command, "on_event": self.on_event,
            "on_progress": self.on_progress, "rules": self.rules, "on_ask": self.on_ask,
            "clock": self.clock, "random": self.random,
            "journal": None if self.journal is None else self.journal.for_fork(),
            "audit": self.audit, "mapper": self.mapper,
            "tools": () if self.tools is None else self.tools,
        }  # fmt: skip


def clock_in_nanoseconds(clock: Callable[[], float] | float | None) -> Callable[[], int]:
    """Return the clock of a shell: the host's own in seconds, a fixed time, or the real one."""
    if clock is None:
        return time_ns
    from keysh.shell.host.host_clock import host_clock  # noqa: PLC0415 - few hosts have their own

    return host_clock(clock)


class RandomSource:
    """Makes the shell's random numbers when it is first called; a seed fixes them."""

    __slots__ = ("_generator", "_seed")

    def __init__(self, seed: int | None) -> None:
        self._seed = seed
        self._generator: Random | None = None

    def __call__(self) -> Random:
        if self._generator is None:
            from random import Random  # noqa: PLC0415 - 3 ms that most scripts do not need

            self._generator = Random(self._seed)
        return self._generator


def plain_environment(env: Mapping[str, object]) -> dict[str, Any]:
    """Return a host's environment as values of keysh; TypeError or ValueError for what is none."""
    if not hasattr(env, "items"):
        refuse("env", "a mapping", env, "env={'NAME': 'value'}")
    plain: dict[str, Any] = {}
    for given, value in env.items():
        name = plain_name("a name in env", given)
        if not name or "=" in name:
            raise ValueError(f"a name in env must be text without = and NUL, but is {name!r:.60}")
        if value is None:
            refuse(f"{name:.60} in env", "a str", value)
        plain[name] = plain_value(f"{name:.60} in env", value)
        if isinstance(plain[name], str) and "\0" in plain[name]:
            raise ValueError(f"{name:.60} in env must have no NUL character")
    return plain


def plain_value(name: str, value: object) -> object:
    """Return a variable or word of the host as a value of keysh; TypeError for what is none."""
    if hasattr(type(value), "__fspath__"):
        value = fsdecode(value)  # type: ignore[arg-type]
    try:
        return value_of_python(value)
    except TypeError:
        refuse(name, "text, a number, a list or a record", value, "str(…)")
    except RecursionError:
        raise ValueError(f"{name} nests too deep, or holds itself") from None


def plain_name(name: str, value: object) -> str:
    """Return text that the host passes as a plain string; TypeError for anything else."""
    if not issubclass(type(value), str):
        refuse(name, "a str", value)
    if "\0" in (text := plain_text(value)):  # type: ignore[arg-type]
        raise ValueError(f"{name} must have no NUL character, but is {text!r:.60}")
    return text


def script_text(text: object) -> str:
    """Return a script as a plain string; TypeError for what is none."""
    refuse_text(text)
    return plain_text(text)  # type: ignore[arg-type]


def refuse_seconds(name: str, seconds: object) -> None:
    """Raise TypeError or ValueError for what is no duration."""
    if not isinstance(seconds, int | float) or isinstance(seconds, bool):
        refuse(name, "a number of seconds", seconds, f"{name}=5")
    if not seconds >= 0:
        raise ValueError(f"{name} must be a number of seconds, but is {seconds}")


def refuse_text(text: object) -> None:
    """Raise TypeError for a script that is not a string."""
    if not issubclass(type(text), str):
        fix = "text.decode()" if isinstance(text, bytes | bytearray) else ""
        refuse("text", "a str", text, fix)


def refuse_limits(limits: object) -> None:
    """Raise TypeError for limits that are none."""
    if limits is not None and not isinstance(limits, Limits):
        refuse("limits", "Limits", limits, "Limits(seconds=5)")


def refuse_construction(
    fs: Any, limits: object, files: object, commands: object, check: object, store: object
) -> None:
    """Raise TypeError for options of `Shell` that it cannot be made with."""
    if fs is not None and not callable(fs):
        from keysh.shell.host.host_files import mounts_of  # noqa: PLC0415 - some hosts have none

        mounts_of(fs)
    refuse_limits(limits)
    if files is not None:
        refuse_files(files)
    if isinstance(commands, str | bytes) or not hasattr(commands, "__iter__"):
        refuse("commands", "a list of functions", commands, "commands=[function]")
    if not isinstance(check, bool) and not hasattr(check, "items"):
        refuse("check", "a bool or a mapping", check, "check={'E301': 'warning'}")
    if store is not None and not isinstance(store, str) and not hasattr(store, "__fspath__"):
        refuse("store", "the path of a file", store, "store='session.db'")
