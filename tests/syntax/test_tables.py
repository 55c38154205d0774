"""The tables are up to date, independent of the hash seed, and accept the same language as Lark."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from grammar.build_tables import GRAMMAR, STARTS, TARGET, Automaton, NoLexer, Tables, render
from lark import Lark, Token, Tree, UnexpectedToken

from keysh.diagnostics.source import Source
from keysh.syntax import _tables
from keysh.syntax.builders import builder
from keysh.syntax.lalr import LalrParser, ParseFailure
from keysh.syntax.lexer.scanner import scan
from keysh.testing.transcript import FileFence, parse_page

ROOT = Path(__file__).parents[2]
TOKENS = frozenset(
    name
    for line in GRAMMAR.read_text().splitlines()
    if line.startswith("%declare")
    for name in line.split()[1:]
)


@pytest.mark.quick
def test_tables_are_up_to_date() -> None:
    assert render(Tables(Automaton(GRAMMAR.read_text()))) == TARGET.read_text(), (
        "run `python grammar/build_tables.py`"
    )


@pytest.mark.parametrize("seed", ["1", "2"])
def test_tables_do_not_depend_on_the_hash_seed(seed: str) -> None:
    code = (
        "from grammar.build_tables import *; "
        "print(render(Tables(Automaton(GRAMMAR.read_text()))), end='')"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == TARGET.read_text()


@pytest.mark.quick
def test_a_conflict_fails_the_build() -> None:
    ambiguous = "script: a | b\na: X\nb: X\narithmetic: X\npath: X\nvalue: X\n%declare X\n"
    with pytest.raises(Exception, match="collision"):
        Automaton(ambiguous)


@pytest.mark.quick
def test_every_production_has_a_builder() -> None:
    for name in _tables.BUILDERS:
        assert callable(builder(name))
    with pytest.raises(LookupError, match="no builder"):
        builder("no_such_production")


@pytest.mark.quick
def test_scanner_tokens_are_grammar_tokens() -> None:
    for path in corpus():
        for token in scan(Source(path.read_text(), path.name)).tokens:
            assert token[0] in TOKENS


# ---------------------------------------------------------------- the same trees as Lark's


def corpus() -> list[Path]:
    """Every script in the tests and examples, wrong ones included."""
    result = [*(ROOT / "tests" / "corpus").glob("*.ksh"), *(ROOT / "examples").glob("*.ksh")]
    assert result
    return sorted(result)


def spec_scripts() -> list[str]:
    """Return the contents of the fences of the spec pages."""
    texts = []
    for path in sorted((ROOT / "tests" / "spec").rglob("*.md")):
        for fence in parse_page(path.read_text(), path.name).fences:
            if isinstance(fence, FileFence):
                texts.append(fence.text)
            else:
                texts.extend(step.command for step in fence.steps)
    assert len(texts) > 50
    return texts


def as_lark_sees(text: str, lark: Lark) -> Tree[Any] | None:
    """Return the tree that Lark's own parser builds of the tokens, or None."""
    interactive = lark.parse_interactive("", start="script")
    try:
        for token in scan(Source(text)).tokens:
            interactive.feed_token(Token(token[0], str(token[2])))
        return interactive.feed_eof()
    except UnexpectedToken:
        return None


def as_we_see(text: str) -> Tree[Any] | None:
    """Return the tree of keysh's driver, with builders that make Lark's nodes."""

    def node(name: str) -> Any:
        def make(*parts: Any) -> Any:
            flat: list[Any] = []
            for part in parts:
                flat.extend(part) if isinstance(part, list) else flat.append(leaf(part))
            return flat if name in ("begin", "append", "extend") else Tree(name, flat)

        return make

    tokens = [*scan(Source(text)).tokens, ("$END", "", 0, 0)]
    try:
        tree: Any = LalrParser(node).parse(tokens)
    except ParseFailure:
        return None
    return tree


def leaf(part: Any) -> Any:
    return Token(part[0], str(part[2])) if isinstance(part, tuple) else part


@pytest.fixture(scope="module")
def lark() -> Lark:
    return Lark(
        GRAMMAR.read_text(),
        parser="lalr",
        lexer=NoLexer,
        start=list(STARTS),
        keep_all_tokens=True,
        maybe_placeholders=False,
    )


def test_driver_builds_the_same_trees_as_lark(lark: Lark) -> None:
    texts = [path.read_text() for path in corpus()] + spec_scripts()
    parsed = 0
    for text in texts:
        tree = as_lark_sees(text, lark)
        assert as_we_see(text) == tree, text
        parsed += tree is not None
    assert parsed > len(texts) * 0.7


def test_driver_refuses_the_same_texts_as_lark(lark: Lark) -> None:
    """Yield scripts of the corpus with one token removed, for many tokens."""
    refused = 0
    for path in corpus():
        tokens = scan(Source(path.read_text())).tokens
        for gone in range(0, len(tokens), 7):
            rest = tokens[max(0, gone - 40) : gone] + tokens[gone + 1 : gone + 40]
            ours = accepts_ours(rest)
            assert ours == accepts_lark(rest, lark), rest
            refused += not ours
    assert refused > 20


def accepts_ours(tokens: list[Any]) -> bool:
    parser = LalrParser(lambda name: lambda *parts: [])
    try:
        parser.parse([*tokens, ("$END", "", 0, 0)])
    except ParseFailure:
        return False
    return True


def accepts_lark(tokens: list[Any], lark: Lark) -> bool:
    interactive = lark.parse_interactive("", start="script")
    try:
        for token in tokens:
            interactive.feed_token(Token(token[0], ""))
        interactive.feed_eof()
    except UnexpectedToken:
        return False
    return True
