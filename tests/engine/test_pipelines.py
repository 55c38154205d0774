"""Pipelines stream: they stop early, need little memory, and report the status of each stage."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Iterator
from types import FrameType

import pytest

from keysh import Call, Cancel, Limits, Shell, command
from keysh.interp.streams.job_pipe import MAX_WAITING_CHARS, JobPipe

BOUNDS = Limits(seconds=20, output=1 << 20)


@pytest.mark.parametrize(
    ("script", "output"),
    [
        ("yes | head -1; echo ${PIPESTATUS[@]}", "y\n141 0\n"),
        ("while :; do echo a; done | head -1; echo ${PIPESTATUS[@]}", "a\n141 0\n"),
        ("for ((;;)); do echo a; done | head -1 | cat; echo ${PIPESTATUS[@]}", "a\n141 0 0\n"),
        ("f() { while :; do echo f; done; }; f | { read -r x; echo $x; }", "f\n"),
        ("yes | while :; do read -r x; echo $x; break; done", "y\n"),
        ("yes | cat | { cat; } | ( cat ) | head -1", "y\n"),
        ("yes | true; echo ${PIPESTATUS[@]}", "141 0\n"),
        ("printf '%s\\n' {1..90000} | head -1; echo ${PIPESTATUS[@]}", "1\n141 0\n"),
        ("printf '%s\\n' {1..90000} | true; echo ${PIPESTATUS[@]}", "141 0\n"),
        ("printf '%s\\n' {1..9000} | head -1; echo ${PIPESTATUS[@]}", "1\n0 0\n"),
        ("echo {1..90000} | head -c 1; echo ${PIPESTATUS[@]}", "1141 0\n"),
        ("echo {1..90000} | wc -w; echo ${PIPESTATUS[@]}", "90000\n0 0\n"),
        ("set -o pipefail; yes | head -1; echo $?; false | true; echo $?", "y\n141\n1\n"),
        ("false | (exit 3) | true; echo $? ${PIPESTATUS[@]}", "0 1 3 0\n"),
        (
            "! false | true; echo $? ${PIPESTATUS[@]}; ! false; echo $? ${PIPESTATUS[@]}",
            "1 1 0\n0 1\n",
        ),
        (
            'f() { echo "${PIPESTATUS[*]}"; }; eval "g() { f; }"; false | true; g; true; g',
            "1 0\n0\n",
        ),
        (
            "f() { false | true; }; f; echo $PIPESTATUS; (false | true); echo ${PIPESTATUS[@]}",
            "0\n0\n",
        ),
        (
            "{ false | true; }; echo ${PIPESTATUS[@]}; [[ a == b ]]; echo ${PIPESTATUS[@]}",
            "1 0\n1\n",
        ),
        ("! false | true; echo $?; true | false; echo $?", "1\n1\n"),
        ("echo a | read -r x; echo $x", "a\n"),
        ("x=1; printf -v x a | cat; echo $x; f=-vx; printf $f a | cat; echo $x", "1\n1\n"),
        (
            "n=1; printf 'abc%n' n | cat; echo $n; f='b%5n'; printf $f n | cat; echo $n",
            "abc1\nb1\n",
        ),
        ("printf '%d\\n' z | cat; echo ${PIPESTATUS[@]} $?", "0\n1 0 0\n"),
        ("seq 3 | while read -r x; do n=$((n+x)); done; echo $n", "6\n"),
        ("x=1; x=2 | cat; echo $x; cd /dev | cat; pwd", "1\n/\n"),
        ("exit 3 | cat; echo $? ${PIPESTATUS[@]}", "0 3 0\n"),
        ("f() { return 4 | cat; echo on; true | return 5; echo no; }; f; echo $?", "on\n5\n"),
        ("for i in 1 2 3; do echo a | break; done; echo $i", "1\n"),
        ("echo a | exit 6; echo no", ""),
        ("{ echo a; echo b >&2; } |& cat | tr ab cd", "c\nd\n"),
        ("seq 5 | { head -1; cat; } | tail -1", "5\n"),
        ("nosuch | echo a; cat /nosuch | echo b; echo ${PIPESTATUS[@]}", "a\nb\n1 0\n"),
        ("x=$(seq 100000 | { cat; } | tail -1); echo $x", "100000\n"),
        ("seq 100000 | tee /t | sort -n | tail -1; tail -1 /t", "100000\n100000\n"),
        ("{ { sleep 0.01; echo late; } & } | cat", "late\n"),
        ('x=$( { sleep 0.01; echo late; } & ); echo "[$x]"', "[late]\n"),
        ("echo a | cat /dev/stdin | cat; echo b | ( cat /dev/stdin )", "a\nb\n"),
        ('x=$(echo a | tee /dev/stdout | sort); echo "$x"', "a\na\n"),
        ("f() { cat <(echo c); }; f | cat", "c\n"),
        ("sleep 0.01 & ( wait; echo mine ) | cat; wait", "mine\n"),
    ],
)
def test_pipelines_stream(script: str, output: str) -> None:
    result = Shell(check=False, limits=BOUNDS).run(script)
    assert result.error is None
    assert result.stdout == output, result.stderr


@pytest.mark.parametrize(
    "script",
    [
        "seq 300000 | cat | wc -l",
        "seq 300000 | { cat; } | wc -l",
        "for i in {1..6}; do seq 50000; done | ( cat ) | wc -l",
        "seq 300000 | cat > /dev/null | cat; echo 300000",
        "wc -l < <(seq 300000)",
    ],
)
def test_memory_stays_bounded(script: str) -> None:
    shell = Shell(check=False)
    shell.run("seq 10 | { cat; } | ( cat ) | wc -l")  # modules that are loaded once
    tracemalloc.start()
    try:
        result = shell.run(script)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result.stdout == "300000\n"
    assert peak < 1 << 20  # of 2 MB that go through


@pytest.mark.parametrize("before", ["", "echo text | ", "cat < /dev/null | ", ": | "])
def test_generator_is_pulled_only_as_far_as_it_is_read(before: str) -> None:
    requests: list[int] = []

    @command
    def numbers(sh: Call) -> Iterator[str]:
        """Count for ever."""
        sh.stdin.read()
        number = 0
        while True:
            number += 1
            requests.append(number)
            yield f"{number}\n"

    result = Shell(commands=[numbers]).run(
        f"{before}numbers | head -1; echo ${{PIPESTATUS[@]: -2}}"
    )
    assert result.stdout == "1\n141 0\n"
    assert requests == [1, 2]  # the second, to see whether it has come to its end


@pytest.mark.parametrize("before", ["", "echo text | ", ": | "])
def test_available_output_is_passed_on_while_a_stage_waits(before: str) -> None:
    cancel = Cancel()
    result = Shell(files={"/log": "line\n"}).run(
        f"{before}tail -f /log | cat", timeout=10, cancel=cancel,
        on_output=lambda *_: cancel.cancel(),
    )  # fmt: skip
    assert (result.stdout, result.code) == ("line\n", 130)


def test_abandoned_generator_is_closed() -> None:
    closed: list[str] = []

    @command
    def lines(sh: Call) -> Iterator[str]:
        """Say a, and tidy up."""
        try:
            while True:
                yield "a\n"
        finally:
            closed.append("closed")

    shell = Shell(commands=[lines])
    shell.run("lines | head -1; lines | { read -r x; }")
    assert closed == ["closed", "closed"]


def test_limit_in_a_stage_stops_later_stages() -> None:
    shell = Shell(limits=Limits(value=100_000), check=False)
    result = shell.run("{ seq 99999; x=$(yes); } | { cat; echo after; } > /out")
    assert result.code == 125
    assert not shell.fs.open("/out").read().endswith(b"after\n")


def test_empty_chunk_is_not_the_end() -> None:
    @command
    def slowly(sh: Call) -> Iterator[str]:
        """Yield an empty chunk now and then."""
        yield from ("", "a\n", "", "b\n")

    sh = Shell(commands=[slowly])
    for words in ("awk '{ print }'", "cat", "sed p", "grep .", "while read -r x; do echo $x; done"):
        assert sh.run(f"slowly | {words}").stdout.splitlines()[-1] == "b", words
    assert sh.run("printf 'a\\nb\\n' | tac | awk '{ print NR, $0 }'").stdout == "1 b\n2 a\n"


@pytest.mark.parametrize(
    "words", ["seq 3", "seq 3000", "cat a b", "du -a .", "tree", "grep -r . .", "wc a b", "jq . a"]
)
def test_small_output_succeeds_without_a_reader(words: str) -> None:
    sh = Shell(files={"/d/a": "1\n2\n", "/d/b": "3\n"}, cwd="/d")
    script = f"set -euo pipefail\n{words} | head -n 1 > /dev/null\necho ${{PIPESTATUS[*]}}"
    assert sh.run(script).stdout == "0 0\n"


@pytest.mark.parametrize("before", ["", "echo a | ", "echo a | tr a b | "])
def test_a_diagnostic_of_a_stage_ends_only_that_stage(before: str) -> None:
    result = Shell(check=False).run(f"{before}cat zz* | cat; echo on")
    assert (result.stdout, result.error) == ("on\n", None)
    assert "E205 no file matches: zz*" in result.stderr


def test_a_pipe_of_two_threads_loses_no_count() -> None:
    """The reader takes a text between two instructions of the writer, again and again."""
    pipe, user = JobPipe(), Shell(limits=BOUNDS).state
    text, chunks = "a" * MAX_WAITING_CHARS, pipe.chunks(user)
    has_taken = False

    def profile(frame: FrameType, event: str, _: object) -> None:
        nonlocal has_taken
        if frame.f_code is JobPipe.put.__code__ and event == "c_return" and not has_taken:
            has_taken = True
            sys.setprofile(None)
            assert next(chunks) == text
            sys.setprofile(profile)

    pipe.put(text, user)
    for _ in range(5):
        has_taken = False
        sys.setprofile(profile)
        try:
            pipe.put(text, user)
        finally:
            sys.setprofile(None)
        assert has_taken
    assert next(chunks) == text
    pipe.put(text, user)
    assert next(chunks) == text
