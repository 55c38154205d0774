"""logger - write a message for the system log."""

from __future__ import annotations

from keysh.gnu.owners import user_name
from keysh.schema.declare import command
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment_as_c
from keysh.text.dates.time_zone import find_zone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

FACILITIES = (
    "kern", "user", "mail", "daemon", "auth", "syslog", "lpr", "news", "uucp", "cron", "authpriv",
    "ftp",
)  # fmt: skip
LOCAL_FACILITIES = {f"local{number}": 16 + number for number in range(8)}
FACILITY_NUMBERS = {
    **{name: number for number, name in enumerate(FACILITIES)}, **LOCAL_FACILITIES, "security": 4,
}  # fmt: skip
LEVELS = ("emerg", "alert", "crit", "err", "warning", "notice", "info", "debug")
LEVEL_NUMBERS = {
    **{name: number for number, name in enumerate(LEVELS)}, "panic": 0, "error": 3, "warn": 4,
}  # fmt: skip
DEFAULT_FACILITY, DEFAULT_PRIORITY = "user", "user.notice"
TIME_FORMAT = "%b %e %H:%M:%S"


@command(
    compatible="util-linux 2.38",
    ignored="--no-act",
    refused="-n, --server NAME  there is no network log; -u, --socket PATH  there is no log",
)
def logger(
    sh: Call,
    *words: str,
    file: Path | None = None,
    skip_empty: bool = False,
    priority: str = DEFAULT_PRIORITY,
    stderr: bool = False,
    tag: str | None = None,
) -> None:
    """Write a message for the system log, which keysh does not have.

    words ...              the message; without words and -f, each line of standard
                           input is one
    -f, --file FILE        each line of FILE is a message
    -e, --skip-empty       ignore empty lines of input
    -p, --priority NAME    FACILITY.LEVEL, such as mail.err; user.notice by default
    -s, --stderr           print the message on standard error, too
    -t, --tag NAME         print NAME in front of it, instead of the user's name

    Without -s a message goes nowhere, as on a machine where no log runs.
    """
    number = priority_number(sh, priority)
    title = user_name(sh) if tag is None else tag
    for message in messages_of(sh, words, file):
        if stderr and (message or words or not skip_empty):
            time = format_moment_as_c(TIME_FORMAT, Moment(sh.now(), find_zone(sh.env.get("TZ"))))
            sh.err.write(f"<{number}>{time} {title}: {message}\n")


def messages_of(sh: Call, words: Sequence[str], file: str | None) -> Iterator[str]:
    """Yield the message of the command line, or the lines of a file."""
    if words and file is None:
        yield " ".join(words)
        return
    for source in sh.inputs([file or "-"], "file {path}: {why}"):
        for line in source.lines():
            yield line.removesuffix("\n")


def priority_number(sh: Call, text: str) -> int:
    """Return the number of a priority."""
    facility, dot, level = text.rpartition(".")
    number = FACILITY_NUMBERS.get(facility if dot else DEFAULT_FACILITY)
    if number is None:
        raise sh.fail(f"unknown facility name: {facility}")
    if level not in LEVEL_NUMBERS:
        raise sh.fail(f"unknown priority name: {level}")
    return number * 8 + LEVEL_NUMBERS[level]
