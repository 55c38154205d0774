"""ChangeLock: an operation that fails during a change is retried after it."""

from __future__ import annotations

import threading

import pytest

from keysh.vfs.remote.change_lock import ChangeLock


def test_failure_during_a_change_is_retried() -> None:
    turns, may_finish, is_changing = ChangeLock(), threading.Event(), threading.Event()
    is_there: list[str] = []

    def change() -> None:
        with turns:
            is_changing.set()
            may_finish.wait()
            is_there.append("there")

    def ask() -> str:
        try:
            return is_there[0]
        finally:
            may_finish.set()

    thread = threading.Thread(target=change)
    thread.start()
    is_changing.wait()
    assert turns.read_consistently(ask) == "there"
    thread.join()


def test_change_ending_meanwhile_causes_a_retry() -> None:
    turns = ChangeLock()
    result: list[str] = []

    def ask() -> str:
        if not result:
            with turns:
                result.append("done")
            raise KeyError
        return result[0]

    assert turns.read_consistently(ask) == "done"


def test_failure_without_a_change_is_final() -> None:
    turns = ChangeLock()
    times: list[int] = []
    with turns, turns:
        pass

    def ask() -> None:
        times.append(1)
        raise KeyError("nothing")

    with pytest.raises(KeyError, match="nothing"):
        turns.read_consistently(ask)
    assert len(times) == 1
