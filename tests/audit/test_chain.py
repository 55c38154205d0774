"""The chain of hashes: what the verification of a file finds."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from keysh import Audit, Shell, verify_audit

Lines = list[bytes]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of 15 lines."""
    path = tmp_path / "audit"
    with Audit(path) as audit:
        Shell(audit=audit).run("echo a; echo b > /f; rm /f; echo c; > /f")
    return path


def lines_of(path: Path) -> Lines:
    return path.read_bytes().splitlines(keepends=True)


def test_untouched_log(log: Path) -> None:
    lines = lines_of(log)
    result = verify_audit(log)
    assert result.ok
    assert result.lines == len(lines) == 15
    assert result.head == (15, json.loads(lines[-1])["hash"])
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_format_can_be_verified_with_other_means(log: Path) -> None:
    before = "0" * 64
    for number, line in enumerate(lines_of(log), 1):
        record = json.loads(line)
        digest = record.pop("hash")
        assert record["seq"] == number
        assert record["prev"] == before
        # The bytes as they are: a number may have zeros at its end, which nobody else would write.
        text, _, rest = line.decode("ascii").partition(',"hash":')
        assert rest.strip() == f'"{digest}"}}'
        assert json.loads(text + "}") == record
        assert sha256(text.encode()).hexdigest() == digest
        before = digest


def swap(lines: Lines) -> None:
    lines[4], lines[5] = lines[5], lines[4]


def move(lines: Lines) -> None:
    lines.insert(8, lines.pop(3))


def repeat(lines: Lines) -> None:
    lines.insert(5, lines[4])


def add_text(lines: Lines) -> None:
    lines.insert(5, b'{"seq":6,"event":"command"}\n')


def lose(lines: Lines) -> None:
    del lines[5]


def lose_two(lines: Lines) -> None:
    del lines[5:7]


def lose_first(lines: Lines) -> None:
    del lines[0]


def cut_line(lines: Lines) -> None:
    lines[-1] = lines[-1][:-5]


def cut_lines(lines: Lines) -> None:
    del lines[-3:]


def lose_close(lines: Lines) -> None:
    del lines[-1]


def forge(lines: Lines) -> None:
    """Change a line and its own hash, but not those of the lines behind it."""
    record = json.loads(lines[4])
    del record["hash"]
    record["time"] = 7.5
    text = json.dumps(record, separators=(",", ":"))[:-1]
    lines[4] = f'{text},"hash":"{sha256(text.encode()).hexdigest()}"}}\n'.encode()


FAULTS: list[tuple[Callable[[Lines], None], int, str]] = [
    (swap, 5, "a line is missing before it: its number is 6, not 5"),
    (move, 4, "a line is missing before it"),
    (repeat, 6, "it was moved or repeated: its number is 5, not 6"),
    (add_text, 6, "it is no line of an audit: it was changed or added"),
    (lose, 6, "a line is missing before it: its number is 7, not 6"),
    (lose_two, 6, "2 lines are missing before it: its number is 8, not 6"),
    (lose_first, 1, "a line is missing before it: its number is 2, not 1"),
    (cut_line, 15, "it is cut off"),
    (cut_lines, 12, "the log is not closed"),
    (lose_close, 14, "the log is not closed"),
    (forge, 6, "it does not follow the line before it: one of them was replaced"),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "line", "reason"), FAULTS)
def test_fault_is_found(log: Path, spoil: Callable[[Lines], None], line: int, reason: str) -> None:
    lines = lines_of(log)
    spoil(lines)
    log.write_bytes(b"".join(lines))
    result = verify_audit(log)
    assert not result.ok
    assert (result.bad_line, result.reason[: len(reason)]) == (line, reason)


def test_each_changed_byte_is_found(log: Path) -> None:
    data = log.read_bytes()
    for at in range(0, len(data), 7):
        log.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        result = verify_audit(log)
        line = data.count(b"\n", 0, at) + 1
        assert result.bad_line in (line, line + 1), (at, result)


def test_empty_log(tmp_path: Path) -> None:
    (tmp_path / "audit").touch()
    assert verify_audit(tmp_path / "audit").reason == "there is no line"


def test_log_that_was_written_anew_is_found_by_its_head(log: Path, tmp_path: Path) -> None:
    head = verify_audit(log).head
    other = tmp_path / "other"
    with Audit(other) as audit:
        shell = Shell(audit=audit)
        shell.run("echo a; echo b; echo c; echo d; echo e; echo f; echo g; echo h")
    assert verify_audit(other).ok
    assert verify_audit(other, head).reason == "it is not the one that the head names"
    lines = lines_of(log)[:-3]
    log.write_bytes(b"".join(lines))
    assert verify_audit(log, head).reason == (
        "lines 13 to 15 are missing at the end: the head names them"
    )
    here = json.loads(lines[-1])
    assert verify_audit(log, (here["seq"], here["hash"])).ok  # it is all that was known


# ---------------------------------------------------------------- files that go on


def test_chain_goes_on(log: Path) -> None:
    with Audit(log) as audit:
        assert audit.damage == ""
        Shell(audit=audit).run("echo again")
    assert verify_audit(log).ok
    assert verify_audit(log).lines == 21


def test_cut_log_that_goes_on(log: Path) -> None:
    log.write_bytes(b"".join(lines_of(log)[:-3]))
    with Audit(log) as audit:
        assert audit.damage == "its last writer has not closed it"
    result = verify_audit(log)
    assert (result.bad_line, result.reason) == (
        13, "the log was not closed before it: lines may be missing there",
    )  # fmt: skip


def test_incomplete_last_line_stays_and_is_found(log: Path) -> None:
    log.write_bytes(log.read_bytes()[:-20])
    with Audit(log) as audit:
        assert audit.damage == "its last line is incomplete"
    opening = json.loads(lines_of(log)[15])
    assert (opening["event"], opening["after"], opening["seq"]) == ("open", audit.damage, 15)
    assert verify_audit(log).bad_line == 15


def test_changed_last_line_is_said(log: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b'"event":"close"', b'"event":"cl0se"'))
    with Audit(log) as audit:
        assert audit.damage == "its last line, number 15, was changed"
    assert verify_audit(log).bad_line == 15


@pytest.mark.parametrize(
    ("texts", "line", "reason"),
    [
        (['"event":"open",}}}x'], 1, "it is no record: it was changed or added"),
        (['"event":"open","pid":1', '"event":"gap","lost":"x"'], 2, "how many are lost"),
        (['"event":"open","pid":1', '"event":"gap","lost":-1'], 2, "how many are lost"),
        (['"event":"open","pid":1', '"event":"close",['], 2, "it is no record"),
    ],
)
def test_forged_line_with_a_right_hash_is_found(
    tmp_path: Path, texts: list[str], line: int, reason: str
) -> None:
    log, before, written = tmp_path / "audit", "0" * 64, b""
    for number, text in enumerate(texts, 1):
        content = f'{{"seq":{number},"time":1,{text},"prev":"{before}"'.encode()
        before = sha256(content).hexdigest()
        written += content + f',"hash":"{before}"}}\n'.encode()
    log.write_bytes(written)
    result = verify_audit(log)
    assert result.bad_line == line
    assert reason in result.reason


@pytest.mark.parametrize("text", ["export PATH=/bin\n", "{}\n", "no newline", '{"seq":1}\n'])
def test_file_of_another_kind_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(OSError, match="it is no audit"):
        Audit(path)
    assert path.read_text() == text


def test_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "audit"
    with Audit(path), pytest.raises(OSError, match="another audit writes to it"):
        Audit(path)
    with Audit(path):
        pass
    assert verify_audit(path).ok


def test_wrong_targets() -> None:
    with pytest.raises(TypeError, match="target must be a path or a function, but is 5"):
        Audit(5)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        Audit("/no/such/directory/audit")


def test_closing_twice(tmp_path: Path) -> None:
    audit = Audit(tmp_path / "audit")
    audit.close()
    audit.close()
    assert audit.write({"seq": 0, "event": "late"}) == "the audit is closed"
    assert verify_audit(tmp_path / "audit").lines == 2


def test_fork_of_the_host_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "audit"
    program = f"""
import os, keysh
audit = keysh.Audit({str(path)!r})
shell = keysh.Shell(audit=audit)
pid = os.fork()
shell.run("echo a")
if not pid:
    assert audit.failure == "the audit belongs to another process", audit.failure
    audit.close()
    os._exit(0)
assert os.waitpid(pid, 0)[1] == 0
audit.close()
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True, env=os.environ)
    assert verify_audit(path).ok
    assert verify_audit(path).lines == 6
