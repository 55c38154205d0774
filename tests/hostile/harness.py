"""Hand scripts to a killable process and judge what it saw."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

from hostile.child import children_of
from hostile.tables import Script

CHILD = Path(__file__).with_name("child.py")
# A machine under load is slow; only what does not end at all takes this long.
HARD_TIMEOUT_SECONDS = 12.0
# Ends a complaint that a script did not end as before, which depends on the machine's speed.
AS_RECORDED = " as recorded"
MEGABYTE = 1 << 20

# What a run may cost beyond its limits. The exact bounds hold on a quiet machine.
OVERSHOOT_SECONDS, GAP_SECONDS = 0.5, 0.3
# What the processor did for it is known under load as well, if less exactly.
BUSY_OVERSHOOT_SECONDS, BUSY_GAP_SECONDS = 2.5, 1.5
BUSY_START_SECONDS = 0.05  # enough for the first line of a script
MEMORY_FACTOR, MEMORY_SLACK_BYTES = 1.5, 64 * MEGABYTE
KEPT_BYTES = 64 * MEGABYTE  # after the shell is closed; the allocator does not return all

PYTHON_ERROR = re.compile(
    r"Traceback \(most recent|\b(?:Value|Overflow|Memory|Recursion|Type|Attribute|Index|Key|"
    r"Assertion|Name|Runtime|UnicodeEncode|UnicodeDecode|System|ZeroDivision|OS|IO|Syntax|Struct|"
    r"ModuleNotFound|Import)Error\b|<class '|object at 0x| object is not |StopIteration\b|"
    r"set_int_max_str_digits|maximum recursion depth"
)


class HostileRunner:
    """A process for scripts; one that hangs or dies is replaced."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> HostileRunner:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def complaints(self, script: Script, *, is_strict: bool = False) -> list[str]:
        """Run one script and return what it achieved that none may."""
        seen = self.see(script)
        if seen.get("kept", 0) > KEPT_BYTES:
            # The allocator's fragments are used again; only what leaks is kept once more.
            seen = self.see(script)
        found = complaints(script, seen, is_strict=is_strict)
        if found:
            self.stop()  # what is left of it must not be blamed on the next one
        return found

    def see(self, script: Script) -> dict[str, Any]:
        """Run one script and return what was seen; `died` if its process did not live."""
        process = self._process or self._start()
        timeout = HARD_TIMEOUT_SECONDS + script.longest_seconds
        request = script.request() | {"hard_timeout": timeout}
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(BrokenPipeError):  # it died; the missing answer says so
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        answer = b""
        while not answer.endswith(b"\n"):
            if not select.select([process.stdout], [], [], timeout)[0]:
                return self._mourn(f"hangs: no end within {timeout} s")
            piece = os.read(process.stdout.fileno(), 1 << 16)
            if not piece:
                return self._mourn("the process died")
            answer += piece
        return json.loads(answer)

    def _mourn(self, reason: str) -> dict[str, Any]:
        assert self._folder is not None
        folder = Path(self._folder.name)
        last = "".join((folder / name).read_text("utf-8", "replace") for name in ("trace", "log"))
        self.stop()
        return {"died": f"{reason}\n{last[-3000:]}".rstrip()}

    def _start(self) -> subprocess.Popen[bytes]:
        memory = "/dev/shm"
        self._folder = tempfile.TemporaryDirectory(dir=memory if os.access(memory, 2) else None)
        self._process = subprocess.Popen(
            [sys.executable, str(CHILD), self._folder.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        return self._process

    def stop(self) -> None:
        """Kill the process and all below it."""
        if self._process is None:
            return
        kill_tree(self._process.pid)
        self._process.communicate()
        self._process = None
        assert self._folder is not None
        subprocess.run(["rm", "-rf", f"{self._folder.name}/machine"], check=True)
        self._folder.cleanup()


def kill_tree(guard: int) -> None:
    """Kill all below the guard, which adopts orphans, then the guard."""
    while below := descendants(guard):
        for pid in below:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(guard, signal.SIGKILL)


def descendants(pid: int) -> list[int]:
    below = children_of(pid)
    for child in list(below):
        below += descendants(child)
    return below


def complaints(script: Script, seen: dict[str, Any], *, is_strict: bool = False) -> list[str]:
    """Return what a script achieved that none may."""
    if "died" in seen:
        return [seen["died"]]
    if seen["raised"]:
        return [f"raised {seen['raised']}", *remains(seen)]
    found = remains(seen)
    ended = endings(seen)
    if not script.ends & ended:
        found.append(f"ended by {sorted(ended)}, not by {sorted(script.ends)}")
    elif script.recorded and script.recorded not in ended and "limit" not in ended:
        found.append(f"ended by {sorted(ended)}, not by {script.recorded}{AS_RECORDED}")
    if seen["error"] and "error" not in script.ends:
        found.append(f"Result.error {seen['error']}")
    leak = PYTHON_ERROR.search(seen["stderr"]) or PYTHON_ERROR.search(seen["stdout"])
    if (
        leak
        and leak[0] not in script.text
        and not (script.names_exception and not leak[0].startswith("Traceback"))
    ):
        found.append(f"a Python exception in the output: {leak[0]}")
    if seen["tells_secret"]:
        found.append("the output tells the secret")
    if seen["tells_path"]:
        found.append("the output tells a path of the host")
    # Under load a time of 0.1 s may pass before anything runs.
    has_run = seen["stdout"] or seen["busy_seconds"] > BUSY_START_SECONDS
    if has_run and not seen["is_rejected"] and not seen["stdout"].startswith(script.begins):
        found.append(f"stdout does not begin with {script.begins!r}")
    if script.prints is not None and seen["stdout"] != script.begins + script.prints:
        found.append(f"prints {seen['stdout']!r}, not {script.begins + script.prints!r}")
    if script.usable and seen["usable"] is not True:
        found.append(f"not usable after: {seen['usable']}")
    memory = script.limits["memory"]
    if seen["peak"] > memory * MEMORY_FACTOR + MEMORY_SLACK_BYTES:
        found.append(f"took {seen['peak'] // MEGABYTE} MB, {memory // MEGABYTE} allowed")
    if is_strict:
        found += delays(script, seen)
    if seen["busy_seconds"] - script.longest_seconds > BUSY_OVERSHOOT_SECONDS:
        found.append(f"computed for {seen['busy_seconds']:.2f} s")
    if seen["busy_gap"] > BUSY_GAP_SECONDS:
        found.append(f"held another thread up for {seen['busy_gap']:.2f} s of computation")
    if found and seen["stderr"]:
        found.append(f"stderr: {seen['stderr'][-300:]!r}")
    return found


def remains(seen: dict[str, Any]) -> list[str]:
    """Return what was left behind."""
    found = [
        f"left {name}: {seen[name]}"
        for name in ("threads", "descriptors", "processes", "files")
        if seen[name]
    ]
    if seen["outside"]:
        found.append("changed what is outside its file system")
    if seen["printed"]:
        found.append(f"printed on the host's own streams: {seen['printed'][-1000:]}")
    if seen["kept"] > KEPT_BYTES:
        found.append(f"kept {seen['kept'] // MEGABYTE} MB after it was closed")
    return found


def delays(script: Script, seen: dict[str, Any]) -> list[str]:
    """Return by how much a run was late; what others had the processor for is not its own."""
    found = []
    late = seen["seconds"] - seen["held_seconds"] - script.longest_seconds
    if late > OVERSHOOT_SECONDS:
        found.append(f"ended {late:.2f} s after its limit")
    if seen["busy_gap"] > GAP_SECONDS:  # under load another process may have held it up
        found.append(f"held another thread up for {seen['busy_gap']:.2f} s")
    if seen["close_seconds"] > OVERSHOOT_SECONDS:
        found.append(f"close took {seen['close_seconds']:.2f} s")
    return found


def recorded_ending(seen: dict[str, Any]) -> str:
    """Return the one name of how a run ended that is recorded."""
    return next(
        name
        for name in ("limit", "ok", "fails", "refusal", "rejected", "error")
        if name in endings(seen)
    )


def endings(seen: dict[str, Any]) -> set[str]:
    """Return the names of how a run ended; a table accepts one or more of them."""
    if seen["limit"]:
        return {"limit", seen["limit"]}
    if seen["is_rejected"]:
        return {"rejected"}
    if seen["is_refusal"]:
        return {"refusal", "fails"}
    if seen["error"]:
        return {"error"}
    status = seen["status"]
    return {str(status), "ok" if status == 0 else "fails"}
