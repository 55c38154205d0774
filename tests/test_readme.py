"""What the README and the documents show must be true: scripts run, words of make exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from keysh import Shell
from keysh.source import Source
from keysh.syntax.parser import parse

pytestmark = pytest.mark.quick

NEWLINE = "\n"
ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def scripts(path: Path) -> list[object]:
    """The ```sh blocks of a document, each named by its line."""
    text = path.read_text("utf-8")
    return [
        pytest.param(block[1], id=f"{path.name}:{text[: block.start()].count(NEWLINE) + 1}")
        for block in re.finditer(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    ]


SCRIPTS = [script for path in DOCUMENTS for script in scripts(path)]


@pytest.mark.parametrize("text", SCRIPTS)
def test_script_parses(text: str) -> None:
    parse(Source(text, "document"))


PROGRAMS = [
    pytest.param(block[1], id=f"{path.name}:{at}")
    for path in DOCUMENTS
    for at, block in enumerate(
        re.finditer(r"^```python\n(.*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    )
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_program_runs(text: str) -> None:
    exec(compile(text, "document", "exec"), {"__name__": "document"})


def test_the_first_script_of_the_readme_runs() -> None:
    result = Shell().run(SCRIPTS[0].values[0])  # type: ignore[attr-defined]
    assert result.stdout == "deploying 2 files to web1:9000\nBLUE\n"


def test_readme_shows_a_script() -> None:
    assert SCRIPTS


def test_words_of_make_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = {
        word
        for path in DOCUMENTS
        for word in re.findall(r"(?:`|^)make ([a-z]+)", path.read_text("utf-8"), re.MULTILINE)
    }
    assert {"demo", "test"} <= named
    assert named <= targets


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", path.read_text("utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []
