"""date - print the time, or one that is told in words."""

from __future__ import annotations

from keysh.gnu.options import choice_of
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.declare import command
from keysh.text.dates.debug import UNIVERSAL, Trace
from keysh.text.dates.moment import Moment
from keysh.text.dates.parser import parse_date
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import UTC_ZONE, find_zone
from keysh.text.gnu_quoting import locale_quoted_text, message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
YEAR_RANGE = range(-(1 << 31), 1 << 31)  # since 1900, as C counts them in a time
SOURCE_OPTIONS = ("date", "file", "reference", "resolution")


@command
def date(
    sh: Call,
    *words: str,
    date: str | None = None,
    debug: bool = False,
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
    """Print the time, or one that is told in words.

    words ...                 +FORMAT, for example +%Y-%m-%d
    -d, --date TEXT           the time that the text tells: 2024-02-29 10:15 UTC, next friday,
                              tomorrow 9am, 2 days ago, @1700000000
    --debug                   tell on standard error how a text is read
    -f, --file FILE           as -d, for each line of a file
    -I, --iso-8601[=PART]     as 2024-02-29, up to the part: date, hours, minutes, seconds, ns
    --json                    rows as JSON lines: time, epoch, year, month, day, hour, minute,
                              second, nanosecond, weekday (7 is Sunday), yearday, zone, offset
    --resolution              print how exact the clock is
    -R, --rfc-email, --rfc-822, --rfc-2822
                              as mail has it: Thu, 29 Feb 2024 10:15:00 +0000
    --rfc-3339 PART           as 2024-02-29 10:15:00+00:00, up to the part: date, seconds, ns
    -r, --reference FILE      when the file was changed
    -s, --set TEXT            refused: nobody sets the clock from here
    -u, --utc, --universal, --uct  in UTC

    The zone is that of the variable TZ, UTC where it is not set.
    """
    if set is not None:
        raise sh.fail(CANNOT_SET)
    if sum(value is not None for value in (date, file, reference)) + resolution > 1:
        raise UsageFailure("the options to specify dates for printing are mutually exclusive")
    form = chosen_format(sh, words)
    shown_form = f"output format: {locale_quoted_text(form)}"
    if json and form != DEFAULT_FORMAT:
        raise sh.fail("multiple output formats specified")
    zone = UTC_ZONE if utc else find_zone(sh.env.get("TZ"))
    now = sh.now()
    name = UNIVERSAL if utc else sh.env.get("TZ")
    if date is not None or file is not None:
        for text in [date] if date is not None else date_lines(sh, file or ""):
            trace = Trace(name, zone) if debug else None
            found = parse_date(text, now, zone, trace)
            if trace is not None:
                tell(sh, trace.lines)
            if found is None:
                bare = text if date is not None else text.removesuffix("\n")
                sh.warn(f"invalid date {locale_quoted_text(bare)}")
            else:
                if debug:
                    tell(sh, [shown_form])
                moment = Moment(found, zone)
                if moment.year - 1900 not in YEAR_RANGE:
                    sh.warn(f"time '{moment.seconds}' is out of range")
                else:
                    yield formatted_time(moment, form, json)
        return
    if debug:
        tell(sh, [shown_form])
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


def tell(sh: Call, lines: Sequence[str]) -> None:
    """What is told beside the times."""
    sh.err.write("".join(f"{sh.name}: {line}\n" for line in lines))


def formatted_time(moment: Moment, form: str, is_row: bool) -> str | dict[str, object]:
    """A time in a format, or as a row."""
    if not is_row:
        return format_moment(form, moment) + "\n"
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
    """The one format that the options and the operand ask for."""
    forms = []
    for name, value in sh.given:
        if name == "iso_8601" and value is not False:
            forms.append(
                ISO_8601_FORMATS["date"]
                if value is True
                else choice_of("--iso-8601", value, ISO_8601_FORMATS)
            )
        elif name == "rfc_3339":
            forms.append(choice_of("--rfc-3339", value, RFC_3339_FORMATS))
        elif name == "rfc_email" and value:
            forms.append(EMAIL_FORMAT)
    if len(words) > 1:
        raise UsageFailure(f"extra operand {locale_quoted_text(words[1])}")
    if words and not words[0].startswith("+"):
        if any(name in SOURCE_OPTIONS for name, _ in sh.given):
            says = f"the argument {locale_quoted_text(words[0])} lacks a leading '+';"
            raise UsageFailure(f"{says}\n{MISSING_PLUS}")
        is_time = words[0].replace(".", "", 1).isdecimal()
        raise sh.fail(CANNOT_SET if is_time else f"invalid date {locale_quoted_text(words[0])}")
    forms += [word[1:] for word in words]
    if len(forms) > 1:
        raise sh.fail("multiple output formats specified")
    return forms[0] if forms else DEFAULT_FORMAT


def date_lines(sh: Call, file: str) -> Iterator[str]:
    """The lines of a file."""
    for source in sh.inputs([file]):
        yield from source.lines()
