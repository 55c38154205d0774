"""The subcommand `keysh audit`, declared like those in `subcommands`."""

# ruff: noqa: PLC0415

from __future__ import annotations

from keysh.cli.command_line import CLI_REFUSALS
from keysh.cli.console import UsageError, put
from keysh.schema.command import OptionStyle
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal


@command(refusals=CLI_REFUSALS, style=OptionStyle(binds_by_key=False))
def audit(program: str, action: Literal["verify"], file: str, *, head: str | None = None) -> int:
    """Verify a log that `--audit` has written.

    action       verify: find the first line that was changed, lost, added or moved
    file         the log
    --head FILE  the file of --audit-head: the line that it names must be there

    The status is 0 if nothing is wrong, and 1 if something is.
    """
    from keysh.audit.verification import verify_audit
    from keysh.diagnostics.display import visible

    result = verify_audit(file, None if head is None else read_head(head))
    if result.reason:
        place = f"{file}:{result.bad_line}" if result.bad_line else file
        put(f"{visible(place)}: {visible(result.reason)}\n")
        return 1
    sequence, digest = result.head
    if result.lost:
        put(f"{visible(file)}: {result.lost} records could not be written, as its gaps say\n")
    put(f"{visible(file)}: {result.lines} lines; the last is number {sequence}, hash {digest}\n")
    return 0


def read_head(path: str) -> tuple[int, str]:
    """Return the number and the hash in a file of `--audit-head`."""
    with open(path, encoding="ascii", errors="replace") as file:
        number, _, digest = file.readline(100).strip().partition(" ")
    if not (number.isascii() and number.isdigit() and digest):
        raise UsageError(f"audit: {path} has no number and hash of a line", "audit")
    return int(number), digest
