"""Options of a shell that few hosts pass: its journal, audit, rules and programs."""

from __future__ import annotations

from keysh.diagnostics.exceptions import refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any
    from weakref import ref

    from keysh.audit.audit import Audit
    from keysh.audit.events import Events
    from keysh.external.gate import ProgramGate
    from keysh.shell.history.journal import Journal

FREE_PROGRAMS = "rules hold no file or host that a real program uses, and nothing confines programs"


def journal_of(requested: Journal | bool | None) -> Journal | None:
    """Return the journal that a host asks for; TypeError for anything else."""
    if requested is None or requested is False:
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


def events_of(requested: Events | Callable[..., object]) -> Events:
    """Return what tells the host of events; TypeError for anything else."""
    from keysh.audit.events import Events  # noqa: PLC0415 - most shells have none

    if isinstance(requested, Events):
        return requested
    if not callable(requested):
        refuse("on_event", "a function or keysh.Events", requested, "on_event=print")
    return Events(requested)


def refuse_rules(rules: object, on_ask: object, external: object, network: object) -> None:
    """Raise TypeError for what are no rules, and for an `on_ask` that nobody would call.

    Rules about files and hosts warn if nothing holds real programs.
    """
    from keysh.rules.rule_set import Rules  # noqa: PLC0415 - most shells have none

    if rules is not None and not isinstance(rules, Rules):
        refuse("rules", "keysh.Rules", rules, "rules=keysh.Rules.load('rules.toml')")
    if rules is not None and rules.judges_reach and external is True:
        warn_of_free_programs()
    others = (getattr(external, "rules", None), getattr(network, "rules", None))
    if rules is None and others == (None, None):
        raise TypeError("on_ask needs rules that ask; write rules=keysh.Rules.load('rules.toml')")


def refuse_runners(external: object, mapper: object) -> None:
    """Raise TypeError for what allows no programs, and for what cannot run a scatter."""
    from keysh.process.policy import Policy  # noqa: PLC0415 - most shells have none

    # In a worker process `external` is what runs programs in its host.
    if not (isinstance(external, bool | Policy) or hasattr(external, "spawn")):
        refuse("external", "False, True or a keysh.Policy", external, "keysh.Policy(allow=['git'])")
    names = ("run_on_scheduler",) if hasattr(mapper, "run_on_scheduler") else ("submit", "width")
    if mapper is not None and not (
        all(hasattr(mapper, name) for name in names) and not isinstance(mapper, type)
    ):
        refuse("mapper", "a client of Dask, or an object with `width` and `submit`", mapper)


def warn_of_free_programs() -> None:
    """Warn a host whose rules hold nothing of what real programs do."""
    import sys  # noqa: PLC0415 - only for this
    from warnings import warn  # noqa: PLC0415 - as above

    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals["__name__"].startswith("keysh."):
        level, frame = level + 1, frame.f_back
    warn(
        f"{FREE_PROGRAMS}: write external=keysh.Policy(confine='auto'), or confine='off' if that "
        "is wanted",
        RuntimeWarning,
        stacklevel=level,
    )


def program_gate(external: object, shell: ref[Any]) -> ProgramGate:
    """Return the gate through which real programs run, as the host asks for it."""
    from weakref import finalize  # noqa: PLC0415 - slow to import

    from keysh.external import gate_for  # noqa: PLC0415 - brings in processes

    # In a worker process `external` is what runs programs in its host.
    gate: ProgramGate = external if hasattr(external, "spawn") else gate_for(external)  # type: ignore[assignment]
    owner = shell()
    if owner is None:  # a job of a shell that was dropped opens it
        gate.drop()
    else:
        for _ in range(2):  # the watchdog may raise where one of them begins, which is lost then
            finalize(owner, gate.drop).atexit = False
    return gate
