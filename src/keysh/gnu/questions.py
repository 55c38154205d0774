"""Asking: a question on standard error, answered by a line of standard input."""

from __future__ import annotations

from keysh.gnu.modes import letters_of
from keysh.text.gnu_quoting import quoted
from keysh.vfs.access import may

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat


def agrees(sh: Call, question: str) -> bool:
    """Whether the answer begins with y; no answer is no."""
    sh.err.write(f"{sh.name}: {question} ")
    return sh.stdin.read_line()[:1] in ("y", "Y")


def overwriting(sh: Call, target: str, there: Stat, *, removes: bool) -> str:
    """What GNU asks before a file is replaced; one that may not be written `removes` or not."""
    if there.is_link or may(sh.fs, sh.path(target), there, 2):
        return f"overwrite {quoted(target)}?"
    mode = there.mode & 0o7777
    if removes:
        return f"replace {quoted(target)}, overriding mode {mode:04o} ({letters_of(mode)})?"
    return f"unwritable {quoted(target)} (mode {mode:04o}, {letters_of(mode)}); try anyway?"
