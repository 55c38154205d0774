"""`ulimit` where every program may run sets the limits of real programs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from external.conftest import PATH, Open
from keysh import Policy
from keysh.process import rlimits

# bash and keysh agree on these, in their output and in the limits of a child.
SCRIPTS = [
    "ulimit; ulimit -n; ulimit -Hn; ulimit -s; ulimit -c; ulimit -Sl; ulimit -u",
    "ulimit -n 100; ulimit -n; ulimit -Hn; /bin/sh -c 'ulimit -n'",
    "ulimit -Sn 60; ulimit -n; ulimit -Hn; /bin/bash -c 'ulimit -n; ulimit -Hn'",
    "(ulimit -n 50; /bin/sh -c 'ulimit -n'); ulimit -n; /bin/sh -c 'ulimit -n'",
    "ulimit -n 100; ulimit -Sn 50; ulimit -Sn hard; ulimit -n; ulimit -Hn soft; ulimit -Hn",
    "ulimit -n 100; ulimit -Sn 200; echo $?; ulimit -Hn 50; echo $?; ulimit -n",
    "ulimit -t 100; ulimit -v 4000000; ulimit -f 5; /bin/bash -c 'ulimit -t; ulimit -v; ulimit -f'",
    "ulimit -f 1; /bin/dd if=/dev/zero of=big bs=1024 count=3 2>/dev/null; echo $?",
    "f() { ulimit -n 40; }; f; /bin/echo a | /bin/sh -c 'cat; ulimit -n'",
    "ulimit -n 70 & wait; ulimit -n",
    "ulimit -c abc; echo $?; ulimit -c 99999999999999999999; echo $?",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_agrees_with_bash(shell: Open, script: str, tmp_path: Path) -> None:
    words = ["/bin/bash", "-c", script]
    env = {"PATH": PATH, "LC_ALL": "C.UTF-8"}
    wanted = subprocess.run(
        words, capture_output=True, text=True, env=env, cwd=tmp_path, check=False
    )
    result = shell().run(script)
    assert result.stdout == wanted.stdout
    assert complaints(result.stderr) == complaints(wanted.stderr)


def complaints(errors: str) -> list[str]:
    """Return the messages of `ulimit` itself."""
    return [line.partition("ulimit: ")[2] for line in errors.splitlines() if "ulimit: " in line]


def test_hard_limit_cannot_be_raised_again(shell: Open) -> None:
    result = shell().run("ulimit -n 100; ulimit -n 200; /bin/sh -c 'ulimit -n'")
    says = "keysh: line 1: ulimit: open files: cannot modify limit: Operation not permitted\n"
    assert (result.stdout, result.stderr) == ("100\n", says)


def test_works_without_prlimit(shell: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rlimits, "find_executable", lambda name: None)
    displayed = "/bin/bash -c 'ulimit -n; ulimit -Hn; ulimit -f; ulimit -Hf'"
    assert (
        shell().run(f"ulimit -n 100; ulimit -Sf 7; {displayed}").stdout
        == "100\n100\n7\nunlimited\n"
    )


def test_a_policy_leaves_limits_to_the_host(shell: Open) -> None:
    result = shell(external=Policy(allow=["sh"])).run("ulimit -n; ulimit -n 100")
    assert (result.stdout, result.code) == ("unlimited\n", 1)
    assert "the host sets the limits" in result.stderr
