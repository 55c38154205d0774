"""FakePrograms: doubles of real programs, whose answers a test scripts.

    shell -> lookup, policy, launch, streams, timeout, kill -> a real process of a stub
                                                                   | socket: words, environment,
    function of the test <- thread of the test's process <---------+ directory, descriptors

All but the program itself is real, so what holds for a program holds for its double.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from keysh.process.policy import Policy
from keysh.testing.transcript import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TextIO, TypeAlias

    Double: TypeAlias = "Callable[[ProgramCall], int | str | Answer | None] | int | str | Answer"

# Of the program that runs in place of each double: it gives all that it has to the test, and
# ends as the test says. The environment is the one that it was started with: Python adds to it.
STUB = """\
#!{python} -IS
# {name!r}: no copy of another one, which a policy may deny
import json, os, socket, sys
here = socket.socket(socket.AF_UNIX)
here.connect({path!r})
try:
    with open("/proc/self/environ", "rb") as file:
        pairs = [pair for pair in file.read().split(b"\\0") if pair]
except OSError:
    pairs = [name + b"=" + value for name, value in os.environb.items()]
text = json.dumps([os.path.basename(sys.argv[0]), sys.argv[1:], os.getcwd(), os.getpid(),
                   [os.fsdecode(pair) for pair in pairs]]).encode()
fds = []
for fd in range(3):
    try:
        fds.append(os.dup(fd))
    except OSError:
        fds.append(os.open(os.devnull, os.O_RDWR))
socket.send_fds(here, [len(text).to_bytes(8, "big")], fds)
here.sendall(text)
os._exit((here.recv(1) or b"\\1")[0])
"""
HEAD_BYTES = 8
PIECE_BYTES = 1 << 16
MAX_SHEBANG_BYTES = 250  # the kernel cuts longer first lines
JOIN_SECONDS = 10.0


class ProgramCall:
    """One run of a double.

    name, args  what it was called as, and its arguments
    env, cwd    its environment and its directory, of the machine
    pid         of the process that stands for it
    stdin, stdout, stderr  its streams, as text
    status      its status, once it has ended by itself
    gone        is set when its process has ended, or was killed; then its streams are closed
    """

    def __init__(self, record: list[object], fds: list[int]) -> None:
        name, args, cwd, pid, pairs = record
        assert isinstance(args, list)
        assert isinstance(pairs, list)
        self.name, self.cwd, self.args = str(name), str(cwd), [str(word) for word in args]
        self.pid = int(str(pid))
        self.env = dict(str(pair).split("=", 1) for pair in pairs)
        self.stdin, self.stdout, self.stderr = map(text_stream, fds, ("r", "w", "w"))
        self.status: int | None = None
        self.gone = threading.Event()

    def close(self) -> None:
        """Let go of the streams: whoever reads the output comes to its end.

        The input is last: its end may have to be waited for.
        """
        for stream in (self.stdout, self.stderr, self.stdin):
            with suppress(OSError, ValueError):  # nobody reads it any more
                stream.close()

    def __repr__(self) -> str:
        return f"<ProgramCall {' '.join([self.name, *self.args])}>"


class FakePrograms:
    """Doubles of programs, by name. In its `with` block they can be run.

        with FakePrograms({"git": "main\\n"}) as programs:
            shell = Shell(external=programs.policy, env=programs.env)
            assert shell.run("git branch | tr a-z A-Z").stdout == "MAIN\\n"
            assert programs.calls[0].args == ["branch"]

    A double is a function, which gets a ProgramCall and returns a status, a text for standard
    output, an Answer or nothing; or one of these itself. An exception of a function is raised where
    the block ends. `calls` are all calls, in their order.
    """

    def __init__(self, doubles: Mapping[str, Double]) -> None:
        for name in doubles:
            if not name or "/" in name or "\0" in name:
                raise ValueError(f"the name of a program must be without /, but is {name!r}")
        self._doubles = dict(doubles)
        self.calls: list[ProgramCall] = []
        self._errors: list[BaseException] = []
        self._threads: list[threading.Thread] = []
        self._directory: Path | None = None
        self._listener: socket.socket | None = None
        self._open: set[socket.socket] = set()
        self._is_over = False

    def __enter__(self) -> FakePrograms:
        # A short path: that of a socket has 100 bytes at most.
        self._directory = Path(tempfile.mkdtemp(prefix="keysh-fakes-"))
        programs, door = self._directory / "bin", str(self._directory / "door")
        programs.mkdir()
        python = Path(sys.executable)
        if len(os.fsencode(python)) > MAX_SHEBANG_BYTES or " " in str(python):
            python = self._directory / "python"
            python.symlink_to(sys.executable)
        for name in self._doubles:
            (programs / name).write_text(STUB.format(python=python, name=name, path=door))
            (programs / name).chmod(0o755)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(door)
        self._listener.listen()
        self._is_over = False
        self._threads.clear()
        self._start(self._accept, self._listener)
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        assert self._listener is not None
        assert self._directory is not None
        self._is_over = True
        with socket.socket(socket.AF_UNIX) as last:  # it wakes the thread that accepts
            last.connect(self._listener.getsockname())
            self._threads[0].join()
        self._listener.close()
        for connection in tuple(self._open):
            with suppress(OSError):  # its process has ended just now
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(JOIN_SECONDS)
        shutil.rmtree(self._directory)
        if error is None and self._errors:
            raise self._errors[0]
        if error is None and any(thread.is_alive() for thread in self._threads):
            raise TimeoutError("a double goes on although its process has ended")

    @property
    def path(self) -> str:
        """The directory of the doubles, for `$PATH` and for `Policy(path=…)`."""
        assert self._directory is not None, "FakePrograms are there in their `with` block"
        return str(self._directory / "bin")

    @property
    def env(self) -> dict[str, str]:
        """An environment in which only the doubles are found."""
        return {"PATH": self.path}

    @property
    def policy(self) -> Policy:
        """A policy by which only the doubles may run."""
        doubles = [f"{self.path}/{name}" for name in self._doubles]
        is_double = [os.path.realpath(path) for path in doubles].__contains__
        # Python runs the stubs, and nothing else.
        return Policy(
            [*doubles, sys.executable], path=self.path, on_spawn=lambda path, words: is_double(path)
        )

    # ------------------------------------------------------------ threads

    def _start(self, work: Callable[[socket.socket], None], connection: socket.socket) -> None:
        thread = threading.Thread(target=work, args=(connection,), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            connection = listener.accept()[0]
            if self._is_over:
                connection.close()
                return
            self._open.add(connection)
            self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        """Run a double, and let go of its streams when its process has ended."""
        try:
            with connection:
                call = received_call(connection)
                if call is None:
                    return
                self.calls.append(call)
                worker = threading.Thread(target=self._run, args=(call, connection), daemon=True)
                self._threads.append(worker)
                worker.start()
                connection.recv(1)
                call.gone.set()
                call.close()
        finally:
            self._open.discard(connection)

    def _run(self, call: ProgramCall, connection: socket.socket) -> None:
        double, status = self._doubles[call.name], 1
        try:
            answer = double(call) if callable(double) else double
            if isinstance(answer, str):
                answer = Answer(answer)
            if isinstance(answer, Answer):
                call.stdout.write(answer.stdout)
                call.stderr.write(answer.stderr)
                answer = answer.status
            status = exit_status(answer)
            call.stdout.flush()
        except BaseException as error:  # noqa: BLE001 - raised where the block ends
            has_lost_streams = call.gone.is_set() and isinstance(error, OSError | ValueError)
            if not has_lost_streams and not isinstance(error, BrokenPipeError):
                self._errors.append(error)
                write_error(call, error)
        call.close()
        call.status = status
        with suppress(OSError):  # its process was killed
            connection.sendall(bytes([status & 0xFF]))


def exit_status(answer: object) -> int:
    """Return the status that a double means by its answer; TypeError if it means none."""
    if answer is None:
        return 0
    if not isinstance(answer, int):
        raise TypeError(
            "a double must return a status, a text, an Answer or None, but has returned "
            f"{answer!r:.60}"
        )
    return answer


def text_stream(fd: int, mode: str) -> TextIO:
    """Return a descriptor as a stream of text, in which no byte is lost."""
    stream: Any = os.fdopen(fd, mode, encoding="utf-8", errors="surrogateescape", newline="")
    return stream  # type: ignore[no-any-return]


def write_error(call: ProgramCall, error: BaseException) -> None:
    """Say on standard error that the function of a double has failed."""
    with suppress(OSError, ValueError):
        call.stderr.write(f"{call.name}: {type(error).__name__}: {error}\n")


def received_call(connection: socket.socket) -> ProgramCall | None:
    """Return what a stub tells of itself; None if it has died meanwhile."""
    flags = getattr(socket, "MSG_CMSG_CLOEXEC", 0)
    head, fds, _, _ = socket.recv_fds(connection, HEAD_BYTES, 3, flags)
    for fd in fds:
        os.set_inheritable(fd, False)
    size, data = int.from_bytes(head, "big"), b""
    while len(data) < size and (piece := connection.recv(PIECE_BYTES)):
        data += piece
    if len(fds) < 3 or not size or len(data) < size:
        for fd in fds:
            os.close(fd)
        return None
    return ProgramCall(json.loads(data), fds)
