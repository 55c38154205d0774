"""Listing: what -l tells of packed files."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.archive.xz_index import Summary

CHECKS = {0: "None", 1: "CRC32", 4: "CRC64", 10: "SHA-256"}

HEADING = "Strms  Blocks   Compressed Uncompressed  Ratio  Check   Filename\n"
RULE = f"{'-' * 79}\n"
UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def size_of(size: int) -> str:
    """A number of bytes in the unit that fits it."""
    if size < 10_000:
        return f"{size} B"
    amount, unit = float(size), 0
    while unit == 0 or (amount > 9999.9 and unit < len(UNITS) - 1):
        amount, unit = amount / 1024, unit + 1
    return f"{amount:.1f} {UNITS[unit]}"


def line(found: Summary, name: str) -> str:
    """A file's line."""
    ratio = "---"
    if found.plain and found.packed / found.plain <= 9.999:
        ratio = f"{found.packed / found.plain:.3f}"
    checks = ",".join(checks_of(found))
    return (
        f"{found.streams:5}  {found.blocks:6}  {size_of(found.packed):>11}  "
        f"{size_of(found.plain):>11}  {ratio:>5}  {checks:<7} {name}\n"
    )


def checks_of(found: Summary) -> list[str]:
    """The kinds of sums in a file."""
    return [CHECKS.get(check, f"Unknown-{check}") for check in sorted(found.checks)]
