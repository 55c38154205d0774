"""Timing: what `time` says when a pipeline has ended."""

from __future__ import annotations

from time import monotonic, process_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.session import Body
    from keysh.runtime.state import State


def timed(body: Body, form: str) -> Body:
    """A body that tells on standard error how long it took; `form` is `time` or `time -p`."""

    def run(state: State) -> int:
        began, worked = monotonic(), process_time()
        try:
            return body(state)
        finally:
            wall, work = monotonic() - began, process_time() - worked
            if "-p" in form:
                text = f"real {wall:.2f}\nuser {work:.2f}\nsys 0.00\n"
            else:
                text = f"\nreal\t{minutes(wall)}\nuser\t{minutes(work)}\nsys\t0m0.000s\n"
            state.err.write(text)

    return run


def minutes(seconds: float) -> str:
    return f"{int(seconds // 60)}m{seconds % 60:.3f}s"
