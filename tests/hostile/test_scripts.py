"""No hostile script hangs, floods or outlives its host, escapes, or leaves anything behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from hostile.harness import HostileRunner
from hostile.tables import Script, all_scripts

SCRIPTS = all_scripts()


@pytest.fixture(scope="session")
def runner() -> Iterator[HostileRunner]:
    with HostileRunner() as made:
        yield made


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_script(runner: HostileRunner, script: Script) -> None:
    if found := runner.complaints(script):
        pytest.fail("\n".join([script.text[:2000], *found]), pytrace=False)


def test_names_are_unique() -> None:
    assert not [name for name, n in Counter(script.name for script in SCRIPTS).items() if n > 1]
