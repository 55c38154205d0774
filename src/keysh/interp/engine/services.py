"""Engine services: functions above `State` that a state calls through its session."""

# ruff: noqa: PLC0415 - each is imported when it is first called; many scripts need none

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from typing import Any, TypeVar

    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

    T = TypeVar("T")

MAX_HOST_FRAMES = 300  # host frames below a run that still leave room for its nesting levels


class EngineServices:
    """The functions of the engine that `Session.services` offers."""

    __slots__ = ()

    def run_words(self, state: State, words: Sequence[object], launch_error: str = "") -> int:
        from keysh.interp.engine.dispatch import run_words

        return run_words(state, words, launch_error=launch_error)

    def assign_by_attributes(self, state: State, name: str, value: Any, bits: int) -> None:
        from keysh.interp.state.attributes import assign_by_attributes

        assign_by_attributes(state, name, value, bits)

    def run_coroutine(self, state: State, coroutine: Coroutine[Any, Any, object]) -> object:
        from keysh.interp.engine.host_loop import run_coroutine

        return run_coroutine(state, coroutine)

    def on_fresh_stack(self, state: State, work: Callable[[], T]) -> T:
        from keysh.interp.engine.thread_handoff import on_fresh_stack

        return on_fresh_stack(state, work)

    def start_thread(self, work: Callable[[], object]) -> None:
        from keysh.interp.engine.thread_handoff import start_thread

        start_thread(work)

    def is_program(self, state: State, name: str) -> bool:
        from keysh.interp.engine.command_lookup import is_program

        return is_program(state, name)

    def run_hidden_program(self, state: State, call: Call, words: Sequence[object]) -> int | None:
        from keysh.interp.engine.dispatch import run_hidden_program

        return run_hidden_program(state, call, words)

    def read_text_path(self, state: State, path: str) -> Any:
        from keysh.interp.variables.value_paths import read_text_path

        return read_text_path(state, path)


def is_host_stack_deep() -> bool:
    """Whether the host has used up much of this thread's stack."""
    try:
        sys._getframe(MAX_HOST_FRAMES)
    except ValueError:
        return False
    return True
