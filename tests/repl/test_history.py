"""The history file: which entries are kept, appended by others, or invalid."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from keysh.repl import history
from keysh.repl.history import History, HistoryEntry, history_path
from keysh.repl.history_search import suggestion_for


def entry(text: str, cwd: str = "/", status: int = 0) -> HistoryEntry:
    return HistoryEntry(text, cwd, 1.5, status, 0.25)


def texts(kept: History) -> list[str]:
    return [one.text for one in kept.entries]


def test_entry_is_one_line_of_json(tmp_path: Path) -> None:
    path = tmp_path / "new" / "history"
    History(str(path)).add(HistoryEntry("echo é\n\udcff", "/x", 12.3456, 3, 0.5))
    assert json.loads(path.read_text()) == {
        "text": "echo é\n\udcff", "cwd": "/x", "time": 12.346, "status": 3, "seconds": 0.5,
    }  # fmt: skip
    assert os.stat(path).st_mode & 0o777 == 0o600


def test_concurrent_histories_see_each_other(tmp_path: Path) -> None:
    one, other = History(str(tmp_path / "h")), History(str(tmp_path / "h"))
    one.add(entry("a"))
    other.add(entry("b"))
    one.add(entry("c"))
    other.read()
    assert texts(one) == texts(other) == ["a", "b", "c"]


def test_private_lines_are_not_saved(tmp_path: Path) -> None:
    kept = History(str(tmp_path / "h"))
    kept.add(entry(" secret"))
    assert not kept.entries
    assert not (tmp_path / "h").exists()


def test_partially_written_line_is_read_later(tmp_path: Path) -> None:
    path = tmp_path / "h"
    line = entry("late").line()
    path.write_bytes(line[:10])
    kept = History(str(path))
    kept.read()
    assert not kept.entries
    path.write_bytes(line)
    kept.read()
    assert texts(kept) == ["late"]


def test_invalid_lines_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "h"
    bad = b'x\n{}\n[1]\n{"text": 1, "cwd": "/", "time": 1, "status": 0, "seconds": 0}\n\xff\n\n'
    path.write_bytes(bad + b"[" * 100_000 + b"\n" + entry("good").line())
    kept = History(str(path))
    kept.read()
    assert texts(kept) == ["good"]


def test_truncated_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "h"
    kept = History(str(path))
    kept.add(entry("long before"))
    path.write_bytes(entry("new").line())
    kept.read()
    assert texts(kept)[-1] == "new"


def test_only_the_newest_entries_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "h"
    path.write_bytes(b"".join(entry(f"e{number}").line() for number in range(100)))
    monkeypatch.setattr(history, "MAX_ENTRIES", 10)
    monkeypatch.setattr(history, "MAX_READ_BYTES", 1000)
    kept = History(str(path))
    kept.read()
    assert 0 < len(kept.entries) <= 10
    assert texts(kept)[-1] == "e99"


def test_unwritable_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = History(str(tmp_path / "file" / "h"))
    kept.add(entry("a"))
    assert kept.problem.endswith(": Not a directory")
    kept.add(entry("b"))
    assert texts(kept) == ["a", "b"]


def test_path() -> None:
    assert history_path({"HOME": "/h"}) == "/h/.local/share/keysh/history.jsonl"
    assert history_path({"HOME": "/h", "XDG_DATA_HOME": "/d"}) == "/d/keysh/history.jsonl"
    assert history_path({"HOME": "/h", "KEYSH_HISTORY": ""}) == ""
    assert history_path({}) == ""


def test_suggestion() -> None:
    entries = [entry("ls here", "/here"), entry("ls there"), entry("ls wrong", "/here", 1)]
    assert suggestion_for(entries, "ls", "/here") == " here"
    assert suggestion_for(entries, "ls", "/else") == " there"
    assert suggestion_for(entries, "ls w", "/here") == "rong"
    assert suggestion_for(entries, "ls there", "/here") is None
