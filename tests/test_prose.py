"""Help, documents and comments are plain English; constructs that stop a reader are banned.

Checked are the docstrings and comments of the package, which hold the help of all commands, and the
documents, without their code.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from documents import ROOT, documents
from keysh.schema.render import help_text
from keysh.shell.command_listing import FILES, command_named, names

SOURCE = ROOT / "src" / "keysh"
MAX_HELP_WIDTH = 80
UNBREAKABLE = "--no-headers, --no-heading, "  # the seven names of one option of ps

# What stops a reader, and what to write instead.
BANNED = {
    r"so many": "NUM, or how many",
    r"so long": "SECONDS, or how long",
    r"be it": "whether",
    r"lest": "so that … not",
    r"whereof|whereto|wherein": "of which, to which",
    r"such an?": "a … like this",
    r"of which nothing": "two sentences",
    r"as wished for|wished for": "as requested",
    r"(?:for|of|to|by|from|with|tells?) who": "for a caller that",
    r"who (?:asks|reads|writes|calls|captures|looks|wants|holds)": "the caller, the reader",
    r"what is (?:at|told|said|asked|wanted|meant)": "the file at, the message",
    r"that there (?:is|are) (?:not|none)": "that does not exist",
    r"is (?:told|said) of": "the message about",
    r"and be gone": "and exit",
    r"it is that": "it",
    r"as others (?:are|do|have)": "as other shells do",
    r"kin": "the like, or the names",
    r"in the midst of": "during",
    r"of its own accord": "by itself",
}
PATTERN = re.compile("|".join(rf"\b(?:{words})\b" for words in BANNED), re.IGNORECASE)
FENCED = re.compile(r"^(`{3,})[^\n`]*\n.*?^\1$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`]*`|\"[^\"]*\"|'[^'\s]*'")


def prose_of_module(text: str) -> Iterator[tuple[int, str]]:
    """The docstrings and the comments, with their lines."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node)
            if docstring is not None:
                yield node.body[0].lineno, docstring
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def findings(text: str) -> list[str]:
    """Banned constructs of a text, outside of code and quotes."""
    joined = " ".join(CODE.sub("…", text).split())
    return [match[0] for match in PATTERN.finditer(joined)]


def test_modules_read_well() -> None:
    result = [
        f"{path.relative_to(SOURCE)}:{line}: {construct}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line, text in prose_of_module(path.read_text("utf-8"))
        for construct in findings(text)
    ]
    assert not result, f"{len(result)} places: {result[:40]}"


def pages() -> list[Path]:
    spec = ROOT / "tests" / "spec"
    return [*documents(), ROOT / "CHANGELOG.md", *sorted(spec.rglob("*.md"))]


@pytest.mark.parametrize("path", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_documents_read_well(path: Path) -> None:
    assert not findings(FENCED.sub("", path.read_text("utf-8")))


@pytest.mark.parametrize("name", sorted(names() - set(FILES)))
def test_help_fits_a_terminal(name: str) -> None:
    text = help_text(command_named(name))
    wide = [line for line in text.splitlines() if len(line) > MAX_HELP_WIDTH]
    assert not [line for line in wide if not line.startswith(UNBREAKABLE)]


@pytest.mark.parametrize(
    "text", ["Print so many lines.", "For who asks.", "# lest it ends", "The signal's kin"]
)
def test_a_banned_construct_is_found(text: str) -> None:
    assert len(findings(text)) == 1


@pytest.mark.parametrize("text", ["Print `so many` lines.", "Least.", 'It says "so many".'])
def test_good_prose_passes(text: str) -> None:
    assert not findings(text)
