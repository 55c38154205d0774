"""Signal names and numbers as on Linux, and the names of traps."""

from __future__ import annotations

from keysh.text.shell_numbers import bounded_number, is_digits

SIGNAL_NAMES = (
    "EXIT", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV",
    "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU",
    "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
)  # fmt: skip
SIGNAL_NUMBERS = {name: number for number, name in enumerate(SIGNAL_NAMES)}
FIRST_REAL_TIME, LAST_REAL_TIME = 34, 64
SHELL_ONLY_TRAPS = ("ERR", "DEBUG", "RETURN")  # traps without a signal
# By default these are harmless.
IGNORED_SIGNALS = ("CHLD", "CONT", "URG", "WINCH")
SIGKILL, SIGTERM, TABLE_COLUMNS = 9, 15, 5


def signal_number(text: str) -> int | None:
    """Return the number for `15`, `TERM` or `SIGTERM`; None if there is no such signal."""
    if is_digits(text):
        number = bounded_number(text)
        return number if number < len(SIGNAL_NAMES) or is_real_time(number) else None
    name = text.upper().removeprefix("SIG")
    if name in SIGNAL_NUMBERS:
        return SIGNAL_NUMBERS[name]
    base = {"RTMIN": FIRST_REAL_TIME, "RTMAX": LAST_REAL_TIME}.get(name[:5])
    if base is None:
        return None
    offset = name[5:] or "+0"
    number = base + int(offset[:4]) if offset[0] in "+-" and is_digits(offset[1:]) else 0
    return number if is_real_time(number) else None


def is_real_time(number: int) -> bool:
    """Whether a number is that of a real-time signal."""
    return FIRST_REAL_TIME <= number <= LAST_REAL_TIME


def signal_name(number: int) -> str:
    """Return the name without SIG, for example `TERM` or `RTMIN+1`."""
    if number < len(SIGNAL_NAMES):
        return SIGNAL_NAMES[number]
    middle = (FIRST_REAL_TIME + LAST_REAL_TIME) // 2
    base, first = ("RTMIN", FIRST_REAL_TIME) if number <= middle else ("RTMAX", LAST_REAL_TIME)
    return f"{base}{number - first:+d}" if number != first else base


def trap_name(text: str) -> str | None:
    """Return the canonical name of a trap: EXIT, ERR, DEBUG, RETURN or a signal without SIG."""
    if text.upper().removeprefix("SIG") in SHELL_ONLY_TRAPS:
        return text.upper().removeprefix("SIG")
    number = signal_number(text)
    return None if number is None else signal_name(number)


def signal_table() -> str:
    """Return the table of `kill -l` and `trap -l`."""
    numbers = [*range(1, len(SIGNAL_NAMES)), *range(FIRST_REAL_TIME, LAST_REAL_TIME + 1)]
    cells = [f"{number:2}) SIG{signal_name(number)}" for number in numbers]
    rows = [cells[at : at + TABLE_COLUMNS] for at in range(0, len(cells), TABLE_COLUMNS)]
    return "".join("\t".join(row) + ("\t\n" if len(row) < TABLE_COLUMNS else "\n") for row in rows)
