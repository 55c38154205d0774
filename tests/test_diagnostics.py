"""How a diagnostic is printed: position, excerpt with carets, escapes, and the JSON record."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysh.diagnostics.diagnostic import MAX_EXCERPT_COLUMNS, Diagnostic, has_colors
from keysh.diagnostics.display import display_width, shorten, visible
from keysh.diagnostics.source import Source

pytestmark = pytest.mark.quick


def rendered(text: str, start: int, end: int, **fields: str) -> list[str]:
    """Return the lines of a diagnostic about a part of a script."""
    fields = {"fact": "wrong", "datum": "", "fix": "", **fields}
    return str(Diagnostic("E101", Source(text, "a.ksh"), start, end, **fields)).split("\n")


def test_diagnostic_has_four_lines() -> None:
    assert rendered("echo a\necho b c", 12, 13, datum="`b`", fix="write `d`") == [
        "a.ksh:2:6: E101 wrong: `b`",
        "  echo b c",
        "       ^",
        "fix: write `d`",
    ]


def test_colors_enclose_the_shown_parts() -> None:
    result = Diagnostic("E101", Source("echo b c", "a.ksh"), 5, 6, "wrong", "`b`", "write `d`")
    assert result.shown(colored=True).split("\n") == [
        "\x1b[1ma.ksh:1:6:\x1b[0m \x1b[31mE101\x1b[0m wrong: `b`",
        "  echo b c",
        "\x1b[31m       ^\x1b[0m",
        "\x1b[32mfix:\x1b[0m write `d`",
    ]
    result.severity = "warning"
    assert "\x1b[33mE101" in result.shown(colored=True)
    assert result.shown() == str(result)


@pytest.mark.parametrize(
    ("env", "wanted"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),  # as no-color.org specifies
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
        ({}, False),
    ],
)
def test_colors_are_enabled(env: dict[str, str], wanted: bool) -> None:
    assert has_colors(env) is wanted


@pytest.mark.parametrize("columns", [20, 40, 80])
@pytest.mark.parametrize("at", [0, 30, 199])
def test_excerpt_fits_the_screen(columns: int, at: int) -> None:
    result = Diagnostic("E101", Source("x" * 200), at, at + 1, "wrong")
    _, text, carets = result.shown(columns).split("\n")
    assert display_width(text) < columns
    assert text[carets.index("^")] == "x"


def test_fact_without_datum_and_fix() -> None:
    assert rendered("ab", 0, 2) == ["a.ksh:1:1: E101 wrong", "  ab", "  ^^"]


@pytest.mark.parametrize(
    ("text", "start", "end", "excerpt", "carets"),
    [
        ("abc", 1, 1, "abc", " ^"),
        ("abc", 3, 3, "abc", "   ^"),
        ("", 0, 0, "", "^"),
        ("ab\n", 2, 3, "ab", "  ^"),
        ("ab\n", 3, 3, "", "^"),
        ("ab\ncd\nef", 1, 7, "ab", " ^"),
        ("日本 x", 3, 4, "日本 x", "     ^"),
        ("日本 x", 0, 2, "日本 x", "^^^^"),
        ("e\u0301 x", 3, 4, "e\u0301 x", "  ^"),
        ("\ta\tb", 3, 4, " a b", "   ^"),
        ("a\x1bb", 2, 3, r"a\x1bb", "     ^"),
        ("a\u202eb", 1, 2, r"a\u202eb", " ^^^^^^"),
        ("a\udcffb", 2, 3, r"a\xffb", "     ^"),
        ("a\rb", 2, 3, r"a\rb", "   ^"),
        ("a\0b", 1, 2, r"a\x00b", " ^^^^"),
        ("\U000e0041b", 1, 2, r"\U000e0041b", "          ^"),
    ],
)
def test_carets_stand_under_the_span(
    text: str, start: int, end: int, excerpt: str, carets: str
) -> None:
    assert rendered(text, start, end)[1:] == [f"  {excerpt}".rstrip(), f"  {carets}"]


def test_long_line_is_cut_on_both_sides() -> None:
    text = "a" * 200 + "bcd" + "e" * 200
    excerpt, carets = rendered(text, 200, 203)[1:]
    assert excerpt == "  …" + "a" * 50 + "bcd" + "e" * 47 + "…"
    assert carets == "   " + " " * 50 + "^^^"


def test_span_longer_than_the_excerpt_is_cut() -> None:
    excerpt, carets = rendered("a" * 500, 0, 500)[1:]
    assert excerpt == "  " + "a" * MAX_EXCERPT_COLUMNS + "…"
    assert carets == "  " + "^" * MAX_EXCERPT_COLUMNS


def test_positions_count_characters_from_one() -> None:
    source = Source("aé\n日b\n\nc")
    places = [source.position(offset) for offset in range(len(source.text) + 1)]
    assert places == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (4, 1), (4, 2)]
    assert [source.line(number) for number in (1, 2, 3, 4)] == ["aé", "日b", "", "c"]


def test_only_a_newline_ends_a_line() -> None:
    source = Source("a\x0b\x85\u2028b\nc")
    assert source.position(5) == (1, 6)
    assert source.line(2) == "c"


def test_name_fact_datum_and_fix_are_escaped() -> None:
    source = Source("x", "\x1b[31m.ksh")
    result = Diagnostic("E101", source, 0, 1, "a\u202eb", "c\nd", "e\x07")
    assert str(result).split("\n") == [
        r"\x1b[31m.ksh:1:1: E101 a\u202eb: c\nd",
        "  x",
        "  ^",
        r"fix: e\x07",
    ]


def test_json_record_has_the_same_words() -> None:
    source = Source("echo\n a\udcff", "s")
    result = Diagnostic("E101", source, 6, 8, "wrong", "`a\udcff`", "write `b`")
    assert json.loads(json.dumps(result.record())) == {
        "code": "E101",
        "severity": "error",
        "file": "s",
        "line": 2,
        "column": 2,
        "end_line": 2,
        "end_column": 4,
        "fact": "wrong",
        "datum": r"`a\xff`",
        "fix": "write `b`",
    }


@given(st.text(), st.data())
def test_carets_are_as_wide_as_what_they_mark(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    place, excerpt, carets = rendered(text, start, end)
    assert (place + excerpt + carets).isprintable()
    line, column = Source(text).position(start)
    span = text[start : max(end, start + 1)].split("\n")[0]
    if len(Source(text).line(line)) <= MAX_EXCERPT_COLUMNS:
        before = Source(text).line(line)[: column - 1]
        assert display_width(carets) == 2 + display_width(visible(before)) + max(
            1, display_width(visible(span))
        )


def test_text_is_shortened_to_a_datum() -> None:
    assert shorten("a" * 40) == "a" * 40
    assert shorten("a" * 41) == "a" * 39 + "…"
