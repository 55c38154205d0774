"""xargs: the commands that it runs, against the real tool."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from threading import Barrier

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, run_gnu, run_keysh
from keysh import Call, Limits, LocalFS, Shell, command
from keysh.builtins.xargs.input_words import InputWords

SHOW = """#!/bin/sh
for word in "$@"; do printf "[%s]" "$word"; done
echo
case "$1" in 1) exit 1;; 2) exit 255;; 3) exit 126;; 4) kill $$;; esac
"""


def both(folder: Path, words: list[str], stdin: bytes) -> tuple[Answer, Answer]:
    """Run both; every command is really run."""
    script = folder / "show"
    script.write_text(SHOW)
    script.chmod(0o755)
    out: list[bytes] = []

    def run(command: list[str], env: object = None) -> int:
        done = subprocess.run(command, capture_output=True, check=False, timeout=20)
        out.append(done.stdout)
        return done.returncode if done.returncode >= 0 else 128 - done.returncode

    words = [str(script) if word == "show" else word for word in words]
    answer = run_keysh("xargs", *words, stdin=stdin, run=run, files={"/f": "from file"})
    return answer._replace(out=b"".join(out)), run_gnu("xargs", *words, cwd=folder, stdin=stdin)


@pytest.mark.parametrize(
    ("words", "stdin"),
    [
        ("show", b"a b\nc\n"), ("show", b""), ("-r show", b" \n"), ("show", b"'a b' \"c d\" e\\ f"),
        ("show", b"a\\\nb c"), ("show k", b"x"), ("-n1 show", b"a b c"),
        ("-n 2 show", b"a b c"), ("-L1 show", b"a b\nc \nd\n\ne"), ("-L 2 show", b"a\nb\nc"),
        ("-I {} show {} x{}y", b" a b \nc\n\n"), ("-I% show %", b"'q r'"), ("-0 show", b"a b\0\nc"),
        ("-d, show", b"a,b c\n,d"), ("-d \\n show", b"a b\n'c"), ("-E end show", b"a end b"),
        ("-t show", b"a b"), ("-n1 show", b"1 a"), ("-n1 show", b"4 a"), ("show", b"a 'b"),
        ("-n1 show", b'a b"c\nd'), ("-n0 show", b"a"),
        ("--max-args=1 show", b"a b"), ("-i show x{} {}", b"a b\nc"), ("-i% show x%", b"a\nb"),
        ("--replace show {}", b"a\nb"), ("--replace=% show %", b"a\nb"), ("-l show", b"a b\nc\n"),
        ("-l2 show", b"a\nb\nc"), ("--max-lines show", b"a\nb"), ("-e show", b"a _ b"),
        ("-e_ show", b"a _ b"), ("--eof=_ show", b"a _ b"), ("-n@ show", b"a"), ("-L@ show", b"a"),
        ("-P@ show", b"a"), ("-s x show", b"a"), ("-P -1 show", b"a"), ("-l0 show", b"a"),
        ("-E x -e show", b"a x b"), ("--process-slot-var=V show", b"a"), ("-n1 -i show", b"a b"),
        ("--process-slot-var=V=W show", b"a"), ("--nosuch", b""), ("-n", b""),
        ("show", b"a\0b c\nd\0\n"), ("-I% show %", b"a\nb\0c\n"),
        ("show", b"\r\n \x0ba \rb c\r\n"),
        ("-I% -n1 show %", b"a b\n"), ("-I% -n2 show %", b"a b\n"), ("-L1 -n1 show", b"a b\n"),
        ("-n1 -L1 show", b"a b\n"), ("-n1 -l show", b"a b\n"), ("-I% -L1 show %", b"a b\n"),
        ("-n0 -L1 show", b"a"), ("-0 -E b show", b"a\0b\0c"), ("-d, -0 show", b"a,b\0c"),
        ("-0 -d, show", b"a,b"), ("-s 5 show more words", b"a"), ("show", b"a\\\n"),
        ("-I% show %", b"\xc2\xa0a\n"), ("-d \\170 show", b"axb"), ("-d \\q show", b"a"),
        ("-d \\x7g show", b"a"), ("-d \\400 show", b"a"), ("-d \\x781 show", b"a"),
        ("-d \\ show", b"a\\b"), ("-d ab show", b"a"),
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str, stdin: bytes) -> None:
    answer, real = both(tmp_path, words.split(" "), stdin)
    assert answer == real


TEXT = st.lists(
    st.sampled_from(
        [b"a", b"b", b" ", b"\n", b"\r", b"\\\n", b"'x y'", b'"q"', b"\\ ", b"\t", b"\xc3\xa9"]
    ),
    max_size=12,
).map(b"".join)


@settings(max_examples=60)
@given(stdin=TEXT, words=st.sampled_from([(), ("-n1",), ("-n", "2"), ("-L1",), ("-r",), ("-t",)]))
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, stdin: bytes, words: tuple[str, ...]
) -> None:
    answer, real = both(tmp_path_factory.mktemp("xargs"), [*words, "show"], stdin)
    assert answer == real


def test_status_255_ends_xargs(tmp_path: Path) -> None:
    answer, real = both(tmp_path, ["-n1", "show"], b"2 a")
    assert (answer.status, answer.out) == (real.status, real.out) == (124, b"[2]\n")


def test_status_127_of_a_command_is_an_ordinary_failure() -> None:
    sh = Shell(fs={"/": LocalFS("/")}, env={"PATH": "/usr/bin:/bin"})
    for status in (126, 127):
        script = f"xargs -n1 env sh -c 'echo $0; exit {status}' <<< 'a b'; echo $?"
        assert sh.run(script).stdout == "a\nb\n123\n"
        assert sh.run(script.replace("env sh", "sh")).stdout == "a\nb\n123\n"
    assert sh.run("nosuch=zzz; xargs -n1 $nosuch <<< 'a b'; echo $?").stdout == "127\n"


@pytest.mark.parametrize("words", ["-x", "-x -n5", "-L3", "-n5"])
def test_words_before_an_oversized_one(tmp_path: Path, words: str) -> None:
    """If all words must fit, GNU's xargs does not run the pending ones."""
    stdin = b"a b " + b"c" * 50 + b" d"
    answer, real = both(tmp_path, ["-s", "45", *words.split(" "), "echo"], stdin)
    assert answer == real


def test_commands_run_in_parallel() -> None:
    meeting = Barrier(3)

    @command
    def meet(sh: Call, word: str) -> str:
        """Wait for the others.

        word    what to print
        """
        meeting.wait(20)
        return f"{word} {sh.env['SLOT']}\n"

    shell = Shell(commands=[meet])
    for script in ("xargs -P3 -n1", "cat | xargs -P 0 -n 1"):
        answer = shell.run(f"echo a b c | {script} --process-slot-var SLOT meet; jobs")
        assert sorted(answer.stdout.split()) == ["0", "1", "2", "a", "b", "c"]
        assert (answer.code, answer.stderr) == (0, "")


def test_worst_status_of_parallel_commands_wins() -> None:
    @command
    def answer(sh: Call, status: int) -> int:
        """Answer with a status.

        status    which
        """
        return status

    script = "sleep 0 & p=$!; echo {} | xargs -P2 -n1 answer; echo $? $((p - $!))"
    for statuses, expected in (("0 0 0", 0), ("0 3 0 0", 123), ("0 255", 124), ("0 130", 125)):
        result = Shell(commands=[answer]).run(script.format(statuses)).stdout
        assert result == f"{expected} 0\n"
    assert Shell().run("echo 1 2 3 | xargs -P2 -n1 nosuch; echo $?").stdout == "127\n"


def test_parallel_commands_respect_the_job_limit() -> None:
    shell = Shell(limits=Limits(jobs=2))
    answer = shell.run("sleep 30 & seq 9 | xargs -P 9 -n 1 echo | sort | xargs; kill $!")
    assert (answer.stdout, answer.stderr) == ("1 2 3 4 5 6 7 8 9\n", "")


def test_parallel_commands_end_with_the_run() -> None:
    answer = Shell(limits=Limits(seconds=0.2)).run("seq 9 | xargs -P 3 -n 1 sleep 60")
    assert answer.code == 124


def test_words_are_read_from_a_file() -> None:
    ran: list[object] = []
    answer = run_keysh(
        "xargs", "-a", "/f", files={"/f": "a b"}, run=lambda words: ran.append(words) or 0
    )
    assert (answer.status, ran) == (0, [["echo", "a", "b"]])


def test_commands_hold_as_many_words_as_fit() -> None:
    ran: list[list[str]] = []
    stdin = b" ".join(b"%d" % i for i in range(50_000))
    run_keysh("xargs", stdin=stdin, run=lambda words: ran.append(words) or 0)
    assert [word for words in ran for word in words[1:]] == stdin.decode().split()
    assert max(sum(len(word) + 1 for word in words) for words in ran) <= 131_072
    assert len(ran) == 3


@given(st.text(alphabet=" \t\n\r\vab", max_size=30), st.booleans())
def test_long_lines_have_the_same_words(text: str, is_last: bool) -> None:
    reader = InputWords(int, None, None, by_line=False)
    line = text.replace("\n", " ") + ("" if is_last else "\n")
    assert list(reader.many_words(line)) == list(reader.plain_words(line))


def test_programs_of_parallel_commands_run_at_the_same_time(tmp_path: Path) -> None:
    """Each waits for the other one."""
    os.mkfifo(tmp_path / "a")
    os.mkfifo(tmp_path / "b")
    first, second = "echo x > a; read y < b", "read y < a; echo x > b"
    script = f"cd {tmp_path}; if [ $0 = a ]; then {first}; else {second}; fi"
    with Shell(env={"PATH": "/usr/bin:/bin"}, external=True) as shell:
        shell.vars["script"] = script
        result = shell.run('printf "a\\nb\\n" | xargs -P2 -n1 /bin/sh -c "$script"', timeout=30)
        assert (result.code, result.stderr) == (0, "")
        result = shell.run('/bin/sh -c "$script" a & /bin/sh -c "$script" b & wait', timeout=30)
        assert (result.code, result.stderr) == (0, "")
