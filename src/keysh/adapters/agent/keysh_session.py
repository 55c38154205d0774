"""KeyshSession: run one command after another in a keysh shell."""

from __future__ import annotations

import os
import sys
from io import FileIO

from keysh import Limits, OverlayFS, Policy, ReadOnlyFS, Shell, image_of
from keysh.adapters.agent.restored_files import acts_of_restoring
from keysh.adapters.agent.task import (
    FinishedCommand,
    InputPipe,
    OutputStreams,
    ProcessTask,
    ScriptTask,
    UnsupportedRequest,
)
from keysh.audit.secret_patterns import without_secrets
from keysh.diagnostics.exceptions import refuse
from keysh.interp.run.cancel import Cancel
from keysh.interp.run.turn import in_turn, take_turn, wake_next
from keysh.interp.streams.descriptors import NO_INPUT
from keysh.interp.streams.open_files import FileReader
from keysh.interp.streams.streams import Reader, Writer
from keysh.interp.variables.variable import EXPORTED
from keysh.process import OPEN, ProcessSpec, start
from keysh.process.environment import TAG
from keysh.process.keeper import Keeper
from keysh.process.tree.kill import end_tagged
from keysh.shell.async_run import Job
from keysh.shell.history.state_version import StateVersion
from keysh.shell.host.host_files import put_file
from keysh.shell.host.host_tools import host_tools
from keysh.shell.permissions.host_permissions import JudgedAsScript
from keysh.shell.registry import known_members

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from keysh import Changes, FileSystem, Image, JournalEntry
    from keysh.adapters.agent.task import Task
    from keysh.adapters.thread import Stop
    from keysh.adapters.tool_result import LimitRecord
    from keysh.interp.run.turn import Turn
    from keysh.schema.command import Command
    from keysh.shell.registry import CommandRegistry
    from keysh.shell.run_options import ShellSettings
    from keysh.shell.run_result import ReachedLimit, Result
    from keysh.vfs.router import Router
    from keysh.vfs.stream import Stream

MAX_OUTPUT_BYTES = 16 << 20  # kept of each output of a command
TERMINAL_SIZE = (80, 24)  # columns and rows
KILL_GRACE_SECONDS = 0.5  # between SIGTERM and SIGKILL
# Of a command in the background, which may serve others; the tool Bash ends one that it waits for.
MAX_COMMAND_SECONDS = 3600

# Each shell has its own of these mounts.
OWN_MOUNTS = ("/dev", "/v/jobs")


class KeyshSession:
    """A session whose variables, functions and directory last from one command to the next.

    Commands are in the bash dialect, since models write bash; with `dialect="keysh"` in its own.
    The other options are those of `Shell`, without `isolated`. Variables that look like secrets are
    removed from `env`, but not those named in `keep`. The limits are those of a Shell, with an hour
    for a command. Programs of a Policy are confined as far as the kernel can, unless it says how.
    Background shells start with a copy of the session's state. `prepare` is called with each new
    shell. With `journal=True` commands can be taken back.
    """

    def __init__(
        self,
        *,
        keep: Iterable[str] = (),
        prepare: Callable[[Shell], None] | None = None,
        dialect: str | None = "bash",
        **options: Any,
    ) -> None:
        if (isolated := options.pop("isolated", False)) is not False:
            refuse("isolated", "False: the state of a session is in this process", isolated)
        self.dialect = dialect
        self._tag = os.urandom(8).hex()  # marks the environment of all programs
        env = without_secrets(options.get("env") or {}, keep=keep)
        if options.get("external"):
            env |= {TAG: self._tag}
            if isinstance(options["external"], Policy):
                options["external"] = options["external"].for_agents()
        if options.get("tools"):
            options["tools"] = host_tools(options["tools"])  # which all its shells share
        limits = options.get("limits") or default_limits()
        self._options = {**options, "env": env, "dialect": dialect, "limits": limits}
        self._prepare = prepare
        self._turn: Turn = {}
        self._keeper = Keeper()
        self._tasks: list[Task] = []
        self._streams = OutputStreams(MAX_OUTPUT_BYTES)
        self._shell = attach_streams(self._new_shell(self._options), NO_INPUT, self._streams)
        self._note_state()

    @property
    def fs(self) -> Router:
        """The file system of the commands."""
        return self._shell.state.session.fs  # with its judge from the first use on

    @property
    def doors(self) -> ShellSettings:
        """What the host lets commands reach: programs, the network, what judges them."""
        return self._shell._options

    @property
    def limits(self) -> Limits:
        """The limits of a command."""
        return self._shell._limits

    @property
    def registry(self) -> CommandRegistry:
        """The commands."""
        return self._shell.registry

    def group_members(self, group: Command) -> Mapping[str, Command] | None:
        """Return the members of a group of commands; None if they cannot be had."""
        return known_members(self._shell.state, group)

    @property
    def history(self) -> list[JournalEntry]:
        """The commands since the journal began, as `Shell.history`."""
        return [*self._shell.history]

    @property
    def has_journal(self) -> bool:
        """Whether commands can be taken back."""
        return self.doors.journal is not None

    @property
    def cwd(self) -> str:
        """The directory of the next command."""
        return self._latest.cwd

    def run(
        self, command: str, seconds: float, stop: Stop, *, to_background: bool = False
    ) -> FinishedCommand | Task:
        """Run a command. On a timeout it is ended, or continues as a task if `to_background`."""
        return in_turn(
            self._turn, stop.budget, lambda: self._run(command, seconds, stop, to_background)
        )

    def _run(
        self, command: str, seconds: float, stop: Stop, to_background: bool
    ) -> FinishedCommand | Task:
        shell, tag = self._shell, self._tag_command()
        has_company = self._has_tasks()
        if not to_background:
            result = shell.run(command, timeout=seconds, cancel=stop.cancel)
        else:
            job = shell.start(command, cancel=stop.cancel)
            try:
                result = job.wait(seconds)
            except TimeoutError:
                streams, self._streams = self._streams, OutputStreams(MAX_OUTPUT_BYTES)
                self._shell = self._sibling(NO_INPUT, self._streams)
                return self._noted(ScriptTask(shell, streams, job, stop.cancel))
        if result.limit is not None and tag:
            end_tagged(tag, KILL_GRACE_SECONDS)  # what has left its tree, as daemons do
        self._note_state()
        if result.changes is not None and (has_company or self._has_tasks()):
            result.changes.add_reason("a background shell ran at the same time")
        out, err, lost_bytes = self._take_output(result)
        limit = limit_record(result.limit)
        kind = "" if limit is None else limit["kind"]
        reason = {"seconds": "timeout", "cancelled": "cancelled"}.get(kind, "")
        return FinishedCommand(
            result.code, out, err, reason, changes=result.changes, lost_bytes=lost_bytes,
            limit=limit,
        )  # fmt: skip

    def _tag_command(self) -> str:
        """Mark the environment of the next command; return its tag, empty if no programs run."""
        if not self._options.get("external"):
            return ""
        tag = os.urandom(8).hex()
        self._shell.state.variables[TAG] = f"{self._tag}:{tag}"
        return tag

    def _take_output(self, result: Result) -> tuple[bytes, bytes, int]:
        """Return the output of a command that has ended, and the number of lost bytes."""
        return self._streams.take()

    def _note_state(self) -> None:
        """Note the state with which background shells begin."""
        self._latest = self._shell.state.fork_concurrent()

    def start(
        self,
        command: str,
        *,
        pty: bool = False,
        env: Mapping[str, str] | None = None,
        directory: str | None = None,
    ) -> Task:
        """Run a command in the background, with more variables and in another directory."""
        if pty:
            return self._on_terminal(command, env or {}, directory or self.cwd)
        read_end, write_end = os.pipe()
        file, stdin = FileIO(read_end, "rb"), InputPipe(write_end)
        streams, cancel = OutputStreams(), Cancel()
        shell = self._sibling(FileReader(file), streams, journal=None)

        def run(text: str, **options: Any) -> Result:
            try:
                return shell.run(text, **options)
            finally:
                stdin.close()
                file.close()

        job = Job(run, command, {"cancel": cancel, "env": env, "cwd": directory})
        return self._noted(ScriptTask(shell, streams, job, cancel, stdin))

    def _noted(self, task: Task) -> Task:
        """Note a task, which may change files while commands run."""
        self._tasks = [one for one in self._tasks if one.is_running]
        self._tasks.append(task)
        return task

    def _has_tasks(self) -> bool:
        """Whether anything runs in the background."""
        return any(task.is_running for task in self._tasks)

    def reset(self) -> None:
        """Reset the state; files stay."""

        def begin_anew() -> None:
            self._end()
            self._latest = self._new_shell(self._later_options()).state
            self._shell = self._sibling(NO_INPUT, self._streams)

        in_turn(self._turn, None, begin_anew)

    def snapshot(self) -> bytes:
        """Return an image of the session, as `Shell.snapshot` does, after the command that runs."""
        return in_turn(self._turn, None, lambda: self._shell.snapshot())

    def restore(self, image: bytes) -> None:
        """Make the session what an image holds; raise ImageError if that is not possible.

        What the image refers to is what the session has at the same mount point.
        """
        in_turn(self._turn, None, lambda: self._restore(image))

    def _restore(self, image: bytes) -> None:
        options = self._later_options()
        mounts = granted_mounts(image_of(image), options["fs"])
        del options["fs"], options["files"]
        shell = Shell.restore(image, mounts, **options)
        if self._shell.state.session.permissions is not None:
            acts = [*acts_of_restoring(self.fs, shell.fs)]
            with JudgedAsScript():
                self.fs.require(acts)
        if self._prepare is not None:
            self._prepare(shell)
        if self._options.get("external"):
            shell.state.variables[TAG] = self._tag
            shell.state.attributes[TAG] = EXPORTED
        shell.registry.take_over(self._shell.registry)
        self._shell.close()
        self._shell = attach_streams(shell, NO_INPUT, self._streams)
        self._note_state()

    def undo(self, count: int = 1, *, partial: bool = False) -> list[JournalEntry]:
        """Take back the last commands that changed something, as `Shell.undo` does."""
        return self._go(lambda: self._shell.undo(count, partial=partial))

    def redo(self, count: int = 1) -> list[JournalEntry]:
        """Repeat the effects of the last commands that were taken back, as `Shell.redo` does."""
        return self._go(lambda: self._shell.redo(count))

    def _go(self, act: Callable[[], list[JournalEntry]]) -> list[JournalEntry]:
        def go() -> list[JournalEntry]:
            with JudgedAsScript():
                entries = act()
            self._note_state()
            return entries

        return in_turn(self._turn, None, go)

    def open_file(self, path: str) -> Stream:
        """Open a file for reading; it is judged as a command's file is."""
        with JudgedAsScript():
            return self.fs.open(path)

    def write_file(self, path: str, content: str | bytes) -> Changes | None:
        """Write a file and make its parent directories; with a journal it can be taken back.

        While a command runs it is part of that. It is judged as a command's file is.
        """
        me = take_turn(self._turn) if self.has_journal else None
        if me is None:
            with JudgedAsScript():
                put_file(self.fs, path, content)
            return None
        try:
            with self._shell.recording(f"Write {path}"), JudgedAsScript():
                put_file(self.fs, path, content)
            return self._shell.history[-1].changes
        finally:
            self._turn.pop(me, None)
            if self._turn:
                wake_next(self._turn)

    def close(self) -> None:
        """End the session."""
        self._end()
        self._keeper.close()

    def _end(self) -> None:
        self._shell.close()
        if self._options.get("external"):
            end_tagged(self._tag, KILL_GRACE_SECONDS)

    def _new_shell(self, options: dict[str, Any]) -> Shell:
        """Return a new shell."""
        shell = Shell(**options)
        if self._prepare is not None:
            self._prepare(shell)
        return shell

    def _later_options(self) -> dict[str, Any]:
        """Return the options for another shell on the same files."""
        mounts = {path: fs for path, fs in self._shell.fs.mounts.items() if path not in OWN_MOUNTS}
        return {**self._options, "fs": mounts, "files": None}

    def _sibling(self, stdin: Reader, streams: OutputStreams, **options: Any) -> Shell:
        """Return a shell with the state of the session after its latest command."""
        shell = self._new_shell({**self._later_options(), **options})
        shell.registry.take_over(self._shell.registry)
        StateVersion(self._latest).put_into(shell.state)
        return attach_streams(shell, stdin, streams)

    def _on_terminal(self, command: str, env: Mapping[str, str], directory: str) -> Task:
        """Run a command in the program keysh at a terminal of its own."""
        is_bare = self._options.get("external") is True and not (
            self._options.get("on_command") or self._options.get("rules")
        )
        if not is_bare or self.fs.real_path(directory) != directory:
            raise UnsupportedRequest(
                "a terminal is for real programs: the session must have external=True and the "
                "machine's own files, and neither on_command nor rules"
            )
        options = [] if self.dialect is None else ["--dialect", self.dialect]
        spec = ProcessSpec(
            [sys.executable, "-P", "-m", "keysh", *options, "-c", command],
            env={**self._latest.environment(), **env}, directory=directory, stdin=OPEN,
            terminal=TERMINAL_SIZE, tagged=True,
        )  # fmt: skip
        return self._noted(ProcessTask(self._keeper.keep(start(spec))))


def default_limits() -> Limits:
    """Return the limits of a session whose host sets none."""
    return Limits(seconds=MAX_COMMAND_SECONDS)


def limit_record(limit: ReachedLimit | None) -> LimitRecord | None:
    """Return the limit that ended a run as JSON values."""
    if limit is None:
        return None
    return {
        "kind": limit.kind, "used": limit.used, "allowed": limit.allowed, "place": limit.place
    }  # fmt: skip


def granted_mounts(image: Image, mounts: Mapping[str, FileSystem]) -> dict[str, FileSystem]:
    """Return the file systems of a session that an image does not hold itself."""
    granted: dict[str, FileSystem] = {}
    for point, fs in mounts.items():
        if point not in image.mounts:
            granted[point] = fs
        elif point in image.references:
            # Changes above what it refers to are in the image.
            is_layered = image.mounts[point] != "reference"
            granted[point] = lowest_layer(fs) if is_layered else fs
    return granted


def lowest_layer(fs: FileSystem) -> FileSystem:
    """Return what lies below overlays and read-only views."""
    while isinstance(fs, OverlayFS | ReadOnlyFS):
        fs = fs.lower if isinstance(fs, OverlayFS) else fs.inner
    return fs


def attach_streams(shell: Shell, stdin: Reader, streams: OutputStreams) -> Shell:
    """Redirect the output of a shell to the streams; return the shell."""
    shell.attach(stdin, Writer(streams.put), Writer(streams.put_error))
    return shell
