"""What find asks about the times of files."""

from __future__ import annotations

from keysh.interp.state.call import why
from keysh.text.dates.calendar import SECOND
from keysh.text.dates.moment import Moment
from keysh.text.dates.parser import time_of
from keysh.text.dates.time_zone import zone_named
from keysh.text.gnu_quoting import locale_quoted
from keysh.tools.find.number import amount, holds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.find.search import Found, Judge, Search

MINUTE, DAY = 60 * SECOND, 86400 * SECOND
TIMES = {"a": "accessed", "c": "changed", "m": "modified"}


def on_age(option: str, unit: int) -> Callable[[Search, str], Judge]:
    """Days are counted whole, so 1 is from one day to two; minutes are not: 1 is up to one."""
    which = TIMES[option[1]]
    lead = unit if unit == DAY else 0

    def make(search: Search, text: str) -> Judge:
        given = amount(text)
        if given is None:
            raise search.sh.fail(f"invalid argument `{text}' to `{option}'")
        sign, number = given
        origin, limit = search.origin, number * unit
        # GNU's find takes a second more for less than a number of days.
        bound = limit + lead if sign == "+" else limit + SECOND * bool(lead)

        def judge(found: Found) -> bool:
            age = origin - getattr(found.stat, which)
            if sign:
                return holds(sign, age, bound)
            return bool(limit + lead - unit <= age < limit + lead)

        return judge

    return make


def on_newer(which: str, than: str = "m") -> Callable[[Search, str], Judge]:
    """-newer, -anewer, -newerXY: X of the file is later than Y of another one."""

    def make(search: Search, path: str) -> Judge:
        try:
            limit = getattr(search.stat(path, 0), TIMES[than])
        except OSError as error:
            raise search.sh.fail(f"{locale_quoted(path)}: {why(error)}") from None
        return lambda found: bool(getattr(found.stat, TIMES[which]) > limit)

    return make


def on_newer_than_time(which: str) -> Callable[[Search, str], Judge]:
    """-newerXt: X of the file is later than a time in words."""

    def make(search: Search, text: str) -> Judge:
        limit = time_of(text, search.sh.now(), zone_named(search.sh.env.get("TZ")))
        if limit is None:
            says = f"I cannot figure out how to interpret '{text}' as a date or time"
            raise search.sh.fail(says)
        return lambda found: bool(getattr(found.stat, TIMES[which]) > limit)

    return make


def on_days_unused(search: Search, text: str) -> Judge:
    """-used: read so many days after its last change; 1 is less than a day."""
    given = amount(text)
    if given is None:
        raise search.sh.fail(f"Invalid argument {text} to -used")
    sign, number = given

    def judge(found: Found) -> bool:
        age = found.stat.accessed - found.stat.changed
        if sign:
            return age >= 0 and holds(sign, age, number * DAY)
        return age >= 0 and (number - 1) * DAY <= age < number * DAY

    return judge


def count_from_end_of_today(search: Search) -> Judge:
    """-daystart: ages behind it are counted from the coming midnight."""
    now = Moment(search.sh.now(), zone_named(search.sh.env.get("TZ")))
    passed = now.hour * 3600 + now.minute * 60 + now.second
    search.origin = (now.seconds - passed + 86400) * SECOND
    return lambda found: True


WITH_OPERAND: dict[str, Callable[[Search, str], Judge]] = {
    **{f"-{which}time": on_age(f"-{which}time", DAY) for which in TIMES},
    **{f"-{which}min": on_age(f"-{which}min", MINUTE) for which in TIMES},
    "-newer": on_newer("m"),
    "-anewer": on_newer("a"),
    "-cnewer": on_newer("c"),
    **{f"-newer{which}{than}": on_newer(which, than) for which in TIMES for than in TIMES},
    **{f"-newer{which}t": on_newer_than_time(which) for which in TIMES},
    "-used": on_days_unused,
}
