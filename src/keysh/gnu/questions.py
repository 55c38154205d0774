"""Asking: a question on standard error, answered by a line of standard input."""

from __future__ import annotations

from keysh.gnu.modes import mode_letters
from keysh.text.gnu_quoting import quoted_name
from keysh.vfs.access import is_access_allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat


def ask_yes_no(sh: Call, question: str) -> bool:
    """Whether the answer begins with y; no answer is no."""
    sh.err.write(f"{sh.name}: {question} ")
    return sh.stdin.read_line()[:1] in ("y", "Y")


def overwrite_question(sh: Call, target: str, there: Stat, *, removes: bool) -> str:
    """What GNU asks before a file is replaced; one that may not be written `removes` or not."""
    if there.is_link or is_access_allowed(sh.fs, sh.path(target), there, 2):
        return f"overwrite {quoted_name(target)}?"
    mode = there.mode & 0o7777
    if removes:
        return f"replace {quoted_name(target)}, overriding mode {mode:04o} ({mode_letters(mode)})?"
    return f"unwritable {quoted_name(target)} (mode {mode:04o}, {mode_letters(mode)}); try anyway?"
