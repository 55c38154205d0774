"""The subcommand `keysh audit`, declared like those in `subcommands`."""

# ruff: noqa: PLC0415

from __future__ import annotations

from keysh.cli.command_line import CLI_REFUSALS
from keysh.cli.console import UsageError, complain, put
from keysh.diagnostics.display import visible
from keysh.schema.command import OptionStyle
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from keysh.audit.log_reader import LogFilter


@command(refusals=CLI_REFUSALS, style=OptionStyle(binds_by_key=False))
def audit(
    program: str,
    action: Literal["verify", "show"],
    file: str,
    *,
    head: str | None = None,
    kind: list[str] | None = None,
    run: int | None = None,
    since: str | None = None,
    decision: Literal["allow", "deny", "ask"] | None = None,
    json: bool = False,
) -> int:
    """Verify a log that `--audit` has written, or show what is in it.

    action           verify: find the first line that was changed, lost, added or moved;
                     show: print a line for each record
    file             the log
    --head FILE      the file of --audit-head: the line that it names must be there
    --kind EVENT     show only command, change, decision and so on; may be repeated
    --run NUMBER     show only the run that begins in the line of this number
    --since TIME     show only what happened since: 2026-11-20, 2026-11-20T08:50 (in UTC
                     without a zone), or seconds since 1970
    --decision WORD  show only what was allowed or refused, or asked about: allow, deny, ask
    --json           show the lines as they are in the log

    The status is 0 if nothing is wrong with the log, and 1 if something is. `show` prints
    it all the same, with a message on standard error.
    """
    filters = {"--kind": kind, "--run": run, "--since": since, "--decision": decision}
    given = [name for name, value in filters.items() if value is not None]
    if action == "verify" and (given or json):
        raise UsageError(f"audit: {(*given, '--json')[0]} is for show", "audit")
    if action == "show" and head is not None:
        raise UsageError("audit: --head is for verify", "audit")
    if action == "verify":
        return verify_log(file, head)
    from keysh.audit.log_reader import EVENTS, LogFilter, seconds_of

    for event in kind or ():
        if event not in EVENTS:
            raise UsageError(f"audit: no such kind: {event}; one of {', '.join(EVENTS)}", "audit")
    try:
        begin = None if since is None else seconds_of(since)
    except ValueError:
        raise UsageError(f"audit: --since needs a time, but has {since}", "audit") from None
    return show_log(file, LogFilter(kind or (), run, begin, decision), json=json)


def show_log(file: str, wanted: LogFilter, *, json: bool) -> int:
    """Print the records that are wanted, and say what is wrong with the log; return the status."""
    from keysh.audit.log_reader import read_log, shown_entry
    from keysh.audit.verification import verify_audit

    found = verify_audit(file)
    fault, place = found.reason, f"{file}:{found.bad_line}" if found.bad_line else file
    try:
        for entry in read_log(file):
            if wanted.takes(entry):
                put(f"{entry.line if json else shown_entry(entry)}\n")
    except ValueError as error:
        fault = fault or str(error)
    if fault:
        complain(f"keysh: {visible(place)}: {visible(fault)}\n")
    return 1 if fault else 0


def verify_log(file: str, head: str | None) -> int:
    """Print what is wrong with a log, or how far it goes; return the status."""
    from keysh.audit.verification import verify_audit

    result = verify_audit(file, None if head is None else read_head(head))
    if result.reason:
        place = f"{file}:{result.bad_line}" if result.bad_line else file
        put(f"{visible(place)}: {visible(result.reason)}\n")
        return 1
    sequence, digest = result.head
    if result.lost:
        records = "1 record" if result.lost == 1 else f"{result.lost} records"
        put(f"{visible(file)}: {records} could not be written, as its gaps say\n")
    lines = "1 line" if result.lines == 1 else f"{result.lines} lines"
    put(f"{visible(file)}: {lines}; the last is number {sequence}, hash {digest}\n")
    return 0


def read_head(path: str) -> tuple[int, str]:
    """Return the number and the hash in a file of `--audit-head`."""
    with open(path, encoding="ascii", errors="replace") as file:
        number, _, digest = file.readline(100).strip().partition(" ")
    if not (number.isascii() and number.isdigit() and digest):
        raise UsageError(f"audit: {path} has no number and hash of a line", "audit")
    return int(number), digest
