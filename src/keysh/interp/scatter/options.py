"""The options of a scatter, as `scatter` and `Shell.map` take them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from keysh.interp.state.call import Call

MAX_WORKERS = 512
USAGE_STATUS = 2


class ScatterOptions:
    """How items run. `timeout` is in milliseconds, for each attempt."""

    __slots__ = (
        "dry_run", "engine", "halt", "log", "on", "order", "resume", "retries", "return_", "seed",
        "shared", "timeout", "workers",
    )  # fmt: skip

    def __init__(
        self,
        *,
        workers: int | None = None,
        timeout: float | None = None,
        retries: int = 0,
        halt: Literal["never", "soon", "now"] = "never",
        order: Literal["items", "done"] = "items",
        log: str | None = None,
        resume: bool = False,
        dry_run: bool = False,
        seed: int | None = None,
        engine: str | None = None,
        on: str | None = None,
        shared: Sequence[str] | None = None,
        return_: str | None = None,
    ) -> None:
        self.workers = workers
        self.engine, self.on, self.shared = engine, on, shared or ()
        self.return_ = return_
        self.timeout, self.retries, self.halt, self.order = timeout, retries, halt, order
        self.log, self.resume, self.dry_run, self.seed = log, resume, dry_run, seed

    @property
    def seconds(self) -> float | None:
        """The time of each attempt."""
        return None if self.timeout is None else self.timeout / 1000

    def check(self, sh: Call) -> None:
        """Fail if they make no sense."""
        if self.timeout is not None and not 0 < self.timeout < float("inf"):
            fact = f"timeout must be milliseconds above 0, but is {self.timeout:g}"
        elif self.retries < 0:
            fact = f"retries must be 0 or more, but is {self.retries}"
        elif self.resume and self.log is None:
            fact = "resume needs a log\nfix: log=FILE resume=true"
        else:
            return
        raise sh.fail(fact, USAGE_STATUS)
