"""Keeping: what becomes of the changes that a script has made in an overlay, when it has ended."""

from __future__ import annotations

import sys

from keysh.cli.console import complain
from keysh.diagnostics.display import visible
from keysh.diagnostics.errors import OverlayConflict
from keysh.interp.run.limits import Limits
from keysh.shell.shell import Shell
from keysh.vfs.readonly import ReadOnlyFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.overlay.changes import Change
    from keysh.vfs.overlay.filesystem import OverlayFS

FAILED = 1
MOST_SHOWN = 200_000  # bytes of one difference
LONGEST = 10.0  # seconds that one takes to be found
DIFFERENCE = 'diff -uN --label "$FILE" --label "$FILE" "/before$FILE" "/after$FILE"'


def keep(overlay: OverlayFS, is_wanted: bool, status: int) -> int:
    """Write the changes where that is wanted or confirmed; the status the program ends with.

    Those of a script that has failed are written only if a person says so.
    """
    changes = overlay.diff()
    if not changes:
        return status
    if is_wanted and not status:
        return written(overlay, status)
    for line in shown(overlay, changes):
        complain(f"{line}\n")
    if is_confirmed(len(changes)):
        return written(overlay, status)
    hint = f"the status is {status}" if is_wanted else "--commit writes them"
    complain(f"keysh: {counted(len(changes))} not written: {hint}\n")
    return status


def written(overlay: OverlayFS, status: int) -> int:
    """Write all changes, or none; the status."""
    try:
        overlay.commit()
    except OverlayConflict as conflict:
        complain(f"keysh: nothing is written, for other files than the script saw are there: "
             f"{visible(', '.join(conflict.paths))}\n")  # fmt: skip
        return FAILED
    return status


def shown(overlay: OverlayFS, changes: list[Change]) -> list[str]:
    """The changes as a person reads them: each path, and of a file the lines that differ."""
    mounts = {"/before": ReadOnlyFS(overlay.lower), "/after": ReadOnlyFS(overlay)}
    lines: list[str] = []
    with Shell(mounts, limits=Limits(output=MOST_SHOWN, seconds=LONGEST)) as shell:
        for change in changes:
            lines.append(f"{change.action} {change.what} {visible(change.path)}")
            if change.what == "file":
                result = shell.run(DIFFERENCE, env={"FILE": change.path})
                lines += [visible(line) for line in result.stdout.splitlines()]
                if result.limit is not None:
                    lines.append(f"… and more ({result.limit.kind})")
    return lines


def is_confirmed(number: int) -> bool:
    """Whether a person at a terminal says yes."""
    if sys.stdin is None or sys.stderr is None:
        return False
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    complain(f"write {number} changes? [y/N] " if number > 1 else "write 1 change? [y/N] ")
    try:
        return sys.stdin.readline().strip().lower() in ("y", "yes")
    except KeyboardInterrupt:
        complain("\n")
        return False


def counted(number: int) -> str:
    """So many changes, and the verb."""
    return "1 change is" if number == 1 else f"{number} changes are"
