"""What happens when a record cannot be delivered: a full disk, a function that raises."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from keysh import Audit, Cancel, LocalFS, Shell, verify_audit

Record = dict[str, Any]


class FullDisk:
    """Stands for os.write on a disk that is full, and takes `room` bytes of a line more."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full, self.room = False, 0
        self._write = os.write
        monkeypatch.setattr("keysh.audit.audit_file.os.write", self.write)

    def write(self, fd: int, data: bytes) -> int:
        if not self.is_full:
            return self._write(fd, data)
        if self.room:
            data, self.room = data[: self.room], 0
            return self._write(fd, data)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> FullDisk:
    return FullDisk(monkeypatch)


@pytest.mark.parametrize("room", [0, 1, 100])
def test_full_disk_is_reported_once_and_leaves_a_gap(
    tmp_path: Path, disk: FullDisk, room: int
) -> None:
    path = tmp_path / "audit"
    with Audit(path) as audit:
        shell = Shell(audit=audit)
        shell.run("echo a")
        disk.is_full, disk.room = True, room
        result = shell.run("echo b; echo c 2>&1; exec 2> /f; echo d")
        assert result.stdout == "b\nc\nd\n"
        assert result.stderr == (
            f"keysh: audit: No space left on device: {path}; what follows may be missing there\n"
        )
        assert shell.run("echo e").stderr == ""
        assert audit.failure == "No space left on device"
        disk.is_full = False
        shell.run("echo f")
        assert audit.failure == ""
    result_of = verify_audit(path)
    assert result_of.ok
    assert result_of.lost == 15
    assert '"event":"gap","lost":15,"reason":"No space left on device"' in path.read_text()


@pytest.mark.parametrize("room", [0, 1, 100])
def test_full_disk_ends_a_run_before_its_next_command(
    tmp_path: Path, disk: FullDisk, room: int
) -> None:
    path = tmp_path / "audit"
    audit = Audit(path, required=True)
    shell = Shell(audit=audit, on_command=lambda name, arguments, place: fill(name, arguments))

    def fill(name: str, arguments: list[object]) -> bool:
        if name == "echo" and arguments == ["full"]:
            disk.is_full, disk.room = True, room
        return True

    result = shell.run("echo a > /a; trap 'echo b > /trap' EXIT; echo full; echo c > /c; echo d")
    assert result.stdout == ""
    assert result.code == 125
    assert result.limit is not None
    assert result.limit.kind == "audit"
    assert result.stderr.startswith(f"keysh: audit: No space left on device: {path} at keysh:1:")
    assert [entry.name for entry in shell.fs.list("/") if entry.name in ("a", "c", "trap")] == ["a"]
    result = shell.run("echo e > /e")
    assert (result.code, result.limit and result.limit.kind) == (125, "audit")
    disk.is_full = False
    assert shell.run("echo f").stdout == "f\n"
    audit.close()
    assert verify_audit(path).ok
    assert verify_audit(path).lost > 0


def test_failure_at_the_end_of_a_command_ends_the_run_before_the_next(
    tmp_path: Path, disk: FullDisk
) -> None:
    audit = Audit(tmp_path / "audit", required=True)
    shell = Shell(audit=audit)

    def fill(sh: object) -> None:
        """Fill the disk."""
        disk.is_full = True

    def clear(sh: object) -> None:
        """Make room."""
        disk.is_full = False

    shell.add(fill)
    shell.add(clear)
    result = shell.run("fill; clear; echo a")
    assert (result.stdout, result.limit and result.limit.kind) == ("", "audit")
    assert disk.is_full
    disk.is_full = False
    assert shell.run("clear; echo a").stdout == "a\n"
    result = shell.run("fill")  # only what ends is missing
    assert (result.code, result.limit and result.limit.kind) == (125, "audit")
    with pytest.raises(OSError, match="No space left on device"):
        audit.close()


def failing(records: list[Record], fails: Callable[[Record], bool]) -> Callable[[Record], None]:
    """Return a function that keeps records, and raises for some."""

    def deliver(record: Record) -> None:
        if fails(record):
            raise KeyError("no\nplace")
        records.append(record)

    return deliver


def test_failing_function_is_reported_once() -> None:
    records: list[Record] = []
    deliver = failing(records, lambda record: record.get("name") == "echo")
    with Shell(audit=deliver) as shell:
        result = shell.run("echo a; pwd; echo b")
    assert result.stdout == "a\n/\nb\n"
    assert result.stderr == (
        "keysh: audit: 'no\\nplace': the host's function; what follows may be missing there\n"
    )
    gaps = [(one["seq"], one["lost"]) for one in records if one["event"] == "gap"]
    assert gaps == [(3, 1), (7, 1)]
    assert [one["seq"] for one in records] == list(range(1, len(records) + 1))
    assert all(after["prev"] == before["hash"] for before, after in pairwise(records))


def test_missing_record_ends_a_command_between_two_changes() -> None:
    deliver = failing([], lambda record: record["event"] == "change")
    with Audit(deliver, required=True) as audit:
        shell = Shell(audit=audit, files={"/a": "", "/b": ""})
        result = shell.run("rm /a /b; echo a")
    assert (result.stdout, result.limit and result.limit.kind) == ("", "audit")
    assert [path for path in ("/a", "/b") if shell.fs.stat_or_none(path)] == ["/b"]


def test_failing_function_ends_a_run_where_it_is_required() -> None:
    deliver = failing([], lambda record: record.get("name") == "pwd")
    with Audit(deliver, required=True) as audit:
        result = Shell(audit=audit).run("echo a; pwd; echo b")
    assert (result.stdout, result.code) == ("a\n", 125)
    assert result.limit is not None
    assert "the host's function" in result.stderr


@pytest.mark.parametrize("script", [
    "{}", "x=$({})", "{} | cat", "({})", "f() {{ {}; }}; f", "eval {}", "echo x | xargs {}",
    "{} || true", "! {}", "if {}; then :; fi", "timeout 5 {}", "command {}", "trap {} EXIT",
    "cat <({})", "sh -c {}",
])  # fmt: skip
def test_nothing_goes_on_after_a_missing_record(script: str) -> None:
    """However the command is called that is not recorded, it does not act, nor what follows."""
    ran: list[str] = []

    def act(sh: object) -> None:
        """Act."""
        ran.append("act")

    def go_on(sh: object) -> None:
        """Go on."""
        ran.append("go on")

    deliver = failing([], lambda record: record.get("name") == "act")
    with Audit(deliver, required=True) as audit:
        shell = Shell(audit=audit, commands=[act, go_on])
        text = script.format("act")
        result = shell.run(text if "trap" in script else f"{text}\ngo_on")
    assert result.limit is not None
    assert result.limit.kind == "audit"
    assert ran == []


def test_job_ends_where_a_record_is_missing() -> None:
    ran: list[str] = []

    def act(sh: object) -> None:
        """Act."""
        ran.append("act")

    deliver = failing([], lambda record: record.get("name") == "act")
    with Audit(deliver, required=True) as audit:
        Shell(audit=audit, commands=[act]).run("{ act; act; } & wait; act")
    assert ran == []


def test_program_whose_start_is_not_recorded_is_killed(tmp_path: Path) -> None:
    deliver = failing([], lambda record: record["event"] == "program")
    with Audit(deliver, required=True) as audit:
        environment = {"PATH": "/usr/bin:/bin"}
        shell = Shell(LocalFS("/"), cwd=str(tmp_path), external=True, env=environment, audit=audit)
        result = shell.run("/bin/sleep 60; echo a", timeout=30)
    assert result.limit is not None
    assert result.limit.kind == "audit"
    assert result.duration_ms < 25_000


def test_failing_head(tmp_path: Path) -> None:
    def fail(sequence: int, digest: str) -> None:
        raise OSError(errno.EIO, "no head")

    shell = Shell(audit=Audit(tmp_path / "a", head=fail))
    assert shell.run("echo a").stderr == (
        f"keysh: audit: head: no head: {tmp_path / 'a'}; what follows may be missing there\n"
    )
    shell = Shell(audit=Audit(tmp_path / "b", head=fail, required=True))
    result = shell.run("echo a")
    assert (result.stdout, result.limit and result.limit.kind) == ("a\n", "audit")


def test_head_that_cannot_be_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "head").mkdir()
    with Audit(tmp_path / "a", head=tmp_path / "head") as audit:
        assert "head: " in audit.failure
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "head"]


def test_head_follows_the_log(tmp_path: Path) -> None:
    heads: list[tuple[int, str]] = []
    with Audit(tmp_path / "a", head=lambda *head: heads.append(head)) as audit:
        shell = Shell(audit=audit)
        shell.run("echo a")
        shell.run("echo b")
    assert [number for number, _ in heads] == [1, 5, 9, 10]
    assert verify_audit(tmp_path / "a", heads[1]).ok
    assert verify_audit(tmp_path / "a").head == heads[-1]


def test_interrupted_write_is_found_and_taken_back_or_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a limit of the watchdog may do it, between any two steps of a write."""
    path = tmp_path / "audit"
    audit = Audit(path)
    shell = Shell(audit=audit)
    write = os.write

    def interrupted_before(fd: int, data: bytes) -> int:
        raise KeyboardInterrupt

    def interrupted_within(fd: int, data: bytes) -> int:
        write(fd, data[:50])
        raise KeyboardInterrupt

    def interrupted_after(fd: int, data: bytes) -> int:
        write(fd, data)
        raise KeyboardInterrupt

    for strike in (interrupted_before, interrupted_within, interrupted_after):
        with monkeypatch.context() as patch:
            patch.setattr("keysh.audit.audit_file.os.write", strike)
            with pytest.raises(KeyboardInterrupt):
                shell.run("echo a")
        shell.run("echo b")
    audit.close()
    assert verify_audit(path).ok


def test_cancelled_run_is_recorded(tmp_path: Path) -> None:
    records: list[Record] = []
    cancel = Cancel()
    shell = Shell(audit=records.append)

    def stop(sh: object) -> None:
        """Cancel the run."""
        cancel.cancel()

    shell.add(stop)
    shell.run("stop; while true; do :; done", cancel=cancel)
    assert [one["kind"] for one in records if one["event"] == "limit"] == ["cancelled"]


def test_many_threads_share_a_chain(tmp_path: Path) -> None:
    path = tmp_path / "audit"
    with Audit(path) as audit:
        shells = [Shell(audit=audit) for _ in range(4)]
        jobs = [
            shell.start("for i in {1..50}; do echo $i; done & (echo a) & x=$(echo b); wait")
            for shell in shells
        ]
        for job in jobs:
            assert job.wait().ok
    result = verify_audit(path)
    assert result.ok
    assert path.read_text().count('"name":"echo"') == 4 * 52


def test_end_of_a_command_waits_for_the_next_record(tmp_path: Path) -> None:
    path = tmp_path / "audit"
    audit = Audit(path)

    def look(sh: object) -> str:
        """Print the last record that is in the file."""
        return path.read_text().splitlines()[-1]

    shell = Shell(audit=audit, commands=[look])
    assert '"name":"look"' in shell.run("echo a; look").stdout
    assert '"event":"end"' in path.read_text().splitlines()[-1]  # of the run
    assert audit.head[0] == len(path.read_text().splitlines())


def test_records_that_waited_are_counted_if_they_are_lost(tmp_path: Path, disk: FullDisk) -> None:
    path = tmp_path / "audit"

    def fill(sh: object) -> None:
        """Fill the disk."""
        disk.is_full, disk.room = True, 150

    def clear(sh: object) -> None:
        """Make room."""
        disk.is_full = False

    with Audit(path) as audit:
        Shell(audit=audit, commands=[fill, clear]).run("fill; echo a; clear; echo b")
    # The ends of fill and echo, and the beginnings of echo and clear.
    assert '"event":"gap","lost":4,' in path.read_text()
    assert verify_audit(path).ok
