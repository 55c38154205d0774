"""A person for each test of the prompt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from repl.person import Person


class Sits(Protocol):
    def __call__(
        self, *arguments: str, columns: int = 80, rows: int = 24, **env: str
    ) -> Person: ...


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The directory the prompt begins in."""
    place = tmp_path / "home"
    place.mkdir()
    return place


@pytest.fixture
def sits(home: Path) -> Iterator[Sits]:
    """Let someone sit down at a new prompt; all are gone at the end."""
    people: list[Person] = []

    def sit(*arguments: str, columns: int = 80, rows: int = 24, **env: str) -> Person:
        people.append(Person(home, *arguments, columns=columns, rows=rows, **env))
        return people[-1]

    yield sit
    for person in people:
        person.process.close(force=True)


@pytest.fixture
def person(sits: Sits) -> Person:
    """Someone at a prompt that is ready."""
    made = sits()
    made.sees_prompt()
    return made
