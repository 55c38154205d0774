"""Verdict: what rules decide about one act, and why."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from keysh.rules.rule import Rule

    Decision: TypeAlias = Literal["allow", "ask", "deny"]
    # What is decided: a command runs, a file is read, written or removed, a request is sent, a
    # variable reaches a program.
    Action: TypeAlias = Literal["command", "read", "write", "remove", "request", "env"]

DECISIONS = ("allow", "ask", "deny")  # the strictest last
ACTIONS = ("command", "read", "write", "remove", "request", "env")
STRICTNESS = {decision: at for at, decision in enumerate(DECISIONS)}
DECISION_WORDS = {"allow": "allowed", "ask": "to be asked", "deny": "denied"}


class Verdict:
    """A decision: "allow", "ask" or "deny", and the rule that made it.

    Without a rule it is the default. `is_certain` is false where the text alone does not tell:
    `may_be` is then the strictest decision that the run may come to.
    """

    __slots__ = ("action", "decision", "may_be", "rule")

    def __init__(
        self,
        action: Action,
        decision: Decision,
        rule: Rule | None = None,
        may_be: Decision | None = None,
    ) -> None:
        self.action, self.decision, self.rule = action, decision, rule
        self.may_be: Decision = decision if may_be is None else may_be

    @property
    def is_certain(self) -> bool:
        """Whether the run cannot come to a stricter decision."""
        return self.may_be == self.decision

    @property
    def reason(self) -> str:
        """Which rule decides, and its reason."""
        if self.rule is None:
            return f"no rule matches, and the default for {self.action} is {self.decision}"
        reason = self.rule.reason
        return f"{self.rule.title}: {reason}" if reason else self.rule.title

    def __str__(self) -> str:
        """The sentence for the user, such as `denied by rule 3: pushes are final`."""
        if self.rule is None:
            return f"{DECISION_WORDS[self.decision]}: {self.reason}"
        return f"{DECISION_WORDS[self.decision]} by {self.reason}"

    def __repr__(self) -> str:
        return f"<Verdict {self.action} {self}>"


def stricter(one: Verdict, other: Verdict) -> Verdict:
    """Return the stricter verdict of two; of equal ones the first, or the one that has a rule."""
    first, second = STRICTNESS[one.decision], STRICTNESS[other.decision]
    is_first = first > second or (first == second and (one.rule or not other.rule))
    chosen, rest = (one, other) if is_first else (other, one)
    if STRICTNESS[rest.may_be] > STRICTNESS[chosen.may_be]:
        return Verdict(chosen.action, chosen.decision, chosen.rule, rest.may_be)
    return chosen
