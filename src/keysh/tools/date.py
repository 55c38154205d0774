"""date - print the date and time."""

from __future__ import annotations

from keysh.gnu.option_values import choice_of
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.declare import command
from keysh.text.dates.date_parser import parse_date
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import UTC_ZONE, find_zone
from keysh.text.gnu_quoting import locale_quoted_text, message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

DEFAULT_FORMAT = "%a %b %e %H:%M:%S %Z %Y"
EMAIL_FORMAT = "%a, %d %b %Y %H:%M:%S %z"
ISO_8601_FORMATS = {
    "hours": "%Y-%m-%dT%H%:z",
    "minutes": "%Y-%m-%dT%H:%M%:z",
    "date": "%Y-%m-%d",
    "seconds": "%Y-%m-%dT%H:%M:%S%:z",
    "ns": "%Y-%m-%dT%H:%M:%S,%N%:z",
}
RFC_3339_FORMATS = {
    "date": "%Y-%m-%d",
    "seconds": "%Y-%m-%d %H:%M:%S%:z",
    "ns": "%Y-%m-%d %H:%M:%S.%N%:z",
}
CANNOT_SET = "cannot set date: Operation not permitted"
MISSING_PLUS = (
    "when using an option to specify date(s), any non-option\n"
    "argument must be a format string beginning with '+'"
)
YEAR_RANGE = range(-(1 << 31), 1 << 31)  # since 1900, the range of C's tm_year
SOURCE_OPTIONS = ("date", "file", "reference", "resolution")


@command(compatible="GNU coreutils 9.1")
def date(
    sh: Call,
    *words: str,
    date: str | None = None,
    file: Path | None = None,
    iso_8601: str | bool = False,
    json: bool = False,
    resolution: bool = False,
    rfc_email: bool = False,
    rfc_3339: str | None = None,
    reference: Path | None = None,
    set: str | None = None,
    utc: bool = False,
) -> Iterator[str | dict[str, object]]:
    """Print the current time, or the time that a text describes.

    words ...              +FORMAT, for example +%Y-%m-%d
    -d, --date TEXT        print this time: 2024-02-29 10:15 UTC, next friday,
                           tomorrow 9am, 2 days ago, @1700000000
    -f, --file FILE        like -d for each line of FILE
    -I, --iso-8601[=PART]  ISO 8601 format up to PART: date (default), hours,
                           minutes, seconds or ns
    --json                 print JSON lines: time, epoch, year, month, day, hour,
                           minute, second, nanosecond, weekday (7 is Sunday),
                           yearday, zone, offset
    --resolution           print the resolution of the clock
    -R, --rfc-email, --rfc-822, --rfc-2822
                           format for mail: Thu, 29 Feb 2024 10:15:00 +0000
    --rfc-3339 PART        RFC 3339 format up to PART: date, seconds or ns
    -r, --reference FILE   print the modification time of FILE
    -s, --set TEXT         refused: the clock cannot be set
    -u, --utc, --universal, --uct
                           use UTC

    The time zone is that of the variable TZ, UTC if it is not set.
    """
    if set is not None:
        raise sh.fail(CANNOT_SET)
    if sum(value is not None for value in (date, file, reference)) + resolution > 1:
        raise UsageFailure("the options to specify dates for printing are mutually exclusive")
    form = chosen_format(sh, words)
    if json and form != DEFAULT_FORMAT:
        raise sh.fail("multiple output formats specified")
    zone = UTC_ZONE if utc else find_zone(sh.env.get("TZ"))
    now = sh.now()
    if date is not None or file is not None:
        for text in [date] if date is not None else date_lines(sh, file or ""):
            time = parse_date(text, now, zone)
            if time is None:
                bare = text if date is not None else text.removesuffix("\n")
                sh.warn(f"invalid date {locale_quoted_text(bare)}")
            else:
                moment = Moment(time, zone)
                if moment.year - 1900 not in YEAR_RANGE:
                    sh.warn(f"time '{moment.seconds}' is out of range")
                else:
                    yield formatted_time(moment, form, json)
        return
    if reference is not None:
        try:
            changed = sh.fs.stat(sh.path(reference), follow=True).modified
        except OSError as error:
            raise sh.fail(f"{message_name(reference)}: {os_error_text(error)}") from None
        yield formatted_time(Moment(changed, zone), form, json)
    elif resolution:
        yield formatted_time(Moment(1, zone), "%s.%N" if form == DEFAULT_FORMAT else form, json)
    else:
        yield formatted_time(Moment(now, zone), form, json)


def formatted_time(moment: Moment, time_format: str, is_row: bool) -> str | dict[str, object]:
    """Format a time, or return it as a row."""
    if not is_row:
        return format_moment(time_format, moment) + "\n"
    return {
        "time": format_moment("%Y-%m-%dT%H:%M:%S.%N%:z", moment),
        "epoch": moment.seconds,
        "year": moment.year, "month": moment.month, "day": moment.day,
        "hour": moment.hour, "minute": moment.minute, "second": moment.second,
        "nanosecond": moment.nanosecond,
        "weekday": moment.weekday or 7, "yearday": moment.yearday,
        "zone": moment.zone, "offset": moment.offset,
    }  # fmt: skip


def chosen_format(sh: Call, words: tuple[str, ...]) -> str:
    """Return the one format that the options and the operand request."""
    formats = []
    for name, value in sh.given:
        if name == "iso_8601" and value is not False:
            formats.append(
                ISO_8601_FORMATS["date"]
                if value is True
                else choice_of("--iso-8601", value, ISO_8601_FORMATS)
            )
        elif name == "rfc_3339":
            formats.append(choice_of("--rfc-3339", value, RFC_3339_FORMATS))
        elif name == "rfc_email" and value:
            formats.append(EMAIL_FORMAT)
    if len(words) > 1:
        raise UsageFailure(f"extra operand {locale_quoted_text(words[1])}")
    if words and not words[0].startswith("+"):
        if any(name in SOURCE_OPTIONS for name, _ in sh.given):
            message = f"the argument {locale_quoted_text(words[0])} lacks a leading '+';"
            raise UsageFailure(f"{message}\n{MISSING_PLUS}")
        is_time = words[0].replace(".", "", 1).isdecimal()
        raise sh.fail(CANNOT_SET if is_time else f"invalid date {locale_quoted_text(words[0])}")
    formats += [word[1:] for word in words]
    if len(formats) > 1:
        raise sh.fail("multiple output formats specified")
    return formats[0] if formats else DEFAULT_FORMAT


def date_lines(sh: Call, file: str) -> Iterator[str]:
    for source in sh.inputs([file]):
        yield from source.lines()
