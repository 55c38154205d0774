"""Tab, and keys typed immediately after it."""

from __future__ import annotations

from pathlib import Path

from repl.terminal_user import ENTER, TAB, Person


def test_enter_after_tab_runs_the_completed_line(person: Person, home: Path) -> None:
    (home / "directory").mkdir()
    person.types(f"cd dir{TAB}{ENTER}")
    person.sees_prompt()
    person.runs("basename $PWD")
    person.sees("\ndirectory\n")


def test_typing_after_tab_continues_the_completed_line(person: Person, home: Path) -> None:
    for name in ("letters-abc", "letters-xyz"):
        (home / name).write_text(f"{name} read\n")
    person.types(f"cat let{TAB}x{TAB}{ENTER}")
    person.sees("\nletters-xyz read\n")


def test_enter_in_an_open_menu_runs_the_shown_line(person: Person, home: Path) -> None:
    for name in ("both-1", "both-2"):
        (home / name).touch()
    person.types(f"echo bo{TAB}{ENTER}")
    person.sees("\nboth-\n")
