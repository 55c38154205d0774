"""Read the blocks of Markdown documents, and run them with real programs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from keysh.testing.transcript import Answer, ConsoleFence

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block. `output` is the `text` block right after it, if any."""

    path: Path
    line: int
    kind: str
    text: str
    output: str | None

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}"


def documents() -> list[Path]:
    """Return the documents, except generated pages."""
    docs = ROOT / "docs"
    return [ROOT / "README.md", *sorted(docs.glob("*.md")), *sorted(docs.glob("internals/*.md"))]


def blocks(path: Path) -> list[Block]:
    text = path.read_text("utf-8")
    result = list(BLOCK.finditer(text))
    made = []
    for at, match in enumerate(result):
        output = None
        if at + 1 < len(result):
            after = result[at + 1]
            is_next = not text[match.end() : after.start()].strip()
            output = after[3] if is_next and after[2] == "text" else None
        line = text.count("\n", 0, match.start()) + 1
        made.append(Block(path, line, match[2], match[3], output))
    return made


class ProgramRunner:
    """Runs commands as real processes; `keysh` and `python` are those of the tests.

    A page's directory starts as a copy of `folder`, if given.
    """

    def __init__(self, place: Path, folder: Path | None = None) -> None:
        self._bin, self._folder = place / "bin", folder
        self._bin.mkdir()
        for name, module in (("keysh", "-m keysh"), ("python", "")):
            path = self._bin / name
            path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
            path.chmod(0o755)

    def run(self, fence: ConsoleFence, directory: Path) -> list[Answer]:
        if self._folder is not None:
            shutil.copytree(self._folder, directory, dirs_exist_ok=True)
        return [self._answer(command, directory) for command in fence.commands]

    def _answer(self, command: str, directory: Path) -> Answer:
        path = f"{self._bin}:{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", "-c", command], cwd=directory, check=False, stdin=subprocess.DEVNULL,
            env={"PATH": path, "HOME": str(directory), "LC_ALL": "C.UTF-8", "TZ": "UTC"},
            capture_output=True, timeout=60,
        )  # fmt: skip
        return Answer(done.stdout.decode(), done.stderr.decode(), done.returncode)
