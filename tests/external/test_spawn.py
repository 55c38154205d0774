"""The builtin `spawn`: its founding document's tests, and its contract."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import keysh
from external.conftest import Open

NO_LIST = """argv is neither a list nor a JSON array: [hello]
fix: argv=[hello,] for a list, argv='["[hello]"]' for the text"""


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("spawn command=/bin/echo argv=hello", "hello\n"),
        ("spawn /bin/echo hello", "hello\n"),
        ("printf 'hello world' | spawn command=/bin/cat", "hello world"),
        ("spawn command=/bin/cat", ""),
        ("spawn command=/bin/cat stdin=text", "text"),
        (
            """spawn command=/usr/bin/env env='{"A": "1"}' clear_env=true | grep -v ^KEYSH_""",
            "A=1\n",
        ),
        ("spawn command=/usr/bin/env env={A: '1'} clear_env=true | grep -v ^KEYSH_", "A=1\n"),
        ("""spawn command=echo argv='["hello", "from", "PATH"]'""", "hello from PATH\n"),
        (
            "spawn command=echo argv=[a, 'b  c', 1, true, null, {x: 1}]",
            'a b  c 1 true null {"x":1}\n',
        ),
        ("spawn command=echo argv='a  b'", "a  b\n"),
        ("spawn command=echo argv='[a'", "[a\n"),
        ("spawn command=sleep argv=0.01 timeout=5000", ""),
        ("spawn command=echo argv=x timeout='5000'", "x\n"),
        ("spawn command=echo argv=x | tr x y", "y\n"),
        ("yes | spawn command=head argv='-n1'", "y\n"),
        ("spawn command=yes | head -n 1", "y\n"),
        ("spawn command=echo argv=x & wait", "x\n"),
        ("timeout 5 spawn command=echo argv=x", "x\n"),
        ("x=$(spawn command=echo argv=a); echo [$x]", "[a]\n"),
        ("spawn command=sh argv=['-c', 'echo a; echo b >&2'] merge=true", "a\nb\n"),
        ("spawn command=sh argv=['-c', 'echo a; exit 3']; echo $?", "a\n3\n"),
        ("spawn command=sh argv=['-c', 'kill -9 $$']; echo $?", "137\n"),
        ("spawn command=echo argv=x stream=false", "x\n"),
        ("spawn echo one two", "one two\n"),
        ("spawn echo -- -n one", "one"),
        ("spawn echo [a, b]", "[a, b]\n"),
        ("l=[a, b]; spawn echo $l c", "a b c\n"),
        ('spawn echo \'["a", "b"]\'', "a b\n"),
        ("spawn echo '[\"a\"]' b", '["a"] b\n'),
        ("spawn echo '[a-z]'", "[a-z]\n"),
        ("c=[spawn, echo]; seq 3 | scatter $c | gather", "1\n2\n3\n"),
    ],
)
def test_output(shell: Open, text: str, output: str) -> None:
    result = shell(in_memory=True).run(text)
    assert (result.stdout, result.stderr) == (output, "")


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("spawn command=''", 1, "command parameter required"),
        (
            "spawn command=echo argv=[hello]",
            1,
            NO_LIST,
        ),
        ("spawn command=/nonexistent/path", 127, "/nonexistent/path: No such file or directory"),
        ("spawn command=nosuch", 127, "nosuch: No such file or directory"),
        ("spawn command=/etc/passwd", 126, "/etc/passwd: Permission denied"),
        ("spawn command=pwd cwd=/v/x", 1, "cwd '/v/x' is not on a real filesystem"),
        ("mkdir /v; spawn command=pwd cwd=/v", 1, "cwd '/v' is not on a real filesystem"),
        ("spawn command=pwd cwd=/work/no", 1, "cwd '/work/no': No such file or directory"),
        ("echo > f; spawn command=pwd cwd=f", 1, "cwd '/work/f': Not a directory"),
        ("spawn command=true env={A: 1}", 1, "env: A must be text, but is 1"),
        ("spawn command=true timeout=0", 1, "timeout must be milliseconds above 0, but is 0"),
        ("spawn command=/bin/sleep argv=60 timeout=100", 124, "/bin/sleep: timed out after 100ms"),
        (
            "PATH=/bin spawn command=sleep argv=60 timeout='100'",
            124,
            "/bin/sleep: timed out after 100ms",
        ),
    ],
)
def test_refusals(shell: Open, text: str, code: int, message: str) -> None:
    result = shell().run(text)
    assert (result.code, result.stdout, result.stderr) == (
        code,
        "",
        f"keysh: line 1: spawn: {message}\n",
    )


def test_current_directory_is_not_searched_for_programs(shell: Open, tmp_path: Path) -> None:
    tool = tmp_path / "nosuch"
    tool.write_text("#!/bin/sh\necho ran\n")
    tool.chmod(0o755)
    result = shell().run("spawn command=nosuch; spawn command=nosuch clear_env=true; nosuch")
    assert (result.code, result.stdout) == (127, "")


def test_directory(shell: Open, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    text = "spawn command=pwd cwd=/work/d; cd d; spawn command=pwd; spawn command=pwd cwd=.."
    assert shell().run(text).stdout.split() == [f"{tmp_path}/d", f"{tmp_path}/d", str(tmp_path)]


def test_partial_output_is_kept_at_a_timeout(shell: Open) -> None:
    text = "spawn command=sh argv=['-c', 'echo a; sleep 60 & wait'] timeout=1000; echo $?"
    assert shell().run(text).stdout == "a\n124\n"


def test_capped_output_says_so(shell: Open) -> None:
    result = shell().run("spawn command=seq argv=1000 max_output=10")
    assert result.stdout == "1\n2\n3\n[... 3883 bytes dropped ...]\n1000\n"


def test_record(shell: Open) -> None:
    text = "spawn json=true command=sh argv=['-c', 'echo a; echo b >&2; kill -9 $$']"
    result = shell().run(text)
    actual = json.loads(result.stdout)
    assert result.code == 137
    assert actual["duration_ms"] > 0
    assert actual["pid"] > 0
    assert {key: actual[key] for key in ("code", "signal", "stdout", "stderr", "timed_out")} == {
        "code": 137, "signal": 9, "stdout": "a\n", "stderr": "b\n", "timed_out": False,
    }  # fmt: skip
    text = 'x=$(spawn json=true command=echo argv=a); echo ${x[code]} "${x[stdout]}"'
    assert shell().run(text).stdout == "0 a\n\n"


def test_the_command_is_required() -> None:
    with keysh.Shell(external=True) as shell:
        result = shell.run("echo a; spawn")
        assert (result.code, result.stdout) == (2, "")  # refused before anything ran
        assert "E304 spawn: command parameter required" in result.stderr
        declared = shell.registry.command_named("spawn")
    assert declared is not None
    assert declared.json_schema()["required"] == ["command"]
