"""Questions on standard error, answered on standard input."""

from __future__ import annotations

from keysh.gnu.modes import mode_letters
from keysh.text.gnu_quoting import quoted_name
from keysh.vfs.real_paths import is_access_allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat


def ask_yes_no(sh: Call, question: str) -> bool:
    """Ask a question. Only an answer that begins with y or Y means yes."""
    sh.err.write(f"{sh.message_place()}{sh.name}: {question} ")
    return sh.stdin.read_line()[:1] in ("y", "Y")


def overwrite_question(sh: Call, target: str, stat: Stat, *, removes: bool) -> str:
    """Return GNU's question before replacing a file; `removes` if it is removed first."""
    if stat.is_link or is_access_allowed(sh.fs, sh.path(target), stat, 2):
        return f"overwrite {quoted_name(target)}?"
    mode = stat.mode & 0o7777
    if removes:
        return f"replace {quoted_name(target)}, overriding mode {mode:04o} ({mode_letters(mode)})?"
    return f"unwritable {quoted_name(target)} (mode {mode:04o}, {mode_letters(mode)}); try anyway?"
