"""Programs as stages: between commands, next to each other, stopped early, in the background."""

from __future__ import annotations

import resource

import pytest

from external.conftest import Open
from keysh import Cancel


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("/bin/echo a b", "a b\n"),
        ("/bin/echo a | tr a b", "b\n"),
        ("echo a | /usr/bin/tr a b", "b\n"),
        ("seq 3 | /bin/cat | tail -n 1", "3\n"),
        ("seq 3 | /bin/cat | /bin/cat | /usr/bin/tail -n 1", "3\n"),
        ("/bin/echo a | tr a b | /usr/bin/tr b c", "c\n"),
        ("{ echo a; /bin/echo b; } | /bin/cat", "a\nb\n"),
        ("/bin/sh -c 'echo out; echo err >&2' |& /usr/bin/sort", "err\nout\n"),
        ("/bin/sh -c 'echo err >&2' 2>&1 | cat", "err\n"),
        ("x=$(/bin/echo a); echo [$x]", "[a]\n"),
        ("(/bin/echo a; /bin/echo b) | wc -l", "2\n"),
        ("f() { /bin/cat; }; echo a | f", "a\n"),
        ("alias c=/bin/cat; echo a | c", "a\n"),
        ("for x in a b; do /bin/echo $x; done", "a\nb\n"),
        ("/bin/echo a && /bin/false || /bin/echo b", "a\nb\n"),
        ("printf 'a\\377b' | /bin/cat | od -An -c", "   a 377   b\n"),
        ("/usr/bin/printf '\\303' | cat | /bin/cat | wc -c", "1\n"),
    ],
)
def test_output(shell: Open, text: str, output: str) -> None:
    result = shell().run(text)
    assert (result.stdout, result.stderr) == (output, "")


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        ("for i in 1; do /usr/bin/printf 'a\\nb\\n'; done | head -1", "0 0"),
        ("for i in 1 2 3; do /usr/bin/printf 'a\\nb\\n'; done | head -1", "141 0"),
        ("{ /bin/echo a; echo b; } | true", "141 0"),
        ("{ /bin/echo a; true; } | true", "0 0"),
        ("{ /usr/bin/yes; true; } | head -1", "0 0"),
        ("{ /usr/bin/yes; } | head -1", "141 0"),
        ("/usr/bin/seq 3 | head -1", "0 0"),
        ("{ /usr/bin/seq 3; } | /usr/bin/head -1 | cat", "0 0 0"),
    ],
)
def test_writer_is_told_once_that_its_reader_is_gone(shell: Open, text: str, statuses: str) -> None:
    """A writer is not affected by data already in the pipe, only by what it writes later."""
    result = shell().run(f"{text} > /dev/null; echo ${{PIPESTATUS[*]}}", timeout=20)
    assert result.stdout == f"{statuses}\n"


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        ("/usr/bin/yes | head -n 1 >/dev/null", "141 0"),
        ("/usr/bin/yes | /usr/bin/head -n 1 >/dev/null", "141 0"),
        ("yes | /usr/bin/head -n 1 >/dev/null", "141 0"),
        ("/usr/bin/yes | cat | head -n 1 >/dev/null", "141 141 0"),
        ("yes | /bin/cat | /bin/cat | head -n 1 >/dev/null", "141 141 141 0"),
        ("/bin/sh -c 'exit 3' | /bin/sh -c 'exit 4'", "3 4"),
        ("/usr/bin/yes | true", "141 0"),
        ("/nowhere | cat", "127 0"),
        ("/dev/null | cat", "126 0"),
    ],
)
def test_statuses(shell: Open, text: str, statuses: str) -> None:
    assert shell().run(f"{text}; echo ${{PIPESTATUS[@]}}").stdout == f"{statuses}\n"


def test_program_consumes_only_the_lines_it_reads(shell: Open) -> None:
    sh = shell()
    text = "printf '1\\n2\\n3\\n' | while read x; do /bin/echo got $x; done"
    assert sh.run(text).stdout == "got 1\ngot 2\ngot 3\n"
    text = "seq 3 | { read x; /bin/cat; echo was $x; }"
    assert sh.run(text).stdout == "2\n3\nwas 1\n"
    text = "/usr/bin/seq 3 | { read x; /bin/cat; echo was $x; }"
    assert sh.run(text).stdout == "2\n3\nwas 1\n"
    text = "/usr/bin/seq 3 | { /bin/dd bs=2 count=1 status=none; /bin/cat; }"
    assert sh.run(text).stdout == "1\n2\n3\n"


def test_large_pipelines_need_little_memory(shell: Open) -> None:
    sh = shell()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    text = "/usr/bin/head -c 100000000 /dev/zero | cat | /bin/cat | wc -c"
    assert sh.run(text).stdout == "100000000\n"
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 30_000  # kilobytes


def test_output_arrives_before_the_program_ends(shell: Open) -> None:
    for text in ("{}", "{} | cat", "{} | /bin/cat", "{} | while read x; do echo $x; done"):
        cancel = Cancel()
        result = shell().run(
            text.format("/bin/sh -c 'echo a; exec sleep 60'"),
            on_output=lambda stream, part, cancel=cancel: cancel.cancel(),
            cancel=cancel,
        )
        assert (result.stdout, result.code) == ("a\n", 130)


def test_program_that_does_not_read_is_not_an_error(shell: Open) -> None:
    result = shell().run("seq 100000 | /bin/true; echo ${PIPESTATUS[1]}")
    assert (result.stdout, result.stderr) == ("0\n", "")


def test_jobs(shell: Open) -> None:
    result = shell().run("/bin/sh -c 'echo a; exit 3' & wait $!; echo $?")
    assert result.stdout == "a\n3\n"


def test_closing_ends_jobs(shell: Open) -> None:
    with shell() as sh:
        sh.run("/bin/sleep 60 & /bin/sh -c 'sleep 60 & wait' & /bin/true")


def test_signals(shell: Open) -> None:
    result = shell().run("/bin/sh -c 'kill -9 $$'; echo $?; /bin/sh -c 'kill $$'; echo $?")
    assert result.stdout == "137\n143\n"
