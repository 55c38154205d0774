"""The outline of a tree, and the tree as JSON."""

from __future__ import annotations

import json
import re
from textwrap import dedent

import pytest

from keysh.diagnostics.source import Source
from keysh.syntax.lexer.cursor import MAX_NESTING_DEPTH
from keysh.syntax.outline import outline, to_json
from keysh.syntax.parser import parse

pytestmark = pytest.mark.quick


OUTLINES = [
    (
        'a=1 make x=[1, b] "a $y" >f 2>&1 &',
        r"""
        Script
          body: Block
            Background
              command: Simple
                assignments:
                  Assign
                    target: Reference 'a'
                    value: Word
                      Text '1'
                arguments:
                  Word
                    Text 'make'
                  Named key='x'
                    value: List
                      Word
                        Text '1'
                      Word
                        Text 'b'
                  Word
                    DoubleQuoted
                      Text 'a '
                      Variable 'y'
                redirects:
                  Redirect '>'
                    target: Word
                      Text 'f'
                  Redirect fd=2 '>&'
                    target: Word
                      Text '1'
        """,
    ),
    (
        "f(x: int = 1, *y) { echo ${x[k]:-z} $((x + 1)); }",
        r"""
        Script
          body: Block
            Function 'f'
              parameters:
                Parameter 'x' type='int'
                  default: Word
                    Text '1'
                Parameter 'y' rest=true
              body: Group
                body: Block
                  Simple
                    Word
                      Text 'echo'
                    Word
                      Expand ':-'
                        reference: Reference 'x'
                          Subscript
                            word: Word
                              Text 'k'
                        operand: Word
                          Text 'z'
                    Word
                      ArithmeticExpansion
                        expression: Binary operators=['+']
                          Reference 'x'
                          Number '1'
        """,
    ),
    (
        "if a; then b; else c; fi | d",
        r"""
        Script
          body: Block
            Pipeline operators=['|']
              If
                condition: Block
                  Simple
                    Word
                      Text 'a'
                body: Block
                  Simple
                    Word
                      Text 'b'
                otherwise: Block
                  Simple
                    Word
                      Text 'c'
              Simple
                Word
                  Text 'd'
        """,
    ),
    (
        "case $x in a | b) c;; esac",
        r"""
        Script
          body: Block
            Case
              subject: Word
                Variable 'x'
              clauses:
                Clause ending=';;'
                  patterns:
                    Word
                      Text 'a'
                    Word
                      Text 'b'
                  body: Block
                    Simple
                      Word
                        Text 'c'
        """,
    ),
    (
        "[[ -f $x && y == z* ]]",
        r"""
        Script
          body: Block
            Test
              expression: TestChain '&&'
                TestUnary '-f'
                  operand: Word
                    Variable 'x'
                TestBinary '=='
                  left: Word
                    Text 'y'
                  right: Word
                    Text 'z'
                    Glob '*'
        """,
    ),
    (
        "cat <<E\na $b\nE\n",
        r"""
        Script
          body: Block
            Simple
              arguments:
                Word
                  Text 'cat'
              redirects:
                Heredoc
                  body: Word
                    Text 'a '
                    Variable 'b'
                    Text '\n'
        """,
    ),
    (
        "echo 'it'\\''s \\' $'\\e'",
        r"""
        Script
          body: Block
            Simple
              Word
                Text 'echo'
              Word
                Quoted 'it' style='\''
                Quoted '\'' style='\\'
                Quoted 's \\' style='\''
              Word
                Quoted '\x1b' style='$\''
        """,
    ),
    (
        "",
        r"""
        Script
        """,
    ),
]


@pytest.mark.parametrize(("script", "expected"), OUTLINES)
def test_outline(script: str, expected: str) -> None:
    assert outline(parse(Source(script))) == dedent(expected).lstrip("\n")


def test_json_has_the_position_and_fields_of_each_node() -> None:
    tree = json.loads(to_json(parse(Source("echo $x\n"))))
    word = {
        "type": "Word", "start": 0, "end": 4,
        "parts": [{"type": "Text", "start": 0, "end": 4, "value": "echo"}],
    }  # fmt: skip
    variable = {
        "type": "Word", "start": 5, "end": 7,
        "parts": [{"type": "Variable", "start": 5, "end": 7, "name": "x"}],
    }  # fmt: skip
    command = {
        "type": "Simple", "start": 0, "end": 7,
        "assignments": [], "arguments": [word, variable], "redirects": [],
    }  # fmt: skip
    block = {"type": "Block", "start": 0, "end": 7, "commands": [command]}
    assert tree == {"type": "Script", "start": 0, "end": 8, "body": block}


@pytest.mark.parametrize("script", [script for script, _ in OUTLINES])
def test_json_and_outline_show_the_same_nodes(script: str) -> None:
    tree = parse(Source(script))
    names = [node.__class__.__name__ for node in tree.walk()]
    assert re.findall(r'"type": "(\w+)", "start"', to_json(tree)) == names
    text = outline(tree)
    assert all(re.search(rf"\b{name}\b", text) for name in names)


def test_text_is_shown_escaped() -> None:
    tree = parse(Source("echo $'\\e[1m\\n' '\u202e' \\\\"))
    text = outline(tree)
    assert r"'\x1b[1m\n'" in text
    assert r"'\u202e'" in text
    assert text.replace("\n", "").isprintable()
    assert json.loads(to_json(tree))["body"]["commands"][0]["arguments"][1]["parts"][0][
        "value"
    ] == ("\x1b[1m\n")


@pytest.mark.parametrize(
    ("opener", "closer"), [("$(", ")"), ("{ ", ";}"), ("if a; then ", "; fi"), ("[[ (", ") ]]")]
)
def test_outline_of_a_deep_tree(opener: str, closer: str) -> None:
    depth = MAX_NESTING_DEPTH if opener != "[[ (" else 1
    tree = parse(Source(opener * depth + "a" + closer * depth))
    assert outline(tree).count("\n") >= depth
    assert to_json(tree).count("{") == to_json(tree).count("}") >= depth
