"""Signals sent to the program, compared with bash."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bash import is_reference_machine

KEYSH = [sys.executable, "-m", "keysh", "-c"]
BUSY = "echo ready; while :; do :; done"
COUNTING = "n=0; until ((n == 50000)); do ((++n)); done; echo on"
SCRIPTS = [
    (f"trap 'echo told; exit 3' INT; {BUSY}", signal.SIGINT),
    (f"trap 'echo told; exit 3' TERM; f() {{ {BUSY}; }}; f", signal.SIGTERM),
    ("trap n=1 USR1; n=0; echo ready; until ((n)); do :; done; echo on", signal.SIGUSR1),
    (f"trap 'echo bye' EXIT; {BUSY}", signal.SIGTERM),
    (f"trap 'echo bye' EXIT; {BUSY}", signal.SIGHUP),
    (f"trap '' HUP; echo ready; {COUNTING}", signal.SIGHUP),
    ("trap 'echo bye' EXIT; echo ready; read -r x", signal.SIGTERM),
    (BUSY, signal.SIGINT),
    (BUSY, signal.SIGUSR2),
]


def signalled(program: list[str], script: str, number: int) -> tuple[str, int, str]:
    """Return the output and status of a program that gets a signal when it is ready."""
    with subprocess.Popen(
        [*program, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        return process.stdout.read(), process.wait(60), process.stderr.read()


@pytest.mark.parametrize(("script", "number"), SCRIPTS)
def test_signal_is_delivered_to_the_script(script: str, number: int) -> None:
    result = signalled(KEYSH, script, number)
    assert result[2] == ""
    if is_reference_machine():
        assert result == signalled(["bash", "-c"], script, number)


@pytest.mark.parametrize(
    "script",
    ["echo ready; sleep 60", "echo ready; (sleep 60; echo no)", "echo ready; tail -f /dev/null",
     "f() { sleep 60; }; echo ready; f", "/bin/sh -c 'echo ready; exec /bin/sleep 60'"],
)  # fmt: skip
def test_ctrl_c_ends_the_awaited_program(script: str, tmp_path: Path) -> None:
    """A terminal sends the signal to all processes in the foreground."""
    result = []
    script = f"trap 'echo told; exit 3' INT; {script}; echo never"
    for program in [KEYSH, ["bash", "-c"]] if is_reference_machine() else [KEYSH]:
        place = tmp_path / str(len(result))
        place.mkdir()
        with subprocess.Popen(
            [*program, script], cwd=place, stdout=subprocess.PIPE, start_new_session=True
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            os.killpg(process.pid, signal.SIGINT)
            while program is not KEYSH and not has_ended(process):
                # Bash had not yet started the command that it waits for.
                os.killpg(process.pid, signal.SIGINT)
            out, _ = process.communicate(timeout=30)
            result.append((out, process.returncode))
    assert {*result} == {(b"told\n", 3)}


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(1)
    except subprocess.TimeoutExpired:
        return False
    return True


def test_ignored_signals_stay_ignored() -> None:
    program = ["/usr/bin/env", "--ignore-signal=HUP", *KEYSH]
    assert signalled(program, f"echo ready; {COUNTING}", signal.SIGHUP) == ("on\n", 0, "")


def test_no_handlers_outside_the_main_thread() -> None:
    """A host may call the program's main function on another thread."""
    code = (
        "import threading\nfrom keysh.cli.main import main\n"
        "thread = threading.Thread(target=main, args=[['-c', 'cat; echo on']])\n"
        "thread.start(); thread.join()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input="in\n", capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("in\non\n", "")
