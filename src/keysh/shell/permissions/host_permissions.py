"""What a host permits its shell: rules, questions and `on_command`, asked before each act.

command, program     interp.engine, external.gate ┐
file                 vfs.judged                   ├─> HostPermissions ─> Rules, on_ask, on_command
request, variable    tools.curl, external         ┘
"""

from __future__ import annotations

from _thread import get_ident
from _weakref import ref  # `weakref` is slow to import
from inspect import Parameter, iscoroutine, signature

from keysh.interp.engine.before_command import judged_texts
from keysh.interp.engine.host_loop import IN_HOST
from keysh.interp.run.budget import Budget
from keysh.interp.run.control_flow import STATUS_NOT_EXECUTABLE
from keysh.interp.state.call import CommandFailure
from keysh.rules.ask_request import AskRequest
from keysh.rules.planned_programs import NestingTooDeep
from keysh.rules.wrapped_commands import commands_of_program
from keysh.shell.permissions.command_facts import files_among, place_of, plan_maker
from keysh.shell.permissions.host_answer import answer_in_time
from keysh.shell.permissions.interpreter_commands import interpreter_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from keysh.interp.run.site import Site
    from keysh.interp.state.session import Session
    from keysh.interp.state.state import State
    from keysh.rules.rule_set import Rules
    from keysh.rules.verdict import Verdict
    from keysh.vfs.judged import FileAction

    # Receives a command's name, its arguments, and its file, line and column; with a parameter
    # `action` also what is written, removed and requested.
    OnCommand: TypeAlias = Callable[..., object]
    OnAsk: TypeAlias = Callable[[AskRequest], object]

ANSWERS = ("allow", "allow_always", "deny")
MAX_REMEMBERED_ANSWERS = 10_000
# In place of the level of a script that waits, which `IN_HOST` has. What the host does meanwhile
# is not judged, but a script that it runs is, one level deeper.
FOR_SCRIPTS = -2


class JudgedAsScript:
    """In its `with` block the host acts for somebody whom the rules hold, such as an agent."""

    __slots__ = ("_entered",)

    def __enter__(self) -> None:
        self._entered = IN_HOST.set(FOR_SCRIPTS)

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        IN_HOST.reset(self._entered)


def begin_permissions(
    state: State, rules: Sequence[Rules], on_command: OnCommand | None, on_ask: OnAsk | None
) -> None:
    """Let the session of a state ask before each act."""
    permissions, session = HostPermissions(state, rules, on_command, on_ask), state.session
    session.permissions = permissions
    if permissions.judges_files:
        session.judge_files(permissions.judge_file, denial_of_file)


class HostPermissions:
    """What judges the acts of one shell: each of its sets of rules, then `on_command`.

    It is what a session has as `permissions`. A method returns why something may not be done, or
    an empty string, unless it says otherwise.
    """

    __slots__ = (
        "_answers", "_has_action", "_on_ask", "_on_command", "_rules", "_session", "_shell_state",
        "judges_files",
    )  # fmt: skip

    def __init__(
        self,
        state: State,
        rules: Sequence[Rules],
        on_command: OnCommand | None,
        on_ask: OnAsk | None,
    ) -> None:
        self._session: Session = state.session
        self._shell_state = ref(state)  # with no cycle a shell is freed at once
        self._rules, self._on_ask = tuple(rules), on_ask
        self._on_command = on_command
        self._has_action = on_command is not None and has_action(on_command)
        # Whether files are judged before each act.
        self.judges_files = self._has_action or any(judge.judges_files for judge in rules)
        self._answers: set[tuple[object, ...]] = set()  # what is always allowed

    @property
    def judges_reach(self) -> bool:
        """Whether rules are about files and hosts, which programs reach by themselves."""
        return any(rules.judges_reach for rules in self._rules)

    # ------------------------------------------------------------ the acts

    def judge_command(
        self,
        state: State,
        words: Sequence[object],
        name: str,
        arguments: list[object],
        site: Site | None,
    ) -> str:
        """Judge a command by its words, and by the name that it has for `on_command`."""
        if self._rules:
            texts = judged_texts(words)
            for judge in self._rules:
                for form in judged_forms(judge, texts, name):
                    if reason := self._command_refusal(state, judge, form, site):
                        return reason
        if self._on_command is None:
            return ""
        return self._host_refusal(state, name, arguments, place_of(site), "command")

    def judge_program(self, state: State, words: Sequence[str], real: str) -> str:
        """Judge a real program: by the name of its file, and what it certainly runs in turn.

        The command was judged already as it was written.
        """
        try:
            for judge in self._rules:
                if judge.judges("command") and (
                    reason := self._program_refusal(state, judge, words, real)
                ):
                    return reason
        except NestingTooDeep:
            return "denied, since it runs too many commands in turn to judge them all"
        return ""

    def _program_refusal(self, state: State, judge: Rules, words: Sequence[str], real: str) -> str:
        site, forms = self._session.asked_site, judged_forms(judge, words, real)
        for form in (*forms[1:], *commands_of_program(words)):
            if reason := self._command_refusal(state, judge, form, site):
                return reason
        for form in interpreter_commands(real, words):
            # Only what a rule says of it: who allows a script need not allow its interpreter.
            if judge.judge_command(form).rule is not None and (
                reason := self._command_refusal(state, judge, form, site)
            ):
                return reason
        return ""

    def passed_variables(self, state: State, variables: Mapping[str, str]) -> Mapping[str, str]:
        """Return the variables that a program may have."""
        for judge in self._rules:
            if judge.judges("env"):
                variables = {
                    name: value for name, value in variables.items()
                    if not self._verdict_refusal(
                        state, judge, judge.judge_variable(name), ("env", name), "", [name], ()
                    )
                }  # fmt: skip
        return variables

    def judge_file(self, action: FileAction, path: str, others: Iterable[str] = ()) -> str:
        """Judge what a script does with a file; nothing that the host does itself.

        `others` are paths of the same file by other mounts.
        """
        session = self._session
        if IN_HOST.get() != FOR_SCRIPTS and (not session.threads or self._is_in_host()):
            return ""
        for rules in self._rules:
            verdict = rules.judge_names(action, path, others)
            if verdict.decision != "allow" or verdict.rule is not None:
                reason = self._verdict_refusal(
                    self._state(), rules, verdict, (action, path), "", [path], [path]
                )
                if reason:
                    return reason
        if self._has_action and action != "read":
            place = place_of(session.asked_site)
            return self._host_refusal(self._state(), action, [path], place, action)
        return ""

    def judge_request(
        self, method: str, scheme: str, host: str, port: int, path: str, rules: Rules | None
    ) -> None:
        """Judge a request of the network; raise CommandFailure if it may not be sent."""
        url = f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}{path}"
        for judge in self._judges_of_requests(rules):
            verdict = judge.judge_request(method, host, port, path)
            self._require_request(judge, verdict, method, host, port, url)
        if self._has_action:
            place = place_of(self._session.asked_site)
            reason = self._host_refusal(self._state(), "request", [method, url], place, "request")
            if reason:
                raise CommandFailure(f"{method} {url}: {reason}", STATUS_NOT_EXECUTABLE)

    def judge_address(
        self, method: str, address: str, port: int, path: str, rules: Rules | None
    ) -> None:
        """Judge a request again by the address that its host has; raise CommandFailure."""
        for judge in self._judges_of_requests(rules):
            verdict = judge.judge_address(method, address, port, path)
            self._require_request(judge, verdict, method, address, port, f"{address}:{port}{path}")

    def _judges_of_requests(self, rules: Rules | None) -> Sequence[Rules]:
        """Return all rules about requests, with those of a network."""
        return self._rules if rules is None or rules in self._rules else (*self._rules, rules)

    # ------------------------------------------------------------ decisions

    def _require_request(
        self, rules: Rules, verdict: Verdict, method: str, host: str, port: int, url: str
    ) -> None:
        subject = ("request", method, host, port)
        reason = self._verdict_refusal(self._state(), rules, verdict, subject, method, [url], ())
        if reason:
            raise CommandFailure(f"{method} {url}: {reason}", STATUS_NOT_EXECUTABLE)

    def _command_refusal(
        self, state: State, rules: Rules, words: Sequence[str], site: Site | None
    ) -> str:
        verdict = rules.judge_command(words)
        if verdict.decision == "allow" and verdict.rule is None:
            return ""
        return self._verdict_refusal(
            state, rules, verdict, ("command", *words), words[0], words[1:],
            None, site,
        )  # fmt: skip

    def _verdict_refusal(
        self,
        state: State,
        rules: Rules,
        verdict: Verdict,
        subject: tuple[object, ...],
        command: str,
        arguments: Sequence[str],
        paths: Iterable[str] | None,
        site: Site | None = None,
    ) -> str:
        """Return why a verdict refuses, perhaps after the host has been asked.

        An audit learns of all that a rule decides, and of all that a default does not allow.
        """
        is_allowed = verdict.decision == "allow"
        trail = self._session.trail
        if is_allowed and (trail is None or verdict.rule is None):
            return ""
        refusal = "" if is_allowed else self._unfavourable_refusal(
            state, rules, verdict, command, arguments, paths, site
        )  # fmt: skip
        if trail is not None:
            is_of_state = subject[0] in ("command", "env")
            by = f"rules: {'' if verdict.rule is None else verdict.rule.title}".rstrip(": ")
            trail.decide(state if is_of_state else None, by, subject, refusal, verdict.decision)
        return refusal

    def _unfavourable_refusal(
        self,
        state: State,
        rules: Rules,
        verdict: Verdict,
        command: str,
        arguments: Sequence[str],
        paths: Iterable[str] | None,
        site: Site | None,
    ) -> str:
        """Return why a verdict that is not to allow refuses; "" if the host allows it."""
        if verdict.decision == "deny":
            return str(verdict)
        act = asked_act(rules, verdict, command, arguments)
        if act in self._answers:
            return ""
        if self._on_ask is None:
            return f"denied, since nobody can be asked: {verdict.reason}"
        site = site or self._session.asked_site
        if paths is None:
            paths = files_among(state, arguments)
        request = AskRequest(
            rules, verdict, command, arguments, tuple(paths), place_of(site), plan_maker(site)
        )
        depth = self._state().depth
        answer = answer_in_time(
            state, self._on_ask, request, rules.ask_seconds, lambda: IN_HOST.set(depth)
        )
        if answer is None:
            return f"denied, since nobody answered in {rules.ask_seconds:g} s: {verdict.reason}"
        if answer is True:
            answer = "allow"
        elif answer is False:
            answer = "deny"
        if answer not in ANSWERS:
            raise TypeError(
                f"on_ask must return 'allow', 'deny' or 'allow_always', but returned {answer!r:.60}"
            )
        if answer == "allow_always" and len(self._answers) < MAX_REMEMBERED_ANSWERS:
            self._answers.add(act)
        return f"denied by the host: {verdict.reason}" if answer == "deny" else ""

    def _host_refusal(
        self, state: State, name: str, arguments: list[Any], place: Any, action: str
    ) -> str:
        assert self._on_command is not None
        entered = IN_HOST.set(self._state().depth) if self.judges_files else None
        try:
            if self._has_action:
                answer = self._on_command(name, arguments, place, action=action)
            else:
                answer = self._on_command(name, arguments, place)
            if answer is not None and iscoroutine(answer):
                answer = self._session.services.run_coroutine(state, answer)
        finally:
            if entered is not None:
                IN_HOST.reset(entered)
        refusal = ""
        if answer is not None and answer is not True:
            refusal = str(answer or "") or "refused by the host"
        if (trail := self._session.trail) is not None:
            is_command = action == "command"
            subject = (action, name) if is_command else (action, *arguments)
            trail.decide(state if is_command else None, "on_command", subject, refusal)
        return refusal

    def _is_in_host(self) -> bool:
        """Whether the host acts here, and not a script."""
        depth = IN_HOST.get()
        if depth < 0:
            return False
        state = self._session.threads.get(get_ident())
        return state is None or state.depth <= depth

    def _state(self) -> State:
        """Return the state that acts on this thread; without a run that of the shell."""
        threads = self._session.threads
        state: State | None = threads.get(get_ident()) or next(iter([*threads.values()]), None)
        if state is None:
            state = self._shell_state()
            assert state is not None
            state.budget = Budget(self._session.limits)  # that of the last run has ended
        return state


def asked_act(
    rules: Rules, verdict: Verdict, command: str, arguments: Sequence[str]
) -> tuple[object, ...]:
    """Return what an answer of the host is about: it holds for the same act by the same rule."""
    title = "" if verdict.rule is None else verdict.rule.title
    return id(rules), title, verdict.action, command, *arguments


def judged_forms(judge: Rules, words: Sequence[str], name: str) -> list[Sequence[str]]:
    """Return a command as it is judged: as it is written, and by another name if that differs."""
    named = [name, *words[1:]]
    if name == words[0] or judge.judge_command(named).rule is judge.judge_command(words).rule:
        return [words]
    return [words, named]


def has_action(on_command: OnCommand) -> bool:
    """Whether a callback has a parameter `action`, and so learns of files and requests."""
    try:
        parameters = signature(on_command).parameters
    except (TypeError, ValueError):
        return False
    found = parameters.get("action")
    return found is not None and found.kind is not Parameter.POSITIONAL_ONLY


def denial_of_file(path: str, reason: str) -> CommandFailure:
    """Return what ends a command that may not do something with a file."""
    return CommandFailure(f"{path}: {reason}", STATUS_NOT_EXECUTABLE)
