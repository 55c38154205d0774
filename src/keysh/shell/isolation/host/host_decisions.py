"""HostDecisions: what the host decides about acts in a worker, and about those that leave it.

    in the worker                            in this process
    rules judge: ask ──"ask rule"──▶   the same rules judge again; on_ask answers ──▶ a grant
    on_command asked ──"ask"───────▶   on_command answers
    the act leaves it ─────────────▶   the rules judge again: "ask" needs the grant

So a worker that was taken over can do what rules forbid within itself, but not beyond.
"""

from __future__ import annotations

from _thread import get_ident
from inspect import isawaitable, iscoroutinefunction

from keysh.interp.engine.before_command import judged_texts
from keysh.rules.ask_request import AskRequest
from keysh.shell.isolation.frames import FrameError
from keysh.shell.isolation.word_records import checked_texts, checked_word
from keysh.shell.permissions.host_answer import answer_in_time
from keysh.shell.permissions.host_permissions import (
    ANSWERS,
    HostPermissions,
    asked_act,
    has_action,
)
from keysh.vfs.mounts import Mounts
from keysh.vfs.other_names import other_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Literal

    from keysh.interp.state.state import State
    from keysh.shell.isolation.host.host_bridge import HostBridge
    from keysh.shell.permissions.host_permissions import OnAsk
    from keysh.vfs.judged import FileAction
    from keysh.vfs.other_names import OtherNames

    Ask = Literal["", "commands", "actions"]

MAX_GRANTS = 10_000
FILE_ACTIONS = ("read", "write", "remove")


class Grants:
    """Acts that the host has allowed: for good, or each for one time. It stands for a set."""

    def __init__(self) -> None:
        self._always: set[object] = set()
        self._once: dict[object, list[None]] = {}  # `pop` of one thread is not that of another

    def __contains__(self, act: object) -> bool:
        """Whether an act is allowed; what is allowed once is used up."""
        if act in self._always:
            return True
        try:
            self._once[act].pop()
        except (KeyError, IndexError):
            return False
        return True

    def __len__(self) -> int:
        return len(self._always)

    def add(self, act: object) -> None:
        """Allow an act for good."""
        self._always.add(act)

    def is_always(self, act: object) -> bool:
        """Whether an act is allowed for good."""
        return act in self._always

    def allow_once(self, act: object) -> None:
        """Allow an act for one time."""
        if act in self._once or len(self._once) < MAX_GRANTS:
            self._once.setdefault(act, []).append(None)

    def begin_run(self) -> None:
        """Forget what was allowed once in an earlier run."""
        self._once.clear()


class HostDecisions:
    """The rules and the questions of one isolated shell, on the side of its host."""

    def __init__(self, bridge: HostBridge, plan: Callable[[], Any]) -> None:
        """`plan` returns the plan of the script that runs."""
        self._bridge, self._plan = bridge, plan
        options = bridge.options
        self._all_rules, self._on_ask = options.all_rules, options.on_ask
        self._on_command = options.on_command
        self.grants = Grants()
        self._other_names: dict[str, OtherNames] | None = None  # of the host's mounts

    @property
    def asks(self) -> Ask:
        """What the host is asked before: nothing, commands, or all that has an action."""
        if self._on_command is None:
            return ""
        return "actions" if has_action(self._on_command) else "commands"

    @property
    def judges_files(self) -> bool:
        """Whether rules decide about files."""
        return any(rules.judges_files for rules in self._all_rules)

    def give_permissions(self, state: State, place: tuple[str, int, int]) -> None:
        """Let the rules judge what a state does in this process for a place of a script."""
        permissions = HostPermissions(state, self._all_rules, None, self._asking_for(place))
        permissions._answers = self.grants  # type: ignore[assignment]  # it stands for a set
        state.session.permissions = permissions

    def _asking_for(self, place: tuple[str, int, int]) -> OnAsk | None:
        """Return the host's function, with the place and the plan of the worker's script."""
        on_ask: Any = self._on_ask
        if on_ask is None:
            return None

        def with_place(request: AskRequest) -> AskRequest:
            request.place, request._plan = place, self._plan
            return request

        async def await_answer(request: AskRequest) -> object:
            return await on_ask(with_place(request))

        is_async = iscoroutinefunction(on_ask) or iscoroutinefunction(
            getattr(on_ask, "__call__", None)  # noqa: B004 - whether the call is async
        )
        return await_answer if is_async else lambda request: on_ask(with_place(request))

    def command_refusal(self, state: State, words: Sequence[object]) -> str:
        """Return why a command may not leave the worker, by the rules of the shell."""
        permissions = state.session.permissions
        if not self._all_rules or permissions is None:
            return ""
        return permissions.judge_command(state, words, judged_texts(words[:1])[0], [], None)

    def file_refusal(self, action: FileAction, path: str) -> str:
        """Return why a file of the host may not be used."""
        others = self._other_paths(path)
        for rules in self._all_rules:
            verdict = rules.judge_names(action, path, others)
            act = asked_act(rules, verdict, "", [path])
            if verdict.decision != "allow" and act not in self.grants:
                return str(verdict)
        return ""

    def _other_paths(self, path: str) -> Iterable[str]:
        """Return the other paths of a file of the host, by other mounts."""
        mounts = Mounts(self._bridge.mounts)
        if self._other_names is None:
            self._other_names = other_names(mounts)
        _, inner, point = mounts.find(path)
        names = self._other_names.get(point or "/")
        return () if names is None else names.of(inner)

    # ------------------------------------------------------------ questions of the worker

    def ask_command(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Ask `on_command`; answer as it does."""
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
        arguments = [checked_word(word) for word in words]
        options = {} if action is None else {"action": action}
        try:
            answer = self._on_command(name, arguments, tuple(place), **options)
            if isawaitable(answer):
                state = self._bridge.new_state({}, {}, self._bridge.seconds_left())
                with self._bridge.acting(state.budget):
                    answer = state.session.services.run_coroutine(state, answer)  # type: ignore[arg-type]
        except Exception as error:
            self._bridge.note_error(error)
            raise
        return answer if answer is None or answer.__class__ is bool else str(answer), b""

    def ask_rule(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Ask `on_ask` about a command or a file; answer as it does, None if it is too late."""
        match record:
            case {
                "action": str(action), "words": list(words), "paths": list(paths),
                "place": [str(name), int(line), int(column)], "rules": int(number),
            } if words and 0 <= number < len(self._all_rules):  # fmt: skip
                words, paths = checked_texts(words), checked_texts(paths)
            case _:
                raise FrameError("a question without an act")
        if self._on_ask is None:
            raise FrameError("a question that nobody answers")
        rules = self._all_rules[number]
        if action == "command":
            verdict, command, arguments = rules.judge_command(words), words[0], words[1:]
        elif action in FILE_ACTIONS and len(words) == 1:
            others = self._other_paths(words[0])
            verdict = rules.judge_names(action, words[0], others)  # type: ignore[arg-type]
            command, arguments = "", words
        else:
            raise FrameError("a question about no act")
        if verdict.decision != "ask":
            return verdict.decision, b""
        act = asked_act(rules, verdict, command, arguments)
        answer: object = "allow"
        if not self.grants.is_always(act):
            place = name, line, column
            request = AskRequest(
                rules, verdict, command, arguments, tuple(paths), place, self._plan
            )
            answer = self._answer_in_time(request)
        if answer == "allow_always":
            self.grants.add(act)
        elif answer == "allow":
            self.grants.allow_once(act)
        return answer, b""

    def _answer_in_time(self, request: AskRequest) -> object:
        assert self._on_ask is not None
        state = self._bridge.new_state({}, {}, self._bridge.seconds_left())
        peer, helpers, before = self._bridge.peer, self._bridge.helpers, {*self._bridge.helpers}
        assert peer is not None
        number = peer.served_number

        def enter_host() -> None:  # on the thread that calls the function
            peer.enter(number)
            helpers.add(get_ident())

        try:
            with self._bridge.acting(state.budget):
                answer = answer_in_time(
                    state, self._on_ask, request, request.rules.ask_seconds, enter_host
                )
        except Exception as error:
            self._bridge.note_error(error)
            raise
        finally:
            helpers &= before
        if answer.__class__ is bool:
            answer = "allow" if answer else "deny"
        if answer is not None and answer not in ANSWERS:
            wrong = TypeError(
                f"on_ask must return 'allow', 'deny' or 'allow_always', but returned {answer!r:.60}"
            )
            self._bridge.note_error(wrong)
            raise wrong
        return answer
