"""A delay of a script is told from one of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from hostile.bystander import FILE_BYTES, ROWS, Moments, write_row

STEP = 0.005


def moments(folder: Path, rows: list[tuple[float, ...]]) -> Moments:
    """Return what a bystander that has written these rows tells."""
    path = folder / "moments"
    path.write_bytes(bytes(FILE_BYTES))
    made = Moments(str(path))
    for number, row in enumerate(rows):
        write_row(made.rows, number, row)
    return made


def steps(number: int, ran: float, waited: float, stopped: float) -> list[tuple[float, ...]]:
    """Return rows that are a step apart; in each step these times have passed."""
    return [(i * STEP, i * ran, i * waited, i * stopped) for i in range(number)]


@pytest.mark.parametrize(
    ("ran", "waited", "stopped", "held"),
    [
        (STEP, 0, 0, 0),  # it computes
        (0, 0, 0, 0),  # it sleeps: that is its own delay
        (0, STEP, 0, 1),  # another process has the processor
        (STEP / 2, STEP / 2, 0, 0.5),
        (STEP, STEP, 0, 0),  # one thread computes, another one waits
        (0, 3 * STEP, 0, 1),  # three threads wait
        (0, 0, STEP, 1),  # the machine stands still
        (STEP, 0, STEP, 0),  # the bystander alone stood still
        (0, STEP, STEP, 1),  # nothing counts twice
    ],
)
def test_only_delays_of_the_machine_count(
    tmp_path: Path, ran: float, waited: float, stopped: float, held: float
) -> None:
    seen = moments(tmp_path, steps(201, ran, waited, stopped))
    assert seen.held_up(0.0, 1.0) == pytest.approx(held, abs=0.01)
    assert seen.held_up(0.25, 0.5) == pytest.approx(held / 4, abs=0.01)
    assert seen.held_up(2.0, 3.0) == 0


def test_old_moments_are_overwritten(tmp_path: Path) -> None:
    seen = moments(tmp_path, steps(ROWS + 200, 0, STEP, 0))
    end = (ROWS + 199) * STEP
    assert seen.held_up(0.0, 1.0) == pytest.approx(0, abs=0.02)
    assert seen.held_up(end - 1.0, end) == pytest.approx(1, abs=0.02)
