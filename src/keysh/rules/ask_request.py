"""AskRequest: what a host is told when a rule asks."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.rules.decision import Action
    from keysh.rules.rule import Rule
    from keysh.rules.rule_set import Rules
    from keysh.rules.verdict import Verdict


class AskRequest:
    """What a script wants to do, and the rule that asks.

    action     "command", "read", "write", "remove", "request" or "env"
    command    the name of the command; for a request the method, else ""
    arguments  its arguments, or what else is acted on: the path, the URL, the variable
    paths      the files that are meant, without links: the path that is read, written or removed,
               or the arguments of the command that are files
    place      the script, line and column of the command that runs
    rules      the set of rules that asks
    rule       the rule that asks; None if it is the default
    reason     the rule and its reason, as text
    plan       all commands of the script that runs (`Shell.plan`); None if there is no script
    """

    __module__ = "keysh"
    __slots__ = ("_plan", "_verdict", "action", "arguments", "command", "paths", "place", "rules")

    def __init__(
        self,
        rules: Rules,
        verdict: Verdict,
        command: str,
        arguments: Sequence[str],
        paths: Sequence[str],
        place: tuple[str, int, int],
        plan: Callable[[], Any] | None = None,
    ) -> None:
        self.rules, self._verdict, self._plan = rules, verdict, plan
        self.action: Action = verdict.action
        self.command, self.arguments, self.paths = command, list(arguments), list(paths)
        self.place = place

    @property
    def rule(self) -> Rule | None:
        """The rule that asks."""
        return self._verdict.rule

    @property
    def reason(self) -> str:
        """The rule and its reason."""
        return self._verdict.reason

    @property
    def plan(self) -> Any:
        """All commands of the script that runs."""
        return None if self._plan is None else self._plan()

    def __str__(self) -> str:
        subject = " ".join([self.command, *self.arguments]).strip()
        return subject if self.action in ("command", "request") else f"{self.action} {subject}"

    def __repr__(self) -> str:
        return f"<AskRequest {self}>"
