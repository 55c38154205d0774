"""Host stubs: in a worker, what stands for the commands, files and questions of the host."""

from __future__ import annotations

from keysh.interp.state.call import Call
from keysh.interp.state.state_of_call import state_of
from keysh.schema.command import OptionStyle, OutputStyle
from keysh.schema.declare import command
from keysh.schema.types import Raw
from keysh.shell.images.typed_values import value_from_json
from keysh.shell.isolation.frames import MAX_PIECE_BYTES, FrameError
from keysh.shell.isolation.remote_files import RemoteFS
from keysh.shell.isolation.word_records import record_of_word
from keysh.shell.permissions.command_facts import place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    from keysh.interp.state.call_input import CallReader
    from keysh.rules.ask_request import AskRequest
    from keysh.rules.rule_set import Rules
    from keysh.shell.isolation.peer import Peer
    from keysh.shell.shell import Shell

    class PeerOwner(Protocol):
        @property
        def peer(self) -> Peer: ...


NO_HELP = OptionStyle(has_help=False)  # the host's command has its own


class HostStubs:
    """What scripts of this worker reach of their host, each by a request."""

    def __init__(self, owner: PeerOwner) -> None:
        self._owner = owner
        self.all_rules: tuple[Rules, ...] = ()  # of the session, in the order of its host
        self._inputs: dict[int, PulledInput] = {}
        self._calls = 0

    def forget(self) -> None:
        """Forget the calls of a session that is gone."""
        self._inputs.clear()

    def file_system(self, point: str, place: str | None) -> RemoteFS:
        """Return what the host has mounted at a path, which is at a place of its trees."""

        def request(verb: str, words: list[Any], data: bytes) -> tuple[Any, bytes]:
            message = {"mount": point, "verb": verb, "words": words}
            return self._owner.peer.request("host file", message, data)

        return RemoteFS(request, "file system of the host", place)

    def clock(self) -> float:
        """Return the seconds of the host's clock."""
        return float(self._owner.peer.request("clock")[0])

    def question_function(self, kind: str) -> Callable[..., object] | None:
        """Return what asks the host whether a command, or any other action, may be."""

        def ask(
            name: str, arguments: list[object], place: Any, action: str | None = None
        ) -> object:
            words = [record_of_word(word, is_text=True) for word in arguments]
            message = {"name": name, "words": words, "place": place, "action": action}
            return self._owner.peer.request("ask", message)[0]

        def ask_of_command(name: str, arguments: list[object], place: Any) -> object:
            return ask(name, arguments, place)

        return {"": None, "commands": ask_of_command, "actions": ask}[kind]

    def tell_progress(self, value: int, total: int | None, label: str) -> None:
        """Tell the host how far a command has come."""
        self._owner.peer.request("progress", {"value": value, "total": total, "label": label})

    def ask_rule(self, request: AskRequest) -> object:
        """Ask the host about a command or a file that a rule asks about."""
        words = [request.command, *request.arguments] if request.command else request.arguments
        message = {
            "action": request.action, "words": words, "paths": request.paths,
            "place": request.place,
            "rules": next(at for at, rules in enumerate(self.all_rules) if rules is request.rules),
        }  # fmt: skip
        return self._owner.peer.request("ask rule", message)[0]

    def input(self, data: bytes, *, call: int) -> tuple[Any, bytes]:
        """Return a piece of the standard input of a command that runs in the host."""
        pulled = self._inputs.get(call)
        if pulled is None:
            raise FrameError("the input of no call")
        return None, pulled.next_piece()

    def add_command(self, shell: Shell, name: str, style: dict[str, bool]) -> None:
        """Give a shell a command that runs in the host."""
        output = OutputStyle(lines=style["lines"], value=style["value"], json=style["json"])
        calling = self._calling_function(name, takes_patterns=style["raw"])
        declared = command(name=name, output=output, style=NO_HELP)(calling)
        shell.add(declared, name).expands_words = False

    def _calling_function(self, name: str, *, takes_patterns: bool) -> Callable[..., Any]:
        def call_host(sh: Call, *words: Raw) -> object:
            """Call a command of the host.

            words ...  its words
            """
            self._calls += 1
            number = self._calls
            self._inputs[number] = PulledInput(sh.stdin)
            message = {
                "name": name, "call": number,
                "words": [record_of_word(word, is_text=takes_patterns) for word in words],
                "cwd": sh.cwd, "env": dict(sh.env), "span": state_of(sh).span,
                "place": place_of(state_of(sh).session.asked_site),
            }  # fmt: skip
            try:
                answer, output = self._owner.peer.request("command", message)
            finally:
                del self._inputs[number]
            out = output[: answer["out"]]
            sh.out.write(out.decode("utf-8", "surrogateescape"))
            sh.err.write(output[len(out) :].decode("utf-8", "surrogateescape"))
            sh.status = answer["code"]
            return value_from_json(answer["value"]) if "value" in answer else None

        return call_host


class PulledInput:
    """The standard input of a command, which the host reads piece by piece."""

    __slots__ = ("_pending", "_pieces")

    def __init__(self, source: CallReader) -> None:
        self._pieces = source.data()
        self._pending = b""

    def next_piece(self) -> bytes:
        """Return some bytes; none at the end."""
        data = self._pending or next(self._pieces, b"")
        piece, self._pending = data[:MAX_PIECE_BYTES], data[MAX_PIECE_BYTES:]
        return piece
