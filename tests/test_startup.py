"""Start-up: the modules that `keysh -c 'echo hi'` loads, about 0.1 ms each."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

SOURCE = Path(__file__).parent.parent / "src"

MAX_MODULES = 100  # of keysh, packages counted
MAX_WORKER_MODULES = 155

# The modules of Python itself that `keysh -c 'echo hi'` needs.
STANDARD_MODULES = {
    "__future__", "_collections", "_functools", "_operator", "_sre", "_thread", "collections",
    "copyreg", "enum", "errno", "functools", "gc", "itertools", "keyword", "operator", "re",
    "re._casefix", "re._compiler", "re._constants", "re._parser", "reprlib", "time", "types",
}  # fmt: skip

# Parts that a script which only prints never needs.
UNNEEDED_PARTS = (
    "keysh.adapters", "keysh.check.nodes", "keysh.check.parameters",
    "keysh.compile.arithmetic.expressions", "keysh.compile.commands.aliases",
    "keysh.compile.commands.assignments", "keysh.compile.commands.conditions",
    "keysh.compile.commands.compound", "keysh.compile.commands.full_command",
    "keysh.compile.commands.functions", "keysh.compile.commands.pipelines",
    "keysh.compile.commands.plain_command", "keysh.compile.commands.redirections",
    "keysh.compile.commands.subshells", "keysh.compile.commands.substitutions",
    "keysh.compile.parameters.expansions", "keysh.compile.words.braces",
    "keysh.compile.words.glob_words", "keysh.compile.words.patterns", "keysh.compile.words.values",
    "keysh.diagnostics.diagnostic", "keysh.external", "keysh.interp.engine.background",
    "keysh.interp.engine.host_loop", "keysh.interp.engine.pipeline", "keysh.interp.engine.scripts",
    "keysh.process", "keysh.repl", "keysh.schema.function_commands", "keysh.schema.render",
    "keysh.shell.async_run", "keysh.shell.completion", "keysh.shell.host.host_files",
    "keysh.shell.host.host_stdin", "keysh.shell.host.host_variables", "keysh.shell.plan",
    "keysh.syntax.builders.expressions", "keysh.syntax.errors", "keysh.syntax.lexer.arithmetic",
    "keysh.syntax.lexer.declarations", "keysh.syntax.lexer.heredocs", "keysh.syntax.lexer.tests",
    "keysh.syntax.lexer.values", "keysh.syntax.printer", "keysh.text.regex", "keysh.vfs",
)  # fmt: skip

PROGRAM = "import sys; sys.path.insert(0, {path!r}); {code}; print(*sys.modules)"


def modules_after(code: str) -> set[str]:
    """Return the modules of an interpreter without site-packages after it has run some code."""
    program = PROGRAM.format(path=str(SOURCE), code=code)
    run = subprocess.run(
        [sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True
    )
    return set(run.stdout.splitlines()[-1].split())


def modules_of_script(text: str) -> set[str]:
    """Return the modules that `keysh -c text` adds to those of a bare interpreter."""
    code = f"from keysh.cli.main import main; main(['-c', {text!r}])"
    return modules_after(code) - modules_after("import os")


def keysh_modules(names: set[str]) -> set[str]:
    return {name for name in names if name.split(".")[0] == "keysh"}


@pytest.fixture(scope="module")
def plain() -> set[str]:
    return modules_of_script("echo hi")


@pytest.fixture(scope="module")
def expanded() -> set[str]:
    return modules_of_script("echo '' $HOME")


def test_standard_modules_are_few(plain: set[str], expanded: set[str]) -> None:
    assert (plain | expanded) - keysh_modules(plain | expanded) <= STANDARD_MODULES


def test_printing_loads_no_unneeded_part(plain: set[str], expanded: set[str]) -> None:
    unneeded = tuple(f"{name}." for name in UNNEEDED_PARTS)
    assert not [name for name in plain | expanded if f"{name}.".startswith(unneeded)]


def test_unneeded_parts_exist() -> None:
    for name in UNNEEDED_PARTS:
        path = SOURCE.joinpath(*name.split("."))
        assert path.is_dir() or path.with_suffix(".py").is_file(), name


def test_modules_are_few(plain: set[str]) -> None:
    assert "keysh.builtins.echo" in plain
    assert len(keysh_modules(plain)) <= MAX_MODULES


@pytest.mark.parametrize(("arguments", "status"), [(["-c", "exit 7"], 7), (["--version"], 0)])
def test_process_ends_with_the_status(arguments: list[str], status: int) -> None:
    """The program ends without tearing down its modules, and loses no output."""
    run = subprocess.run(
        [sys.executable, "-m", "keysh", *arguments], env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True, check=False,
    )  # fmt: skip
    assert run.returncode == status
    assert not run.stderr


def test_exit_hooks_are_called() -> None:
    """A hook that a library has registered runs before the process ends."""
    code = (
        "import atexit, sys; atexit.register(print, 'bye'); from keysh.cli.main import main;"
        " sys.argv[1:] = ['-c', 'echo hi']; sys.exit(main())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.stdout == "hi\nbye\n"


def test_worker_loads_what_it_needs_for_its_first_answer() -> None:
    """Each module makes a new worker 0.1 ms later, OpenSSL and overlays 2 ms each."""
    loaded = modules_after(
        "from keysh.worker.worker_program import WorkerShell; WorkerShell(0).load_modules()"
    )
    assert not loaded & {
        "hashlib", "keysh.process.process", "keysh.shell.isolation.worker_process",
        "keysh.vfs.overlay", "math", "selectors", "signal", "socket", "subprocess",
    }  # fmt: skip
    assert len([name for name in loaded if name.startswith("keysh")]) <= MAX_WORKER_MODULES
