"""Totals: the number of bytes that --totals reports."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
SECOND = 1_000_000_000


class ByteTotals:
    """Counts bytes and the time since the archive was opened."""

    __slots__ = ("_start", "_sh", "size")

    def __init__(self, sh: Call) -> None:
        self._sh, self._start, self.size = sh, sh.now(), 0

    def report(self, verb: str) -> None:
        """Print how many bytes were `written` or `read`, and how fast."""
        duration = self._sh.now() - self._start
        speed = byte_amount(self.size * SECOND // duration) if duration > 0 else "?"
        self._sh.err.write(
            f"Total bytes {verb}: {self.size} ({byte_amount(self.size)}, {speed}/s)\n"
        )


def byte_amount(size: int) -> str:
    """Format a number of bytes in the unit that fits it, with one decimal below ten."""
    unit = 0
    while size >= 1024 ** (unit + 1) and unit < len(UNITS) - 1:
        unit += 1
    tenths = (size * 20 // 1024**unit + 1) // 2
    whole = (
        str((tenths + 5) // 10) if tenths >= 100 or not unit else f"{tenths // 10}.{tenths % 10}"
    )
    return f"{whole}{UNITS[unit]}"
