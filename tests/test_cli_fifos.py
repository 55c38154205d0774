"""Fifos in the program: both ends of a named pipe in scripts, compared with bash."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from bash import is_reference_machine

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="macOS polls fifos otherwise")

SCRIPTS = {
    "a job writes and the shell reads": """
        (for i in 1 2 3; do echo "line $i"; done >p) & while read -r x; do echo "got $x"; done <p
        wait; sort p & printf '%s\n' b a >p; wait; (echo operand >p) & cat p
    """,
    "real programs at either end": """
        python3 -c 'print("printed")' >p & cat <p; wait
        python3 -c 'import sys; print("read", sys.stdin.read())' <p & echo sent >p; wait
        grep -c x <p & python3 -c 'print("x\\nx")' >p; wait
    """,
    "a conversation": """
        (exec 3<p 4>q; while read -r x <&3; do echo "${x^^}" >&4; done) &
        exec 5>p 6<q
        for word in one two; do echo $word >&5; read -r answer <&6; echo "$answer"; done
        exec 5>&- 6<&-; wait; echo over
    """,
    "both ways, and a semaphore": """
        exec 3<>p; echo text >&3; read -r x <&3; echo "$x"; echo . >&3
        for i in 1 2 3; do read -r _ <&3; (echo . >&3) & done; wait; echo done
    """,
    "a job that waits is stopped": """
        (: >begun; read -r x <p; echo never) & until [ -e begun ]; do :; done
        kill $!; wait $!; echo $?; rm begun
        (: >begun; echo x >p; echo never) & until [ -e begun ]; do :; done
        kill $!; wait $!; echo $?
        timeout 0.1 cat p; echo $?
    """,
    "what a job or a substitution has opened is closed": """
        (exec 3>p; echo job >&3) & cat p; wait
        exec 4<>q; x=$(exec 5>p; echo "in it" >&5; echo x >&4) & cat p; read -r x <&4; echo "$x"
    """,
    "tests": """
        [ -p p ] && [[ -p p ]] && echo fifo; exec 3<>p; [ -p /dev/fd/3 ] && echo open
    """,
}


@pytest.mark.skipif(not is_reference_machine(), reason="needs bash 5.2")
@pytest.mark.parametrize("name", SCRIPTS)
def test_fifos_agree_with_bash(name: str, tmp_path: Path) -> None:
    script = "mkfifo p q\n" + dedent(SCRIPTS[name])
    answers = []
    for shell in (["bash"], [sys.executable, "-m", "keysh"]):
        folder = tmp_path / str(len(answers))
        folder.mkdir()
        done = subprocess.run(
            [*shell, "-c", script], cwd=folder, capture_output=True, text=True, check=False,
            stdin=subprocess.DEVNULL, timeout=20,
        )  # fmt: skip
        answers.append((done.stdout, done.returncode, done.stderr))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("option", ["--sandbox=.", "--overlay", "--mount=/m=."])
def test_no_fifo_is_opened_in_a_sandbox(option: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    subprocess.run(["mkfifo", "p"], cwd=tmp_path, check=True)
    place = "/m/p" if "mount" in option else "p" if option == "--overlay" else "/p"
    done = subprocess.run(
        [sys.executable, "-m", "keysh", option, "-c", f"cat {place}; echo x >{place}"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=20,
    )  # fmt: skip
    assert done.stderr.count("Permission denied") == 2
