"""A fake shell, to run a single command."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from keysh.interp.engine.thread_handoff import run_on_thread
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.state.call import Call
from keysh.interp.streams.descriptors import Descriptor
from keysh.vfs.router import Router

T = TypeVar("T")

NOW = 1_700_000_000_123_456_789  # 2023-11-14 22:13:20 UTC


class FakeShell:
    """A file system, an environment and a stopped clock, for a command without a shell."""

    def __init__(
        self,
        fs: Router,
        cwd: str = "/",
        env: Mapping[str, str] | None = None,
        run: Callable[..., int] | None = None,
    ) -> None:
        self.fs, self.cwd, self.umask = fs, cwd, 0o022
        self.flags, self.parent = 0, None
        self.descriptors: dict[int, Descriptor] = {}
        self.max_value_bytes = 64 << 20
        self.slept: list[float] = []
        self._env, self._run = env or {}, run

    def environment(self) -> Mapping[str, str]:
        return self._env

    def run_words(
        self,
        call: Call,
        words: Sequence[object],
        env: Mapping[str, str] | None,
        cwd: str | None,
        launch_error: str = "",
    ) -> int:
        if self._run is None:
            return 127
        given = {"env": env, "cwd": cwd}
        return self._run(words, **{key: value for key, value in given.items() if value is not None})

    def message_place(self, command: str, site: object, message: str = "") -> str:
        return ""

    def tick(self) -> None:
        pass

    def check_size(self, size: int) -> None:
        if size > self.max_value_bytes:
            raise LimitReached("value", size, self.max_value_bytes)

    def reserve(self, size: int) -> None:
        pass

    def count_unpacked(self, size: int) -> None:
        pass

    def now(self) -> int:
        return NOW

    def has_real_clock(self) -> bool:
        return False

    def sleep(self, seconds: float) -> bool:
        self.slept.append(seconds)
        return True

    def random(self) -> Random:
        return Random(0)

    def run_coroutine(self, coroutine: Coroutine[Any, Any, object]) -> object:
        return asyncio.run(coroutine)

    def on_fresh_stack(self, work: Callable[[], T]) -> T:
        return run_on_thread(work)

    def report_exception(self, call: Call, error: BaseException) -> int:
        raise error
