"""Options of a shell that few hosts pass: its journal, its audit and its rules."""

from __future__ import annotations

from keysh.diagnostics.exceptions import refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.audit.audit import Audit
    from keysh.shell.history.journal import Journal


def journal_of(requested: Journal | bool | None) -> Journal | None:
    """Return the journal that a host asks for; TypeError for anything else."""
    if not requested:
        return None
    from keysh.shell.history.journal import Journal  # noqa: PLC0415 - most shells have none

    if requested is True:
        return Journal()
    if not isinstance(requested, Journal):
        refuse("journal", "True or a keysh.Journal", requested, "journal=True")
    return requested


def audit_of(requested: Audit | Callable[..., object]) -> Audit:
    """Return the audit that a host asks for; TypeError for anything else."""
    from keysh.audit.audit import Audit  # noqa: PLC0415 - most shells have none

    if isinstance(requested, Audit):
        return requested
    if not callable(requested):
        refuse("audit", "a keysh.Audit or a function", requested, "audit=keysh.Audit('file')")
    return Audit(requested)


def refuse_rules(rules: object, on_ask: object, external: object, network: object) -> None:
    """Raise TypeError for what are no rules, and for an `on_ask` that nobody would call."""
    from keysh.rules.rule_set import Rules  # noqa: PLC0415 - most shells have none

    if rules is not None and not isinstance(rules, Rules):
        refuse("rules", "keysh.Rules", rules, "rules=keysh.Rules.load('rules.toml')")
    others = (getattr(external, "rules", None), getattr(network, "rules", None))
    if rules is None and others == (None, None):
        raise TypeError("on_ask needs rules that ask; write rules=keysh.Rules.load('rules.toml')")
