"""Shells share nothing, can be used from threads, and leave nothing behind."""

from __future__ import annotations

import gc
import os
import threading
import time
import tracemalloc
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from keysh import Call, Shell, command

EVERYTHING = """
x=%d; xs=(a b); f() { echo "$x f $1"; }; alias a=echo; set -u; cd /tmp; trap 'echo bye' EXIT
for i in 1 2 3; do f $i; done | while read -r line; do n=$((${n:-0}+1)); done
y=$(printf '%%s,' {1..5}); [[ $y == 1,* ]] && echo "$n $y ${x/1/one}" > /tmp/file
cat <(cat /tmp/file) | sort | tee /tmp/copy; { echo "job $x"; } & wait
"""


def test_two_shells_share_nothing() -> None:
    one, other = Shell(), Shell(check=False)

    @command
    def mine(sh: Call) -> str:
        """Exist in one shell only."""
        return "mine\n"

    one.add(mine)
    one.run("x=1; f() { :; }; alias a=echo; set -u; mkdir /d; cd /d; export E=1; mine & wait")
    one.run("trap ': ' ERR; umask 077; RANDOM=1; sleep 100 & exec > /out")
    result = other.run("echo ${x:-} ${E:-}; f; a; mine; pwd; umask; jobs; trap; ls /; echo $-")
    script = "echo ${x:-}; f; a; mine; pwd; umask; jobs; trap; ls /; echo $-"
    expected = Shell(check=False).run(script)
    assert (result.stdout, result.stderr) == (expected.stdout, expected.stderr)
    one.close()


@pytest.mark.parametrize(
    ("script", "output"),
    [
        ("exec > >(tee log) 2>&1; echo a; echo b >&2", "a\nb\n"),
        ("exec > >(sort); echo b; echo a; exit 3", "a\nb\n"),
        ("exec > >(sed 's/^/1/') 2> >(sed 's/^/2/'); echo a >&2; echo b", "12a\n1b\n"),
        ("exec 3> >(cat); echo a >&3; exec 3>&-; echo b", "a\nb\n"),
        ("trap 'echo bye' EXIT; exec > >(cat -n); echo a", "     1\ta\n     2\tbye\n"),
        ("exec < <(seq 3); read -r x; echo $x", "1\n"),
    ],
)
def test_exec_redirections_end_with_the_run(script: str, output: str) -> None:
    shell = Shell()
    result = shell.run(script)
    assert sorted(result.stdout.splitlines()) == sorted(output.splitlines())
    assert shell.run("cat; echo next; echo lost >&3").stdout == "next\n"
    assert not shell.state.session.substitutions


def test_eight_threads_with_a_shell_each() -> None:
    expected = {number: Shell().run(EVERYTHING % number).stdout for number in range(8)}
    begin = threading.Barrier(8)

    def work(number: int) -> set[str]:
        begin.wait(30)
        return {Shell().run(EVERYTHING % number + f"# {turn}").stdout for turn in range(12)}

    with ThreadPoolExecutor(8) as pool:
        for number, result in enumerate(pool.map(work, range(8))):
            assert result == {expected[number]}


def test_one_shell_on_several_threads_runs_one_script_at_a_time() -> None:
    shell = Shell()
    shell.run("n=0")

    def work(number: int) -> str:
        script = f"x={number}; for i in {{1..20}}; do n=$((n+1)); echo $x; done"
        return "".join(shell.run(script).stdout for _ in range(10))

    with ThreadPoolExecutor(6) as pool:
        for number, result in enumerate(pool.map(work, range(6))):
            assert result == f"{number}\n" * 200
    assert shell.vars["n"] == 1200


def test_one_compiled_script_on_several_threads() -> None:
    script = "for x in a{1..50}b c${HOME:-}{1..50}; do y=$x; done; echo $y {1..100} | wc -w"
    begin = threading.Barrier(8)

    def work(number: int) -> str:
        begin.wait(30)
        return Shell().run(f"{script}  # for all at once").stdout

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(work, range(8))) == {"101\n"}


def test_many_runs_do_not_leak() -> None:
    shell = Shell()
    for _ in range(20):
        shell.run(EVERYTHING % 1)
    gc.collect()
    threads, files = threading.active_count(), len(os.listdir("/dev/fd"))
    objects = len(gc.get_objects())
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(60):
            shell.run(EVERYTHING % 1)
        for number in range(1400):
            shell.run(f"x={number % 7}; echo $x | cat | head -1; f() {{ return 1; }}; f || y=$(f)")
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # Objects of earlier tests may be freed meanwhile.
    assert threading.active_count() <= threads
    assert len(os.listdir("/dev/fd")) <= files
    assert after - before < 1 << 20
    assert len(gc.get_objects()) - objects < 12_000  # the cached scripts
    assert len(shell.vars) < 40


def test_shells_leave_nothing_behind() -> None:
    def work() -> None:
        for _ in range(25):
            with Shell() as shell:
                shell.run("sleep 1000 & { yes | head -1; } | ( cat ); x=$(seq 3)")

    work()
    gc.collect()
    objects = len(gc.get_objects())
    work()
    gc.collect()
    end = time.monotonic() + 20
    while len(gc.get_objects()) - objects >= 2_000:  # threads of jobs may still end
        gc.collect()
        assert time.monotonic() < end


def test_host_is_invisible(tmp_path: Path) -> None:
    os.environ["KEYSH_SECRET_OF_HOST"] = "secret"
    try:
        script = f"env; ls / {tmp_path}; cat /etc/passwd; /bin/ls; id; $SHELL -c ls"
        result = Shell(check=False).run(script)
    finally:
        del os.environ["KEYSH_SECRET_OF_HOST"]
    assert "secret" not in result.stdout
    assert "root:" not in result.stdout
    assert str(tmp_path) not in result.stdout


@pytest.mark.parametrize(
    "text",
    [
        "echo hi",
        "f() { echo x; }; f",
        "echo a | cat",
        "x=$(echo a)",
        "cat < /dev/null",
        "(: &); wait",
    ],
)
def test_unreferenced_shell_is_freed_immediately(text: str) -> None:
    shell = Shell(files={"/f": "text"})
    shell.run(text)
    gone = weakref.ref(shell.state)
    gc.disable()
    try:
        del shell
        assert gone() is None
    finally:
        gc.enable()
