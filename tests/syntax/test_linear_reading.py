"""Reading a text takes calls in proportion to its length, whatever is repeated or nested in it.

Calls of Python's functions are counted, not seconds, so that the answer is the same on any machine.
"""

from __future__ import annotations

import gc
import tomllib
from collections.abc import Callable, Sequence
from cProfile import Profile
from pathlib import Path
from typing import TypeVar

import pytest

from keysh import Limits, Shell
from keysh.compile.compiler import Compiler
from keysh.diagnostics.dialect import BASH, KEYSH, Dialect
from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source
from keysh.syntax.ast import Script
from keysh.syntax.parser import parse
from keysh.syntax.printer.printer import format_script

T = TypeVar("T")

TABLE = tomllib.loads(Path(__file__).with_name("repetitions.toml").read_text("utf-8"))
REPEATED, NESTED = TABLE["repeated"], TABLE["nested"]
COUNTS = 24, 48, 96
LEVELS = 16, 32, 64  # some constructs take three of the 200 levels that are allowed
REFUSED_LEVELS = 250, 500, 1000
# Twice as much may take so many times the calls; what is square takes four times as many.
MAX_GROWTH = 2.3
SLACK_CALLS = 200  # a tick more or less, a table that grows
FIRST_NUMBER = 1_000_000  # so that all numbers are equally long


def repeated_text(parts: list[str], count: int) -> str:
    before, unit, after = parts
    units = (unit.replace("§", str(FIRST_NUMBER + number)) for number in range(count))
    return before + "".join(units) + after


def nested_text(parts: list[str], levels: int) -> str:
    before, opener, middle, closer, after = parts
    return before + opener * levels + middle + closer * levels + after


def check_text(text: str, dialect: Dialect) -> None:
    """Parse and check a text."""
    Shell(dialect=dialect.name, limits=Limits.unlimited()).check(text)


def compile_tree(tree: Script, dialect: Dialect) -> None:
    Compiler(dialect).compile_script(tree)


def print_tree(tree: Script, dialect: Dialect) -> None:
    format_script(tree)


def trees_of(texts: list[str], dialect: Dialect) -> list[Script]:
    """Return the trees of texts; none if they are refused."""
    try:
        return [parse(Source(text, dialect=dialect)) for text in texts]
    except ScriptError:
        return []


def calls_of(work: Callable[[T, Dialect], None], subject: T, dialect: Dialect) -> int:
    """Return how many functions are called, those of C among them."""
    profile = Profile()
    gc.disable()  # a collection may call what others have registered
    try:
        profile.enable()
        work(subject, dialect)
        profile.disable()
    finally:
        gc.enable()
    return sum(entry.callcount for entry in profile.getstats())


def assert_linear(
    work: Callable[[T, Dialect], None], subjects: Sequence[T], dialect: Dialect
) -> None:
    """Hold the work on three subjects, each twice as long as the one before, against each other."""
    for subject in subjects:
        work(subject, dialect)  # what is made only once is made now
    few, some, many = (calls_of(work, subject, dialect) for subject in subjects)
    growth = f"{work.__name__}, {dialect.name}: {few}, {some}, {many} calls"
    # A fact that is no longer followed where there are too many makes the longer text the cheaper.
    is_linear = many - some <= MAX_GROWTH * (some - few) + SLACK_CALLS
    assert is_linear or many <= 2 * max(few, some), growth


@pytest.mark.parametrize("name", REPEATED)
def test_repeated(name: str) -> None:
    texts = [repeated_text(REPEATED[name], count) for count in COUNTS]
    assert_linear(check_text, texts, BASH)
    assert_linear(check_text, texts, KEYSH)
    if trees := trees_of(texts, KEYSH) or trees_of(texts, BASH):
        dialect = trees[0].source.dialect
        assert_linear(compile_tree, trees, dialect)
        assert_linear(print_tree, trees, dialect)


@pytest.mark.parametrize("name", NESTED)
def test_nested(name: str) -> None:
    texts = [nested_text(NESTED[name], levels) for levels in LEVELS]
    assert_linear(check_text, texts, BASH)
    assert_linear(check_text, texts, KEYSH)
    # Printing is not counted: what nests is indented, so the text alone is square.
    if trees := trees_of(texts, KEYSH):
        assert_linear(compile_tree, trees, KEYSH)


@pytest.mark.parametrize("name", NESTED)
def test_nested_too_deeply(name: str) -> None:
    texts = [nested_text(NESTED[name], levels) for levels in REFUSED_LEVELS]
    assert_linear(check_text, texts, KEYSH)
    if "((" not in NESTED[name][1]:  # as bash, each of 200 levels is read by itself: that is slow
        assert_linear(check_text, texts, BASH)


def test_parentheses_are_paired_once() -> None:
    """Each of the 200 levels that are allowed is read again, but not to the end of the text."""
    text = "(" * 20_000
    check_text(text, KEYSH)
    assert calls_of(check_text, text, KEYSH) < 50 * len(text)
