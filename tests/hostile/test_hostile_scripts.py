"""No hostile script hangs, floods or outlives its host, escapes, or leaves anything behind."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import pytest

from hostile.harness import HostileRunner
from hostile.tables import Script, all_scripts

SCRIPTS = all_scripts()
# All of them take ten minutes on two processors: KEYSH_HOSTILE=all, or `python -m tests.hostile`.
CHOSEN = SCRIPTS if os.environ.get("KEYSH_HOSTILE") == "all" else SCRIPTS[::4]

ROUNDS = 3


@pytest.fixture(scope="session")
def runner() -> Iterator[HostileRunner]:
    with HostileRunner() as made:
        yield made


@pytest.mark.parametrize("script", CHOSEN, ids=lambda script: script.name)
def test_script(runner: HostileRunner, script: Script) -> None:
    # How far a script gets before its time is up depends on the machine: what fails once has to
    # fail again, and again.
    for _ in range(ROUNDS):
        if not (found := runner.complaints(script)):
            break
    else:
        pytest.fail("\n".join([script.text[:2000], *found]), pytrace=False)


def test_names_are_unique() -> None:
    assert not [name for name, n in Counter(script.name for script in SCRIPTS).items() if n > 1]
