"""The real bash as the second judge of a transcript, live or as it once answered."""

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

from transcript import Answer, CannotRun, ConsoleFence

PATH = "/usr/local/bin:/usr/bin:/bin"

# "bash: line 3: cd: x: …" and "bash: eval: line 3: …": the place is that of the driver.
PLACE = re.compile(r"^bash: (?:eval: )?line \d+: ", re.MULTILINE)
# `eval` adds one plus sign to every line that `set -x` traces.
TRACE = re.compile(r"^\+(?=\++ )", re.MULTILINE)
# GNU quotes in messages as the locale does, keysh as in an ASCII one.
QUOTES = str.maketrans("\u2018\u2019", "''")


def is_reference_machine() -> bool:
    """Whether bash 5.2 and GNU coreutils answer here, so that their answers can be recorded."""
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
    """Run the commands in one bash, which starts in `directory` and has it as its home."""
    with tempfile.TemporaryDirectory() as place:
        notes = Path(place)
        code = _run_driver(_driver(commands, notes), directory, timeout)
        return [
            _read_answer(notes, n, code, command) for n, command in enumerate(commands, start=1)
        ]


def _driver(commands: Sequence[str], notes: Path) -> str:
    """A script that evaluates each command with its streams in files and keeps its status.

    `(exit "$_") && :` hands the status on to the next command, as `$?`, without setting off
    `set -e` or an ERR trap. The last line leaves the output of an EXIT trap to the last command.
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
    """Kill what the block left running: bash's group, then whatever else has this home."""
    with suppress(ProcessLookupError):
        os.killpg(bash.pid, signal.SIGKILL)
    bash.wait()
    while strays := [pid for pid in _process_ids() if _lives_in(pid, directory)]:
        for pid in strays:
            with suppress(ProcessLookupError):
                _kill_and_wait(pid, directory)


def _process_ids() -> list[int]:
    """Every process on Linux; none where there is no /proc."""
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    except FileNotFoundError:
        return []


def _lives_in(pid: int, directory: Path) -> bool:
    # A dead process that nobody has waited for has no environment.
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    return f"HOME={directory}".encode() in environment.split(b"\0")


def _kill_and_wait(pid: int, directory: Path) -> None:
    # The number may have passed to another process, so it is looked at again once it is held.
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
    """bash's side of one page: real where it is the reference, else what is recorded."""

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
        answers = [answer.shown(directory) for answer in answers]
        if recorded and _names_missing(answers) != _names_missing(recorded):
            answers = recorded
        self.answered.append((commands, answers))
        return answers

    def _recall(self, commands: list[str]) -> list[Answer] | None:
        """What is recorded for these commands, as often as they stand on the page before."""
        times = sum(1 for earlier, _ in self.answered if earlier == commands)
        found = [answers for recorded, answers in self.recorded if recorded == commands]
        return found[times] if times < len(found) else None


def _names_missing(answers: Sequence[Answer]) -> int:
    return sum(answer.stderr.count(": command not found") for answer in answers)


def read_recording(path: Path) -> list[tuple[list[str], list[Answer]]]:
    """The answers by the commands of each block, in page order."""
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
