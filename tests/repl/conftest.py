"""Users at the prompt, for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from repl.terminal_user import Person


class Sits(Protocol):
    def __call__(
        self, *arguments: str, columns: int = 80, rows: int = 24, **env: str
    ) -> Person: ...


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home directory, in which the prompt starts."""
    place = tmp_path / "home"
    place.mkdir()
    return place


@pytest.fixture
def sits(home: Path) -> Iterator[Sits]:
    """Open a new prompt; all are closed at the end of the test."""
    people: list[Person] = []

    def sit(*arguments: str, columns: int = 80, rows: int = 24, **env: str) -> Person:
        people.append(Person(home, *arguments, columns=columns, rows=rows, **env))
        return people[-1]

    yield sit
    for person in people:
        person.close()


@pytest.fixture
def person(sits: Sits) -> Person:
    """A user at a prompt that is ready."""
    person = sits()
    person.sees_prompt()
    return person
