"""The examples pass `keysh check` and `keysh fmt`, and print what their page shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from documents import ROOT, ProgramRunner
from keysh.cli.main import main
from keysh.testing.transcript import Page, accept, parse_page, run_page, verdict

EXAMPLES = ROOT / "examples"
PAGE = EXAMPLES / "README.md"
SCRIPTS = sorted(EXAMPLES.rglob("*.ksh"))
FENCES = parse_page(PAGE.read_text("utf-8"), "examples").consoles


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_script_passes_check_and_fmt(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(path)]) == 0
    assert main(["fmt", "--check", str(path)]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("at", range(len(FENCES)), ids=[fence.commands[0] for fence in FENCES])
def test_example_output_matches_the_page(
    at: int, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    page = parse_page(PAGE.read_text("utf-8"), "examples")
    alone = Page(page.name, page.lines, (page.consoles[at],))
    outcomes = run_page(alone, ProgramRunner(tmp_path, EXAMPLES), lambda *_: [], tmp_path)
    if pytestconfig.getoption("--accept"):
        PAGE.write_text(accept(alone, outcomes), "utf-8")
        return
    assert not verdict(alone.consoles[0], outcomes[0])


def test_every_example_is_run() -> None:
    commands = "\n".join(command for fence in FENCES for command in fence.commands)
    programs = {path.name for path in EXAMPLES.glob("*.[kp]*") if path.suffix in (".ksh", ".py")}
    assert {name for name in programs if name not in commands} == set()
    assert len(programs) >= 8
