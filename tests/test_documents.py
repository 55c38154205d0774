"""README and docs/ are true: blocks run and print the output shown, and links lead to files."""

from __future__ import annotations

import contextlib
import doctest
import io
import pkgutil
import re
import runpy
import subprocess
import tomllib
from pathlib import Path

import pytest
from benchmarks.peers import LINES
from docs.build import pages

from architecture import LAYERS
from bash import is_reference_machine
from documents import ROOT, Block, ProgramRunner, blocks, documents
from keysh import Limits, Shell
from keysh.diagnostics.source import Source
from keysh.syntax.parser import parse
from keysh.testing.transcript import accept, parse_page, run_page, verdict

pytestmark = pytest.mark.quick

DOCUMENTS = documents()
BLOCKS = [block for path in DOCUMENTS for block in blocks(path)]
KINDS = {"bash", "console", "json", "lark", "markdown", "python", "sh", "text", "toml"}


def of_kind(kind: str) -> list[Block]:
    return [block for block in BLOCKS if block.kind == kind]


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_fence_kind_is_known(block: Block) -> None:
    """A block with a misspelt kind would never run."""
    assert block.kind.split(" ")[0] in KINDS | {"file"}


@pytest.mark.parametrize("block", of_kind("sh"), ids=str)
def test_script(block: Block) -> None:
    """A script parses; if its output follows, it runs and prints that."""
    parse(Source(block.text, str(block)))
    if block.output is not None:
        result = Shell().run(block.text)
        assert (result.stdout, result.stderr, result.code) == (block.output, "", 0)


@pytest.mark.parametrize("block", of_kind("toml"), ids=str)
def test_configuration(block: Block) -> None:
    assert tomllib.loads(block.text)


def is_session(block: Block) -> bool:
    """Whether a block of Python is an interactive session."""
    return block.text.startswith(">>> ")


def is_program(block: Block) -> bool:
    """Whether a block of Python is a program; `tests/frameworks` runs those with a framework."""
    return not is_session(block) and block.path.name != "frameworks.md"


@pytest.mark.parametrize(
    "block", [block for block in of_kind("python") if is_program(block)], ids=str
)
def test_program(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program runs and prints the block that follows."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(block.text, str(block), "exec"), {"__name__": "document"})
    assert out.getvalue() == (block.output or "")


ARCHITECTURE = [ROOT / "docs" / "architecture.md", *sorted((ROOT / "docs/internals").glob("*.md"))]
PARTS = {part for row in LAYERS for part in row} - {"keysh", "__main__"}
SYMBOL = re.compile(rf"`((?:{'|'.join(sorted(PARTS))})(?:\.\w+)+)`")


@pytest.mark.parametrize("path", ARCHITECTURE, ids=lambda path: path.name)
def test_symbols_exist(path: Path) -> None:
    """Each module, class and function that a page names exists."""
    symbols = set(SYMBOL.findall(path.read_text("utf-8")))
    assert not [
        symbol for symbol in sorted(symbols) if not symbol.endswith(".py") and not is_symbol(symbol)
    ]


def is_symbol(symbol: str) -> bool:
    try:
        pkgutil.resolve_name(f"keysh.{symbol}")
    except (ImportError, AttributeError):
        return False
    return True


def test_architecture_shows_every_part() -> None:
    text = ARCHITECTURE[0].read_text("utf-8")
    picture = text[text.index("```text") : text.index("## values")]
    assert set(picture.split()) >= PARTS


SESSIONS = [
    path for path in DOCUMENTS if any(map(is_session, blocks(path)))
]  # fmt: skip


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.name)
def test_session(path: Path) -> None:
    """The sessions of a page are one: each continues the previous one."""
    text = "\n".join(block.text for block in blocks(path) if is_session(block))
    session = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    failures: list[str] = []
    doctest.DocTestRunner(verbose=False).run(session, out=failures.append)
    assert not failures, "".join(failures)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_transcripts(path: Path, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    page = parse_page(path.read_text("utf-8").replace("```bash\n", "```sh\n"), path.stem)
    outcomes = run_page(page, ProgramRunner(tmp_path), lambda fence, place: [], tmp_path)
    if pytestconfig.getoption("--accept") and page.consoles:
        path.write_text(accept(page, outcomes), "utf-8")
        return
    for fence, outcome in zip(page.consoles, outcomes, strict=True):
        assert not verdict(fence, outcome)


def test_user_program_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The typed example runs; `make check` and `.ci/package` check its types."""
    runpy.run_path(str(ROOT / "tests" / "typing" / "user.py"), run_name="__main__")
    assert capsys.readouterr().out.splitlines()[-1] == "3"


def test_install_commands_match_continuous_integration() -> None:
    """`.ci/package` runs them in an empty environment."""
    script = (ROOT / ".ci" / "package").read_text("utf-8").splitlines()
    commands = [
        line.partition("#")[0].strip()
        for block in of_kind("bash")
        for line in block.text.splitlines()
    ]
    assert commands
    for command in commands:
        assert any(line.startswith(command) for line in script), command


def test_each_dependency_has_a_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    listed = [project["build-system"]["requires"], project["project"]["dependencies"]]
    listed += project["project"]["optional-dependencies"].values()
    names = {re.split(r"[\[<>=;, ]", wanted)[0] for group in listed for wanted in group}
    text = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    documented = set(re.findall(r"\*\*([\w-]+)\*\*", text))
    stubs = {name for name in names if name.startswith("types-")}  # of documented packages
    assert documented == names - stubs - {"keysh"}


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = {
        word
        for path in DOCUMENTS
        for word in re.findall(r"(?:`|^)make ([a-z]+)", path.read_text("utf-8"), re.MULTILINE)
    }
    assert {"demo", "test"} <= named
    assert named <= targets


ROW = re.compile(r"^\| `(.+?)` \| (.+?) \| (.+?) \| ", re.MULTILINE)
COMPARED = [
    [cell.replace("\\|", "|") for cell in row]
    for row in ROW.findall((ROOT / "README.md").read_text("utf-8"))
]


@pytest.mark.parametrize(("text", "message"), [(row[0], row[1]) for row in COMPARED])
def test_comparison_holds_for_keysh(text: str, message: str) -> None:
    with Shell(limits=Limits(steps=100_000)) as shell:
        result = shell.run(text)
    if re.fullmatch(r"E\d{3}", message):
        assert (result.rejected, result.diagnostics[0].code) == (True, message)
    elif message.startswith("ended"):
        assert result.limit is not None
        kind = "depth" if "depth" in message else "steps"
        assert (result.code, result.limit.kind) == (125, kind)
        assert kind == "steps" or f"{result.limit.allowed:,}" in message
    else:
        assert f"`{' '.join(result.stdout.split())}`" == message


@pytest.mark.skipif(not is_reference_machine(), reason="needs bash 5.2")
@pytest.mark.parametrize(
    ("text", "message"), [(row[0], row[2]) for row in COMPARED if "`" in row[2]]
)
def test_comparison_holds_for_bash(text: str, message: str) -> None:
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=False)
    assert f"`{' '.join(done.stdout.split())}`" == message


def test_comparison_is_covered_by_the_benchmark() -> None:
    assert {row[0] for row in COMPARED} <= set(LINES)


def test_generated_pages_are_up_to_date() -> None:
    """The pages that `make docs` generates are up to date."""
    made = pages()
    assert set((ROOT / "docs" / "commands").glob("*.md")) <= set(made)
    old = [
        path.name
        for path, text in made.items()
        if not path.exists() or path.read_text("utf-8") != text
    ]
    assert old == [], "run `make docs`"


MADE = sorted((ROOT / "docs" / "commands").glob("*.md"))
PAGES = [*DOCUMENTS, *MADE, ROOT / "examples" / "README.md"]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_to_files(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", path.read_text("utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []
