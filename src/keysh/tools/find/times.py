"""The tests of find for the times of files."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.text.dates.calendar import SECOND_NANOSECONDS
from keysh.text.dates.date_parser import parse_date
from keysh.text.dates.moment import Moment
from keysh.text.dates.time_zone import find_zone
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.tools.find.number import is_satisfied, parse_amount

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.find.search import FindRun, FoundFile, Predicate

MINUTE, DAY = 60 * SECOND_NANOSECONDS, 86400 * SECOND_NANOSECONDS
TIME_FIELDS = {"a": "accessed", "c": "changed", "m": "modified"}


def age_test(option: str, unit: int) -> Callable[[FindRun, str], Predicate]:
    """Return -mtime and similar, which count whole days, or -mmin and similar, which round up."""
    which = TIME_FIELDS[option[1]]
    lead = unit if unit == DAY else 0

    def make(search: FindRun, text: str) -> Predicate:
        amount = parse_amount(text)
        if amount is None:
            raise search.sh.fail(f"invalid argument `{text}' to `{option}'")
        sign, number = amount
        origin, limit = search.age_origin, number * unit
        # GNU find allows one more second for less than a number of days.
        bound = limit + lead if sign == "+" else limit + SECOND_NANOSECONDS * bool(lead)

        def evaluate(file: FoundFile) -> bool:
            age = origin - getattr(file.stat, which)
            if sign:
                return is_satisfied(sign, age, bound)
            return bool(limit + lead - unit <= age < limit + lead)

        return evaluate

    return make


def newer_test(which: str, than: str = "m") -> Callable[[FindRun, str], Predicate]:
    """Return -newer, -anewer or -newerXY: time X is later than time Y of another file."""

    def make(search: FindRun, path: str) -> Predicate:
        try:
            limit = getattr(search.stat(path, 0), TIME_FIELDS[than])
        except OSError as error:
            raise search.sh.fail(f"{locale_quoted_text(path)}: {os_error_text(error)}") from None
        return lambda file: bool(getattr(file.stat, TIME_FIELDS[which]) > limit)

    return make


def newer_than_time_test(which: str) -> Callable[[FindRun, str], Predicate]:
    """Return -newerXt: time X is later than a date."""

    def make(search: FindRun, text: str) -> Predicate:
        limit = parse_date(text, search.sh.now(), find_zone(search.sh.env.get("TZ")))
        if limit is None:
            message = f"I cannot figure out how to interpret '{text}' as a date or time"
            raise search.sh.fail(message)
        return lambda file: bool(getattr(file.stat, TIME_FIELDS[which]) > limit)

    return make


def unused_days_test(search: FindRun, text: str) -> Predicate:
    """Return -used: days from the last status change to the last access."""
    amount = parse_amount(text)
    if amount is None:
        raise search.sh.fail(f"Invalid argument {text} to -used")
    sign, number = amount

    def evaluate(file: FoundFile) -> bool:
        age = file.stat.accessed - file.stat.changed
        if sign:
            return age >= 0 and is_satisfied(sign, age, number * DAY)
        return age >= 0 and (number - 1) * DAY <= age < number * DAY

    return evaluate


def count_from_end_of_today(search: FindRun) -> Predicate:
    """-daystart: count ages after it from the end of today."""
    now = Moment(search.sh.now(), find_zone(search.sh.env.get("TZ")))
    seconds_today = now.hour * 3600 + now.minute * 60 + now.second
    search.age_origin = (now.seconds - seconds_today + 86400) * SECOND_NANOSECONDS
    return lambda file: True


TIME_TESTS: dict[str, Callable[[FindRun, str], Predicate]] = {
    **{f"-{which}time": age_test(f"-{which}time", DAY) for which in TIME_FIELDS},
    **{f"-{which}min": age_test(f"-{which}min", MINUTE) for which in TIME_FIELDS},
    "-newer": newer_test("m"),
    "-anewer": newer_test("a"),
    "-cnewer": newer_test("c"),
    **{
        f"-newer{which}{than}": newer_test(which, than)
        for which in TIME_FIELDS
        for than in TIME_FIELDS
    },
    **{f"-newer{which}t": newer_than_time_test(which) for which in TIME_FIELDS},
    "-used": unused_days_test,
}
