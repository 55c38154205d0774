"""The garbage collector of the host pauses while a large text is compiled."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from keysh import Shell
from keysh.syntax.parser import GarbagePause

LARGE = "if false; then\n" + "".join(f"echo {n} | cat\n" for n in range(2000)) + "fi\n"
SMALL = "echo a"
BROKEN = LARGE + "fi\n"


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    yield
    gc.enable()


@pytest.mark.parametrize("text", [LARGE, SMALL, BROKEN], ids=["large", "small", "broken"])
@pytest.mark.parametrize("is_on", [True, False])
def test_collector_state_of_the_host_is_restored(text: str, is_on: bool) -> None:
    if not is_on:
        gc.disable()
    Shell().run(text)
    assert gc.isenabled() == is_on


def test_garbage_is_still_collected_in_a_growing_script() -> None:
    shell = Shell()
    shell.run(SMALL)
    begun: list[str] = []
    gc.callbacks.append(lambda phase, info: begun.append(phase))
    try:
        gc.collect()  # so that no collection is due
        del begun[:]
        assert shell.run(LARGE).ok
        passes = len(begun)
    finally:
        gc.callbacks.pop()
    # Only the collections that are due when it resumes.
    assert passes <= 4


def test_new_tree_is_old_at_once() -> None:
    gc.unfreeze()  # what the suite itself has frozen
    try:
        with GarbagePause(LARGE * 10):
            tree = [[] for _ in range(50_000)]
        assert any(each is tree for each in gc.get_objects(generation=2))
        assert gc.get_freeze_count() == 0
    finally:
        gc.freeze()


def test_what_a_host_has_frozen_stays_frozen() -> None:
    kept = [[] for _ in range(50_000)]
    gc.freeze()
    assert Shell().run(LARGE * 10).ok
    assert gc.get_freeze_count() > len(kept)
