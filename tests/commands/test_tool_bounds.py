"""Commands with languages of their own keep to the limits of a run, whatever a script asks for."""

from __future__ import annotations

import pytest

from keysh import Limits, Shell

SMALL_LIMITS = Limits(value=4000, seconds=60)
SHARED = "reduce range(60) as $i (1; [., .])"
DOUBLED_TABLES = "with a0 as (select 1 x)" + "".join(
    f", a{i} as (select (select x from a{i - 1}) + (select x from a{i - 1}) x)"
    for i in range(1, 30)
)


@pytest.mark.parametrize(
    "script",
    [
        """awk 'BEGIN { s = "a"; while (1) s = s s }'""",
        """awk 'BEGIN { s = "a"; while (1) s = s "b" }'""",
        """awk 'BEGIN { s = "é"; while (1) s = s s s }'""",
        """awk 'function f(x) { return f(x x) } BEGIN { f("a") }'""",
        """awk 'BEGIN { s = "ab"; while (1) gsub(/b/, "bb", s) }'""",
        """awk 'BEGIN { s = "ab"; while (1) gsub(/[ab]/, "&&", s) }'""",
        """awk 'BEGIN { s = "ab"; while (1) s = gensub(/a/, "&&", "g", s) }'""",
        """awk 'BEGIN { s = "a"; while (1) s = sprintf("%s%s", s, s) }'""",
        """awk 'BEGIN { s = sprintf("%9999d", 1) }'""",
        """awk 'BEGIN { NF = 1e9 }'""",
        """awk 'BEGIN { while (("yes" | getline x) > 0); }'""",
        "head -c 9000 /dev/zero | tr '\\0' a | awk '{ n++ }'",
        """jq -n '"a" * 1e9'""",
        """jq -n '"a" | until(false; . + .)'""",
        """jq -n '[1] | until(false; . + .)'""",
        """jq -n '[range(1000)] | [., ., ., ., .] | tojson'""",
        "seq -f %.9999f 1 2",
        "split -a 1999999999 /dev/null",
        "csplit -b %099999d - 2 < /dev/null",
    ],
)
def test_growth_ends_at_the_limit_of_a_value(script: str) -> None:
    result = Shell(limits=SMALL_LIMITS).run(script)
    assert result.limit is not None
    assert result.limit.kind == "value"
    assert result.error is None


@pytest.mark.parametrize(
    "program",
    [SHARED, f"{SHARED} | tojson", f"{SHARED} | @text", f"{SHARED} | error", f"{SHARED} | flatten"],
)
def test_shared_values_are_measured(program: str) -> None:
    result = Shell(limits=SMALL_LIMITS).run(f"jq -n '{program}'")
    assert result.limit is not None
    assert result.limit.kind == "value"


@pytest.mark.parametrize("operator", ["==", "<", "-"])
def test_comparing_shared_values_ticks(operator: str) -> None:
    limits = Limits(seconds=0.3)
    result = Shell(limits=limits).run(
        f"jq -n '({SHARED}) as $a | ({SHARED}) as $b | [$a] {operator} [$b]'"
    )
    assert result.limit is not None


@pytest.mark.parametrize(
    "words",
    [
        f'"{DOUBLED_TABLES} select * from a29"',
        '"create view v0 as select 1 x'
        + "".join(
            f"; create view v{i} as select a.x from v{i - 1} a, v{i - 1} b" for i in range(1, 30)
        )
        + '; select * from v29"',
    ],
)
def test_statements_are_measured(words: str) -> None:
    result = Shell(limits=Limits(seconds=20)).run(f"sqlite3 :memory: {words}")
    assert result.limit is None
    assert "the statement stands for more than 5000 tables" in result.stderr


def test_time_and_chance_of_sqlite_are_the_shells() -> None:
    query = "select datetime('now'), date(), current_timestamp, random()"
    first, second = (
        Shell(clock=0, random=1).run(f'sqlite3 :memory: "{query}"').stdout for _ in range(2)
    )
    assert first == second
    assert first.startswith("1970-01-01 00:00:00|1970-01-01|1970-01-01 00:00:00|")


def test_a_start_of_many_digits_is_too_large() -> None:
    result = Shell().run(f"split --numeric-suffixes={'9' * 5000} /dev/null")
    assert "numerical suffix start value is too large for the suffix length" in result.stderr
