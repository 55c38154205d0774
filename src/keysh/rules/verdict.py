"""Verdict: what rules decide about one act, and why."""

from __future__ import annotations

from keysh.rules.decision import DECISION_WORDS, STRICTNESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.rules.decision import Action, Decision
    from keysh.rules.rule import Rule


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

    def stricter(self, other: Verdict) -> Verdict:
        """Return what two sets of rules decide together about the same act."""
        first, second = sorted((self, other), key=lambda one: -STRICTNESS[one.decision])
        if STRICTNESS[second.may_be] <= STRICTNESS[first.may_be]:
            return first
        return Verdict(first.action, first.decision, first.rule, second.may_be)

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
