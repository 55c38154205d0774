"""Hosts that misbehave: commands that raise, block or call back, and file systems that lie."""

from __future__ import annotations

import asyncio
import errno
import threading
import time
from collections.abc import Callable
from typing import Any

import keysh


class HostError(Exception):
    """An exception of a host, which keysh cannot know."""


class SilentError(Exception):
    """An exception that cannot be printed."""

    def __str__(self) -> str:
        raise ValueError("no text")

    __repr__ = __str__


class HostEnd(BaseException):
    """An end that is no error, so that `except Exception` does not see it."""


class SilentEnd(HostEnd):
    """One that cannot be printed."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


EXCEPTIONS: dict[str, Callable[[], BaseException]] = {
    "value": lambda: ValueError("bad"),
    "type": lambda: TypeError("bad"),
    "key": lambda: KeyError("bad"),
    "os": lambda: OSError(errno.EIO, "bad"),
    "permission": lambda: PermissionError(errno.EACCES, "bad", "/none"),
    "missing": lambda: FileNotFoundError(errno.ENOENT, "bad", "/none"),
    "pipe": lambda: BrokenPipeError(errno.EPIPE, "bad"),
    "memory": MemoryError,
    "recursion": lambda: RecursionError("deep"),
    "overflow": lambda: OverflowError("big"),
    "unicode": lambda: UnicodeEncodeError("utf-8", "\udcff", 0, 1, "bad"),
    "eof": lambda: EOFError("end"),
    "timeout": lambda: TimeoutError("late"),
    "assertion": AssertionError,
    "stop": lambda: StopIteration(1),
    "host": lambda: HostError("bad"),
    "silent": SilentError,
    "group": lambda: ExceptionGroup("two", [ValueError("a"), KeyError("b")]),
    "argument": lambda: ValueError("\0\udcff\x1b[2J" * 1000),
    "exit": lambda: SystemExit(3),
    "generator": GeneratorExit,
    "cancelled": asyncio.CancelledError,
    "end": lambda: HostEnd("end"),
    "silent-end": SilentEnd,
}

Host = dict[str, Any]


def raising(make: Callable[[], BaseException]) -> Host:
    def bad(sh: keysh.Call) -> None:
        """Raise an exception."""
        raise make()

    def late(sh: keysh.Call) -> None:
        """Print, and raise an exception."""
        sh.out.write("early\n")
        raise make()

    return {"commands": [bad, late]}


def asking(make: Callable[[], BaseException]) -> Host:
    """Return a host that fails when it is asked whether `cat` may run."""

    def on_command(name: str, *_: object) -> None:
        if name == "cat":
            raise make()

    return {"on_command": on_command}


class RaisingFS(keysh.MemoryFS):
    """A file system of a host in which all but the root fails."""

    def __init__(self, make: Callable[[], BaseException]) -> None:
        super().__init__()
        self._make = make

    def stat(self, path: str) -> Any:
        if path == "/":
            return super().stat(path)
        raise self._make()

    def open(self, path: str, *rest: Any, **options: Any) -> Any:
        raise self._make()

    def list(self, path: str) -> Any:
        raise self._make()


class LyingFS(keysh.MemoryFS):
    """A file system of a host that returns what it may not."""

    def __init__(self, answer: object) -> None:
        super().__init__()
        self._answer = answer

    def stat(self, path: str) -> Any:
        return super().stat(path) if path == "/" else self._answer

    def open(self, path: str, *rest: Any, **options: Any) -> Any:
        return self._answer

    def list(self, path: str) -> Any:
        return self._answer

    def read_link(self, path: str) -> Any:
        return self._answer


class WrongStream:
    """A stream of a host that returns more than was asked for, and cannot be closed."""

    def read(self, *_: object) -> bytes:
        return b"x" * 100_000

    def readinto(self, buffer: Any) -> int:
        return 1 << 40

    def write(self, data: Any) -> int:
        return -1

    def close(self) -> None:
        raise OSError(errno.EIO, "bad")


def blocking() -> Host:
    def block(sh: keysh.Call) -> None:
        """Wait in short steps, as the contract asks."""
        while True:
            time.sleep(0.01)
            sh.tick()

    return {"commands": [block]}


def unseen() -> Host:
    """Return a host whose commands look at no limit."""

    def compute(sh: keysh.Call) -> None:
        """Compute for ever."""
        while True:
            pass

    def fill(sh: keysh.Call) -> None:
        """Take memory."""
        kept = []
        while True:
            kept.append("x" * 100_000 + str(len(kept)))

    def sleep_long(sh: keysh.Call) -> None:
        """Wait in native code, for less than the child allows."""
        time.sleep(1.0)

    return {"commands": [compute, fill, sleep_long]}


def reentrant() -> Host:
    """Return a host whose command does something to the shell that runs it."""

    def own(sh: keysh.Call, action: str) -> str:
        """Let a command of a shell act on that shell, and tell how its script ends.

        action  what it does
        """
        cancel = keysh.Cancel()

        def act(sh: keysh.Call) -> None:
            """Act on the shell that runs this."""
            ACTIONS[action](shell, cancel)

        shell = keysh.Shell(commands=[act], journal=True, limits=keysh.Limits(seconds=3.0))
        result = shell.run("echo begun; act; echo on", cancel=cancel)
        usable = shell.run("echo usable").stdout
        shell.close()
        return f"{result.code} {result.stdout!r} {usable!r}\n"

    return {"commands": [own]}


def in_thread(act: Callable[[], object]) -> None:
    """Act in another thread, and wait for its end."""
    thread = threading.Thread(target=act)
    thread.start()
    thread.join(5)


Action = Callable[[keysh.Shell, keysh.Cancel], object]
ACTIONS: dict[str, Action] = {
    "run": lambda shell, _: shell.run("echo inner"),
    "recurse": lambda shell, _: shell.run("act"),
    "close": lambda shell, _: shell.close(),
    "reset": lambda shell, _: shell.reset(),
    "fork": lambda shell, _: shell.fork(),
    "snapshot": lambda shell, _: shell.snapshot(),
    "undo": lambda shell, _: shell.undo(),
    "cancel": lambda _, cancel: cancel.cancel(),
    "exit": lambda shell, _: shell.run("exit 3"),
    "job": lambda shell, _: shell.run("sleep 100 & disown"),
    "add": lambda shell, _: shell.add(lambda: None, "bad"),
    "thread": lambda shell, _: in_thread(lambda: shell.run("echo late", timeout=0.2)),
    "thread-close": lambda shell, _: in_thread(shell.close),
    "start": lambda shell, _: shell.start("echo late"),
    "vars": lambda shell, _: shell.vars.__setitem__("IFS", ["a"]),
    "files": lambda shell, _: shell.fs.remove("/tmp", recursive=True),
}


def flooding() -> Host:
    def flood(sh: keysh.Call) -> None:
        """Print without an end."""
        while True:
            sh.out.write("x" * 10_000)

    def large(sh: keysh.Call) -> str:
        """Return a large text."""
        return "x" * 3_000_000

    def wrong(sh: keysh.Call) -> Any:
        """Return what is no result."""
        return object()

    def deep(sh: keysh.Call) -> Any:
        """Return a deep value."""
        value: list[Any] = []
        for _ in range(100_000):
            value = [value]
        return value

    def circle(sh: keysh.Call) -> Any:
        """Return a value that holds itself."""
        value: list[Any] = []
        value.append(value)
        return value

    def surrogate(sh: keysh.Call) -> str:
        """Return a text that no encoding has."""
        return "\ud800\udcff\0"

    def status(sh: keysh.Call) -> int:
        """Return a status of 5,001 digits."""
        return 10**5000

    return {"commands": [flood, large, wrong, deep, circle, surrogate, status]}


def named(prefix: str, host: Callable[[Any], Host]) -> dict[str, Callable[[], Host]]:
    """Return a host for each exception."""
    return {f"{prefix}-{name}": lambda make=make: host(make) for name, make in EXCEPTIONS.items()}


ANSWERS: dict[str, Callable[[], object]] = {
    "none": lambda: None,
    "number": lambda: 3,
    "text": lambda: "text",
    "list": lambda: [1, None],
    "stream": WrongStream,
    "names": lambda: ["..", "a/b", "", "\0", None],
}

HOSTS: dict[str, Callable[[], Host]] = {
    "blocking": blocking,
    "flooding": flooding,
    "unseen": unseen,
    "reentrant": reentrant,
    **named("raising", raising),
    **named("asking", asking),
    **named("files", lambda make: {"fs": {"/": keysh.MemoryFS(), "/h": RaisingFS(make)}}),
    **{
        f"lying-{name}": lambda make=make: {"fs": {"/": keysh.MemoryFS(), "/h": LyingFS(make())}}
        for name, make in ANSWERS.items()
    },
}
