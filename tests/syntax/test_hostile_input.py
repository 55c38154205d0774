"""Texts made to break a parser: they parse or are refused quickly, without a traceback."""

from __future__ import annotations

import contextlib
import random
import sys
import threading
from collections.abc import Callable

import pytest

from keysh.diagnostics.diagnostic import Diagnostic
from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source
from keysh.syntax.errors.recover import lark_parser as lark_parser
from keysh.syntax.lexer.commands import MAX_EMPTY_LINES
from keysh.syntax.lexer.cursor import MAX_NESTING_DEPTH
from keysh.syntax.outline import outline, to_json
from keysh.syntax.parser import TRIVIA_PER_TICK, parse, parse_arithmetic, parse_path, parse_value
from keysh.syntax.printer.printer import format_script

SIZE = 80_000
MUCH = 1_000_000


def codes(text: str) -> list[str]:
    """Return the codes of a text's diagnostics, after rendering each of them."""
    result: list[Diagnostic] = []
    try:
        parse(Source(text))
    except ScriptError as error:
        result = error.diagnostics
    assert all(len(str(diagnostic)) < 2_000 for diagnostic in result)
    assert len(result) <= 5
    return [diagnostic.code for diagnostic in result]


REPEATED = [
    "(", "$(", '"', "cat <<E ", "{ ", "[", "${x:-", "`", "((", "$((", "[[ (", "x=[", "x={a:", "if ",
    "case x in a) ", "f() {", "'", "\\", "$", "a;", "a|", "a&&", "! ", "<(", "@(", "${x[", '"$(',
    "`\\", "x=(", "{a,", "f(", "echo ${u.a}\n", "))", "}", "fi\n", ")", ";", "|", "for i in ", "$'",
    "\r\n", "~", "#\n", "=", "[0]", "u[k", "{1..3}", "<<<", "2>", "...", "é", "[[ a == ", "((1+",
    "((a?", "${#", "${!", "echo );", "\t", "\n", "\0", "\ud800", "\udcff", "\ufeff", "\u202e",
]  # fmt: skip


@pytest.mark.parametrize("piece", REPEATED, ids=ascii)
def test_one_token_repeated(piece: str) -> None:
    codes(piece * (SIZE // len(piece)))


@pytest.mark.parametrize("piece", ["(", "$(", '"', "{", "${x:-", "'", "\0"])
def test_a_million_characters(piece: str) -> None:
    codes(piece * (MUCH // len(piece)))


def test_random_bytes() -> None:
    choose = random.Random(1)
    data = choose.randbytes(SIZE)
    assert codes(data.decode("utf-8", "surrogateescape")) == ["E114"]
    for _ in range(200):
        codes("".join(chr(choose.randrange(9, 127)) for _ in range(200)))


NESTED = [
    ("(", ")"), ("$(", ")"), ("{ ", ";}"), ("((", "))"), ("$((", "))"), ("${x:-", "}"),
    ('"$(', ')"'), ("x=[", "]"), ("x={a: ", "}"), ("[[ (", ") ]]"), ("if a; then ", "; fi"),
    ("while a; do ", "; done"), ("case x in a) ", ";; esac"), ("f() { ", "; }"), ("<(", ")"),
    ("@(", ")"), ("{a,", "}"), ("x=$(", ")"), ("u[", "]=1"), ("((1 + (", "))"), ("!", ""),
    ("`", "`"), ("cat <<E\n$(", ")\nE\n"), ("for i in a; do ", "; done"),
]  # fmt: skip


@pytest.mark.parametrize(("opener", "closer"), NESTED)
def test_hundred_thousand_levels(opener: str, closer: str) -> None:
    codes(f"{opener * 100_000}a{closer * 100_000}")


@pytest.mark.quick
@pytest.mark.parametrize(
    ("opener", "closer"), [("( ", ")"), ("{ ", ";}"), ("$(", ")"), ("if a; then ", "; fi")]
)
def test_maximum_depth(opener: str, closer: str) -> None:
    script = opener * MAX_NESTING_DEPTH + "a" + closer * MAX_NESTING_DEPTH
    assert codes(script) == []
    assert codes(opener + script + closer) == ["E113"]


@pytest.mark.parametrize("start", [parse_arithmetic, parse_path, parse_value])
def test_embedded_texts_have_the_same_depth_limit(start: Callable[[Source], object]) -> None:
    for opener, closer in NESTED:
        with contextlib.suppress(ScriptError):
            start(Source(opener * 10_000 + "1" + closer * 10_000))
    with pytest.raises(ScriptError):
        start(Source("$((" * 10_000))


# ---------------------------------------------------------------- little stack left

SCRIPTS = [
    "( " * MAX_NESTING_DEPTH + "a" + ")" * MAX_NESTING_DEPTH,
    "echo " + "${x:-" * MAX_NESTING_DEPTH + "}" * MAX_NESTING_DEPTH,
    "x=" + "[" * MAX_NESTING_DEPTH + "1" + "]" * MAX_NESTING_DEPTH,
    "(" * 10_000,
    "if a; fi\necho )\n((1 +))",
    'echo "a $(b"',
]


def use(script: str) -> None:
    """Parse a text, and render its errors or its tree."""
    lark_parser.cache_clear()
    try:
        tree = parse(Source(script))
    except ScriptError as error:
        str(error)
        return
    assert outline(tree)
    assert to_json(tree)
    assert parse(Source(format_script(tree))) == tree


def call_below(frames: int, script: str) -> None:
    """Use a script below a number of calls on the stack."""
    if frames:
        call_below(frames - 1, script)
    else:
        use(script)


@pytest.mark.parametrize("script", SCRIPTS, ids=["(", "${", "[", "((((", "wrong", "open"])
def test_deep_nesting_on_a_small_thread_stack(script: str) -> None:
    problems: list[BaseException] = []

    def run() -> None:
        try:
            call_below(700, script)
        except BaseException as error:  # noqa: BLE001 - raised again in the thread of the test
            problems.append(error)

    assert sys.getrecursionlimit() == 1000
    size = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
    assert problems == []


def test_comments_and_blank_lines_that_take_several_matches() -> None:
    count = 2 * MAX_EMPTY_LINES
    ticks: list[None] = []
    script = parse(
        Source("echo a # x\n" + "# b\n\n  # c\n" * count + "\n  echo d\n"),
        lambda: ticks.append(None),
    )
    lines = [(trivia.kind, trivia.text) for trivia in script.trivia]
    assert lines == [
        ("comment", "# x"),
        *[("comment", "# b"), ("blank", ""), ("comment", "# c")] * count,
        ("blank", ""),
    ]
    assert len(ticks) > count * 3 // TRIVIA_PER_TICK  # it can be ended meanwhile
    assert format_script(script).endswith("# c\n\necho d\n")
