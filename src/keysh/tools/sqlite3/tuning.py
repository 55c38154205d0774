"""Tuning: dot commands that set how a session goes on, or tell how it does."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text
from keysh.text.shell_numbers import is_digits
from keysh.tools.sqlite3.session import DotError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.sqlite3.session import SqlSession

TRUE_WORDS, FALSE_WORDS = ("yes", "on", "true", "1"), ("no", "off", "false", "0")
REFUSED = {
    "load": "no extensions are loaded here", "shell": "no programs are started here",
    "system": "no programs are started here", "cd": "names are seen from where the call began",
}  # fmt: skip
C_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"'}


def parse_boolean(session: SqlSession, word: str) -> bool:
    """What a yes or no means."""
    if word.lower() in TRUE_WORDS:
        return True
    if word.lower() not in FALSE_WORDS:
        session.sh.err.write(f'ERROR: Not a boolean value: "{word}". Assuming "no".\n')
    return False


def flag(name: str) -> Callable[[SqlSession, list[str]], None]:
    """The command that turns a flag of the session on and off."""

    def turn(session: SqlSession, words: list[str]) -> None:
        if len(words) != 1:
            raise DotError(f"Usage: .{name} on|off\n")
        (session.flags.add if parse_boolean(session, words[0]) else session.flags.discard)(name)

    turn.__doc__ = f"`.{name} on|off`"
    return turn


def refused(name: str) -> Callable[[SqlSession, list[str]], None]:
    """The command that is not there, and says why."""

    def refuse(session: SqlSession, words: list[str]) -> None:
        del session, words
        raise DotError(f"Error: .{name} is refused: {REFUSED[name]}\n")

    refuse.__doc__ = f"`.{name}`, which is refused"
    return refuse


def ignored(session: SqlSession, words: list[str]) -> None:
    """`.timeout`, `.prompt`, `.log`, `.trace` and `.explain`, which change nothing here"""
    del session, words


def width(session: SqlSession, words: list[str]) -> None:
    """`.width NUM…`: columns at least so wide, and cells wrapped there; to the right if negative"""
    session.modes.widths = [parse_integer(word) for word in words]


def parse_integer(word: str) -> int:
    """A number, or 0 for what is none."""
    digits = word.removeprefix("-").removeprefix("+")
    if not (is_digits(digits) and len(digits) < 10):
        return 0
    return -int(digits) if word.startswith("-") else int(digits)


def changes_of(session: SqlSession) -> str:
    """What `.changes on` tells behind statements."""
    ((last, total),) = session.query("SELECT changes(), total_changes()")
    return f"changes: {last}   total_changes: {total}\n"


def show(session: SqlSession, words: list[str]) -> None:
    """`.show`: the settings"""
    if words:
        raise DotError("Usage: .show\n")
    modes = session.modes
    widths = "".join(f"{one} " for one in modes.widths)
    rows = {
        "echo": said(session, "echo"), "eqp": said(session, "eqp"), "explain": "auto",
        "headers": "on" if modes.has_header else "off", "mode": modes.description(),
        "nullvalue": in_c(modes.null), "output": session.target or "stdout",
        "colseparator": in_c(modes.column), "rowseparator": in_c(modes.row),
        "stats": said(session, "stats"), "width": widths,
        "filename": session.database.name or ":memory:",
    }  # fmt: skip
    session.out("".join(f"{name:>12}: {value}\n" for name, value in rows.items()))


def said(session: SqlSession, name: str) -> str:
    return "on" if name in session.flags else "off"


def in_c(text: str) -> str:
    """A text as C writes it."""
    made = ""
    for byte in bytes_of_text(text):
        char = chr(byte)
        made += C_ESCAPES.get(char, char if " " <= char <= "~" else f"\\{byte:03o}")
    return f'"{made}"'
