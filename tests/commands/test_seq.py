"""seq: calls against the real tool, from a table and at random."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import run_keysh
from commands.comparison import assert_agreement
from keysh import Shell

FILES = {}


@pytest.mark.parametrize(
    "words",
    [
        "3", "2 4", "5 -1 1", "1 2 8", "0.5 2", "1 .25 2", "-w 8 11", "-w -1 .5 1", "-s, 3",
        "-s  3", "-f %g 3", "-f %05.1f 1 3", "-f %d 3", "-f x 3", "-f % 3", "-f %g%g 3",
        "-f %%%g 2", "-w -f %g 3", "3 1", "1 0 3", "x", "1 2 3 4", "", "nan", "1e2 102",
        "0x10 0x12", "-3", "-3 -1", "1 1", "-5 2 -1", "100 -50 -100", "1.5 3", "-w 1.5 10",
        "-0.3 0.01 0.03", "-w -0.3 .01 .03", "-f %g -.3 .01 .03", "0.3 -0.01 -0.02", "-1 .1 1",
        "-w 0x10", "-w 001 010", "-w 9 08 30", "-w -01.5 .5 1", "-w 0e2 1", "-w 12e-3 .5 1",
        "-s  5 1", "-s  99 -0.1",
        "-f %e 2", "10000000000000000000 10000000000000000002",
        f"{'9' * 5000} 1{'0' * 5000}",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("seq", words.split(" ") if words else [], tmp_path, FILES, b"")


FIRST = st.sampled_from(["1", "0", "-3", "1.5", "-.25", "007", "1e1", "0x1f", "9.99", "-0", "98"])
STEP = st.sampled_from(["1", "2", "-1", ".1", "0.25", "-1.50", "1e1", "3.0", "0x2", "33"])
LAST = st.sampled_from(["5", "0", "-7", "2.5", "10.00", "1e2", "0x20", "-0.5", "103"])
OPTIONS = st.sampled_from(["", "-w", "-s,", "-s ab", "-f %g", "-f %08.3f", "-f <%e>", "-w -s:"])


@settings(max_examples=80)
@given(options=OPTIONS, first=FIRST, step=STEP, last=LAST, count=st.integers(1, 3))
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory,
    options: str,
    first: str,
    step: str,
    last: str,
    count: int,
) -> None:
    numbers = {1: [last], 2: [first, last], 3: [first, step, last]}[count]
    folder = tmp_path_factory.mktemp("seq")
    assert_agreement("seq", [*options.split(), *numbers], folder, FILES)


def test_endless_sequence_starts() -> None:
    answer = Shell().run("seq 1.5 1e30 | head -n 2; seq 0 1e-300 1 | head -n 1 | wc -c")
    assert (answer.stdout, answer.stderr) == ("1.5\n2.5\n303\n", "")


def test_whole_numbers_are_counted_exactly() -> None:
    step = "1" + "9" * 40
    assert run_keysh("seq", "1", step, step).out == b"1\n"
    assert run_keysh("seq", step, f"-{step}", "0.5").out == step.encode() + b"\n"
