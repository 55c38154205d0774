"""Frames of a worker that has been taken over: the host must neither fail nor be harmed.

    python -m tests.isolation.hostile_frames [--frames 100000] [--seed 1] [--examples N]

The pipe is replaced by what an attacker may send: frames that are right, nearly right, cut, or
noise, with the numbers of requests that the host has made. Whatever comes, `run` returns a Result
or lets the worker be killed, and no exception of another kind comes out. With `--examples`
hypothesis changes what the frames say.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import sys
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import keysh
from keysh.interp.run.control_flow import LimitReached
from keysh.shell.isolation.errors import HostError
from keysh.shell.isolation.frames import ANSWER, HEADER, OUTPUT, READY, REQUEST, FrameReader
from keysh.shell.isolation.isolated_shell import IsolatedShell
from keysh.shell.isolation.peer import Peer
from keysh.shell.isolation.worker_process import WorkerLost, WorkerProcess
from keysh.shell.isolation.workers import Workers

MAX_FRAMES_A_RUN = 8
HUGE = 10**30


class TakenOverWorker(WorkerProcess):
    """A worker whose frames a function makes; there is no process."""

    def __init__(self, next_bytes: Callable[[list[int]], bytes | None]) -> None:
        self._next_bytes = next_bytes
        self.requests: list[int] = []
        self.live, self.runs, self.was_killed = None, 0, False
        self._frames = FrameReader({})
        self.sent = 0

    @property
    def is_alive(self) -> bool:
        return not self.was_killed

    def begin(self, serve: Any, on_output: Any, bounds: Any, seconds: Any) -> None:
        self._frames = FrameReader(bounds)
        self.peer = Peer(self, serve, on_output)
        self.requests.clear()

    def send(self, frame: bytes) -> None:
        kind, size, _ = HEADER.unpack_from(frame)
        if kind == REQUEST:
            self.requests.append(json.loads(frame[HEADER.size : HEADER.size + size])["id"])

    send_aside = send

    def receive(self, seconds: float | None = None) -> Any:
        while True:
            data = self._next_bytes(self.requests)
            if data is None:
                raise self.lost()
            self.sent += 1
            frames = self._frames.take(data)
            if frames:
                return frames

    def lost(self) -> WorkerLost:
        return WorkerLost(LimitReached("worker", "it is gone", None))

    def open_bell(self) -> None:
        pass

    def cancel(self) -> None:
        pass

    def stop(self) -> None:
        pass

    def kill(self) -> None:
        self.was_killed = True


class OneWorker(Workers):
    """Gives one session the same worker each time."""

    def __init__(self, worker: TakenOverWorker) -> None:
        super().__init__(1, warm=0)
        self.worker = worker

    def acquire(self, session: Any, ends_at: Any, check: Any) -> TakenOverWorker:
        self.worker.live, self.worker.was_killed = session, False
        return self.worker

    def release(self, worker: Any, *, is_lost: bool) -> None:
        if is_lost:
            worker.kill()


@keysh.command
def total(sh: keysh.Call, *files: keysh.Path, column: int = 1) -> int:
    """Count the lines of files.

    files ...         files to read; standard input when none are given
    -c, --column NUM  a number
    """
    return sum(1 for source in sh.inputs(files) for _ in source.lines()) % 256


class FrameMaker:
    """Makes frames from templates, with mistakes."""

    def __init__(self, randomness: random.Random) -> None:
        self._random = randomness

    def value(self, depth: int = 0) -> Any:
        """Return any value of JSON."""
        choose = self._random.choice
        kinds = [
            None, True, False, 0, 1, -1, 255, 256, HUGE, -HUGE, 1.5, float("inf"), "", "/", "/f",
            "../..", "\0", "\udcff", "x" * 300, "stdout", "r", "rw", "total", "/m", "E101",
        ]  # fmt: skip
        if depth < 3 and self._random.random() < 0.3:
            size = self._random.randrange(4)
            if self._random.random() < 0.5:
                return [self.value(depth + 1) for _ in range(size)]
            keys = ("$", "kind", "word", "named", "glob", "x", "text", "code")
            return {choose(keys): self.value(depth + 1) for _ in range(size)}
        return choose(kinds)

    def message(self, requests: list[int]) -> tuple[int, Any, bytes]:
        """Return the kind, the record and the data of a frame that is right, or nearly."""
        choose, value = self._random.choice, self.value
        number = choose([*requests[-2:], 1, 0, -5, HUGE, "1", None]) if requests else 1
        data = self._random.randbytes(self._random.randrange(20))
        diagnostic = {
            "code": choose(["E301", "E999", 1]), "severity": choose(["error", "fatal"]),
            "start": choose([0, 5, -1, HUGE]), "end": choose([0, 5, 9, HUGE]), "fact": "f",
            "datum": value(), "fix": "", "name": "n", "text": choose(["echo\nx", value()]),
        }  # fmt: skip
        verbs = "stat list open read write seek truncate close rename remove set_mode set_times"
        files = choose(verbs.split())
        words = choose([["/m"], ["/f", "rw", 0o666], ["/f", "w", HUGE], [1], [1, 10], [1, HUGE],
                        [1, HUGE, 0], [1, -5, 0], ["/f", "/g"], ["/f", HUGE, HUGE],
                        [value()]])  # fmt: skip
        call = {
            "name": choose(["total", "none", value()]), "call": choose([1, HUGE]),
            "words": [choose([{"word": value()}, {"named": ["column", 3, "column=3", False]},
                              {"glob": ["*", [value()]]}, value()]) for _ in range(2)],
            "cwd": choose(["/", "/none", "", value()]), "env": choose([{}, {"A": "b"}, value()]),
        }  # fmt: skip
        program = {
            "program": choose([1, 2, HUGE, value()]),
            "words": choose([["/bin/true"], ["\0"], [], [value()]]),
            "path": choose(["/bin/true", "\0", value()]), "env": choose([{}, {"A": "b"}, value()]),
            "cwd": choose(["/", "/m", "/x/y", "..", value()]),
            "directory": choose([None, "/", value()]), "search": choose([None, "/bin", value()]),
            "input": choose(["none", "pull", "closed", value()]), "span": choose([0, 1, value()]),
            "timeout": choose([None, 1, -1, HUGE, value()]), "umask": choose([None, 18, value()]),
            "ulimits": choose([{}, {"open": [1, 2]}, {"open": [HUGE, -1]}, value()]),
            "place": choose([["", 0, 0], value()]), "merged": choose([True, value()]),
            "job": choose([True, False, value()]), "tells_start": choose([True, False, value()]),
            "gone": choose([None, "gone", value()]), "signal": choose([0, 9, 99, value()]),
            "name": choose(["true", "/bin/true", value()]),
        }  # fmt: skip
        programs = "program|program step|program kill|program signal|find program|unheld parts"
        rule = {
            "action": choose(["command", "read", "write", value()]),
            "words": choose([["rm", "x"], ["/m/x"], [], value()]),
            "paths": choose([[], ["/x"], value()]), "place": choose([["s", 1, 1], value()]),
            "rules": choose([0, 1, HUGE, value()]),
        }  # fmt: skip
        record = {
            "event": choose(["run", "command", "end", "program", value()]),
            "span": choose([0, 1, 2, HUGE, value()]), "parent": choose([0, 1, value()]),
            "fields": choose([{}, {"text": "x", "cwd": "/"}, {"args": [value()]},
                              {"name": value(), "args": ["x"] * 2}, value()]),
        }  # fmt: skip
        changes = {
            "files": choose([[], [{"kind": "created", "path": "/f", "before": None, "after": {}}],
                             [value()], value()]),
            "state": choose([[], [{"kind": "x", "name": "x", "before": 1, "after": 2}], value()]),
            "is_complete": choose([True, value()]), "reasons": choose([[], [value()], value()]),
        }  # fmt: skip
        within = choose([None, *requests[-2:], HUGE, value()])
        return choose([
            (ANSWER, {"id": number, "value": {
                "code": choose([0, 0, 1, 999, value()]), "out": choose([0, len(data), HUGE]),
                "err": choose([0, 1, value()]), "image": choose([0, value()]),
                "limit": choose([None, ["steps", 1, 2, ""], value()]),
                "diagnostics": choose([None, [diagnostic], value()]),
                "refusal": choose([None, diagnostic, value()]), "changed": value(),
                **choose([{}, {"entry": choose([1, HUGE, value()]), "changes": changes}]),
            }}, data),
            (ANSWER, {"id": number, "value": choose([
                {"number": 1, "status": value(), "time": 1, "ms": 1, "programs": [value()],
                 "changes": changes, "limit": choose([None, value()])},
                [value()], value()])}, data),
            (REQUEST, {"id": choose([3, 7]), "verb": choose(programs.split("|")), "within": within,
                       "with": program}, data),
            (REQUEST, {"id": 7, "verb": "ask rule", "within": within, "with": rule}, data),
            (REQUEST, {"id": 7, "verb": choose(["audit", "audit head"]), "within": within,
                       "with": record}, data),
            (ANSWER, {"id": number, "value": {"code": 0, "out": len(data)}}, data),
            (ANSWER, {"id": number, "value": value()}, data),
            (ANSWER, {"id": number, "error": choose([
                {"kind": "os", "errno": value(), "text": "t", "names": [value(), None]},
                {"kind": "limit", "name": "seconds", "used": value(), "allowed": 1, "status": 125},
                {"kind": "named", "name": choose(["KeyError", "SystemExit"]), "text": "t"},
                {"kind": "link", "path": "/", "target": value(), "rest": ""}, value(),
            ])}, b""),
            (OUTPUT, {"stream": choose(["stdout", "stderr", value()])}, data),
            (REQUEST, {"id": choose([1, 7, HUGE, value()]), "verb": "host file", "within": within,
                       "with": {"mount": choose(["/m", "/", value()]), "verb": files,
                                "words": words}}, data),
            (REQUEST, {"id": 7, "verb": "command", "within": within, "with": call}, data),
            (REQUEST, {"id": 7, "verb": "ask", "within": within, "with": {
                "name": "rm", "words": [value()], "action": choose([None, None, "write", value()]),
                "place": choose([["s", 1, 1], value()])}}, data),
            (REQUEST, {"id": 7, "verb": choose(["stdin", "clock", "none", value()]),
                       "within": within, "with": choose([{}, value()])}, data),
            (choose([READY, 0, 9, 255]), value(), data),
            (choose([ANSWER, REQUEST, OUTPUT]), value(), data),
        ])  # fmt: skip

    def frame(self, requests: list[int]) -> bytes:
        """Return the bytes of a frame, sometimes with damage."""
        kind, record, data = self.message(requests)
        text = json.dumps(record).encode()
        chance = self._random.random()
        if chance < 0.03:
            text = b"[" * 100_000 if chance < 0.01 else b'{"id":' + b"9" * 5000 + b"}"
        frame = HEADER.pack(kind, len(text), len(data)) + text + data
        if chance > 0.97:
            frame = HEADER.pack(kind, self._random.randrange(1 << 32), len(data)) + text
        elif chance > 0.94:
            damaged = bytearray(frame)
            damaged[self._random.randrange(len(damaged))] = self._random.randrange(256)
            frame = bytes(damaged)
        elif chance > 0.92:
            frame = self._random.randbytes(self._random.randrange(1, 60))
        return frame


async def answer(request: keysh.AskRequest) -> bool:
    """Answer a question at once."""
    return str(request.plan) != ""


def hostile_shell(worker: TakenOverWorker) -> Any:
    """Return a shell with every door, whose worker sends what it likes."""
    return IsolatedShell(
        keysh.Shell, OneWorker(worker), {"/m": keysh.MemoryFS(max_bytes=1 << 20, max_files=100)},
        commands=[total], on_command=lambda name, arguments, place: None, clock=lambda: 1.0,
        external=keysh.Policy([]), rules=keysh.Rules([{"command": "rm", "decision": "ask"}]),
        on_ask=answer, audit=lambda record: None, journal=True, network=keysh.Network(),
        limits=keysh.Limits(seconds=10, output=1 << 20),
    )  # fmt: skip


def look_at_history(shell: Any) -> None:
    """Ask for the runs; a worker may answer with any error that it can name."""
    with contextlib.suppress(
        keysh.KeyshError, OSError, LookupError, TypeError, ValueError, HostError
    ):
        for entry in shell.history:
            str(entry.record()), repr(entry)


def run_frames(frames: int, seed: int) -> tuple[int, list[str]]:
    """Let a host run scripts in a worker that sends so many frames; return what went wrong."""
    randomness, problems, results = random.Random(seed), [], 0
    maker = FrameMaker(randomness)
    left = 0

    def next_bytes(requests: list[int]) -> bytes | None:
        nonlocal left
        left -= 1
        return maker.frame(requests) if left >= 0 else None

    worker = TakenOverWorker(next_bytes)
    shell = hostile_shell(worker)
    while worker.sent < frames:
        left = randomness.randrange(1, MAX_FRAMES_A_RUN)
        listens = randomness.random() < 0.3
        try:
            if randomness.random() < 0.1:
                look_at_history(shell)
                continue
            result = shell.run(
                "echo hi", stdin=iter(["a"]) if listens else None,
                on_output=(lambda stream, text: None) if listens else None,
            )  # fmt: skip
        except BaseException as error:  # noqa: BLE001 - what must not come
            problems.append(f"frame {worker.sent}: {type(error).__name__}: {error}"[:300])
            if len(problems) > 10:
                break
            continue
        results += not worker.was_killed
        str(result.record()), repr(result)
    shell._calls.close()
    shell._workers.close()
    return results, problems


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
KEYS = """
    id value verb within with code out err image limit diagnostics program words path env cwd input
    span place event parent fields mount name call action stream error kind entry changes
"""
# What a template says is kept, changed or left out, and anything may be added.
CHANGES = st.dictionaries(st.sampled_from(KEYS.split()), JSON, max_size=3)
FRAMES = st.lists(
    st.tuples(st.integers(0, 1 << 30), CHANGES, st.booleans()), min_size=1, max_size=6
)


def changed(record: Any, changes: dict[str, Any]) -> Any:
    """Return a record with other values wherever a key occurs, however deep."""
    if isinstance(record, dict):
        return {
            key: changes[key] if key in changes else changed(value, changes)
            for key, value in record.items()
        }
    return [changed(one, changes) for one in record] if isinstance(record, list) else record


def run_properties(examples: int) -> None:
    """Let hypothesis search for frames that harm the host; it raises what it has found."""
    pending: list[tuple[int, dict[str, Any], bool]] = []

    def next_bytes(requests: list[int]) -> bytes | None:
        if not pending:
            return None
        seed, changes, is_plain = pending.pop(0)
        kind, record, data = FrameMaker(random.Random(seed)).message(requests)
        text = json.dumps(record if is_plain else changed(record, changes)).encode()
        return HEADER.pack(kind, len(text), len(data)) + text + data

    shell = hostile_shell(TakenOverWorker(next_bytes))

    @settings(
        max_examples=examples, deadline=None, database=None, derandomize=True,
        suppress_health_check=[*HealthCheck],
    )  # fmt: skip
    @given(FRAMES)
    def search(frames: list[tuple[int, dict[str, Any], bool]]) -> None:
        pending[:] = frames
        result = shell.run("echo hi")
        str(result.record()), repr(result)
        look_at_history(shell)

    try:
        search()
    finally:
        shell._calls.close()
        shell._workers.close()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=0, help="let hypothesis search instead")
    options = parser.parse_args()
    if options.examples:
        run_properties(options.examples)
        print(f"{options.examples} examples, no problem")
        return 0
    results, problems = run_frames(options.frames, options.seed)
    print(f"{options.frames} frames, {results} results, {len(problems)} problems")
    print(*problems, sep="\n")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
