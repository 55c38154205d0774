"""What starting the program loads: each module takes 0.1 ms of every script's time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

SOURCE = Path(__file__).parent.parent / "src"

# The modules of Python itself that `keysh -c 'echo hi'` needs.
STANDARD = {
    "__future__", "_collections", "_functools", "_operator", "_sre", "_thread", "collections",
    "copyreg", "enum", "errno", "functools", "gc", "itertools", "keyword", "operator", "re",
    "re._casefix", "re._compiler", "re._constants", "re._parser", "reprlib", "time", "types",
}  # fmt: skip
MAX_MODULES_PLAIN, MAX_MODULES_EXPANDED = 128, 142  # of keysh: `echo hi`, and with `$HOME`

# Parts that a script which only prints never needs.
UNWANTED = (
    "keysh.adapters", "keysh.shell.completion", "keysh.shell.plan", "keysh.process",
    "keysh.external", "keysh.repl", "keysh.shell.async_run", "keysh.shell.host_files",
    "keysh.shell.host_variables", "keysh.compile.commands.aliases",
    "keysh.compile.arithmetic.expressions", "keysh.compile.commands.assignments",
    "keysh.compile.words.braces", "keysh.compile.commands.compound",
    "keysh.compile.parameters.expansions", "keysh.compile.commands.subshells",
    "keysh.compile.commands.functions", "keysh.compile.commands.full",
    "keysh.compile.words.globs", "keysh.compile.words.patterns",
    "keysh.compile.commands.pipelines", "keysh.compile.commands.redirections",
    "keysh.compile.commands.substitutions", "keysh.compile.commands.conditions",
    "keysh.compile.words.values", "keysh.interp.engine.background",
    "keysh.interp.engine.pipeline", "keysh.interp.engine.scripts",
    "keysh.interp.engine.host_loop", "keysh.schema.function_commands",
    "keysh.syntax.printer.printer",
    "keysh.syntax.errors.recover", "keysh.text.regex", "keysh.vfs",
)  # fmt: skip

PROGRAM = "import sys; sys.path.insert(0, {path!r}); {code}; print(*sys.modules)"


def loaded(code: str, *options: str) -> set[str]:
    """The modules that an interpreter without site-packages holds after some code."""
    program = PROGRAM.format(path=str(SOURCE), code=code)
    done = subprocess.run(
        [sys.executable, *options, "-S", "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def started(text: str) -> set[str]:
    """What a text loads beyond what an interpreter has."""
    return loaded(f"from keysh.cli.main import main; main(['-c', {text!r}])") - loaded("import os")


def of_keysh(names: set[str]) -> set[str]:
    return {name for name in names if name.split(".")[0] == "keysh"}


@pytest.fixture(scope="module")
def plain() -> set[str]:
    return started("echo hi")


@pytest.fixture(scope="module")
def expanded() -> set[str]:
    return started("echo '' $HOME")


def test_nothing_more_of_python(plain: set[str], expanded: set[str]) -> None:
    assert plain - of_keysh(plain) <= STANDARD
    assert expanded - of_keysh(expanded) <= STANDARD


def test_nothing_unwanted_of_keysh(plain: set[str], expanded: set[str]) -> None:
    unwanted = tuple(f"{name}." for name in UNWANTED)
    assert not [name for name in plain | expanded if f"{name}.".startswith(unwanted)]


def test_as_few_as_ever(plain: set[str], expanded: set[str]) -> None:
    assert "keysh.builtins.echo" in plain
    assert len(of_keysh(plain)) <= MAX_MODULES_PLAIN
    assert len(of_keysh(expanded)) <= MAX_MODULES_EXPANDED


@pytest.mark.parametrize(("arguments", "status"), [(["-c", "exit 7"], 7), (["--version"], 0)])
def test_end_of_the_process_is_its_status(arguments: list[str], status: int) -> None:
    """The program ends without taking its modules down; nothing is lost by that."""
    done = subprocess.run(
        [sys.executable, "-m", "keysh", *arguments], env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == status
    assert not done.stderr


def test_what_waits_for_the_end_is_called() -> None:
    """A library that has asked to be told of the end is told."""
    code = (
        "import atexit, sys; atexit.register(print, 'told'); from keysh.cli.main import main;"
        " sys.argv[1:] = ['-c', 'echo hi']; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "hi\ntold\n"
