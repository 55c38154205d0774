"""Every page of tests/spec: keysh answers as the page says, and so does bash where marked."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bash import Bash, is_reference_machine, read_recording, write_recording
from keysh.diagnostics.diagnostic import CODES, REFUSALS
from keysh.testing.page_runner import PageRunner
from keysh.testing.transcript import (
    ConsoleFence,
    Outcome,
    Page,
    PageError,
    accept,
    parse_page,
    run_page,
    verdict,
)
from real_tools import SIGNATURES, is_real

ROOT = Path(__file__).parent
SPEC = ROOT / "spec"
RECORDED = SPEC / ".recorded"
DEVIATIONS = ROOT.parent / "docs" / "deviations.md"

NAMES = sorted(
    path.relative_to(SPEC).with_suffix("").as_posix()
    for path in SPEC.glob("*/**/*.md")
    if not path.is_relative_to(RECORDED)
)
ERROR_PAGES = [name for name in NAMES if name.startswith("errors/")]

Judged = Callable[[str], list[tuple[ConsoleFence, Outcome]]]


def read_page(name: str) -> Page:
    return parse_page((SPEC / f"{name}.md").read_bytes().decode(), name)


def fences() -> list[object]:
    """Return one parameter for each console fence; an invalid page is one that fails."""
    result: list[object] = []
    for name in NAMES:
        try:
            consoles = read_page(name).consoles
        except PageError:
            result.append(pytest.param(name, 0, id=name))
            continue
        result += [
            pytest.param(name, n, id=f"{name}.md:{fence.line}") for n, fence in enumerate(consoles)
        ]
    return result


@pytest.fixture(scope="session")
def judged(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Judged:
    """Return the console fences of a page with their outcomes; a page runs once, as a whole."""
    live = is_reference_machine()

    @functools.cache
    def run(name: str) -> list[tuple[ConsoleFence, Outcome]]:
        page = read_page(name)
        folder, _, tool = name.partition("/")
        judge_is_here = live and (folder != "commands" or tool not in SIGNATURES or is_real(tool))
        bash = Bash(RECORDED / f"{name}.json", judge_is_here)
        outcomes = run_page(page, PageRunner(), bash, tmp_path_factory.mktemp("page"))
        if pytestconfig.getoption("--accept"):
            text = accept(page, outcomes)
            (SPEC / f"{name}.md").write_bytes(text.encode())
            page = parse_page(text, name)
            if judge_is_here:
                write_recording(RECORDED / f"{name}.json", bash.answered)
        return list(zip(page.consoles, outcomes, strict=True))

    return run


@pytest.mark.parametrize(("name", "n"), fences())
def test_fence(name: str, n: int, judged: Judged) -> None:
    problem = verdict(*judged(name)[n])
    if problem:
        pytest.fail(problem, pytrace=False)


@pytest.mark.parametrize("name", NAMES)
def test_answers_from_bash_are_recorded(name: str) -> None:
    blocks = [fence for fence in read_page(name).consoles if fence.gnu]
    recorded = read_recording(RECORDED / f"{name}.json")
    assert [commands for commands, _ in recorded] == [fence.commands for fence in blocks]
    for fence, (_, answers) in zip(blocks, recorded, strict=True):
        problem = verdict(fence, Outcome(keysh=[step.answer for step in fence.steps], bash=answers))
        assert not problem, f"{name}.md:{fence.line}: {problem}"


def test_recordings_belong_to_pages() -> None:
    recorded = {
        path.relative_to(RECORDED).with_suffix("").as_posix() for path in RECORDED.rglob("*.json")
    }
    assert recorded <= set(NAMES)


def test_deviations_are_listed() -> None:
    wanted = {fence.differs for name in NAMES for fence in read_page(name).consoles} - {""}
    listed = set(re.findall(r"^### (.+)$", DEVIATIONS.read_text("utf-8"), re.MULTILINE))
    assert listed == wanted


def test_each_code_has_one_page() -> None:
    assert [f"errors/{code}" for code in sorted(CODES)] == ERROR_PAGES


def raised_codes() -> set[str]:
    """Return every error code in a string of a module, except the module that lists them."""
    modules = set((ROOT.parent / "src" / "keysh").rglob("*.py"))
    modules.remove(ROOT.parent / "src" / "keysh" / "diagnostics" / "diagnostic.py")
    quoted = re.compile(r'"([EW]\d{3})"')
    return {code for path in modules for code in quoted.findall(path.read_text("utf-8"))}


def test_each_code_that_is_raised_is_known() -> None:
    assert raised_codes() == set(CODES)


@pytest.mark.parametrize(
    "code", [code for code in sorted(CODES) if code[:2] == "E2" and code != "E299"] + ["E311"]
)
def test_the_page_of_a_run_time_error_tells_its_kind(code: str) -> None:
    text = (SPEC / "errors" / f"{code}.md").read_text("utf-8")
    says = "is a refusal: the run ends" if code in REFUSALS else "is a failure"
    assert says in text.replace("\n", " ")


# No script causes E299, and none that is short E121; tests/test_host_mistakes.py and
# tests/interp/test_reading_limits.py have what does.
@pytest.mark.parametrize(
    "name", [name for name in ERROR_PAGES if name not in ("errors/E121", "errors/E299")]
)
def test_error_page_shows_its_code_and_fix(name: str) -> None:
    """`keysh check` refuses the script, or a run fails if only a run can detect the error."""
    page = read_page(name)
    code = name.removeprefix("errors/")
    wrong, *_, right = [step for fence in page.consoles for step in fence.steps]
    assert [file.name for file in page.files] == ["wrong.ksh", "right.ksh"]
    is_migration = wrong.command == "keysh migrate wrong.ksh"
    assert f": {code} " in (wrong.answer.stdout if is_migration else wrong.answer.stderr)
    assert (right.answer.stderr, right.answer.status) == ("", 0)
    if is_migration or wrong.command == "keysh check wrong.ksh":
        assert (right.command, right.answer.stdout) == ("keysh check right.ksh", "")
    else:
        assert (wrong.command, right.command) == ("keysh wrong.ksh", "keysh right.ksh")
