"""HostCalls: what a worker may ask its host for, for one session.

    command    run a command of the host, in a shell of the host's process that has the files of the
               isolated one; its input comes back from there
    host file  a verb of a file system that the host has mounted
    ask        may this command run?
    clock      the time
    stdin      a piece of the standard input of the run

A request that is not of these, or whose parts are of another type, is a FrameError: the worker is
killed.
"""

from __future__ import annotations

from copy import copy
from time import monotonic

from keysh.interp.engine.invoke import COROUTINE_TYPE, invoke
from keysh.interp.streams.streams import GENERATOR_TYPE
from keysh.schema.arguments import GlobArgument, NamedArgument
from keysh.schema.command import DEFAULT_OUTPUT, Command
from keysh.shell.images.typed_values import value_from_json, value_to_json
from keysh.shell.isolation.file_calls import FileCalls
from keysh.shell.isolation.frames import MAX_PIECE_BYTES, FrameError
from keysh.shell.isolation.remote_files import RemoteFS
from keysh.shell.permissions.host_permissions import has_action
from keysh.values import value_of_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from keysh.interp.run.limits import Limits
    from keysh.interp.state.call import Call
    from keysh.shell.isolation.peer import Peer
    from keysh.shell.permissions.host_permissions import OnCommand
    from keysh.shell.registry import CommandRegistry
    from keysh.vfs.api import FileSystem

MAX_WORDS = 100_000
BRIDGE_NAME = "call"
MIN_SECONDS = 0.001  # for a command that is called at the very end of a run


class HostCalls:
    """The doors of one session, and what of them is open during a run."""

    def __init__(
        self, make_shell: Callable[..., Any], registry: CommandRegistry,
        mounts: Mapping[str, FileSystem], limits: Limits, on_command: OnCommand | None,
        clock: Callable[[], float] | None,
    ) -> None:  # fmt: skip
        self._make_shell, self._registry, self._limits = make_shell, registry, limits
        self._mounts, self._on_command, self._clock = mounts, on_command, clock
        self._files: dict[str, FileCalls] = {}
        self._verbs: dict[str, Callable[[dict[str, Any], bytes], tuple[Any, bytes]]] = {
            "command": self._command, "host file": self._host_file, "ask": self._ask,
            "clock": self._tell_time, "stdin": self._stdin,
        }  # fmt: skip
        self.peer: Peer | None = None  # of the run in progress
        self.ends_at: float | None = None  # of that run, on the clock `monotonic`
        self.stdin: Iterator[bytes] | None = None
        self.error: BaseException | None = None  # that a command or a file system has raised

    def close(self) -> None:
        """Close the files of the host that the worker has open."""
        for calls in self._files.values():
            calls.close()

    def command_styles(self) -> dict[str, dict[str, bool]]:
        """Return what callers know about the output of each command of the host."""
        return {
            name: {
                "lines": declared.output.prints_lines, "value": declared.output.prints_value,
                "json": declared.output.prints_json,
            }
            for name, declared in self._registry.plugins.items()
        }  # fmt: skip

    def serve(self, verb: str, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Do what the worker asks for."""
        act = self._verbs.get(verb)
        if act is None:
            raise FrameError("an unknown request")
        return act(record, data)

    def _host_file(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        match record:
            case {"mount": str(point), "verb": str(verb), "words": list(words)}:
                pass
            case _:
                raise FrameError("a file call without a mount")
        fs = self._mounts.get(point)
        if fs is None:
            raise FrameError("a file call to no mount")
        calls = self._files.get(point)
        if calls is None:
            calls = self._files[point] = FileCalls(fs)
        return calls.serve(verb, words, data)

    def _tell_time(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        if self._clock is None:
            raise FrameError("a question for no clock")
        return float(self._clock()), b""

    def _stdin(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        if self.stdin is None:
            raise FrameError("a question for no input")
        return None, next(self.stdin, b"")

    @property
    def asks(self) -> str:
        """What the host is asked before: nothing, commands, or all that has an action."""
        if self._on_command is None:
            return ""
        return "actions" if has_action(self._on_command) else "commands"

    def _ask(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        match record:
            case {
                "name": str(name), "words": list(words), "action": None | str() as action,
                "place": [str(), int(), int()] as place,
            }:  # fmt: skip
                pass
            case _:
                raise FrameError("a question without a command")
        if self._on_command is None or (action is None) is (self.asks == "actions"):
            raise FrameError("a question that nobody answers")
        arguments = [checked_value(word) for word in words]
        options = {} if action is None else {"action": action}
        try:
            answer = self._on_command(name, arguments, tuple(place), **options)
        except Exception as error:
            self.error = error
            raise
        return answer if answer is None or answer.__class__ is bool else str(answer), b""

    # ------------------------------------------------------------ commands

    def _command(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Run a command of the host; answer with its status, its output and perhaps a value."""
        match record:
            case {
                "name": str(name), "call": int(call), "words": list(words), "cwd": str(cwd),
                "env": dict(env),
            } if len(words) <= MAX_WORDS:  # fmt: skip
                pass
            case _:
                raise FrameError("a call without a command")
        declared = self._registry.plugins.get(name)
        if declared is None:
            raise FrameError("a call of no command")
        if any(value.__class__ is not str or "\0" in value for value in env.values()):
            raise FrameError("an environment that is none")
        values: list[object] = []
        keeping = value_keeping(declared, values)
        arguments = [checked_word(word) for word in words]

        def bridge(sh: Call) -> int:
            inner = sh.with_streams(sh.source, sh.out, sh.err)
            inner.name = name
            return invoke(keeping, inner, arguments)

        shell = self._make_shell(
            {"/": RemoteFS(self._shell_file, "files of an isolated shell")},
            env={key: value for key, value in env.items() if key and "=" not in key},
            limits=self._limits, check=False,
        )  # fmt: skip
        with shell:
            registry: CommandRegistry = shell.registry
            registry.plugins = {
                **self._registry.plugins,
                BRIDGE_NAME: Command(BRIDGE_NAME, bridge, []),
            }
            shell.state.cwd = cwd
            left = None if self.ends_at is None else max(MIN_SECONDS, self.ends_at - monotonic())
            result = shell.run(BRIDGE_NAME, stdin=PulledPieces(self._pieces(call)), timeout=left)
        if result.error is not None:
            self.error = result.error
        answer: dict[str, Any] = {"code": result.code}
        out = result.stdout_bytes
        answer["out"] = len(out)
        if values and result.code == 0:
            answer["value"] = value_to_json(value_of_python(values[0]))
        return answer, out + result.stderr.encode("utf-8", "surrogateescape")

    def _pieces(self, call: int) -> Iterator[bytes]:
        """Yield the standard input of a command, which the worker has."""
        assert self.peer is not None
        while piece := self.peer.request("input", {"call": call})[1]:
            if len(piece) > MAX_PIECE_BYTES:
                raise FrameError("more input than a piece")
            yield piece

    def _shell_file(self, verb: str, words: list[Any], data: bytes) -> tuple[Any, bytes]:
        """Do a verb on the files of the isolated shell."""
        assert self.peer is not None
        return self.peer.request("file", {"verb": verb, "words": words}, data)


class PulledPieces(list[bytes]):
    """Pieces of input that come when they are read, on the thread that reads them."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        super().__init__()
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces


def value_keeping(declared: Command, values: list[object]) -> Command:
    """Return a command that puts a value which it returns into a list, and does not print it."""
    function, is_value = declared.function, declared.output.prints_value

    def call(sh: Call, *words: Any, **options: Any) -> object:
        answer: object = function(sh, *words, **options)
        if answer.__class__ is COROUTINE_TYPE:
            answer = sh.run_coroutine(answer)
        if isinstance(answer, GENERATOR_TYPE):
            return answer
        is_plain = answer is None or isinstance(answer, str) or answer.__class__ is int
        if is_plain and not is_value:
            return answer
        values.append(answer)
        return None

    keeping = copy(declared)
    keeping.function, keeping.output, keeping.whole = call, DEFAULT_OUTPUT, None
    return keeping


def checked_value(value: Any) -> object:
    """Return a value that a worker has sent; FrameError for none."""
    try:
        return value_from_json(value)
    except Exception:  # noqa: BLE001 - whatever it is, it is no value
        raise FrameError("a value of no kind") from None


def checked_word(word: Any) -> object:
    """Return a word as a command's declaration reads it."""
    match word:
        case {"word": value}:
            return checked_value(value)
        case {"named": [str(key), value, str(text), bool(appends)]}:
            return NamedArgument(key, checked_value(value), text, appends=appends)
        case {"glob": [str(text), list(paths)]}:
            found = [checked_value(path) for path in paths]
            return GlobArgument(text, lambda: found)
    raise FrameError("a word of no kind")
