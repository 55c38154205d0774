"""`read` at a real terminal and at a pipe: prompts, hidden input, single keys, timeouts."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import termios

import pytest

HEARD = 30  # seconds until a program that has finished is abandoned
LOCAL = 3  # the index of the local modes in the result of tcgetattr


def told(master: int, until: str) -> str:
    """Return what a program writes up to a text, or until it closes the terminal."""
    result = ""
    while until not in result:
        try:
            data = os.read(master, 4096)
        except OSError:  # on Linux: the other side is closed
            break
        if not data:
            break
        result += data.decode()
    return result


def answered(script: str, prompt: str, typed: str) -> tuple[str, bool]:
    """Type a text at the prompt of a script; return its output, and whether the text was echoed."""
    master, slave = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-m", "keysh", "-c", script], stdin=slave, stdout=slave, stderr=slave
    )
    try:
        before = told(master, prompt)
        shows = bool(termios.tcgetattr(slave)[LOCAL] & termios.ECHO)
        os.close(slave)
        os.write(master, typed.encode())
        after = told(master, "end")
        program.wait(HEARD)
    finally:
        program.kill()
        program.wait()
        os.close(master)
    return (before + after).replace("\r\n", "\n").rstrip(), shows


@pytest.mark.parametrize(
    ("options", "typed", "displayed", "shows"),
    [
        ("", "amy b\n", "Name? amy b\n[amy b] 0 end", True),
        ("-s", "secret\n", "Name? [secret] 0 end", False),
        ("-n 1", "y", "Name? y[y] 0 end", True),
        ("-sn 2", "ab", "Name? [ab] 0 end", False),
        ("-d ';'", "a;", "Name? a;[a] 0 end", True),
        ("-t 60", "amy\n", "Name? amy\n[amy] 0 end", True),
        ("-st 60 -n 1", "k", "Name? [k] 0 end", False),
        ("-t 0.01", "", "Name? [] 142 end", True),
    ],
)
def test_read_at_a_terminal(options: str, typed: str, displayed: str, shows: bool) -> None:
    script = f"read {options} -p 'Name? ' x; echo \"[$x] $? end\""
    assert answered(script, "Name? ", typed) == (displayed, shows)


def test_typed_ahead_text_is_kept() -> None:
    script = "read -s -n 1 -p '1? ' x; read -p '2? ' y; echo \"[$x][$y] end\""
    assert answered(script, "1? ", "abc\n") == ("1? 2? [a][bc] end", False)


def test_echo_is_restored() -> None:
    script = "read -s -n 1 -t 0.01 x; read -p 'Name? ' y; echo \"[$y] end\""
    assert answered(script, "Name? ", "amy\n") == ("Name? amy\n[amy] end", True)


def piped(script: str, writes: bytes) -> str:
    """Return the output of a script that reads from a pipe whose other end stays open."""
    read, write = os.pipe()
    os.write(write, writes)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "keysh", "-c", script],
            stdin=read, capture_output=True, timeout=HEARD, check=False,
        )  # fmt: skip
    finally:
        os.close(read)
        os.close(write)
    return done.stdout.decode()


@pytest.mark.parametrize(
    ("script", "writes", "printed"),
    [
        ("read -t 0; echo $?", b"", "1\n"),
        ("read -t 0; echo $?; read x; echo $x", b"line\n", "0\nline\n"),
        ("read -t 0.01 x; echo $? $x", b"", "142\n"),
        ("read -t 0.01 x; echo $? $x", b"part", "142 part\n"),
        ("read -t 60 x; read -t 60 y; echo $x $y", b"a\nb\n", "a b\n"),
        ("read -t 0.01 x; echo $? ${#x}", b"y" * 60_000 + b"\n", "0 60000\n"),
        ("read -t 60 -n 2 x; read -t 60 y; echo $x $y", "äöü\n".encode(), "äö ü\n"),
        ("read -p 'Name? ' x; echo $x", b"amy\n", "amy\n"),
    ],
)
def test_read_timeout_on_a_pipe(script: str, writes: bytes, printed: str) -> None:
    assert piped(script, writes) == printed


def test_read_timeout_with_endless_input() -> None:
    script = "read -t 0.05 -d x text; echo $?"
    with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as source:
        try:
            done = subprocess.run(
                [sys.executable, "-m", "keysh", "-c", script],
                stdin=source.stdout, capture_output=True, timeout=HEARD, check=False,
            )  # fmt: skip
        finally:
            source.kill()
    assert done.stdout == b"142\n"
