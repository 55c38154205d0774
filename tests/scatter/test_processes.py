"""scatter in worker processes of this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import keysh
from keysh import Cancel, Limits, LocalFS, OverlayFS, ReadOnlyFS, Shell
from scatter.printed_rows import rows_of
from scatter.waiting import wait_for_end, wait_for_lines

ENV = {"PATH": "/usr/bin:/bin"}


def children() -> set[str]:
    """The processes that this one has started."""
    path = Path(f"/proc/{os.getpid()}/task")
    found: set[str] = set()
    for task in path.iterdir():
        with suppress(FileNotFoundError):  # a thread that has ended
            found.update((task / "children").read_text().split())
    return found


def test_rows_are_those_of_threads(shell: Shell) -> None:
    script = (
        "f() { echo $RANDOM $1 $z; echo e >&2; (($1 % 3)); }; z=[1, 2]; seq 30 | scatter f seed=5"
    )
    kept = ("i", "item", "ok", "code", "out", "err", "attempts")
    by_engine = [
        [{name: row[name] for name in kept} for row in rows_of(shell, f"{script} engine={engine}")]
        for engine in ("threads", "processes workers=2")
    ]
    assert by_engine[0] == by_engine[1]
    assert len(by_engine[0]) == 30


def test_values_come_back(shell: Shell) -> None:
    [row] = shell.map("fromjson", ['{"a": [1, null]}'], engine="processes", workers=1)
    assert row.data == {"a": [1, None]}


def test_files_and_commands_of_the_host_are_the_hosts(tmp_path: Path) -> None:
    seen = []

    @keysh.command
    def note(sh: keysh.Call, word: str) -> str:
        """Note a word.

        word  it
        """
        seen.append((word, os.getpid()))
        return f"noted {word}\n"

    with Shell({"/": LocalFS(tmp_path)}, commands=[note]) as shell:
        shell.run("f() { note $1; echo $1 > /$1.txt; }")
        rows = list(shell.map("f", ["a", "b"], engine="processes", workers=2))
        [named] = shell.map("note", [{"word": "c"}], engine="processes", workers=1)
    assert [row.out for row in rows] == ["noted a\n", "noted b\n"]
    assert named.out == "noted c\n"
    assert sorted(seen) == [(word, os.getpid()) for word in "abc"]
    assert (tmp_path / "b.txt").read_text() == "b\n"


def test_overlays_and_read_only_mounts_are_seen(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old\n")
    mounts = {"/": OverlayFS(LocalFS(tmp_path)), "/ro": ReadOnlyFS(LocalFS(tmp_path))}
    with Shell(mounts, clock=0) as shell:
        shell.run("echo new > /new; f() { cat /old /new /ro/old; date -u +%Y; echo x > /ro/x; }")
        [row] = shell.map("f", [[]], engine="processes")
    assert row.out == "old\nnew\nold\n1970\n"
    assert "Read-only file system" in row.err


def test_files_that_are_asked_for_come_back(shell: Shell) -> None:
    shell.run(
        "mkdir /out; cd /out; echo old > kept.txt; "
        "f() { mkdir -p d; echo $1 > d/$1.txt; echo x > y; }"
    )
    result = shell.run("scatter f a b return=**/*.txt engine=processes workers=2 | gather")
    assert (result.code, result.stderr) == (0, "")
    assert shell.run("find . -type f | sort; cat d/*").stdout == (
        "./d/a.txt\n./d/b.txt\n./kept.txt\na\nb\n"
    )


def test_path_that_two_items_have_written_is_an_error(shell: Shell) -> None:
    shell.run("f() { echo $1 > /same; }")
    result = shell.run("scatter f a b return=/same engine=processes workers=2")
    assert result.code == 1
    assert "/same was written by item 0 and by item 1" in result.stderr


def test_worker_that_dies_fails_its_item_or_is_tried_again(tmp_path: Path) -> None:
    script = f"""
        f() {{ if [[ $1 == 1 && ! -e {tmp_path}/once ]]; then
                   echo x > {tmp_path}/once; x=y; while true; do x=$x$x; done
               fi; echo $1; }}
    """
    limits = Limits(memory=None, value=1 << 40, seconds=20)
    for retries, codes in ((0, [0, 125, 0]), (1, [0, 0, 0])):
        with Shell({"/": LocalFS("/")}, limits=limits) as shell:
            shell.run(script)
            rows = list(shell.map("f", [0, 1, 2], engine="processes", workers=2, retries=retries))
        assert [row.code for row in rows] == codes
        (tmp_path / "once").unlink()


def test_limits_hold_in_each_item() -> None:
    with Shell(limits=Limits(steps=5000)) as shell:
        shell.run(
            "f() { for i in {1..1000}; do :; done; while [[ $1 == 3 ]]; do :; done; echo $1; }"
        )
        rows = list(shell.map("f", [1, 2, 3, 4], engine="processes", workers=1))
    assert [row.code for row in rows] == [0, 0, 125, 0]
    assert "limit reached: steps" in rows[2].err


def test_timeout_and_cancel_end_the_programs(tmp_path: Path) -> None:
    with Shell(env=ENV, external=True) as shell:
        shell.run(f"f() {{ /bin/sh -c 'echo $$ >> {tmp_path}/$0; sleep 60 & wait' $1; }}")
        [row] = shell.map("f", ["timed"], engine="processes", timeout=1000)
        assert row.code == 124
        cancel = Cancel()
        results: list[keysh.Result] = []
        script = "scatter f cancelled cancelled engine=processes workers=2"
        thread = threading.Thread(target=lambda: results.append(shell.run(script, cancel=cancel)))
        thread.start()
        wait_for_lines(tmp_path / "cancelled", 2)
        cancel.cancel()
        thread.join()
    assert results[0].code == 130
    for name in ("timed", "cancelled"):
        for pid in (tmp_path / name).read_text().split():
            wait_for_end(int(pid))


def test_rules_of_the_host_hold(tmp_path: Path) -> None:
    text = '[[rule]]\ncommand = "rm"\ndecision = "deny"\nreason = "never"\n'
    (tmp_path / "rules.toml").write_text(text)
    rules = keysh.Rules.load(tmp_path / "rules.toml")
    with Shell(files={"/a": "x"}, rules=rules) as shell:
        shell.run("f() { rm $1; }")
        [row] = shell.map("f", ["/a"], engine="processes")
    assert row.code == 126
    assert "never" in row.err


def test_nothing_is_left(shell: Shell) -> None:
    threads, before = threading.active_count(), children()
    for row in shell.map("sleep", [0, 60, 60], engine="processes", workers=2):
        assert row.ok
        break
    assert threading.active_count() == threads
    assert children() == before


def test_rows_come_while_their_chunk_goes_on(tmp_path: Path) -> None:
    last = 40
    with Shell({"/": LocalFS(tmp_path)}) as shell:
        shell.run(f"f() {{ [[ $1 != {last} ]] || until [[ -e /go ]]; do sleep 0.01; done; }}")
        for row in shell.map("f", range(last + 1), engine="processes", workers=1):
            assert row.ok
            if row.index == last - 1:
                (tmp_path / "go").touch()


def test_no_exit_of_the_interpreter_waits_for_items(tmp_path: Path) -> None:
    script = f"""
import pathlib, threading, time, keysh
up = pathlib.Path({str(tmp_path / "up")!r})
shell = keysh.Shell({{"/": keysh.LocalFS(up.parent)}})
shell.run("f() {{ echo > /up; sleep 60; }}")
scatter = "scatter f a b engine=processes workers=2"
threading.Thread(target=lambda: shell.run(scatter), daemon=True).start()
while not up.exists():
    time.sleep(0.01)
"""
    before = children()
    subprocess.run([sys.executable, "-c", script], timeout=40, check=True)
    assert children() == before


def test_run_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    """Each item that the log lacks runs once more, and no other."""
    script = f"""
        f() {{ echo $1 >> {tmp_path}/ran; [[ $1 != 5 || -e {tmp_path}/go ]] || sleep 60; }}
        scatter f 0 1 2 3 4 5 6 7 workers=1 log={tmp_path}/log resume=true
    """
    words = [sys.executable, "-m", "keysh", "-c", script]
    environment = {**os.environ, "HOME": str(tmp_path)}
    process = subprocess.Popen(words, stdout=subprocess.PIPE, env=environment)
    wait_for_lines(tmp_path / "ran", 6)
    process.kill()
    process.communicate()
    (tmp_path / "go").touch()
    (tmp_path / "ran").rename(tmp_path / "ran before")
    again = subprocess.run(words, capture_output=True, text=True, env=environment, check=True)
    assert [json.loads(line)["item"] for line in again.stdout.splitlines()] == list("01234567")
    assert (tmp_path / "ran before").read_text().split() == list("012345")
    assert (tmp_path / "ran").read_text().split() == list("567")
