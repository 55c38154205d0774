"""ProcessSpec: what to run, where, under which limits, and what its streams are connected to."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Literal, Protocol, TypeAlias

    from keysh.process.confine.confinement import Confinement
    from keysh.process.policy import Policy
    from keysh.process.tree.tagged_processes import TaggedProcesses

    class HasFileno(Protocol):
        """An open file of the machine."""

        def fileno(self) -> int: ...

    class StreamedProcess(Protocol):
        """A process whose output is streamed."""

        def take_output(self) -> int: ...

    # The soft and the hard limit by the name of a resource, in the system's units.
    Ulimits: TypeAlias = Mapping[str, tuple[int, int]]
    ChunkSource = Iterable[bytes | str]
    InputSource: TypeAlias = (
        "bytes | str | int | StreamMarker | StreamedProcess | HasFileno | ChunkSource | None"
    )
    OutputTarget: TypeAlias = "int | StreamMarker | Callable[[bytes], object]"


class StreamMarker:
    """A choice for a stream that is not a value."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


OPEN = StreamMarker("OPEN")  # standard input that `Process.send` writes to
CAPTURE = StreamMarker("CAPTURE")  # keep the head and the tail for the result
STREAM = StreamMarker("STREAM")  # read by `Process.output`, at the reader's pace
DISCARD = StreamMarker("DISCARD")  # to /dev/null
MERGE = StreamMarker("MERGE")  # standard error to where standard output goes
PRIVATE = StreamMarker("PRIVATE")  # a new empty directory, removed when the process has ended


class ProcessSpec:
    """One process. Times are milliseconds, sizes bytes; None means no limit.

    stdin: None, bytes, a string, an iterable of either, an open file or its descriptor, OPEN, or a
    Process whose output is STREAM, connected by a kernel pipe. An iterable is read in `wait` and
    `output`, when the process has room; while it computes, nothing else is attended.

    stdout, stderr: CAPTURE, STREAM (stdout only), DISCARD, a descriptor, or a function that is
    called with each piece; stderr may be MERGE.

    `env` is the whole environment; that of this process is never read. `path` is searched instead
    of the PATH of `env`. `file` has been found there already, and is used unless a policy has to
    judge. `directory` is a path or an open descriptor; None is this process's own. `descriptors`
    gives the process more open files: {the process's number: our descriptor}.

    The process leads a session of its own; with `session=False` only a process group, or it joins
    `group`. `terminal` is the columns and rows of a terminal for all three of its streams.

    `tagged` adds a variable to its environment by which detached descendants are found when the
    tree is killed; None adds it unless nothing but Ctrl-C can end the process. With an `owner` it
    is added and names that too, so that the owner can end what the process leaves.

    `max_processes` is held by a cgroup where one may be made, else by counting, which
    `counts_processes` chooses for programs that should start fast. Then `max_owned` is counted too:
    the processes of all programs of the owner.

    `umask` applies to files that the process creates; -1 is this process's own.

    `has_own_directory` says that the directory was made for this process, so no policy has to allow
    it. `confinement` is what a policy with `confine="auto"` or "require" holds the process to.
    """

    __slots__ = (
        "argv", "confinement", "counts_processes", "cpu_seconds", "descriptors", "directory",
        "drain", "env", "file", "grace", "group", "has_own_directory", "max_memory",
        "max_open_files", "max_output", "max_owned", "max_processes", "nice", "on_timeout", "owner",
        "path", "policy", "session", "stderr", "stdin", "stdout", "tagged", "terminal", "timeout",
        "ulimits", "umask", "writable",
    )  # fmt: skip

    def __init__(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        path: str | None = None,
        file: str | None = None,
        directory: str | int | StreamMarker | None = None,
        has_own_directory: bool = False,
        stdin: InputSource = None,
        stdout: OutputTarget = CAPTURE,
        stderr: OutputTarget = CAPTURE,
        descriptors: Mapping[int, int] | None = None,
        timeout: float | None = None,
        on_timeout: Literal["kill", "background"] = "kill",
        grace: float = 2000,
        drain: float = 50,
        max_output: int = 1 << 20,
        max_memory: int | None = None,
        cpu_seconds: int | None = None,
        max_processes: int | None = None,
        max_owned: int | None = None,
        counts_processes: bool = False,
        max_open_files: int | None = None,
        nice: int | None = None,
        policy: Policy | None = None,
        writable: Sequence[str] = (),
        tagged: bool | None = None,
        owner: TaggedProcesses | None = None,
        session: bool = True,
        group: int = 0,
        terminal: tuple[int, int] | None = None,
        ulimits: Ulimits | None = None,
        umask: int = -1,
        confinement: Confinement | None = None,
    ) -> None:
        self.argv = argv
        self.env = env or {}
        self.path, self.file = path, file
        self.directory, self.has_own_directory = directory, has_own_directory
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr
        self.descriptors = descriptors or {}
        self.timeout, self.on_timeout = timeout, on_timeout
        self.grace = grace  # from SIGTERM to SIGKILL
        self.drain = drain  # how long to read a pipe that others hold after the exit
        self.max_output = max_output  # kept of each captured stream
        self.max_memory = max_memory  # address space of each process
        self.cpu_seconds = cpu_seconds
        self.max_processes = max_processes  # alive at once in the whole tree
        self.max_owned = max_owned  # alive at once of all programs of the owner
        self.counts_processes = counts_processes
        self.max_open_files = max_open_files
        self.nice = nice
        self.policy = policy
        self.writable = writable  # real directories whose files no policy allows
        self.tagged, self.owner = tagged, owner
        self.session, self.group, self.terminal = session, group, terminal
        self.ulimits = ulimits or {}  # soft and hard, as set by a shell's `ulimit`
        self.umask = umask
        self.confinement = confinement

    def new_tag(self, is_ended_early: bool) -> str:
        """A tag for one process, which something may end early; "" if it needs none."""
        is_tagged = self.tagged
        if is_tagged is None:
            is_tagged = is_ended_early or self.policy is not None or self.owner is not None
        if not is_tagged:
            return ""
        return ("" if self.owner is None else self.owner.tag) + os.urandom(8).hex()

    def limit(self, name: str) -> int | None:
        """The tighter one of the limit in this parameter and the policy's."""
        own_limit: int | None = getattr(self, name)
        policy_limit = None if self.policy is None else self.policy.limit(name)
        if own_limit is None or policy_limit is None:
            return policy_limit if own_limit is None else own_limit
        return max(own_limit, policy_limit) if name == "nice" else min(own_limit, policy_limit)
