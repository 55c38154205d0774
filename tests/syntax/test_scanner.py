"""The scanner: positions of tokens and nodes, and the comments and blank lines it keeps."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
import test_parser as trees

from keysh.diagnostics.source import Source
from keysh.syntax import ast
from keysh.syntax.lexer.scanner import scan
from keysh.syntax.node import Node
from keysh.syntax.parser import parse
from keysh.testing.transcript import parse_page
from rows import each_row

TESTS = Path(__file__).parent.parent


def sources_of_tables() -> list[str]:
    wrapped = [
        (trees.WORDS, "p {}"),
        (trees.VALUES, "x={}"),
        (trees.EXPRESSIONS, "(({}))"),
        (trees.CONDITIONS, "[[ {} ]]"),
        (trees.SCRIPTS, "{}"),
    ]
    return [
        form.replace("{}", source)
        for table, form in wrapped
        for source, _ in (case.values for case in trees.cases(table))
    ]


def sources_of_pages() -> list[str]:
    pages = (TESTS / "spec" / "lang").glob("*.md")
    consoles = [c for page in pages for c in parse_page(page.read_text("utf-8"), "page").consoles]
    return [command for console in consoles if console.gnu for command in console.commands]


def sources_of_corpus() -> list[str]:
    return [path.read_text("utf-8") for path in sorted((TESTS / "corpus").glob("*.ksh"))]


SOURCES = [*sources_of_tables(), *sources_of_pages(), *sources_of_corpus()]


# ---------------------------------------------------------------- spans

# How a node's text begins and ends, whatever it contains.
EDGES = {
    "ArithmeticCommand": r"\(\(.*\)\)",
    "ArithmeticExpansion": r"\$\(\(.*\)\)|\$\[.*\]",
    "Array": r"\(.*\)",
    "Assign": r"[A-Za-z_].*=.*",
    "Background": r".*&",
    "Brace": r"\{.*\}",
    "BraceRange": r"\{.*\.\..*\}",
    "Case": r"case\b.*esac",
    "DoubleQuoted": r'\$?".*"',
    "Elif": r"elif\b.*",
    "Entry": r"\[.*\]\+?=.*",
    "Expand": r"\$\{.*\}",
    "ExtendedGlob": r"[?*+@!]\(.*\)",
    "For": r"for\b.*(?:done|\})",
    "ForArithmetic": r"for\b.*(?:done|\})",
    "Group": r"\{.*\}",
    "Heredoc": r"(?:\d+|\{\w+(?:\[.*\])?\})?<<.*",
    "If": r"if\b.*fi",
    "Length": r"\$\{#.*\}",
    "List": r"\[.*\]",
    "Named": r"[A-Za-z_-].*=.*",
    "NamesOf": r"\$\{!.*[*@]\}",
    "Number": r"\.?\d.*",
    "Parentheses": r"\(.*\)",
    "ProcessSubstitution": r"[<>]\(.*\)",
    "Record": r"\{.*\}",
    "Redirect": r"(?:\d+|\{\w+(?:\[.*\])?\})?(?:[<>]|&>).*",
    "Reference": r"[\w@*#?$!-].*",
    "Replace": r"\$\{.*\}",
    "Slice": r"\$\{.*\}",
    "Spread": r"\.\.\..*",
    "Subscript": r"\[.*\]",
    "AllSubscript": r"\[[@*]\]",
    "Subshell": r"\(.*\)",
    "Substitution": r"\$\(.*\)|`.*`",
    "Test": r"\[\[.*\]\]",
    "TestGroup": r"\(.*\)",
    "TestNot": r"!.*",
    "TestUnary": r"-.*",
    "While": r"(?:while|until)\b.*done",
}


def agrees(node: Node, source: str) -> bool:
    """Whether the source between a node's ends matches the node, with broken lines joined."""
    written = source[node.start : node.end]
    text = written.replace("\\\n", "")
    match node:
        case ast.Text():
            return "\\" in source[node.start - 1 : node.end] or text == node.value
        case ast.Glob() | ast.Tilde():
            return text == node.value
        case ast.Variable():
            return text in (f"${node.name}", f"${{{node.name}}}")
        case ast.Quoted(style="\\"):
            return text == f"\\{node.value}"
        case ast.Quoted(style="'"):
            return written == f"'{node.value}'"
        case ast.Quoted():
            quoted = text.removeprefix(node.style)
            return text != quoted and ("\\" in text or quoted == node.value + node.style[-1])
    pattern = EDGES.get(type(node).__name__)
    return pattern is None or bool(re.fullmatch(pattern, text, re.DOTALL))


def inside(node: Node) -> list[Node]:
    """Return the children within a node's ends; the text of a heredoc is elsewhere."""
    return [] if isinstance(node, ast.Heredoc) else list(node.children())


def is_rewritten(node: Node, source: str) -> bool:
    """Whether the inner text differs from the source: backticks remove one layer of `\\`."""
    return isinstance(node, ast.Heredoc) or source.startswith("`", node.start)


@each_row("text", SOURCES)
def test_node_span_covers_its_source(text: str) -> None:
    waiting: list[Node] = list(trees.commands(text))
    while waiting:
        node = waiting.pop()
        assert agrees(node, text), f"{node!r}: {text[node.start : node.end]!r}"
        if not is_rewritten(node, text):
            waiting += node.children()


@each_row("text", SOURCES)
def test_spans_nest_and_do_not_overlap(text: str) -> None:
    tree = parse(Source(text, "test"))
    for node in tree.walk():
        assert 0 <= node.start <= node.end <= len(text)
        below = sorted(inside(node), key=lambda child: (child.start, child.end))
        for child in below:
            assert node.start <= child.start <= child.end <= node.end, (node, child)
        for first, second in pairwise(below):
            assert first.end <= second.start, (first, second)


@each_row("text", SOURCES)
def test_argument_source_parses_alone(text: str) -> None:
    tree = parse(Source(text, "test"))
    for command in tree.walk():
        if not isinstance(command, ast.Simple):
            continue
        for argument in command.arguments[1:]:
            if "`" in text or "<<" in text:
                continue  # their insides are not as in the source
            again = parse(Source(f"p {text[argument.start : argument.end]}", "again"))
            (simple,) = again.body.commands if again.body else []
            assert isinstance(simple, ast.Simple)
            assert simple.arguments[1:] == [argument]


@each_row("text", SOURCES)
def test_tokens_are_in_order(text: str) -> None:
    """Except a heredoc's text, which comes after its operator but from further on in the source."""
    ends = 0
    depth = 0
    for kind, _, start, end in scan(Source(text, "test")).tokens:
        assert 0 <= start <= end <= len(text)
        if depth == 0:
            assert ends <= start
            ends = end
        depth += (kind == "HEREDOC_OPEN") - (kind == "HEREDOC_CLOSE")


# ---------------------------------------------------------------- heredocs


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("cat <<E\na\nE\n", ["a\n"]),
        ("cat <<E\nE\n", [""]),
        ("cat <<-E\n\ta\n\t\tb\n\tE\n", ["a\n\t\tb\n"]),
        ("cat <<A <<B; c\na\nA\nb\nB\nd", ["a\n", "b\n"]),
        ("cat <<A\n$(cat <<B\nb\nB\n)\nA\n", ["$(cat <<B\nb\nB\n)\n", "b\n"]),
        ("a `cat <<A\nb\nA\n`", ["b\n"]),
        ("cat <<E\nno\\\nE\n", []),
    ],
)
def test_heredoc_body_has_a_span(text: str, wanted: list[str]) -> None:
    if not wanted:
        s = scan(Source(text, "test"))
        assert [(d.code, text[d.start : d.end]) for d in s.diagnostics] == [("E103", "<<E")]
        return
    tree = parse(Source(text, "test"))
    heredocs = [node for node in tree.walk() if isinstance(node, ast.Heredoc)]
    assert [text[node.body.start : node.body.end] for node in heredocs] == wanted


# ---------------------------------------------------------------- not tokens


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a # b\n", ["comment # b"]),
        ("# a\n\n# b", ["comment # a", "blank", "comment # b"]),
        ("a#b 'c #d' \"#e\" \\#f $#", []),
        ("a \\\n b", ["break"]),
        ("a=( b # c\n d)", ["comment # c"]),
        ("a=[b, # c\n]", ["comment # c"]),
        ("p a=[b # c\n]", ["comment # c"]),
        ("a={ # b\n c: 1}", ["comment # b"]),
        ("[[ a && # b\n c ]]", ["comment # b"]),
        ("f(a, # b\n c) { d; }", ["comment # b"]),
        (
            "case a in # b\n c) # d\n ;; # e\n esac # f",
            [f"comment # {letter}" for letter in "bdef"],
        ),
        ("$(a # b\n)", ["comment # b"]),
        ("`a # b`", ["comment # b"]),
        ("cat <<A # b\n# c\nA\n# d", ["comment # b", "comment # d"]),
        ("cat <<A\n$(b # c\n)\nA", ["comment # c"]),
    ],
)
def test_comments_blank_and_broken_lines_are_kept(text: str, wanted: list[str]) -> None:
    trivia = parse(Source(text, "test")).trivia
    assert [f"{item.kind} {item.text}".rstrip() for item in trivia] == wanted
    for item in trivia:
        assert item.text in ("", text[item.start : item.end])


# ---------------------------------------------------------------- the same, written otherwise

# Pairs of sources that mean the same and have the same tree.
SAME = [
    ("a; b", "a\nb"),
    ("a &&\n\n# c\nb", "a && b"),
    ("if a\nthen b\nfi", "if a; then b; fi"),
    ("for x do a; done", "for x; do a; done"),
    ("for x in a; { b; }", "for x in a; do b; done"),
    ("case a in (b) c ;; esac", "case a in\nb) c\nesac"),
    ("function f { a; }", "f() { a; }"),
    ("f ( )\n{ a; }", "f() { a; }"),
    ("`a b`", "$(a b)"),
    ("`a \\`b\\` \\\\c`", "$(a $(b) \\c)"),
    ('"`a \\"b\\"`"', '"$(a "b")"'),
    ("${x}", "$x"),
    ('$"a"', '"a"'),
    ('a"$x"', 'a"${x}"'),
    ("fo\\\no b\\\nar", "foo bar"),
    ('p "$x\\\ny"', 'p "$xy"'),
    ("i\\\nf a; t\\\nhen b; f\\\ni", "if a; then b; fi"),
    ("time -- a", "time a"),
    ("((1--1))", "((1 - -1))"),
    ("((a---b))", "((a-- - b))"),
    ("[[ a &&\n b ]]", "[[ a && b ]]"),
    ("x=[a, b,]", "x=[a b]"),
    ("x={a:1,b:2}", "x={\n  a: 1\n  b: 2\n}"),
    ("a >b 2>&1", "a > b 2>& 1"),
    ("<a b >c", "b <a >c"),
    ("cat <<-E\n\ta\n\tE", "cat <<-E\na\nE"),
    ("cat <<'E'\n$x\nE", 'cat <<"E"\n$x\nE'),
]


@pytest.mark.parametrize(("text", "other"), SAME)
def test_trees_are_the_same(text: str, other: str) -> None:
    assert parse(Source(text, "test")) == parse(Source(other, "test"))
