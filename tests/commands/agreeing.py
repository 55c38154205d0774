"""Agreeing: a call of ours and of the real tool in directories of the same files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from commands.conformance import plain
from commands.running import Answer, gnu, on_disk, ours


def agree(
    name: str,
    words: Sequence[str],
    folder: Path,
    files: Mapping[str, bytes],
    stdin: bytes = b"",
) -> Answer:
    """Run both; they answer the same and leave the same files."""
    here, there = folder / "here", folder / "there"
    for place in (here, there):
        (place / "d").mkdir(parents=True, exist_ok=True)
        for path in place.rglob("*"):
            if path.is_file():
                path.unlink()
        for file, content in files.items():
            (place / file).write_bytes(content)
    with on_disk(here) as fs:
        answer = ours(name, *words, fs=fs, stdin=stdin)
    assert answer == plain(gnu(name, *words, cwd=there, stdin=stdin))
    assert contents(here) == contents(there)
    return answer


def contents(folder: Path) -> dict[str, bytes]:
    """All files in a directory."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
