"""Every target takes some hundred inputs, the same in every run, and those that once broke it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from fuzz import seeds
from fuzz.campaign import error_of, minimised
from fuzz.coverage import change_of
from fuzz.reference_targets import holder_of
from fuzz.targets import all_targets
from keysh.text.chunks import text_of_bytes
from real_tools import need, needs

TARGETS = all_targets()
SEED = 1
# Those whose inputs are cheap take more of them.
CHEAP = {"regex": 1500, "pattern": 1500, "mcp": 1500, "script": 150}
INPUTS = 60
KEPT = [(name, path) for name in TARGETS for path in seeds.kept(name)]


@pytest.mark.parametrize("name", TARGETS)
def test_target(name: str) -> None:
    target = TARGETS[name]
    need(*target.tools)
    make = target.maker(Random(SEED))
    for _ in range(CHEAP.get(name, INPUTS)):
        data = make()
        if error := error_of(target.holds, data):
            found = minimised(target.holds, data, error)
            pytest.fail(f"{name}: {found}", pytrace=False)


@pytest.mark.parametrize(("name", "path"), KEPT, ids=lambda value: getattr(value, "name", value))
def test_kept_input(name: str, path: Path) -> None:
    """What once broke a target does so no longer."""
    target = TARGETS[name]
    need(*target.tools)
    data = path.read_bytes()
    is_text = isinstance(target.maker(Random(SEED))(), str)
    target.holds(text_of_bytes(data) if is_text else data)


def test_same_seed_same_inputs() -> None:
    for target in TARGETS.values():
        one, other = (target.maker(Random(SEED)) for _ in range(2))
        assert [one() for _ in range(5)] == [other() for _ in range(5)]


def refuse_ab(data: object) -> None:
    if "a" in str(data) and "b" in str(data):
        raise ValueError


def test_findings_become_small() -> None:
    holds: Callable[[object], None] = refuse_ab
    error = error_of(holds, "xxaxxbxx")
    assert isinstance(error, ValueError)
    assert minimised(holds, "xxaxxbxx", error).data == "ab"


@pytest.mark.parametrize("name", ["regex", "pattern", "names", "diff"])
def test_lost_separator_is_no_finding(name: str) -> None:
    """Engines that change bytes also change the NUL between the parts of an input."""
    for data in ("", "no separator", "1\0x\0y\0z\0q"):
        assert error_of(TARGETS[name].holds, data) is None


@pytest.mark.parametrize("name", TARGETS)
def test_changed_inputs_are_stored_bytes(name: str) -> None:
    """What a maker makes can be changed any number of times in the bytes of a file."""
    make = TARGETS[name].maker(Random(SEED))
    inputs = [make() for _ in range(5)]
    changed = change_of(inputs, Random(SEED))
    data, seen = b"", set()
    for _ in range(50):
        data = changed(data)
        seen.add(data)
    assert len(seen) > 10


@needs("bash")
def test_a_difference_from_the_real_tool_is_a_finding() -> None:
    same = holder_of("cat a; exit 3", lambda data: {"a": data}, {"q": "left out"})
    assert error_of(same, b"\xff\n") is None
    for real in ("cat a a; exit 3", "cat a; exit 4"):
        other = holder_of("cat a; exit 3", lambda data: {"a": data}, {"q": "left out"}, real)
        assert isinstance(error_of(other, b"x\n"), AssertionError)
        assert error_of(other, b"q\n") is None
