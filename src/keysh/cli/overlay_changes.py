"""At the end of a run with --overlay: show the changes, ask, write them."""

from __future__ import annotations

import sys

from keysh.cli.console import complain
from keysh.diagnostics.display import visible
from keysh.diagnostics.exceptions import OverlayConflict
from keysh.interp.run.limits import Limits
from keysh.shell.shell import Shell
from keysh.vfs.readonly import ReadOnlyFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.overlay.changes import Change
    from keysh.vfs.overlay.filesystem import OverlayFS

CONFLICT_STATUS = 1
MAX_DIFF_BYTES = 200_000
MAX_DIFF_SECONDS = 10.0
DIFF_COMMAND = 'diff -uN --label "$FILE" --label "$FILE" "/before$FILE" "/after$FILE"'


def write_or_ask(overlay: OverlayFS, commits: bool, status: int) -> int:
    """Write the changes if `--commit` or a person says so; return the program's status.

    After a script that failed only a person can say so.
    """
    changes = overlay.diff()
    if not changes:
        return status
    if commits and not status:
        return write_changes(overlay, status)
    for line in change_lines(overlay, changes):
        complain(f"{line}\n")
    if is_confirmed(len(changes)):
        return write_changes(overlay, status)
    hint = f"the status is {status}" if commits else "--commit writes them"
    complain(f"keysh: {changes_are(len(changes))} not written: {hint}\n")
    return status


def write_changes(overlay: OverlayFS, status: int) -> int:
    """Write all changes, or none if the files below have changed; return the status."""
    try:
        overlay.commit()
    except OverlayConflict as conflict:
        complain(f"keysh: nothing is written, for other files than the script saw are there: "
             f"{visible(', '.join(conflict.paths))}\n")  # fmt: skip
        return CONFLICT_STATUS
    return status


def change_lines(overlay: OverlayFS, changes: list[Change]) -> list[str]:
    """Describe the changes for a person: each path, and for a file the lines that differ."""
    mounts = {"/before": ReadOnlyFS(overlay.lower), "/after": ReadOnlyFS(overlay)}
    lines: list[str] = []
    with Shell(mounts, limits=Limits(output=MAX_DIFF_BYTES, seconds=MAX_DIFF_SECONDS)) as shell:
        for change in changes:
            lines.append(f"{change.action} {change.what} {visible(change.path)}")
            if change.what == "file":
                result = shell.run(DIFF_COMMAND, env={"FILE": change.path})
                lines += [visible(line) for line in result.stdout.splitlines()]
                if result.limit is not None:
                    lines.append(f"… and more ({result.limit.kind})")
    return lines


def is_confirmed(number: int) -> bool:
    """Ask at a terminal; without one the answer is no."""
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


def changes_are(number: int) -> str:
    """Return "1 change is" or "2 changes are"."""
    return "1 change is" if number == 1 else f"{number} changes are"
