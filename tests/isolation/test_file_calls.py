"""What a worker that was taken over may ask of a directory of the machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import keysh
from keysh.shell.isolation.file_calls import CHANGES, MAX_OPEN_FILES, FileCalls
from keysh.shell.isolation.frames import MAX_PIECE_BYTES, FrameError
from keysh.shell.isolation.remote_files import RemoteStream
from keysh.vfs.api import LinkInPath

ESCAPES = ("/..", "/../outside", "/d/../../outside", "/./in", "//in", "/d/", "in", "", "../outside")
# What follows the path, by verb.
REST: dict[str, list[Any]] = {
    "stat": [], "list": [], "read_link": [], "open": ["rw", 0o666], "make_directory": [0o777],
    "remove_directory": [], "remove": [], "set_mode": [0o777], "set_times": [0, 0],
    "set_owner": [-1, -1],
}  # fmt: skip


@pytest.fixture
def calls(tmp_path: Path) -> FileCalls:
    (tmp_path / "outside").write_text("secret\n")
    (tmp_path / "mount" / "d").mkdir(parents=True)
    (tmp_path / "mount" / "in").write_text("in\n")
    return FileCalls(keysh.LocalFS(str(tmp_path / "mount")))


@pytest.mark.parametrize("path", ESCAPES)
def test_no_path_leads_out(calls: FileCalls, tmp_path: Path, path: str) -> None:
    messages = [(verb, [path, *rest]) for verb, rest in REST.items()]
    messages += [(verb, [path, "/new"]) for verb in ("rename", "link")]
    messages += [(verb, ["/in", path]) for verb in ("rename", "link", "make_link")]
    for verb, words in messages:
        with pytest.raises(FrameError):
            calls.serve(verb, words, b"")
    assert (tmp_path / "outside").read_text() == "secret\n"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["mount", "outside"]


def test_links_are_not_followed(calls: FileCalls) -> None:
    calls.serve("make_link", ["../outside", "/l"], b"")
    for verb in ("open", "set_mode"):
        with pytest.raises((OSError, LinkInPath)):
            calls.serve(verb, ["/l", *REST[verb]], b"")


def test_sizes_numbers_and_files_are_bounded(calls: FileCalls) -> None:
    number, _ = calls.serve("open", ["/in", "r", 0], b"")
    assert calls.serve("read", [number, 10], b"") == (None, b"in\n")
    for verb, words in (
        ("read", [number, MAX_PIECE_BYTES + 1]), ("read", [number, -1]), ("read", ["1", 1]),
        ("set_times", ["/in", 1 << 70, 0]), ("set_mode", ["/in", True]), ("rename", ["/in"]),
        ("open", ["/in", "q", 0]), ("none", []), ("stat", "/in"), ("__class__", []),
    ):  # fmt: skip
        with pytest.raises(FrameError):
            calls.serve(verb, words, b"")
    with pytest.raises(OSError, match="Bad file descriptor"):
        calls.serve("read", [number + 1, 1], b"")
    for _ in range(MAX_OPEN_FILES - 1):
        calls.serve("open", ["/in", "r", 0], b"")
    with pytest.raises(OSError, match="Too many open files"):
        calls.serve("open", ["/in", "r", 0], b"")
    calls.close()


def test_every_change_has_been_tried() -> None:
    assert {*REST, "rename", "link", "make_link"} >= CHANGES.keys()


def test_file_that_never_ends_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keysh.shell.isolation.remote_files.MAX_WHOLE_BYTES", 10 << 20)
    stream = RemoteStream(lambda verb, words, data: (None, b"x" * words[1]), 1)
    with pytest.raises(OSError, match="File too large"):
        stream.read()
