"""`set -e` and the ERR trap against bash: every kind of command in every context."""

from __future__ import annotations

import subprocess
from itertools import product

import pytest

from bash import is_reference_machine
from keysh import Shell

FUNCTIONS = "f() { false; echo f; }; g() { f; echo g; }; h() { return 3; }; "
WATCHES = (
    "set -e",
    "set -e -o pipefail",
    "trap 'echo error' ERR",
    "set -eE; trap 'echo error' ERR",
)
COMMANDS = (
    "false", "f", "g", "h", "eval 'false; echo e'", "command eval f", "{ false; echo b; }",
    "(false; echo s)", "x=$(false; echo v)", "echo $(false; echo w)", "f && true", "f | cat",
)  # fmt: skip
PLACES = (
    "{}", "if {}; then echo then; fi", "{} || echo or", "! {}", "{} | cat", ": | {}",
    "until {}; do break; done", "{{ {}; echo end; }}", "( {}; echo end)", "k() {{ {}; }}; k",
    "if true; then {}; fi", "case a in a) {};; esac", "for i in 1; do {}; done", "echo $( {})",
)  # fmt: skip


def is_known(command: str, place: str) -> bool:
    """E204, which sh does not have: a line of several words in a list of words."""
    return "$(" in command and place == "echo $( {})"


@pytest.mark.skipif(not is_reference_machine(), reason="bash 5.2 is the judge")
@pytest.mark.parametrize("watch", WATCHES)
def test_every_command_in_every_place(watch: str) -> None:
    different = []
    for command, place in product(COMMANDS, PLACES):
        if is_known(command, place):
            continue
        script = f"{FUNCTIONS}{watch}; {place.format(command)}; echo out $?"
        # The last command of a pipeline runs in the shell itself, as it always does in keysh; of a
        # simple one that fails there, bash runs ERR twice.
        option = "" if command in ("false", "h") else "shopt -s lastpipe; "
        bash = subprocess.run(
            ["bash", "-c", option + script], capture_output=True, text=True, check=False
        )
        result = Shell().run(script)
        if (result.stdout, result.code) != (bash.stdout, bash.returncode):
            different.append((script, (bash.stdout, bash.returncode), (result.stdout, result.code)))
    assert not different


def test_inverted_function_that_enables_errexit() -> None:
    result = Shell().run("f() { set -e; false; echo never; }; ! f; echo never")
    assert (result.stdout, result.code) == ("", 1)
