"""`keysh.Pool`: worker processes for the shells of many tenants."""

from __future__ import annotations

from keysh.shell.isolation.workers import Workers
from keysh.shell.shell import Shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self


class Pool(Workers):
    """Worker processes that run the shells of many sessions: `pool.session()`.

    workers  the most processes at a time
    memory   bytes of address space of each, held by the kernel
    cpu      seconds that a run may compute, held by the kernel; by default the time of a run
    recycle  runs after which a worker is replaced by a new one
    warm     how many are started in advance, and kept when nothing is to do

    A session is a `Shell(isolated=pool)`. Where it runs may change from run to run: it moves as an
    image. Sessions that wait for a worker get one in the order in which they came.
    """

    __module__ = "keysh"

    def session(self, fs: Any = None, **options: Any) -> Any:
        """Return a shell that runs in one of the workers; the options are those of `Shell`."""
        return Shell(fs, isolated=self, **options)

    def __enter__(self) -> Self:
        return self
