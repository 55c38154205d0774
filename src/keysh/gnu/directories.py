"""Create directories for files that are extracted or downloaded."""

from __future__ import annotations

from keysh.vfs import transfer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


def make_parents(sh: Call, path: str) -> None:
    """Make the missing directories above an absolute path, under the shell's umask."""
    transfer.make_parents(sh.fs, path, 0o777 & ~sh.umask)
