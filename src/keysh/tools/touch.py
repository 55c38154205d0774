"""touch - set file times and create files."""

from __future__ import annotations

from keysh.gnu.option_values import choice_of
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.declare import OptionStyle, command
from keysh.text.dates.calendar import SECOND_NANOSECONDS, date_of, days_before
from keysh.text.dates.date_parser import parse_date
from keysh.text.dates.moment import Moment
from keysh.text.dates.time_zone import find_zone
from keysh.text.gnu_quoting import locale_quoted_text, quoted_name
from keysh.text.shell_numbers import is_digits
from keysh.vfs.paths import join, parent, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.text.dates.time_zone import TimeZone

TIME_WORDS = {"atime": "access", "access": "access", "use": "access", "mtime": "modify",
         "modify": "modify"}  # fmt: skip


@command(
    compatible="GNU coreutils 9.1",
    style=OptionStyle(unabbreviated="access modify stamp"),
    ignored="-f",
)
def touch(
    sh: Call,
    *files: Path,
    access: bool = False,
    create: bool = True,
    date: str | None = None,
    no_dereference: bool = False,
    modify: bool = False,
    reference: Path | None = None,
    stamp: str | None = None,
    time: str | None = None,
) -> None:
    """Set the access and modification times of files to now; create missing files.

    files ...             the files
    -a, --access          change only the access time
    -c, --no-create       do not create files
    -d, --date TEXT       use the time that TEXT describes, as in `date -d`
    -h, --no-dereference  change the times of symbolic links themselves
    -m, --modify          change only the modification time
    -r, --reference FILE  use the times of FILE
    -t, --stamp STAMP     use [[CC]YY]MMDDhhmm[.ss]
    --time WORD           access, atime or use for -a; modify or mtime for -m
    """
    chosen_times = {
        name for name in ("access", "modify") if {"access": access, "modify": modify}[name]
    }
    chosen_times |= {
        choice_of("--time", word, TIME_WORDS) for name, word in sh.given if name == "time"
    }
    times = requested_times(sh, date, reference, stamp, follow=not no_dereference)
    if not files:
        raise UsageFailure("missing file operand")
    for file in files:
        sh.tick()
        set_times(
            sh, file, times, chosen_times,
            creates=create and not no_dereference, is_silent=not create, follow=not no_dereference,
        )  # fmt: skip


def requested_times(
    sh: Call, date: str | None, reference: str | None, stamp: str | None, *, follow: bool
) -> tuple[int, int] | None:
    """Return the times that the options set, or None for the current time."""
    if date is None and reference is None and stamp is None:
        return None
    if stamp is not None and (date is not None or reference is not None):
        raise UsageFailure("cannot specify times from more than one source")
    zone = find_zone(sh.env.get("TZ"))
    now = sh.now()
    times = (now, now)
    if reference is not None:
        try:
            stat = sh.fs.stat(sh.path(reference), follow=follow)
        except OSError as error:
            message = (
                f"failed to get attributes of {quoted_name(reference)}: {os_error_text(error)}"
            )
            raise sh.fail(message) from None
        times = (stat.accessed, stat.modified)
    if date is not None:
        accessed, modified = (parse_date(date, since, zone) for since in times)
        if accessed is None or modified is None:
            raise sh.fail(f"invalid date format {locale_quoted_text(date)}")
        return accessed, modified
    if stamp is not None:
        stamped = parse_stamp(stamp, now, zone)
        if stamped is None:
            raise sh.fail(f"invalid date format {locale_quoted_text(stamp)}")
        return stamped, stamped
    return times


def parse_stamp(stamp: str, now: int, zone: TimeZone) -> int | None:
    """Parse `[[CC]YY]MMDDhhmm[.ss]` into nanoseconds, or return None."""
    digits, dot, seconds = stamp.partition(".")
    if not digits.isdecimal() or len(digits) not in (8, 10, 12) or not digits.isascii():
        return None
    if dot and not (len(seconds) == 2 and is_digits(seconds)):
        return None
    month, day, hour, minute = (
        int(digits[at : at + 2]) for at in range(len(digits) - 8, len(digits), 2)
    )
    year = Moment(now, zone).year
    if len(digits) > 8:
        year = int(digits[:-8])
        if len(digits) == 10:
            year += 2000 if year < 69 else 1900
    days, second = days_before(year, month, day), int(seconds or 0)
    if date_of(days) != (year, month, day) or hour > 23 or minute > 59 or second > 60:
        return None
    local = days * 86400 + hour * 3600 + minute * 60 + second
    return zone.seconds_at(local) * SECOND_NANOSECONDS


def set_times(
    sh: Call,
    file: str,
    times: tuple[int, int] | None,
    chosen_times: set[str],
    *,
    creates: bool,
    is_silent: bool,
    follow: bool,
) -> None:
    """Set the chosen times of one file, creating it if it is missing.

    Without `times` they are set to now. With `is_silent` a missing file is left alone.
    """
    fs = sh.fs
    # GNU's message names touching only if it has tried to open the file.
    opens_file = creates and not (
        file.endswith("/") and sh.is_directory(parent(without_slash(join(sh.cwd, file))))
    )
    message = "cannot touch" if opens_file else "setting times of"
    try:
        path = sh.path(file) if file else ""
        try:
            stat = fs.stat(sh.path(file), follow=follow)
        except FileNotFoundError:
            if is_silent:
                return
            if not file or message != "cannot touch":
                raise
            fs.open(path, "a", 0o666 & ~sh.umask).close()
            if times is None and sh.has_real_clock:
                return  # it keeps its creation time, which equals its directory's time
            stat = fs.stat(path, follow=True)
        accessed, modified = times or (sh.now(), sh.now())
        fs.set_times(
            path,
            stat.accessed if chosen_times == {"modify"} else accessed,
            stat.modified if chosen_times == {"access"} else modified,
            follow=follow,
        )
    except OSError as error:
        sh.warn(f"{message} {quoted_name(file)}: {os_error_text(error)}")
