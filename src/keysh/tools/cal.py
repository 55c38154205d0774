"""cal - print a calendar; ncal, the same command, prints the weeks as columns."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import Refusals, command
from keysh.text.dates.calendar import date_of, days_before
from keysh.text.dates.moment import Moment
from keysh.text.dates.time_zone import find_zone
from keysh.text.shell_numbers import is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.state.call import Call

USAGE_STATUS = 64
USAGE_HINT = "Usage: {} [-13bhjMSwy] [-A months] [-B months] [-d yyyy-mm] [-m month] [[month] year]"
MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
WEEKDAY_NAMES = ("Su", "Mo", "Tu", "We", "Th", "Fr", "Sa")
MAX_YEAR = 9999
MAX_MONTHS = 12 * MAX_YEAR  # before and after
MONTH_WEEKS = 6  # the rows or columns of a month
# Britain left the Julian calendar with the 2nd of September 1752; the 14th followed.
REFORM = (1752, 9, 14)
FIRST_GREGORIAN_DAY = days_before(1752, 9, 14)


@command(
    compatible="ncal 12.1.8",
    refusals=Refusals(usage_status=USAGE_STATUS, usage_hint=USAGE_HINT),
    ignored="-h, --no-highlight",
    refused="-e, --easter  dates of Easter are not printed; -o, --orthodox-easter  as -e; "
    "-p, --countries  the calendar is that of Britain; -s, --country CODE  as -p",
)
def cal(
    sh: Call,
    *words: str,
    one: bool = False,
    three: bool = False,
    after: str = "0",
    before: str = "0",
    rows: bool = False,
    columns: bool = False,
    day: str | None = None,
    julian: bool = False,
    month: str | None = None,
    monday: bool = False,
    sunday: bool = False,
    weeks: bool = False,
    year: bool = False,
) -> Iterator[str]:
    """Print the calendar of a month or year; ncal prints weeks as columns.

    words ...           the year, or a month (1 to 12, or its name) and the year;
                        this month by default
    -1, --one           print one month, which is the default
    -3, --three         print the months before and after it, too
    -A, --after NUM     print NUM months after it, too
    -B, --before NUM    print NUM months before it, too
    -b, --rows          print weeks as rows, as cal does
    -C, --columns       print as cal does
    -d, --day DATE      take DATE, yyyy-mm or yyyy-mm-dd, for today
    -j, --julian        number the days from the beginning of the year
    -m, --month MONTH   print this month
    -M, --monday        weeks begin with Monday (ncal)
    -S, --sunday        weeks begin with Sunday, which is the default (ncal)
    -w, --weeks         number the weeks below the columns (ncal)
    -y, --year          print a whole year

    Today is not highlighted. The days from 3 to 13 September 1752 are left out.
    """
    prints_rows = sh.name == "cal" or rows or columns
    if len(words) > 2:
        raise UsageFailure(f"extra operand '{words[2]}'")
    if prints_rows and (weeks or monday or sunday):
        raise UsageFailure("only weeks in columns can be numbered, or begin with Monday")
    if len(words) == 1 and month is None and (one or three):
        option = "-3" if three else "-1"
        message = f"{option} together with a given year but no given month is not supported."
        raise sh.fail(message, USAGE_STATUS)
    today = Moment(sh.now(), find_zone(sh.env.get("TZ")))
    this_year, this_month = parse_day(sh, day) if day is not None else (today.year, today.month)
    if month is not None:
        this_month = parse_month(sh, month)
    if len(words) == 2:
        this_month = parse_month(sh, words[0])
    if words:
        this_year = parse_year(sh, words[-1])
    is_year = year or (len(words) == 1 and month is None)
    first = this_year * 12 + (0 if is_year else this_month - 1) - parse_count(before) - three
    count = (12 if is_year else 1) + parse_count(before) + parse_count(after) + 2 * three
    dates = [divmod(first + i, 12) for i in range(count)]
    page = CalendarPage(
        prints_rows, numbers_days=julian, first_weekday=int(monday), numbers_weeks=weeks
    )
    for text in page.text_of([(date[0], date[1] + 1) for date in dates if date[0] > 0]):
        sh.tick()
        yield text


def parse_year(sh: Call, text: str) -> int:
    """Return a year from 1 to 9999."""
    if not is_digits(text):
        raise sh.fail(f"not a valid year {text}", USAGE_STATUS)
    year = int(text) if len(text) <= len(str(MAX_YEAR)) else MAX_YEAR + 1
    if not 0 < year <= MAX_YEAR:
        raise sh.fail(f"year `{text}' not in range 1..{MAX_YEAR}", USAGE_STATUS)
    return year


def parse_month(sh: Call, text: str) -> int:
    """Return the number of a month that is given by its number or the beginning of its name."""
    if is_digits(text) and len(text) <= 2 and 1 <= int(text) <= 12:
        return int(text)
    if text.isalpha() and len(text) >= 3:
        for number, name in enumerate(MONTH_NAMES, 1):
            if name.lower().startswith(text.lower()):
                return number
    raise sh.fail(f"{text} is neither a month number (1..12) nor a name", USAGE_STATUS)


def parse_day(sh: Call, text: str) -> tuple[int, int]:
    """Return year and month of a date."""
    year, _, rest = text.partition("-")
    return parse_year(sh, year), parse_month(sh, rest.partition("-")[0])


def parse_count(text: str) -> int:
    return min(int(text[:9]), MAX_MONTHS) if is_digits(text) else 0


def first_day_of(year: int, month: int) -> int:
    """Return the number of a month's first day, from 1970; Julian before the reform."""
    if (year, month, 1) >= REFORM:
        return days_before(year, month, 1)
    # The Julian calendar has a leap day each four years, and was two days behind in year 1.
    march_year = year - (month < 3)
    leap_days = march_year // 4 - (march_year // 4 - march_year // 100 + march_year // 400)
    return days_before(year, month, 1) + leap_days - 2


def days_of(year: int, month: int) -> list[tuple[int, int, int]]:
    """Return the days of a month, each with its weekday, 0 for Sunday, and day of the year."""
    start, end = first_day_of(year, month), first_day_of(year + month // 12, month % 12 + 1)
    new_year = first_day_of(year, 1)
    days = []
    for number in range(start, end):
        is_after_reform = (year, month) == REFORM[:2] and number >= FIRST_GREGORIAN_DAY
        day = date_of(number)[2] if is_after_reform else number - start + 1
        days.append((day, (number + 4) % 7, number - new_year + 1))
    return days


def iso_week(number: int) -> int:
    """Return the ISO 8601 week of a day, given by its number from 1970."""
    thursday = number - (number + 3) % 7 + 3
    year = date_of(thursday)[0]
    return (thursday - days_before(year, 1, 1)) // 7 + 1


class CalendarPage:
    """How months are printed, and how many beside each other."""

    __slots__ = (
        "_cell",
        "_first_weekday",
        "_is_rows",
        "_numbers_days",
        "_numbers_weeks",
        "_per_band",
        "_width",
    )

    def __init__(
        self, is_rows: bool, *, numbers_days: bool, first_weekday: int, numbers_weeks: bool
    ) -> None:
        self._is_rows, self._numbers_days = is_rows, numbers_days
        self._first_weekday, self._numbers_weeks = first_weekday, numbers_weeks
        self._per_band = (3 if is_rows else 4) - numbers_days
        self._cell = 4 if numbers_days else 3  # columns of a day, with the blank before it
        self._width = 7 * self._cell - 1 if is_rows else MONTH_WEEKS * self._cell

    def text_of(self, months: Sequence[tuple[int, int]]) -> Iterator[str]:
        """Yield the months, in bands of as many as fit beside each other."""
        per_band = self._per_band
        # The year is above the months if bands and quarters, or halves, begin together.
        has_title = len(months) >= per_band and not (months[0][1] - 1) % per_band
        year = 0
        for start in range(0, len(months), per_band):
            band = months[start : start + per_band]
            if start:
                yield "\n"
            if has_title and band[0][0] != year:
                year = band[0][0]
                yield centered_text(str(year), self._width * per_band).rstrip() + "\n"
            lines = self._row_lines if self._is_rows else self._column_lines
            yield "".join([f"{line}\n" for line in lines(band, has_title)])

    def _row_lines(self, months: Sequence[tuple[int, int]], has_title: bool) -> Iterator[str]:
        """Yield the lines of months whose weeks are rows."""
        width = self._width
        yield "".join(
            [f"{centered_text(month_title(month, has_title), width)}  " for month in months]
        )
        heading = " ".join([f"{name:>{self._cell - 1}}" for name in WEEKDAY_NAMES])
        yield f"{heading}  " * len(months)
        grids = [self._grid(month) for month in months]
        for week in range(MONTH_WEEKS):
            yield "".join(["".join([day[week] for day in grid])[1:] + "  " for grid in grids])

    def _column_lines(self, months: Sequence[tuple[int, int]], has_title: bool) -> Iterator[str]:
        """Yield the lines of months whose weeks are columns."""
        yield "    " + "".join(
            [f"{month_title(month, has_title):<{self._width}}" for month in months]
        )
        grids = [self._grid(month) for month in months]
        for place in range(7):
            name = WEEKDAY_NAMES[(place + self._first_weekday) % 7]
            yield name + "".join(["".join(grid[place]) for grid in grids])
        if self._numbers_weeks:
            yield "  " + "".join([self._week_numbers(month) for month in months])

    def _grid(self, month: tuple[int, int]) -> list[list[str]]:
        """Return the cells of a month: for each weekday those of six weeks."""
        cells = [[" " * self._cell] * MONTH_WEEKS for _ in range(7)]
        days = days_of(*month)
        place = (days[0][1] - self._first_weekday) % 7
        for day, _, yearday in days:
            week, weekday = divmod(place, 7)
            cells[weekday][week] = f"{yearday if self._numbers_days else day:>{self._cell}}"
            place += 1
        return cells

    def _week_numbers(self, month: tuple[int, int]) -> str:
        """Return the numbers of the weeks, each that of the week's Monday."""
        days = days_of(*month)
        offset = (days[0][1] - self._first_weekday) % 7
        monday = first_day_of(*month) - offset + (1 - self._first_weekday) % 7
        count = (offset + len(days) + 6) // 7
        numbers = [f"{iso_week(monday + 7 * week):>{self._cell}}" for week in range(count)]
        return "".join(numbers).ljust(self._width)


def month_title(month: tuple[int, int], has_title: bool) -> str:
    """Return the name of a month, with its year if that is not above."""
    year, number = month
    return MONTH_NAMES[number - 1] if has_title else f"{MONTH_NAMES[number - 1]} {year}"


def centered_text(text: str, width: int) -> str:
    """Return a text in the middle, with the larger margin on the right."""
    left = (width - len(text)) // 2
    return f"{' ' * left}{text}".ljust(width)
