"""Run transcripts with the real bash, or replay its recorded answers."""

from __future__ import annotations

import json
import os
import re
import select
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from keysh.testing.transcript import Answer, CannotRun, ConsoleFence

PATH = "/usr/local/bin:/usr/bin:/bin"

# "bash: line 3: cd: x: …" and "bash: eval: line 3: …": the line is that of the driver.
PLACE = re.compile(r"^bash: (?:eval: )?line \d+: ", re.MULTILINE)
# `eval` adds one plus sign to every line that `set -x` traces.
TRACE = re.compile(r"^\+(?=\++ )", re.MULTILINE)
# GNU's quotes in messages depend on the locale; keysh's are those of an ASCII one.
QUOTES = str.maketrans("\u2018\u2019", "''")


def is_reference_machine() -> bool:
    """Whether this machine has bash 5.2 and GNU coreutils, whose answers can be recorded."""
    return "version 5.2" in _first_line("bash") and "GNU coreutils" in _first_line("ls")


def _first_line(program: str) -> str:
    try:
        done = subprocess.run(
            [program, "--version"],
            env={"PATH": PATH, "LC_ALL": "C"},
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        return ""
    return done.stdout.partition("\n")[0]


def run_in_bash(commands: Sequence[str], directory: Path, timeout: float = 20) -> list[Answer]:
    """Run the commands in one bash, with `directory` as its current and home directory."""
    with tempfile.TemporaryDirectory() as place:
        notes = Path(place)
        code = _run_driver(_driver(commands, notes), directory, timeout)
        return [
            _read_answer(notes, n, code, command) for n, command in enumerate(commands, start=1)
        ]


def _driver(commands: Sequence[str], notes: Path) -> str:
    """Return a script that runs each command with its streams in files and records its status.

    `(exit "$_") && :` passes the status to the next command, as `$?`, without triggering
    `set -e` or an ERR trap. The last line adds the output of an EXIT trap to that of the last
    command.
    """
    lines = []
    for n, command in enumerate(commands, start=1):
        out, err, status = (
            shlex.quote(str(notes / f"{n}.{kind}")) for kind in ("out", "err", "status")
        )
        lines.append(f"eval {shlex.quote(command)} >{out} 2>{err} </dev/null")
        lines.append(f'{{ printf %s "$?" >|{status}; (exit "$_") && :; }} 2>/dev/null')
    lines.append("{ set +x; } 2>/dev/null")
    lines.append(f"exec >>{out} 2>>{err}")
    return "\n".join(lines)


def _run_driver(driver: str, directory: Path, timeout: float) -> int:
    bash = subprocess.Popen(
        ["bash", "--norc", "--noprofile", "-c", driver, "bash"],
        cwd=directory,
        env={"PATH": PATH, "HOME": str(directory), "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        umask=0o022,
    )
    try:
        code = bash.wait(timeout)
    except subprocess.TimeoutExpired as error:
        raise CannotRun(f"bash was stopped after {timeout:g} seconds") from error
    finally:
        _end_all(bash, directory)
    return code if code >= 0 else 128 - code


def _end_all(bash: subprocess.Popen[bytes], directory: Path) -> None:
    """Kill what the block left running: bash's group, then other processes with this home."""
    with suppress(ProcessLookupError):
        os.killpg(bash.pid, signal.SIGKILL)
    bash.wait()
    while strays := [pid for pid in _process_ids() if _lives_in(pid, directory)]:
        for pid in strays:
            with suppress(ProcessLookupError):
                _kill_and_wait(pid, directory)


def _process_ids() -> list[int]:
    """Return every pid, or none if there is no /proc."""
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    except FileNotFoundError:
        return []


def _lives_in(pid: int, directory: Path) -> bool:
    # A zombie has no environment.
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    return f"HOME={directory}".encode() in environment.split(b"\0")


def _kill_and_wait(pid: int, directory: Path) -> None:
    # The pid may have been reused, so check again once the process is held.
    fd = os.pidfd_open(pid)
    try:
        if _lives_in(pid, directory):
            signal.pidfd_send_signal(fd, signal.SIGKILL)
            select.select([fd], [], [])
    finally:
        os.close(fd)


def _read_answer(notes: Path, n: int, code: int, command: str) -> Answer:
    out, err, status = (notes / f"{n}.{kind}" for kind in ("out", "err", "status"))
    if not out.exists():
        raise CannotRun(f"bash had ended before this command: {command}")
    stderr = PLACE.sub("", TRACE.sub("", _read(err))).translate(QUOTES)
    return Answer(_read(out), stderr, int(status.read_text()) if status.exists() else code)


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


class Bash:
    """bash's answers for one page: run on a reference machine, otherwise recorded."""

    def __init__(self, recording: Path, live: bool) -> None:
        self.recorded = read_recording(recording)
        self.live = live
        self.answered: list[tuple[list[str], list[Answer]]] = []

    def __call__(self, fence: ConsoleFence, directory: Path) -> list[Answer]:
        commands = fence.commands
        recorded = self._recall(commands)
        answers = run_in_bash(commands, directory) if self.live else recorded
        if answers is None:
            raise CannotRun("bash 5.2 is not here and its answers are not recorded")
        answers = [answer.with_shown_place(directory) for answer in answers]
        if recorded and _names_missing(answers) != _names_missing(recorded):
            answers = recorded
        self.answered.append((commands, answers))
        return answers

    def _recall(self, commands: list[str]) -> list[Answer] | None:
        """Return the recorded answers of these commands, by how often they occurred before."""
        times = sum(1 for earlier, _ in self.answered if earlier == commands)
        result = [answers for recorded, answers in self.recorded if recorded == commands]
        return result[times] if times < len(result) else None


def _names_missing(answers: Sequence[Answer]) -> int:
    return sum(answer.stderr.count(": command not found") for answer in answers)


def read_recording(path: Path) -> list[tuple[list[str], list[Answer]]]:
    """Return the answers to the commands of each block, in page order."""
    if not path.exists():
        return []
    return [
        (block["commands"], [Answer(**answer) for answer in block["answers"]])
        for block in json.loads(path.read_text("utf-8"))
    ]


def write_recording(path: Path, blocks: Sequence[tuple[list[str], list[Answer]]]) -> None:
    if not blocks:
        path.unlink(missing_ok=True)
        return
    content = [
        {"commands": commands, "answers": [vars(answer) for answer in answers]}
        for commands, answers in blocks
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
