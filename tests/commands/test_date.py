"""date: calls, dates in words and formats, against the real tool."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, run_gnu, run_keysh
from fake_shell import NOW
from keysh.text.dates.calendar import SECOND_NANOSECONDS, date_of, days_before
from keysh.text.dates.date_parser import parse_date
from keysh.text.dates.moment import Moment, week_of
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import UTC_ZONE, find_zone

ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "XYZ-5:30:15"]
LEAP = 1_709_201_730  # 2024-02-29 10:15:30 UTC


@pytest.mark.parametrize(
    "words",
    [
        "+a b", "b", "-d now b", "-R +%Y", "-I -R", "--rfc-3339=x", "-Ix", "-d a -f b", "-r none",
        "-f none", "--iso-8601=", "+", "-d @0 +%", "-u -d @0", "-R -d @0", "--rfc-3339=ns -d @0.5",
        "-Ins -d @0", "-Ih -d @0", "-Im -d @0", "--rfc-3339=s -d @0", "--resolution", "-r f -d now",
        "-d @0 -d @1", "-I -I", "-d x+y", "-ufin", "-f in +%F", "-r in +%s", "-d 2024-02-30",
        "--date=@-1.5 +%s.%N", "-x", "-d", "-d a\\b", "-d @67768036191676799 +%Y",
        "-d @67768036191676800", "-d @-67768040609740801",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    text = "@1\nfoo\n2024-02-29 10:00 +2 days\n\n20240229"
    (tmp_path / "in").write_text(text)
    os.utime(tmp_path / "in", (5, 5))
    files_now = run_keysh("date", *words.split(" "), fs=on_disk_of(tmp_path), env={"TZ": "UTC"})
    real_answer = run_gnu("date", *words.split(" "), cwd=tmp_path, TZ="UTC")
    if "in" in words and "\n" in text:  # the empty line is today's midnight
        files_now, real_answer = without_line(files_now, 2), without_line(real_answer, 2)
    assert files_now == real_answer


def on_disk_of(folder: Path):  # type: ignore[no-untyped-def]
    from commands.command_runner import on_disk

    return on_disk(folder)


def without_line(answer: Answer, at: int) -> Answer:
    lines = answer.out.split(b"\n")
    return answer._replace(out=b"\n".join(lines[:at] + lines[at + 1 :]))


def test_clock_is_that_of_the_shell() -> None:
    assert run_keysh("date").out == b"Tue Nov 14 22:13:20 UTC 2023\n"
    assert run_keysh("date", "+%F %T.%N").out == b"2023-11-14 22:13:20.123456789\n"
    berlin = run_keysh("date", "+%F %T %Z", env={"TZ": "Europe/Berlin"}).out
    assert berlin == b"2023-11-14 23:13:20 CET\n"
    assert run_keysh("date", "-d", "tomorrow 10:00", "+%F %R").out == b"2023-11-15 10:00\n"
    assert run_keysh("date", "-d", 'TZ="Asia/Tokyo" 09:00', "+%F %R").out == b"2023-11-15 00:00\n"


def test_row_has_the_parts_of_a_time() -> None:
    answer = run_keysh("date", "-d", "2024-03-03 10:15:30.5", "--json", env={"TZ": "Asia/Kolkata"})
    assert json.loads(answer.out) == {
        "time": "2024-03-03T10:15:30.500000000+05:30", "epoch": 1709441130, "year": 2024,
        "month": 3, "day": 3, "hour": 10, "minute": 15, "second": 30, "nanosecond": 500_000_000,
        "weekday": 7, "yearday": 63, "zone": "IST", "offset": 19800,
    }  # fmt: skip
    says = "date: multiple output formats specified\n"
    assert run_keysh("date", "--json", "+%F") == Answer(1, b"", says)


def test_clock_cannot_be_set() -> None:
    says = "date: cannot set date: Operation not permitted\n"
    assert run_keysh("date", "-s", "now") == Answer(1, b"", says)
    assert run_keysh("date", "11142213") == Answer(1, b"", says)


# ---------------------------------------------------------------- formats

DIRECTIVE = st.builds(
    "%{}{}{}{}".format,
    st.sampled_from(["", "", "", "-", "_", "0", "^", "#", "+"]),
    st.sampled_from(["", "", "", "1", "3", "5", "12"]),
    st.sampled_from(["", "", "", "E", "O"]),
    st.sampled_from(
        [*"aAbBcCdDeFgGhHIjklmMNnpPrRsStTuUVwWXxyYzZQi%", ":z", "::z", ":::z", ":d", "::%", ":::F"]
    ),
)


@settings(max_examples=60, derandomize=True)
@given(
    form=st.lists(DIRECTIVE, min_size=1, max_size=12),
    times=st.lists(
        st.one_of(
            st.integers(0, 10**10 * SECOND_NANOSECONDS),
            st.integers(-(10**9), 10**10).map(lambda seconds: seconds * SECOND_NANOSECONDS),
        ),
        min_size=1,
        max_size=8,
    ),
    zone=st.sampled_from(ZONES),
)
def test_formats_match_gnu(form: list[str], times: list[int], zone: str) -> None:
    text = "|".join(form)
    lines = "".join(
        f"@{time // SECOND_NANOSECONDS}.{time % SECOND_NANOSECONDS:09}\n" for time in times
    )
    real_answer = subprocess.run(
        ["date", "-f", "-", f"+{text}"],
        input=lines.encode(),
        capture_output=True,
        check=True,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": zone},
    ).stdout.decode()
    here = find_zone(zone)
    assert "".join(format_moment(text, Moment(time, here)) + "\n" for time in times) == real_answer


# ---------------------------------------------------------------- dates in words

WORDS = [
    "10", "29", "2024", "20240229", "1015", "99", "0", "-1", "+3", "+0200", "-05:30", "1.5", "jan",
    "feb.", "sept", "friday", "mon", "tues", "wed,", "thursday", "next", "last", "this", "first",
    "third", "day", "days", "weeks", "month", "year", "fortnight", "hours", "min", "seconds",
    "tomorrow", "yesterday", "today", "now", "ago", "hence", "am", "pm", "p.m.", "UTC", "GMT",
    "EST", "CEST", "Z", "T", "a", "b", "(x)", ",", "/", "-", ":", "foo", "10:15", "10:15:30",
    "10:15:30.25", "23:59", "10:15pm", "12am", "0:30", "2024-02-29", "2023-12-31", "2024/02/28",
    "2/29/2024", "2/3", "10/11/12", "2024-02-29T10:15", "2024-02-29T10:15:30Z",
    "2024-02-29T10:15+02:00", "99-1-1", "68-1-1", "2024-13-01", "25:00", "@0", "2024-02-29T10",
    "2024-02-29T10Z", "2024-02-29T10+1", "+2 days ago", "Z +3 hours ago", "10:15 -1.5 sec",
    "20240228 +1 day ago", "3 feb -2.5 sec", "3 feb -2", "4000000000", "999999999 fridays",
]  # fmt: skip
ABSOLUTE = [
    "2024-02-29", "2023-12-31 10:15", "29 Feb 2024", "Feb 29, 2024", "2/29/2024",
    "29-Feb-2024 23:59:59", "2024-02-29T10:15:30Z", "2024-02-29 10:15:30.5 +0100",
]  # fmt: skip


@settings(max_examples=60, derandomize=True)
@given(
    texts=st.lists(
        st.tuples(st.sampled_from(ABSOLUTE), st.lists(st.sampled_from(WORDS), max_size=3)),
        min_size=1,
        max_size=30,
    ),
    zone=st.sampled_from(ZONES),
)
def test_dates_in_words_match_gnu(texts: list[tuple[str, list[str]]], zone: str) -> None:
    """Only answers that do not depend on the current time can be compared."""
    lines = [" ".join([date, *words]) for date, words in texts]
    result = subprocess.run(
        ["date", "-f", "-", "+%s.%N"],
        input="".join(f"{line}\n" for line in lines).encode(),
        capture_output=True,
        check=False,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": zone},
    )
    here = find_zone(zone)
    answers = [parse_date(line, NOW, here) for line in lines]
    mine = [
        f"{time // SECOND_NANOSECONDS}.{time % SECOND_NANOSECONDS:09}"
        for time in answers
        if time is not None
    ]
    assert mine == result.stdout.decode().split("\n")[:-1]
    refused = [line for line, time in zip(lines, answers, strict=True) if time is None]
    real_answer = result.stderr.decode().replace("\u2018", "'").replace("\u2019", "'")
    assert real_answer == "".join(f"date: invalid date '{line}'\n" for line in refused)


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Berlin", "2024-10-27", (1, 2, 3)), ("Europe/Berlin", "2024-03-31", (1, 2, 3)),
        ("America/New_York", "2024-11-03", (0, 1, 2)), ("America/New_York", "2024-03-10", (1, 2)),
        ("Australia/Lord_Howe", "2024-04-07", (1, 2)),
        ("EST5EDT,M3.2.0,M11.1.0", "2030-11-03", (1,)),
    ],
)  # fmt: skip
def test_ambiguous_and_missing_times_match_gnu(zone: str, day: str, hours: tuple[int, ...]) -> None:
    """Use one process for each line, because the tool's answers depend on earlier ones."""
    ways = ("", " 1 day ago 1 day", " 1 hour ago", " -1 month 1 month", " 2 weeks")
    lines = [f"{day} {hour}:45{way}" for hour in hours for way in ways]
    lines += [f"2024-10-{26 + 2 * back} 2:30 1 day{' ago' * back}" for back in range(2)]
    result = subprocess.run(
        ["bash", "-c", 'while read -r line; do date -d "$line" +%s 2>&- || echo; done'],
        input="".join(f"{line}\n" for line in lines).encode(),
        capture_output=True,
        check=True,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": zone},
    )
    here = find_zone(zone)
    answers = [parse_date(line, NOW, here) for line in lines]
    mine = ["" if time is None else str(time // SECOND_NANOSECONDS) for time in answers]
    assert mine == result.stdout.decode().split("\n")[:-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "2023-11-14 00:00:00"), ("now", "2023-11-14 22:13:20"),
        ("tomorrow", "2023-11-15 22:13:20"), ("next friday", "2023-11-17 00:00:00"),
        ("friday", "2023-11-17 00:00:00"), ("last friday", "2023-11-10 00:00:00"),
        ("tuesday", "2023-11-14 00:00:00"), ("next tuesday", "2023-11-21 00:00:00"),
        ("2 days ago", "2023-11-12 22:13:20"), ("1 month", "2023-12-14 22:13:20"),
        ("yesterday 10:00", "2023-11-13 10:00:00"), ("10:00 tomorrow", "2023-11-15 10:00:00"),
        ("noon", None), ("1 fortnight ago", "2023-10-31 22:13:20"), ("3rd", None),
        ("@1.5", "1970-01-01 00:00:01"), ("10", "2023-11-14 10:00:00"),
        ("(x", "2023-11-14 00:00:00"),
        ("9999999999999999999999", None), ("x" * 5000, None), ('TZ="UTC', None),
        ("99999999999999999 days", None), ("Feb 29", None), ("29 Feb 2024", "2024-02-29 00:00:00"),
    ],
)  # fmt: skip
def test_relative_dates_start_now(text: str, expected: str | None) -> None:
    time = parse_date(text, NOW, UTC_ZONE)
    displayed = None if time is None else format_moment("%F %T", Moment(time, UTC_ZONE))
    assert displayed == expected


@given(days=st.integers(-(10**9), 10**9))
def test_calendar_round_trips(days: int) -> None:
    assert days_before(*date_of(days)) == days


def test_weeks_follow_iso_8601() -> None:
    for day, expected in {"2024-12-30": (2025, 1), "2021-01-03": (2020, 53)}.items():
        time = parse_date(day, NOW, UTC_ZONE)
        assert time is not None
        assert week_of(Moment(time, UTC_ZONE)) == expected


@pytest.mark.parametrize(
    ("name", "displayed"),
    [
        (None, "+0000 UTC"), ("", "+0000 UTC"), ("UTC0", "+0000 UTC"), ("GMT", "+0000 GMT"),
        (":Europe/Berlin", "+0100 CET"), ("Nowhere/Land", "+0000 Nowhere"),
        ("../../etc/passwd", "+0000 UTC"), ("/etc/passwd", "+0000 UTC"), ("EST5", "-0500 EST"),
        ("<+03>-3", "+0300 +03"), ("CET-1CEST,M3.5.0,M10.5.0/3", "+0100 CET"),
        ("NZST-12NZDT,M9.5.0,M4.1.0/3", "+1300 NZDT"),
    ],
)  # fmt: skip
def test_time_zone_is_a_name_or_a_rule(name: str | None, displayed: str) -> None:
    assert format_moment("%z %Z", Moment(LEAP * SECOND_NANOSECONDS, find_zone(name))) == displayed


READINGS = [
    "2024-02-29 10:15", "2024-02-29 10:15 UTC", "@1700000000", "@1.5", "@-5", "2024-02-29",
    "5 jan 2020 3pm +0200", "2024-13-01", "foo", "20240229", "2024-02-30", "2024-02-29T10:15:00Z",
    "2024-03-31 02:30", "2024-01-31 1 month", "2024-02-29 10:15 -1 day", "2024-01-01 friday",
    'TZ="Asia/Tokyo" 2024-01-01 10:00', "2/29/2024", "2024-01-01 10:00 +1 hour", "10:00 11:00",
    "2024-01-01 10:00:00 +01:00 next day", "midnight", "2024-01-01 foo", "10:00 foo", "foo 10:00",
    "2 days foo", "2024-01-01 2024-01-02", "mon tue", "25:00", "13pm", "0:30am", "1/2/20", "1/2/99",
    "20240101 10:00", "10:00 2024", "2024-07-01 10:00 CEST", "2024/02/03",
    "2024-03-30 02:30 1 day", "2024-03-31 00:30 2 hours", "2024-01-01 10:00 Z", "5-jan-2024",
    "2024-01-01T10:00 +2 days", "2024-01-01 00:00:60", "ago", "2024-01-01 10:00:00.123456789123",
    "2024-02-29 1 year", "2024-02-29 -1 month -29 days", "2024-06-15 12:00 1 month 1 day",
    "2024-01-01 24:00", "2024-01-01 10:00 UTC 3 days", "2024-10-27 01:30 1 hour", "0/0/0",
    "2024-01-01 10:00 PST", "2024-01-01 10:00 PDT", "2024-01-01 10:00-0930", "2024-00-10",
    "2024-01-01 1.5 sec", "2024-02-01 third friday", "2024-02-01 14 friday", "99999-01-01",
    "2024-01-01 10:00 1 year 2 months -3 days 4 hours 5 min 6 sec", "2024-01-01 sat, 10:00pm",
    "2024-01-01 10 +1.5 seconds ago", "2024-01-01 10:00 UTC +1.5 sec ago", "9999-07-01",
    "20001-07-01", "2024-01-01 1-01-02.5 sec",
]  # fmt: skip


@pytest.mark.parametrize("zone", ["Europe/Berlin", "UTC0", "Asia/Kolkata"])
def test_date_parsing_matches_gnu(tmp_path: Path, zone: str) -> None:
    for text in READINGS:
        answer = run_keysh("date", "-d", text, "+%F %T.%N %Z", env={"TZ": zone})
        assert answer == run_gnu("date", "-d", text, "+%F %T.%N %Z", cwd=tmp_path, TZ=zone), text
