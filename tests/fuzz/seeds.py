"""What the fuzzers begin with: our own pages and scripts, cut into programs and texts."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*(?:\n> .*)*)", re.MULTILINE)
SINGLE_QUOTED = re.compile(r"'([^']+)'")
HERE_TEXT = re.compile(r"<<< *('[^']*'|\"[^\"]*\"|\S+)|echo '([^']+)'")


def fences(page: str, kind: str) -> list[str]:
    """Return the bodies of one kind of fence of a page, such as "console"."""
    text = (TESTS / "spec" / f"{page}.md").read_text()
    return [body for name, body in FENCE.findall(text) if name == kind]


def commands(page: str) -> list[str]:
    """Return the commands of a page, without their answers."""
    return [
        command.replace("\n> ", "\n")
        for body in fences(page, "console")
        for command in COMMAND.findall(body)
    ]


def quoted(name: str) -> list[str]:
    """Return what stands in single quotes in the page of a command: its programs and forms."""
    return [text for line in commands(f"commands/{name}") for text in SINGLE_QUOTED.findall(line)]


def scripts() -> list[str]:
    """Return the scripts of the corpus, in pieces of some lines, and the commands of all pages."""
    found: list[str] = []
    for path in sorted((TESTS / "corpus").glob("*.*sh")):
        lines = path.read_text().splitlines(keepends=True)
        found += ["".join(lines[at : at + 8]) for at in range(0, len(lines), 8)]
    for folder in ("lang", "bash"):
        for path in sorted((TESTS / "spec" / folder).glob("*.md")):
            found += commands(f"{folder}/{path.stem}")
    return found


def kept(target: str) -> list[Path]:
    """Return the inputs that once broke a target."""
    return sorted((TESTS / "fuzz" / "corpus" / target).glob("*"))
