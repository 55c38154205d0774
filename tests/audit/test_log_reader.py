"""`keysh audit show`: a log for a person, and the parts of it that somebody asks for."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from keysh import Audit, Rules, Shell
from keysh.audit.log_reader import LogFilter, read_log, seconds_of, shown_entry

RULES = Rules([
    {"command": "rm", "decision": "ask", "reason": "files are lost"},
    {"command": "touch", "decision": "allow"},
    {"paths": ["/kept"], "decision": "deny"},
])  # fmt: skip
SHOWN = """\
     2  2026-11-20T09:00:00.500  run: f() { echo "a b" > /x; }; f
     3  2026-11-20T09:00:00.500    f (keysh:1:27)
     4  2026-11-20T09:00:00.500      echo 'a b' (keysh:1:7)
     5  2026-11-20T09:00:00.500        write /x
     6  2026-11-20T09:00:00.500      end of 4: status 0
     7  2026-11-20T09:00:00.500    end of 3: status 0
     8  2026-11-20T09:00:00.500  end of 2: status 0
     9  2026-11-20T09:00:00.500  run: rm /x; touch /y; echo > /kept
    10  2026-11-20T09:00:00.500    rm /x (keysh:1:1)
    11  2026-11-20T09:00:00.500      refused by rules: rule 1 of rules, which asked: \
command rm /x: denied by the host: rule 1 of rules: files are lost
    12  2026-11-20T09:00:00.500    end of 10: status 126
    13  2026-11-20T09:00:00.500    touch /y (keysh:1:8)
    14  2026-11-20T09:00:00.500      allowed by rules: rule 2 of rules: command touch /y
    15  2026-11-20T09:00:00.500      append /y
    16  2026-11-20T09:00:00.500      times /y
    17  2026-11-20T09:00:00.500    end of 13: status 0
    18  2026-11-20T09:00:00.500    echo (keysh:1:18)
    19  2026-11-20T09:00:00.500      refused by rules: rule 3 of rules: \
write /kept: denied by rule 3 of rules
    20  2026-11-20T09:00:00.500    end of 18: status 126
    21  2026-11-20T09:00:00.500  end of 9: status 126
"""
BEGIN = 1795165200.5


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log"
    with Audit(path) as audit:
        shell = Shell(audit=audit, clock=BEGIN, rules=RULES, on_ask=lambda request: False)
        shell.run('f() { echo "a b" > /x; }; f')
        shell.run("rm /x; touch /y; echo > /kept")
    return path


def shown(path: Path, wanted: LogFilter) -> list[str]:
    """The lines that are shown, without the milliseconds that a span has taken."""
    lines = [shown_entry(entry) for entry in read_log(path) if wanted.takes(entry)]
    return [line.partition(", ")[0] if "end of" in line else line for line in lines]


def numbers(path: Path, wanted: LogFilter) -> list[int]:
    return [entry.record["seq"] for entry in read_log(path) if wanted.takes(entry)]


def test_each_record_is_a_line_within_what_began_it(log: Path) -> None:
    lines = shown(log, LogFilter())
    assert lines[1:-1] == SHOWN.splitlines()
    assert "opened by process" in lines[0]
    assert "closed by process" in lines[-1]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (LogFilter(["change"]), [5, 15, 16]),
        (LogFilter(["run", "close"]), [2, 9, 22]),
        (LogFilter(run=2), [2, 3, 4, 5, 6, 7, 8]),
        (LogFilter(["change"], run=9), [15, 16]),
        (LogFilter(run=3), []),
        (LogFilter(decision="allow"), [14]),
        (LogFilter(decision="deny"), [11, 19]),
        (LogFilter(decision="ask"), [11]),
        (LogFilter(["command"], since=BEGIN), [3, 4, 10, 13, 18]),
        (LogFilter(["command"], since=BEGIN + 0.1), []),
    ],
)
def test_filters(log: Path, wanted: LogFilter, expected: list[int]) -> None:
    assert numbers(log, wanted) == expected


def test_runs_of_a_log_that_was_opened_again(log: Path) -> None:
    with Audit(log) as audit:
        Shell(audit=audit, clock=BEGIN).run("pwd")
    assert numbers(log, LogFilter(["command"], run=24)) == [25]
    assert numbers(log, LogFilter(["command"], run=2)) == [3, 4]


def test_run_within_a_run_and_jobs_belong_to_it(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with Audit(path) as audit:
        shell = Shell(audit=audit)

        def again(sh: object) -> str:
            """Run a script in the script."""
            return shell.run("pwd").stdout

        shell.add(again)
        shell.run("again; { cd /; } & wait")
    names = {entry.record["seq"]: entry.record.get("name") for entry in read_log(path)}
    chosen = [names[number] for number in numbers(path, LogFilter(["command"], run=2))]
    assert sorted(map(str, chosen)) == ["again", "cd", "pwd", "wait"]
    inner = next(e.record["seq"] for e in read_log(path) if e.record.get("text") == "pwd")
    assert [names[number] for number in numbers(path, LogFilter(["command"], run=inner))] == ["pwd"]


def test_times() -> None:
    assert seconds_of("1795165200.5") == BEGIN
    assert seconds_of("2026-11-20T09:00:00.5") == BEGIN
    assert seconds_of("2026-11-20T10:00:00.500+01:00") == BEGIN
    assert seconds_of("2026-11-20") == BEGIN - 9 * 3600 - 0.5
    for text in ("", "noon", "nan", "2026-13-01"):
        with pytest.raises(ValueError, match=r"."):
            seconds_of(text)


def keysh(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "keysh", *arguments], cwd=cwd, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip


def test_program(log: Path) -> None:
    def show(*words: str) -> subprocess.CompletedProcess[str]:
        return keysh("audit", "show", "log", *words, cwd=log.parent)

    done = show("--kind", "decision", "--kind", "limit", "--run=9", "--decision=allow")
    assert (done.returncode, done.stdout.split("Z")[-1].strip()[-24:]) == (
        0, "f rules: command touch /y"[-24:]
    )  # fmt: skip
    lines = show("--json", "--decision", "deny").stdout.splitlines()
    assert [json.loads(line)["decision"] for line in lines] == ["ask", "deny"]
    assert lines[0] == log.read_text().splitlines()[10]
    for words, message in (
        (["--kind", "x"], "no such kind: x; one of open, "),
        (["--since", "x"], "--since needs a time, but has x"),
        (["--head", "x"], "--head is for verify"),
    ):
        done = show(*words)
        assert (done.returncode, message in done.stderr) == (2, True)
    assert "--run is for show" in keysh("audit", "verify", "log", "--run=2", cwd=log.parent).stderr


def test_log_that_was_changed_is_shown_with_a_message(log: Path) -> None:
    log.write_text(log.read_text().replace('"touch"', '"rm"'))
    done = keysh("audit", "show", "log", "--kind=command", cwd=log.parent)
    assert done.returncode == 1
    assert "rm /y" in done.stdout
    assert done.stderr == "keysh: log:13: it was changed: its hash is not that of its text\n"


def test_no_line_breaks_the_reader(log: Path) -> None:
    """A log may be hostile: any value at any place, and any cut."""
    chance = random.Random(7)
    lines = log.read_text().splitlines()
    values = [None, True, -1, 1e400, "", "\x1b[2J", [], [[]], {}, {"a": 1}, "x" * 5000, [None, 3]]
    for line in lines * 20:
        record = json.loads(line)
        for _ in range(chance.randrange(1, 4)):
            record[chance.choice([*record])] = chance.choice(values)
        log.write_text(json.dumps(record) + "\n")
        found = shown_or_error(log)
        assert all(len(text) < 1000 and text.isprintable() for text in found)
    for data in (b"", b"[" * 100_000, b"\xff\n", b"1\n", b"{}\n", b'{"seq":1,"event":"x"}\n'):
        log.write_bytes(data)
        assert shown_or_error(log) == (["line 1 is no record"] if data else [])


def shown_or_error(log: Path) -> list[str]:
    """What is shown of a log, or why it cannot be."""
    try:
        return [shown_entry(entry) for entry in read_log(log) if LogFilter().takes(entry)]
    except ValueError as error:
        return [str(error)]
