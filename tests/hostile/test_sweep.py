"""No command hangs, swells or breaks on hostile numbers, texts and input."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hostile.harness import HostileRunner
from hostile.sweep import attacks, batch, command_names
from keysh.shell.command_listing import command_named

QUICK = {"head", "printf", "sort"}
NAMES = [
    pytest.param(name, marks=[pytest.mark.quick] if name in QUICK else [])
    for name in command_names()
]


@pytest.fixture(scope="module")
def runner() -> Iterator[HostileRunner]:
    with HostileRunner() as made:
        yield made


@pytest.mark.parametrize("name", NAMES)
def test_command(runner: HostileRunner, name: str) -> None:
    if found := runner.complaints(batch(name)):
        pytest.fail("\n".join([f"python -m tests.hostile --sweep {name}", *found]), pytrace=False)


def test_each_parameter_is_attacked() -> None:
    lines = {attack.name: attack.line for attack in attacks(command_named("head"))}
    assert lines["input-zero"] == "head < /dev/zero"
    assert lines["lines-0"] == 'head -n "$DIGITS" < /short'
    assert lines["files-zero"] == "head /dev/zero"
    assert lines["quiet-zero"] == "head -q < /dev/zero"
    assert {name.partition("-")[0] for name in lines} >= {"lines", "bytes", "files", "verbose"}


def test_operands_that_a_command_needs_are_given() -> None:
    lines = {attack.name: attack.line for attack in attacks(command_named("grep"))}
    assert lines["max_count-0"] == 'grep -m "$DIGITS" 1 < /short'
