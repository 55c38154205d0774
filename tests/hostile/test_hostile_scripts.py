"""No hostile script hangs, floods or outlives its host, escapes, or leaves anything behind."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import pytest

from hostile.harness import AS_RECORDED, HostileRunner
from hostile.tables import Script, all_scripts

SCRIPTS = all_scripts()
# All of them take a quarter of an hour: with KEYSH_HOSTILE=all, or `python -m tests.hostile`.
CHOSEN = SCRIPTS if os.environ.get("KEYSH_HOSTILE") == "all" else SCRIPTS[::16]

# How far a script gets before its time is up depends on the machine. Only for that it runs again.
RECORDED_ROUNDS = 2


@pytest.fixture(scope="module")
def runner() -> Iterator[HostileRunner]:
    with HostileRunner() as made:
        yield made


@pytest.mark.parametrize("script", CHOSEN, ids=lambda script: script.name)
def test_script(runner: HostileRunner, script: Script) -> None:
    found = runner.complaints(script)
    for _ in range(RECORDED_ROUNDS):
        if all(complaint.endswith(AS_RECORDED) for complaint in found):
            found = found and runner.complaints(script)
    if found:
        pytest.fail("\n".join([script.text[:2000], *found]), pytrace=False)


def test_names_are_unique() -> None:
    assert not [name for name, n in Counter(script.name for script in SCRIPTS).items() if n > 1]
