"""systime, strftime and mktime, by the call's clock and the time zone TZ."""

from __future__ import annotations

from keysh.text.dates.calendar import DAY_SECONDS, days_before
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment_as_c
from keysh.text.dates.time_zone import UTC_ZONE, find_zone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.dates.time_zone import TimeZone
    from keysh.tools.awk.run.registers import Registers
    from keysh.tools.awk.run.values import Value

DEFAULT_TIME_FORMAT = "%a %b %e %H:%M:%S %Z %Y"
MAX_TIME_SECONDS = 1e15
MAX_TIME_CHARACTERS = 1000  # more are no date


def local_zone(registers: Registers) -> TimeZone:
    """Return the local time zone."""
    value = registers.ENVIRON.get("TZ")
    return find_zone(None if value is None else registers.text(value))


def systime(registers: Registers) -> float:
    """Return the seconds since 1970."""
    return float(registers.sh.now() // 10**9)


def strftime(
    registers: Registers,
    format_text: str | None = None,
    seconds: float | None = None,
    is_utc: bool = False,
) -> str:
    """Format a time, by default the current one by the format in PROCINFO."""
    if format_text is None:
        format_text = registers.text(registers.PROCINFO.get("strftime", DEFAULT_TIME_FORMAT))
    time = systime(registers) if seconds is None else seconds
    if not abs(time) < MAX_TIME_SECONDS:
        return ""
    zone = UTC_ZONE if is_utc else local_zone(registers)
    moment = Moment(int(time // 1) * 10**9, zone)
    return format_moment_as_c(format_text, moment, registers.weigh_field)


def mktime(registers: Registers, text: str, is_utc: bool = False) -> float:
    """Return the seconds since 1970 of `YYYY MM DD HH MM SS [DST]`; -1 if it is invalid."""
    parts = text[:MAX_TIME_CHARACTERS].split()
    try:
        numbers = [int(part) for part in parts[:7]]
    except ValueError:
        return -1.0
    if len(numbers) < 6 or any(abs(number) > 10**9 for number in numbers):
        return -1.0
    year, month, day, hour, minute, second = numbers[:6]
    local = days_before(year, month, 1) * DAY_SECONDS + (day - 1) * DAY_SECONDS
    local += hour * 3600 + minute * 60 + second
    zone: TimeZone = UTC_ZONE if is_utc else local_zone(registers)
    summer: Value = numbers[6] if len(numbers) > 6 else -1
    return float(zone.seconds_at(local, None if summer < 0 else summer > 0))
