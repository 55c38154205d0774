"""Named pipes in memory: scripts that real bash runs on real ones, and the ends of a wait."""

from __future__ import annotations

import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

import keysh
from bash import is_reference_machine
from keysh.vfs.memory.fifo import FifoEnd, FifoPipe

SCRIPTS = {
    "a job writes": "echo x >p & cat p",
    "a job reads": "cat p & echo x >p; wait",
    "a job writes to a redirection": "echo x >p & cat <p",
    "the shell reads lines": "printf '1\\n2\\n' >p & while read -r l; do echo got $l; done <p",
    "a group writes": "{ echo a; echo b; } >p & sort -r p",
    "a loop writes": "for i in 1 2 3; do echo $i; done >p & cat p",
    "the job is waited for": "(read x <p; echo job $x; exit 3) & echo t >p; wait $!; echo $?",
    "three writers": "echo 1 >p & echo 2 >p & echo 3 >p & exec 3<>p; for i in 1 2 3; do read a <&3;"
    " echo $a; done | sort; wait",
    "one reader after another": "exec 3<>p; printf 'a\\nb\\nc\\n' >&3; read x <p; read y <&3;"
    " (read z <p; echo $x $y $z)",
    "characters": "exec 3<>p; printf 'äöü' >&3; read -n 1 a <&3; read -n 2 b <p; echo $a $b",
    "a time limit": "exec 3<>p; read -t 0.05 x <&3; [ $? -gt 128 ] && echo late; echo y >&3;"
    " read -t 5 x <&3; echo $x",
    "part of a line in time": "exec 3<>p; printf ab >&3; read -t 0.05 x <&3; echo $x",
    "is there input": "exec 3<>p; read -t 0 x <&3; echo $?; echo a >&3; read -t 0 <&3; echo $?",
    "more than a pipe holds": "seq 50000 >p & tail -n 1 p; wait $!; echo $?",
    "no reader is left": "yes >p & head -n 1 p; wait $!; echo $?",
    "no reader is left for tee": "yes | tee p >/dev/null & head -n 1 p; wait $!; echo $?",
    "tee": "tee p <<<text >q & cat q & cat p; wait",
    "tee and wc": "wc -l <p & seq 10 | tee p | tail -n 1; wait",
    "the pipeline reads": "cat p | tr a-z A-Z & echo text >p; wait",
    "the pipeline writes": "seq 3 | sed s/^/n/ >p & cat p",
    "a filter between two": "tr a-z A-Z <p >q & echo abc >p & cat q; wait",
    "a process substitution reads": "echo from >p & cat <(cat p)",
    "a process substitution writes": "cat p & echo to > >(cat >p); wait",
    "a conversation": """
        (exec 3<p 4>q; while read -r x <&3; do echo "${x^^}" >&4; done) &
        exec 5>p 6<q
        for word in one two; do echo $word >&5; read -r answer <&6; echo "$answer"; done
        exec 5>&- 6<&-; wait; echo over
    """,
    "a coprocess": """
        coproc (while read -r l <p; do echo "got $l" >q; done)
        echo one >p; cat q; echo two >p; cat q; kill $COPROC_PID; wait 2>/dev/null; echo over
    """,
    "a semaphore": """
        exec 3<>p; echo >&3; echo >&3; for i in 1 2 3 4; do read <&3; (echo $i >>log; echo >&3) &
        done
        wait; sort log
    """,
    "a server": """
        (while read -r name; do [ "$name" = quit ] && break; echo "hello $name" >q; done <p) &
        exec 3>p; echo ann >&3; cat q; echo bob >&3; cat q; echo quit >&3; wait; echo over
    """,
    "a time limit for nobody": "timeout 0.05 cat p; echo $?;"
    " timeout 0.05 sh -c 'echo x >p'; echo $?",
    "a job is killed": "cat p & kill $!; wait $!; echo $?",
    "a writer is killed": "echo x >p & kill $!; wait $!; echo $?",
    "open is closed by exec": "cat p & exec 3>p; echo 1 >&3; echo 2 >&3; exec 3>&-; wait",
    "a descriptor is inherited": "cat p & exec 3>p; (echo in >&3); { echo job >&3; } & wait $!;"
    " exec 3>&-; wait",
    "a named descriptor": "cat p & exec {fd}>p; echo x >&$fd; exec {fd}>&-; wait",
    "appending": "cat p & echo x >>p; wait",
    "binary data": "printf 'a\\0b\\377' >p & od -An -c p",
    "an unlinked one": "exec 3<>p; rm p; echo x >&3; read y <&3; echo $y; [ -e p ] || echo gone",
    "a renamed one": "exec 3<>p; mv p r; echo x >r; read y <&3; echo $y",
    "a linked one": "ln p r; cat p & echo x >r; wait; stat -c %h p",
    "a copy": "echo x >p & cp p f; cat f",
    "a copied tree": "mkdir d; mv p d; cp -R d e; [ -p e/p ] && echo fifo; echo x >e/p & cat e/p",
    "an archive": "tar cf a p; tar tvf a | cut -c1-10; rm p; tar xf a; test -p p && echo fifo",
    "what it is": "test -p p && [[ -p p ]] && echo fifo; ls -F p; ls -l p | cut -c1;"
    " stat -c %F,%s p;"
    " find . -type p | sort; [ -f p ] || echo no file; exec 3<>p;"
    " [ -p /dev/fd/3 ] && echo it",
    "modes": "mkfifo -m 620 r; stat -c %a r; chmod 600 r; stat -c %a r; umask 077;"
    " mkfifo s; stat -c %a s",
    "it exists": "mkfifo p 2>/dev/null; echo $?; mkdir p 2>/dev/null; echo $?; set -C;"
    " cat p & echo x >p;"
    " wait",
    "grep passes it by": "echo x >f; grep -r x . | sort",
}  # fmt: skip


@pytest.mark.skipif(not is_reference_machine(), reason="needs bash 5.2")
@pytest.mark.parametrize("name", SCRIPTS)
def test_fifos_in_memory_agree_with_real_ones(name: str, tmp_path: Path) -> None:
    script = f"cd w\nmkfifo p q\n{dedent(SCRIPTS[name])}"
    (tmp_path / "w").mkdir()
    real = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL, timeout=20, errors="surrogateescape",
    )  # fmt: skip
    with keysh.Shell(dialect="bash", limits=keysh.Limits(seconds=20)) as shell:
        shell.fs.make_directory("/w")
        ours = shell.run(script)
    assert (ours.stdout, ours.code) == (real.stdout, real.returncode), ours.stderr


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ("cat p", "nothing writes to this named pipe: /p"),
        ("echo x >p", "nothing reads this named pipe: /p"),
        ("exec 3<>p; read x <&3", "nothing writes to this named pipe: /p"),
        ("cat p & wait", "nothing writes to this named pipe: /p"),
        ("x=$(cat p & :)", "nothing writes to this named pipe: /p"),
        ('coproc cat p; read x <&"${COPROC[0]}"', "nothing writes to this named pipe: /p"),
        ("cat p & cat q", "nothing writes to this named pipe: /q"),
        ("exec 3<>p; seq 100000 >&3", "nothing reads this named pipe: /p"),
    ],
)
def test_a_wait_that_nothing_can_end_is_an_error(script: str, fault: str) -> None:
    with keysh.Shell(dialect="bash") as shell:
        result = shell.run(f"mkfifo p q; {script}; echo next")
    assert fault in result.stderr
    assert "E214" in result.stderr
    assert result.stdout == "next\n"


def test_a_job_waits_for_the_next_run() -> None:
    with keysh.Shell() as shell:
        shell.run("mkfifo p; cat p &")
        assert shell.run("echo later >p; wait").stdout == "later\n"


def test_limits_and_cancel_end_a_wait() -> None:
    with keysh.Shell(limits=keysh.Limits(seconds=0.1)) as shell:
        result = shell.run("mkfifo p; (sleep 60; echo x >p) & cat p")
        assert result.limit is not None
        assert result.limit.kind == "seconds"
    cancel = keysh.Cancel()
    with keysh.Shell() as shell:
        result = shell.run(
            "mkfifo p; (echo begun; sleep 60; echo x >p) & cat p", cancel=cancel,
            on_output=lambda *output: cancel.cancel(),
        )  # fmt: skip
    assert result.limit is not None
    assert result.limit.kind == "cancelled"


def test_a_waiting_job_keeps_no_lock_of_the_files() -> None:
    with keysh.Shell() as shell:
        result = shell.run(
            "mkfifo p; cat p & mkdir d; echo x >d/f; mv d e; cat e/f; echo y >p; wait"
        )
    assert result.stdout == "x\ny\n"


def test_names_count_and_bytes_do_not() -> None:
    fs = keysh.MemoryFS(max_bytes=10, max_files=3)
    with keysh.Shell({"/": keysh.MemoryFS(), "/m": fs}) as shell:
        before = fs.files_used
        result = shell.run("cd /m; mkfifo p; seq 1000 >p & wc -l <p; mkfifo a b c")
    assert result.stdout == "1000\n"
    assert "cannot create fifo 'c': No space left on device" in result.stderr
    assert (fs.files_used - before, fs.bytes_used) == (3, 0)


def test_an_overlay_keeps_a_fifo_until_commit() -> None:
    lower = keysh.MemoryFS()
    overlay = keysh.OverlayFS(lower)
    with keysh.Shell(overlay) as shell:
        assert shell.run("mkfifo -m 600 p; echo x >p & cat p").stdout == "x\n"
        assert [(each.action, each.what, each.path) for each in overlay.diff()] == [
            ("added", "other", "/p")
        ]
        overlay.commit()
    assert keysh.Shell(lower).run("[ -p p ] && stat -c %a p").stdout == "600\n"
    with keysh.Shell(keysh.OverlayFS(lower)) as shell:
        assert "Permission denied" in shell.run("echo x >p").stderr


def test_a_snapshot_has_fifos_of_its_own() -> None:
    fs = keysh.MemoryFS()
    with keysh.Shell(fs) as shell:
        shell.run("mkfifo p; exec 3<>p; echo x >&3")
        with keysh.Shell(fs.snapshot()) as other:
            assert other.run("exec 3<>p; read -t 0 x <&3").code == 1


def test_a_writer_that_is_gone_before_the_reader_looks() -> None:
    pipe = FifoPipe()
    writer = FifoEnd(pipe, "/p", "w")
    reader = FifoEnd(pipe, "/p", "r")
    assert writer.has_met_peer()
    writer.put(b"text")
    writer.close()
    assert reader.has_met_peer()
    assert reader.take(10) == b"text"
    assert not FifoEnd(pipe, "/p", "r").has_met_peer()  # that writer was of an earlier reader
