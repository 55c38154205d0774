"""Every page of the language goes on in another process after each command, with the same answers.

What no image holds, running jobs and open descriptors, keeps a shell in its process until it ends.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from keysh.testing.page_runner import ENVIRONMENT
from keysh.testing.transcript import (
    SHOWN_HOME,
    Answer,
    ConsoleFence,
    Page,
    difference,
    parse_page,
    run_page,
)

ROOT = Path(__file__).parent.parent
PROCESS = Path(__file__).with_name("restoring_process.py")
PAGES = sorted(
    f"{folder}/{path.stem}"
    for folder in ("lang", "bash")
    for path in (ROOT / "spec" / folder).glob("*.md")
)
# Commands that an image cannot serve, or whose answer is the shell's own process.
PROGRAM = "keysh "


class RestoringRunner:
    """Runs each command of a fence in the process that has not run the one before."""

    def __init__(self, processes: list[subprocess.Popen[str]]) -> None:
        self.processes, self.cuts = processes, 0

    def run(self, fence: ConsoleFence, directory: Path) -> list[Answer]:
        answers, image, at, begins = [], None, 0, True
        for command in fence.commands:
            if image is not None:
                at, self.cuts = 1 - at, self.cuts + 1
            request = {
                "directory": str(directory), "home": SHOWN_HOME, "dialect": fence.dialect,
                "environment": ENVIRONMENT, "image": image, "begins": begins, "command": command,
            }  # fmt: skip
            answer = self.ask(self.processes[at], request)
            image, begins = answer["image"], False
            answers.append(Answer(answer["stdout"], answer["stderr"], answer["status"]))
        return answers

    def ask(self, process: subprocess.Popen[str], request: dict[str, object]) -> dict[str, object]:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        assert line, f"the process died of {request['command']}"
        found: dict[str, object] = json.loads(line)
        assert "error" not in found, f"{request['command']}\n{found['error']}"
        return found


def no_bash(fence: ConsoleFence, directory: Path) -> list[Answer]:
    """Return nothing: tests/test_spec.py asks bash."""
    return []


@pytest.fixture(scope="module")
def runner() -> Iterator[RestoringRunner]:
    processes = [
        subprocess.Popen(
            [sys.executable, str(PROCESS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    yield RestoringRunner(processes)
    for process in processes:
        process.communicate("")


def read_page(name: str) -> Page:
    return parse_page((ROOT / "spec" / f"{name}.md").read_bytes().decode(), name)


@pytest.mark.parametrize("name", PAGES)
def test_page_in_pieces(name: str, runner: RestoringRunner, tmp_path: Path) -> None:
    page = read_page(name)
    if any(command.startswith(PROGRAM) for fence in page.consoles for command in fence.commands):
        pytest.skip("the page runs the program keysh")
    cuts = runner.cuts
    outcomes = run_page(page, runner, no_bash, tmp_path)
    problems = [
        difference(fence, outcome.keysh, "keysh")
        for fence, outcome in zip(page.consoles, outcomes, strict=True)
    ]
    assert not any(problems), "\n".join(problems)
    assert runner.cuts > cuts or max(len(fence.steps) for fence in page.consoles) < 2
