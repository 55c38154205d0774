"""Frames of a worker that has been taken over: the host must neither fail nor be harmed.

    python -m tests.isolation.hostile_frames [--frames 100000] [--seed 1]

The pipe is replaced by what an attacker may send: frames that are right, nearly right, cut, or
noise, with the numbers of requests that the host has made. Whatever comes, `run` returns a Result
or lets the worker be killed, and no exception of another kind comes out.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable
from typing import Any

import keysh
from keysh.interp.run.control_flow import LimitReached
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
        within = choose([None, *requests[-2:], HUGE, value()])
        return choose([
            (ANSWER, {"id": number, "value": {
                "code": choose([0, 0, 1, 999, value()]), "out": choose([0, len(data), HUGE]),
                "err": choose([0, 1, value()]), "image": choose([0, value()]),
                "limit": choose([None, ["steps", 1, 2, ""], value()]),
                "diagnostics": choose([None, [diagnostic], value()]),
                "refusal": choose([None, diagnostic, value()]), "changed": value(),
            }}, data),
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
    shell = IsolatedShell(
        keysh.Shell, OneWorker(worker), {"/m": keysh.MemoryFS(max_bytes=1 << 20, max_files=100)},
        commands=[total], on_command=lambda name, arguments, place: None, clock=lambda: 1.0,
        limits=keysh.Limits(seconds=10, output=1 << 20),
    )  # fmt: skip
    while worker.sent < frames:
        left = randomness.randrange(1, MAX_FRAMES_A_RUN)
        listens = randomness.random() < 0.3
        try:
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
    shell._workers.close()
    return results, problems


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    results, problems = run_frames(options.frames, options.seed)
    print(f"{options.frames} frames, {results} results, {len(problems)} problems")
    print(*problems, sep="\n")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
