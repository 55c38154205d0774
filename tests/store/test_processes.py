"""A store and its processes: killed at any moment, and two at once."""

from __future__ import annotations

import os
import random
import select
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from keysh import Shell
from store import session_writer

# `KEYSH_KILLS=300 pytest tests/store -k lost` takes some minutes.
KILLS = int(os.environ.get("KEYSH_KILLS", "30"))
MAX_SECONDS_AFTER_ANSWER = 0.02  # a run takes some milliseconds
TESTS = Path(__file__).parents[1]


def start_writer(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "store.session_writer", *arguments],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
    )


def require_sound(path: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_nothing_answered_is_lost(store_path: str) -> None:
    """A writer is killed at random moments; each one goes on from the last run."""
    chance = random.Random(23)
    for _ in range(KILLS):
        answered = 0
        with start_writer(store_path) as writer:
            assert writer.stdout is not None
            for _ in range(chance.randrange(1, 12)):
                answered = int(writer.stdout.readline())
            # At any moment of a run, and not just after an answer.
            select.select([], [], [], chance.random() * MAX_SECONDS_AFTER_ANSWER)
            writer.kill()
            later = writer.stdout.read().split(b"\n")[:-1]  # what it had answered by then
        answered = int(later[-1]) if later else answered
        require_sound(store_path)
        with Shell(store=store_path) as shell:
            number = shell.vars["n"]
            assert answered <= number <= answered + 1
            session_writer.require_run(shell, number)
            assert shell.run(session_writer.RUN).stdout == f"answer {number + 1}\n"
        with Shell(store=store_path) as shell:
            shell.undo()
            session_writer.require_run(shell, number)


def test_two_processes_take_turns(store_path: str) -> None:
    """Each sees what the other one has made: no number is missing, and none is there twice."""
    writers = [start_writer(store_path, "25") for _ in range(3)]
    outputs = [writer.communicate()[0].split() for writer in writers]
    assert sorted(int(number) for output in outputs for number in output) == [*range(1, 76)]
    require_sound(store_path)
    with Shell(store=store_path) as shell:
        session_writer.require_run(shell, 75)


def test_two_shells_take_over_from_one_another(store_path: str) -> None:
    with Shell(store=store_path) as one, Shell(store=store_path) as other:
        one.run("x=1; xs=[1]; f() { echo one; }; cd /tmp; set -u; alias a=b; gone=1; RANDOM=3")
        assert other.run("echo $x ${xs[0]}; f; pwd; alias; set -o | grep nounset").stdout == (
            "1 1\none\n/tmp\nalias a='b'\nnounset        \ton\n"
        )
        other.run("x=2; unset gone; unset -f f; unalias a; cd /; set +u; trap 'echo t' USR1")
        found = one.run("echo $x ${gone-none}; type -t f; alias; pwd; trap -p").stdout
        assert found == "2 none\n/\ntrap -- 'echo t' SIGUSR1\n"
        other.reset()
        assert one.run("echo ${x-unset}").stdout == "unset\n"


def test_what_the_host_sets_meanwhile_is_kept(store_path: str) -> None:
    with Shell(store=store_path) as one, Shell(store=store_path) as other:
        one.run("x=1; y=1; z=1; f() { echo one; }")
        other.run("x=2; y=2; f() { echo other; }; g() { echo g; }")
        one.vars["y"] = 3
        del one.vars["z"]
        one.switch("nounset", is_on=True)
        found = one.run("echo $x $y ${z-unset}; f; g; set -o | grep nounset").stdout
        assert found == "2 3 unset\nother\ng\nnounset        \ton\n"
        assert other.run("echo $x $y ${z-unset}; set -o | grep nounset").stdout == (
            "2 3 unset\nnounset        \ton\n"
        )


def test_an_image_is_of_one_moment(store_path: str) -> None:
    with Shell(store=store_path) as one, Shell(store=store_path) as other:
        one.run("x=1; echo 1 > /f")
        other.run("x=2; echo 2 > /f")
        for shell in (one.fork(), Shell.restore(one.snapshot())):
            assert shell.run("echo $x; cat /f").stdout == "2\n2\n"
