"""Completion of `keysh` in real shells."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pexpect
import pytest

from keysh.cli import main as cli
from keysh.cli.manual.command_options import RUN, option_spellings, options_of
from keysh.cli.manual.page import INFORMATION_ROWS
from keysh.cli.manual.shell_completion import completion_script
from keysh.cli.subcommands import declarations
from keysh.diagnostics.diagnostic import CODES
from keysh.interp.run.options import OPTION_BITS
from real_tools import needs

FIRST_OPTIONS = {name for name, _ in INFORMATION_ROWS}.union(
    *(option_spellings(option) for option in options_of(RUN))
)

# The words of a line, and the candidates for the last.
CASES = [
    pytest.param(["mi"], {"migrate"}, id="subcommand"),
    pytest.param(["--o"], {"--overlay", "--option"}, id="option"),
    pytest.param(["--"], {name for name in FIRST_OPTIONS if name.startswith("--")}, id="options"),
    pytest.param(
        ["fmt", "--"], {"--check", "--dialect", "--diff", "--write"}, id="options of a subcommand"
    ),
    pytest.param(["mcp", "--ba"], {"--bash"}, id="option of mcp"),
    pytest.param(["mcp", "--sandb"], {"--sandbox"}, id="option of a run for mcp"),
    pytest.param(["-o", "no"], {name for name in OPTION_BITS if name.startswith("no")}, id="names"),
    pytest.param(["explain", "W"], {code for code in CODES if code[0] == "W"}, id="codes"),
    pytest.param(["complete", "--shell", "f"], {"fish"}, id="shells"),
    pytest.param(["check", "scr"], {"script.ksh"}, id="file of a subcommand"),
    pytest.param(["scr"], {"script.ksh"}, id="script"),
    pytest.param(["zz"], set(), id="nothing"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "script.ksh").write_text("true\n")
    return tmp_path


def asked(argv: list[str], text: str, folder: Path) -> list[str]:
    """Return the output of a shell for a program on its standard input."""
    done = subprocess.run(
        argv, input=text, cwd=folder, capture_output=True, text=True, check=False,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), "TERM": "dumb"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@needs("bash")
@pytest.mark.parametrize(("words", "wanted"), CASES)
def test_bash(words: list[str], wanted: set[str], folder: Path) -> None:
    """The function supplies the candidates; if it has none, `-o default` completes files."""
    program = completion_script("bash", declarations()) + (
        f"COMP_WORDS=(keysh {' '.join(words)}) COMP_CWORD={len(words)}\n"
        "_keysh\n"
        f"((${{#COMPREPLY[@]}})) || mapfile -t COMPREPLY < <(compgen -f -- '{words[-1]}')\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\ncomplete -p keysh\n'
    )
    *result, registered = asked(["bash", "--norc"], program, folder)
    assert {word for word in result if word} == wanted
    assert registered == "complete -o bashdefault -o default -F _keysh keysh"


@needs("fish")
@pytest.mark.parametrize(("words", "wanted"), CASES)
def test_fish(words: list[str], wanted: set[str], folder: Path) -> None:
    program = completion_script("fish", declarations()) + f"complete -C 'keysh {' '.join(words)}'\n"
    result = asked(["fish", "--no-config"], program, folder)
    assert {line.partition("\t")[0] for line in result} == wanted


@needs("zsh")
def test_zsh(folder: Path) -> None:
    """Typed at a real terminal, since zsh completes only there."""
    (folder / "_keysh.zsh").write_text(completion_script("zsh", declarations()))
    zsh = pexpect.spawn(
        "zsh", ["-f", "-i"], cwd=str(folder), timeout=60, dimensions=(50, 100),
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "TERM": "dumb", "PS1": "%# "},
    )  # fmt: skip
    zsh.delaybeforesend = None
    try:
        zsh.sendline("autoload -Uz compinit; compinit -D -u; source ./_keysh.zsh; print rea''dy")
        zsh.expect("ready")
        for typed, completed in (
            ("keysh mi\t", "grate "),
            ("keysh --ov\t", "erlay "),
            ("keysh fmt --di\t", "ff "),
            ("keysh -o nou\t", "nset "),
            ("keysh explain E10\t", "E109"),
            ("keysh check scr\t", "ipt.ksh "),
        ):
            zsh.send(typed)
            zsh.expect(re.escape(completed))
            zsh.send("\x15")  # an empty line again
    finally:
        zsh.close(force=True)


def test_unknown_shell() -> None:
    with pytest.raises(cli.UsageError, match="shell must be one of bash, fish, zsh"):
        cli.run(["complete", "--shell", "csh"])
