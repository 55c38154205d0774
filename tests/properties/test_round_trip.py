"""Parsing printed scripts gives the original tree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from keysh.diagnostics.dialect import BASH, KEYSH, Dialect, declared_dialect
from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source
from keysh.syntax import ast
from keysh.syntax.parser import parse
from keysh.syntax.printer.printer import format_node, format_script
from properties.programs import programs

CORPUS = sorted((Path(__file__).parents[1] / "corpus").glob("*.*sh"))
SCRIPTS = [path.read_text() for path in CORPUS]
"""The scripts of the corpus, whole."""

Test = TypeVar("Test", bound=Callable[..., None])


def examples(count: int) -> Callable[[Test], Test]:
    """The same examples in every run."""
    return settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def comments(script: ast.Script) -> list[str]:
    """The texts of the comments; blanks at their ends are no part of them."""
    return sorted(t.text.rstrip(" \t\r") for t in script.trivia if t.kind == "comment")


def assert_round_trip(script: ast.Script) -> None:
    """The canonical text has the same meaning, keeps each comment once, and is stable."""
    text = format_script(script)
    again = parse(Source(text, dialect=script.source.dialect))
    assert again == script, text
    assert comments(again) == comments(script), text
    assert format_script(again) == text


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_corpus(path: Path) -> None:
    text = path.read_text()
    dialect = declared_dialect(text, path.name) or KEYSH
    script = parse(Source(text, dialect=dialect))
    assert_round_trip(script)
    assert parse(Source(format_node(script), dialect=dialect)) == script


@pytest.mark.quick
@examples(20)
@given(programs())
def test_some_programs(program: str) -> None:
    assert_round_trip(parse(Source(program)))


@examples(400)
@given(programs())
def test_programs(program: str) -> None:
    script = parse(Source(program))
    assert_round_trip(script)
    assert parse(Source(format_node(script))) == script


# Characters and words that mean something somewhere.
PIECES = [
    *"ab1 \t\n;&|<>(){}[]$`'\"\\*?!~#=:,.@+-/%^é\r",
    "\\\n", "# c\n", "$(", "${", "$((", "))", "((", "[[ ", " ]]", "$'", "&&", "||", ";;", ">&",
    "<<E\n", "\nE\n", "<<-E\n\t", "...", "x=", "k=", " in ", "if ", "then ", "fi", "do ", "done",
    "case ", "esac", "for ", "while ", "time ", "function ", "f()", "{ ", "; }", "@(", "1..3", ":-",
    "=~ ", "-f ", "$x", "$[", "select ", "=(", "[0]=",
]  # fmt: skip


def assert_harmless(text: str, dialect: Dialect = KEYSH) -> None:
    """Any text is refused, or makes the round trip."""
    try:
        script = parse(Source(text, dialect=dialect))
    except ScriptError:
        return
    assert_round_trip(script)


@examples(1500)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_text(text: str) -> None:
    assert_harmless(text)


@examples(1500)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_text_in_the_bash_dialect(text: str) -> None:
    assert_harmless(text, BASH)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Draw a few lines of the corpus with pieces inserted, removed and moved."""
    lines = draw(st.sampled_from(SCRIPTS)).split("\n")
    first = draw(st.integers(0, len(lines) - 1))
    text = "\n".join(lines[first : first + draw(st.integers(1, 6))])
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        cut = draw(st.integers(0, 3))
        text = text[:at] + draw(st.sampled_from(PIECES)) + text[at + cut :]
    return text


@examples(1500)
@given(damaged())
def test_damaged_programs(text: str) -> None:
    assert_harmless(text)


@examples(1500)
@given(damaged())
def test_damaged_programs_in_the_bash_dialect(text: str) -> None:
    assert_harmless(text, BASH)
