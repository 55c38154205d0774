"""A key changes only the block around it; the rest of the text keeps its tokens."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from prompt_toolkit.document import Document

from keysh import Shell
from keysh.repl.command_blocks import CommandBlocks, blocks_of
from keysh.repl.lexer import KeyshLexer
from keysh.syntax.draft import Draft

CUTS = [
    ("", []),
    ("ls", ["ls"]),
    ("ls\npwd\n", ["ls\n", "pwd\n"]),
    ("ls\n\n# c\n  pwd", ["ls\n", "\n# c\n  pwd"]),
    ("# only\n\n", ["# only\n\n"]),
    ("if a\nthen b\nfi\nc\n", ["if a\nthen b\nfi\n", "c\n"]),
    ("while a\ndo (b\nc); done\nd", ["while a\ndo (b\nc); done\n", "d"]),
    ("f()\n{\n  a\n}\nf\n", ["f()\n{\n  a\n}\n", "f\n"]),
    ("case x in\n(a) b;;\nc) d\nesac\ne", ["case x in\n(a) b;;\nc) d\nesac\n", "e"]),
    ("a |\nb\nc \\\nd\ne\n", ["a |\nb\n", "c \\\nd\n", "e\n"]),
    ("cat <<A <<B\nx $(a\nb)\nA\nB\nc\n", ["cat <<A <<B\nx $(a\nb)\nA\nB\n", "c\n"]),
    ("cat <<E\nls\npwd\n", ["cat <<E\nls\npwd\n"]),
    ("echo 'a\nb'\nx=[1,\n2]\n$(c\nd)\n", ["echo 'a\nb'\n", "x=[1,\n2]\n", "$(c\nd)\n"]),
    ("echo 'a\nb\nc\n", ["echo 'a\nb\nc\n"]),
    ("done\nls\n", ["done\n", "ls\n"]),
]


@pytest.mark.parametrize(("text", "wanted"), CUTS)
def test_text_is_cut_between_commands(text: str, wanted: list[str]) -> None:
    blocks = list(blocks_of(text))
    assert [block.text for block in blocks] == wanted
    assert all(block.is_closed for block in blocks[:-1])
    is_open = bool(blocks) and not blocks[-1].is_closed
    assert sum(block.height for block in blocks) == text.count("\n") + is_open


def test_only_the_block_around_a_key_is_new() -> None:
    blocks = CommandBlocks()
    before = blocks.of("a\nb\nc\nd\n")
    after = blocks.of("a\nbx\nc\nd\n")
    assert [new is old for new, old in zip(after, before, strict=True)] == [True, False, True, True]


def test_opening_construct_extends_its_block_until_closed() -> None:
    blocks = CommandBlocks()
    blocks.of("a\nb\nc\n")
    assert [block.text for block in blocks.of("a\n'b\nc\n")] == ["a\n", "'b\nc\n"]
    assert [block.text for block in blocks.of("a\n'b'\nc\n")] == ["a\n", "'b'\n", "c\n"]


PIECES = st.lists(
    st.sampled_from(
        ["ls", " ", "\n", "\n", "'", '"', "if", "fi", "for x in a", "do", "done", "{", "}", "(",
         ")", "$(", "# c", ";", "|", "<<E\n", "E\n", "case x in", "esac", ";;", "f()", "\\", "[[",
         "]]", "x=[", "]", "((", "))", "`", "é"]
    ),
    max_size=14,
).map("".join)  # fmt: skip


def shown(lexer: KeyshLexer, text: str) -> list[str]:
    """Return the text of each line as the editor gets it."""
    line = lexer.lex_document(Document(text))
    return ["".join(piece[1] for piece in line(number)) for number in range(text.count("\n") + 1)]


@settings(max_examples=300)
@example(["'\n", "'\nls\n'", "'\nls\n"])
@given(st.lists(PIECES, min_size=1, max_size=4))
def test_incremental_highlighting_equals_a_fresh_one(texts: list[str]) -> None:
    lexer = KeyshLexer(Shell())
    for text in texts:
        assert shown(lexer, text) == text.split("\n")
        ours, fresh = lexer.lex_document(Document(text)), KeyshLexer(Shell())
        expected = fresh.lex_document(Document(text))
        for number in range(text.count("\n") + 2):
            assert ours(number) == expected(number)


@settings(max_examples=300)
@given(PIECES)
def test_blocks_have_the_same_tokens_as_the_whole_text(text: str) -> None:
    whole = Draft(text)
    if whole.error_spans:
        return
    result, at = [], 0
    for block in blocks_of(text):
        result += [(kind, start + at) for kind, _, start, _ in Draft(block.text).tokens]
        at += len(block.text)
    assert result == [(kind, start) for kind, _, start, _ in whole.tokens]


def test_new_commands_are_recognised_on_the_next_line() -> None:
    shell = Shell()
    lexer = KeyshLexer(shell)
    assert lexer.lex_document(Document("mine"))(0) == [("class:unknown", "mine")]
    shell.run("mine() { :; }")
    lexer.forget()
    assert lexer.lex_document(Document("mine"))(0) == [("class:command", "mine")]
