"""CallState: what a `Call` requires of the state behind it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence
    from random import Random
    from typing import Any, Protocol, TypeVar

    from keysh.interp.run.forward_types import AnyCall
    from keysh.interp.run.site import Site
    from keysh.interp.streams.descriptors import Descriptor
    from keysh.vfs.router import Router

    T = TypeVar("T")

    class CallState(Protocol):
        """The part of the shell's state that calls use."""

        cwd: str
        flags: int  # the options of the shell
        max_value_bytes: int
        umask: int

        @property
        def parent(self) -> CallState | None:
            """The state this one was forked from."""

        @property
        def descriptors(self) -> Mapping[int, Descriptor]:
            """The open descriptors by number."""

        @property
        def fs(self) -> Router:
            """The file system."""

        def environment(self) -> Mapping[str, str]:
            """The exported variables."""

        def run_words(
            self,
            call: AnyCall,
            words: Sequence[object],
            env: Mapping[str, str] | None,
            cwd: str | None,
            launch_error: str = "",
        ) -> int:
            """Run a command with the streams of `call`; return its status."""

        def message_place(self, command: str, site: Site | None, message: str = "") -> str:
            """What stands in front of a message of a command that `site` may have called."""

        def tick(self) -> None:
            """Stop the run if it is cancelled or out of time."""

        def check_size(self, size: int) -> None:
            """Stop the run if a value of `size` bytes is larger than the limit."""

        def reserve(self, size: int) -> None:
            """Stop the run if `size` more bytes would be more memory than it may use."""

        def count_unpacked(self, size: int) -> None:
            """Count unpacked bytes; stop the run if they exceed the limit."""

        def run_coroutine(self, coroutine: Coroutine[Any, Any, object]) -> object:
            """Run a coroutine of the host and return its result."""

        def on_fresh_stack(self, work: Callable[[], T]) -> T:
            """Call `work` on a fresh stack and return its result."""

        def report_exception(self, call: AnyCall, error: BaseException) -> int:
            """Report an exception that a command raised; return the status."""

        def now(self) -> int:
            """Return the time in nanoseconds since 1970."""

        def has_real_clock(self) -> bool:
            """Whether the clock is the machine's, not one supplied by the host."""

        def random(self) -> Random:
            """Return the random number generator."""

        def sleep(self, seconds: float) -> bool:
            """Sleep; return False if a trapped signal cut the sleep short."""
