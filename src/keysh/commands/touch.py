"""touch - set the times of files, and make those that are missing."""

from __future__ import annotations

from keysh.runtime.call import why
from keysh.runtime.choices import chosen
from keysh.runtime.quoting import quoted
from keysh.schema.bind import Misuse
from keysh.schema.declare import command
from keysh.text.calendar import SECOND, date_of, days_before
from keysh.text.date_words import time_of
from keysh.text.moment import Moment
from keysh.text.time_zone import zone_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call
    from keysh.schema.types import Path
    from keysh.text.time_zone import Zone

TIMES = {"atime": "access", "access": "access", "use": "access", "mtime": "modify",
         "modify": "modify"}  # fmt: skip


@command
def touch(
    sh: Call,
    *files: Path,
    access: bool = False,
    create: bool = True,
    date: str | None = None,
    force: bool = False,
    no_dereference: bool = False,
    modify: bool = False,
    reference: Path | None = None,
    stamp: str | None = None,
    time: str | None = None,
) -> None:
    """Set the times of files to now, and make files that are missing.

    files ...               the files
    -a, --access            only the time of access
    -c, --no-create         make no files
    -d, --date TEXT         to the time that a text tells, as `date -d` reads it
    -f, --force             ignored
    -h, --no-dereference    of links, the link's own times
    -m, --modify            only the time of change
    -r, --reference FILE    to the times of this file
    -t, --stamp STAMP       to [[CC]YY]MMDDhhmm[.ss]
    --time WORD             access, atime or use for -a; modify or mtime for -m
    """
    chosen_times = {
        name for name in ("access", "modify") if {"access": access, "modify": modify}[name]
    }
    if time is not None:
        chosen_times.add(chosen("--time", time, TIMES))
    accessed, modified = wanted(sh, date, reference, stamp)
    if not files:
        raise Misuse("E304", -1, "missing file operand")
    for file in files:
        sh.tick()
        set_times(
            sh, file,
            accessed if chosen_times != {"modify"} else None,
            modified if chosen_times != {"access"} else None,
            creates=create and not no_dereference, is_silent=not create, follow=not no_dereference,
        )  # fmt: skip


def wanted(sh: Call, date: str | None, reference: str | None, stamp: str | None) -> tuple[int, int]:
    """The two times that the options ask for."""
    if stamp is not None and (date is not None or reference is not None):
        raise Misuse("E305", -1, "cannot specify times from more than one source")
    zone = zone_named(sh.env.get("TZ"))
    now = sh.now()
    times = (now, now)
    if reference is not None:
        try:
            found = sh.fs.stat(sh.path(reference), follow=True)
        except OSError as error:
            says = f"failed to get attributes of {quoted(reference)}: {why(error)}"
            raise sh.fail(says) from None
        times = (found.accessed, found.modified)
    if date is not None:
        accessed, modified = (time_of(date, since, zone) for since in times)
        if accessed is None or modified is None:
            raise sh.fail(f"invalid date format {quoted(date)}")
        return accessed, modified
    if stamp is not None:
        stamped = time_of_stamp(stamp, now, zone)
        if stamped is None:
            raise sh.fail(f"invalid date format {quoted(stamp)}")
        return stamped, stamped
    return times


def time_of_stamp(stamp: str, now: int, zone: Zone) -> int | None:
    """The time of `[[CC]YY]MMDDhhmm[.ss]`, in nanoseconds; None for what is no time."""
    digits, dot, seconds = stamp.partition(".")
    if not digits.isdecimal() or len(digits) not in (8, 10, 12) or not digits.isascii():
        return None
    if dot and not (len(seconds) == 2 and seconds.isascii() and seconds.isdecimal()):
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
    return zone.seconds_at(local) * SECOND


def set_times(
    sh: Call,
    file: str,
    accessed: int | None,
    modified: int | None,
    *,
    creates: bool,
    is_silent: bool,
    follow: bool,
) -> None:
    """Set the times of one file, None being what it has; make it if it is missing.

    `is_silent` leaves one alone that is missing.
    """
    fs = sh.fs
    # GNU blames the file only where it has tried to open it.
    says = "cannot touch" if creates and not file.endswith("/") else "setting times of"
    try:
        path = sh.path(file)
        try:
            found = fs.stat(path, follow=follow)
        except FileNotFoundError:
            if is_silent:
                return
            if says != "cannot touch":
                raise
            fs.open(path, "a", 0o666 & ~sh.state.umask).close()
            found = fs.stat(path, follow=True)
        fs.set_times(
            path,
            found.accessed if accessed is None else accessed,
            found.modified if modified is None else modified,
            follow=follow,
        )
    except OSError as error:
        sh.warn(f"{says} {quoted(file)}: {why(error)}")
