"""Compare a call of keysh's command with the real tool, in directories with the same files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from commands.command_runner import Answer, run_in_copies


def assert_agreement(
    name: str,
    words: Sequence[str],
    folder: Path,
    files: Mapping[str, bytes],
    stdin: bytes = b"",
) -> Answer:
    """Run both, and assert that they answer the same and leave the same files."""

    def fill(place: Path) -> None:
        (place / "d").mkdir(exist_ok=True)
        for path in place.rglob("*"):
            if path.is_file():
                path.unlink()
        for file, content in files.items():
            (place / file).parent.mkdir(parents=True, exist_ok=True)
            (place / file).write_bytes(content)

    answer, expected = run_in_copies(folder, name, words, fill, stdin=stdin)
    assert answer == expected
    assert contents(folder / "here") == contents(folder / "there")
    return answer


def contents(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files in a directory."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
