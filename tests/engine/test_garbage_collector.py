"""The host's garbage collector: it pauses for a large text, and finds nothing of a run."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from keysh import Shell
from keysh.syntax.parser import GarbagePause
from keysh.tools.awk.run.registers import Registers
from keysh.tools.jq.values.bounds import JqBounds

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


@pytest.mark.parametrize(
    "text",
    [
        "echo 'a b' | awk '{ $1 = $2; print $2 }'",
        "awk -v n=5 'function f(x) { return x < 2 ? x : f(x - 1) } BEGIN { print f(n) }'",
        'awk \'BEGIN { print 1 | "cat"; "echo a" | getline x; printf "%d\\n", x }\'',
        "echo a | awk 'function g() { return 1 } { f = \"g\"; x = @f(); exit x }'",
        "awk 'BEGIN { print substr(\"a\", 1 / 0) }'",
        "yes | awk '{ print; print }' | head -n 1",
        "echo '[1, [2]]' | jq '[.. | numbers | select(. > 1)]'",
        "echo '{}' | jq '.a.b[]'",
    ],
)
def test_run_of_a_command_is_freed_at_its_end(text: str) -> None:
    shell = Shell()
    shell.run(text)
    gc.collect()
    gc.disable()
    shell.run(text)
    left = [one for one in gc.get_objects() if isinstance(one, Registers | JqBounds)]
    assert left == []
