"""The program: `keysh --audit`, and `keysh audit verify`."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from keysh import verify_audit

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/", "LC_ALL": "C.UTF-8"}


def keysh(*arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "keysh", *arguments], cwd=cwd, capture_output=True, text=True,
        check=False, env=ENVIRONMENT | env, timeout=60,
    )  # fmt: skip


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_audit_option(tmp_path: Path) -> None:
    text = "/bin/true; /bin/ls; exec /bin/sh -c 'exit 3'"
    done = keysh("--audit", "log", "--allow", "true", "-c", text, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (126, "")
    assert done.stderr.splitlines() == [
        "keysh: line 1: /bin/ls: /usr/bin/ls is not allowed",
        f"keysh: line 1: /bin/sh: {os.path.realpath('/bin/sh')} is not allowed",
    ]
    programs = [one for one in records(tmp_path / "log") if one["event"] == "program"]
    assert [(one["allowed"], one["rule"]) for one in programs] == [
        (True, ""), (False, "allow"), (False, "allow"),
    ]  # fmt: skip
    assert verify_audit(tmp_path / "log").ok


def test_verification(tmp_path: Path) -> None:
    keysh("--audit", "log", "--audit-head", "head", "-c", "echo a", cwd=tmp_path)
    number, digest = (tmp_path / "head").read_text().split()
    done = keysh("audit", "verify", "log", "--head", "head", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"log: 6 lines; the last is number {number}, hash {digest}\n"
    text = (tmp_path / "log").read_text()
    (tmp_path / "log").write_text(text.replace('"echo"', '"cat"'))
    done = keysh("audit", "verify", "log", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (
        1, "log:3: it was changed: its hash is not that of its text\n",
    )  # fmt: skip
    (tmp_path / "log").write_text("".join(text.splitlines(keepends=True)[:4]))
    done = keysh("audit", "verify", "log", "--head", "head", cwd=tmp_path)
    assert done.stdout == "log:4: lines 5 to 6 are missing at the end: the head names them\n"


def test_what_the_program_says_of_files_it_cannot_use(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a\n")
    for arguments, code, message in (
        (("--audit", "no/log", "-c", ":"), 1, "keysh: no/log: No such file or directory\n"),
        (("--audit", "text", "-c", ":"), 1,
         "keysh: text: it is no audit: of its last line, it is no line of an audit\n"),
        (("--audit-required", "-c", ":"), 2,
         "keysh: --audit-head and --audit-required need --audit\ntry `keysh run --help`\n"),
        (("audit", "verify", "none"), 1, "keysh: none: No such file or directory\n"),
        (("audit", "verify", "text", "--head", "text"), 2,
         "keysh: audit: text has no number and hash of a line\ntry `keysh audit --help`\n"),
    ):  # fmt: skip
        done = keysh(*arguments, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (code, message)


def test_damaged_log_is_said_and_goes_on(tmp_path: Path) -> None:
    keysh("--audit", "log", "-c", "echo a", cwd=tmp_path)
    text = (tmp_path / "log").read_text()
    (tmp_path / "log").write_text(text[: text.index('{"seq":6')])
    done = keysh("--audit", "log", "-c", "echo b", cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("b\n", "keysh: log: its last writer has not closed it\n")
    assert keysh("audit", "verify", "log", cwd=tmp_path).stdout == (
        "log:6: the log was not closed before it: lines may be missing there\n"
    )


def test_jobs_in_processes_write_into_the_same_chain(tmp_path: Path) -> None:
    script = "for j in 1 2 3; do (for i in {1..30}; do echo > f$j; done) & done; wait; echo end"
    done = keysh("--audit", "log", "-c", script, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "end\n")
    lines = records(tmp_path / "log")
    assert verify_audit(tmp_path / "log").ok
    assert sum(one["event"] == "change" for one in lines) == 90
    spans = [one["span"] for one in lines if "span" in one and one["event"] != "end"]
    assert len(set(spans)) == len(spans)


def test_job_that_outlives_the_program_closes_the_log(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    script = "{ read x < gate; echo $x > out; } & :"
    # The job inherits the streams; nobody waits for their end.
    subprocess.run(
        [sys.executable, "-m", "keysh", "--audit", "log", "-c", script], cwd=tmp_path, check=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60,
    )  # fmt: skip
    (tmp_path / "gate").write_text("go\n")
    # The lock of the log is held until the job has ended.
    with open(tmp_path / "log") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
    assert verify_audit(tmp_path / "log").ok
    assert (tmp_path / "out").read_text() == "go\n"


def test_signal_closes_the_log(tmp_path: Path) -> None:
    done = keysh("--audit", "log", "-c", "kill -TERM $$; echo a", cwd=tmp_path)
    assert done.returncode == 128 + signal.SIGTERM
    assert verify_audit(tmp_path / "log").ok


def test_secrets_of_the_environment_are_redacted(tmp_path: Path) -> None:
    keysh("--audit", "log", "-c", 'echo "$GH_TOKEN" abcdefg', cwd=tmp_path, GH_TOKEN="abcdefg")
    assert "abcdefg" not in (tmp_path / "log").read_text()


TMPFS_RUN = """
mount -t tmpfs -o size=16k none "$1" || exit 99
exec "$2" -m keysh --audit "$1/log" $3 \\
    -c 'i=0;while ((i < 1000)); do i=$((i + 1)); echo $i; done'
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="unshare is missing")
@pytest.mark.parametrize("option", ["", "--audit-required"])
def test_full_disk(tmp_path: Path, option: str) -> None:
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", TMPFS_RUN, "sh", tmp_path, sys.executable, option],
        capture_output=True, text=True, check=False, env=ENVIRONMENT, cwd=tmp_path, timeout=60,
    )  # fmt: skip
    if done.returncode in (1, 99) and not done.stdout:
        pytest.skip(f"no namespace of its own can be mounted here: {done.stderr}")
    reason = f"No space left on device: {tmp_path}/log"
    if option:
        assert done.returncode == 125
        assert 10 < len(done.stdout.splitlines()) < 100
        assert done.stderr.startswith(f"keysh: audit: {reason} at keysh:1:")
    else:
        assert (done.returncode, len(done.stdout.splitlines())) == (0, 1000)
        assert done.stderr == f"keysh: audit: {reason}; what follows may be missing there\n"


def test_killed_writer_leaves_what_has_begun_and_the_log_says_so(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    script = "echo a > f; read x < gate"
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "keysh", "--audit", "log", "-c", script],
        cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    ) as writer:  # fmt: skip
        gate = os.open(tmp_path / "gate", os.O_WRONLY)  # once it has come to the read
        writer.kill()
        writer.wait(60)
        os.close(gate)
    names = [one["name"] for one in records(tmp_path / "log") if one["event"] == "command"]
    assert names == ["echo", "read"]
    message = (
        "the log is not closed: lines are missing at the end, or its writer was killed or still "
        "writes"
    )
    found = verify_audit(tmp_path / "log")
    assert (found.bad_line, found.reason) == (found.lines, message)
    done = keysh("--audit", "log", "-c", "echo b", cwd=tmp_path)
    assert done.stderr == "keysh: log: its last writer has not closed it\n"
    assert verify_audit(tmp_path / "log").reason == (
        "the log was not closed before it: lines may be missing there"
    )
