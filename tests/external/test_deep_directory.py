"""A private directory whose deep paths are walked from a waypoint, not from its root."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from keysh.external import deep_directory
from keysh.external.deep_directory import DeepDirectory
from keysh.vfs.api import LinkInPath
from keysh.vfs.transfer import remove_contents, walk_tree


def deep_path(depth: int) -> str:
    return "".join(f"/d{number}" for number in range(depth))


def tree_of(tmp_path: Path, depth: int) -> DeepDirectory:
    """Make a directory with two branches of some depth, and a file at the end of each."""
    fs = DeepDirectory(str(tmp_path))
    for branch in ("/a", "/b"):
        for steps in range(depth + 1):
            fs.make_directory(branch + deep_path(steps))
        with fs.open(f"{branch}{deep_path(depth)}/file", "x") as stream:
            stream.write(branch.encode())
    return fs


def test_paths_lead_where_they_should(tmp_path: Path) -> None:
    with tree_of(tmp_path, 100) as fs:
        for branch in ("/a", "/b", "/a"):
            with fs.open(f"{branch}{deep_path(100)}/file") as stream:
                assert stream.read(10) == branch.encode()
        old, new = f"/a{deep_path(100)}/file", f"/b{deep_path(90)}/moved"
        fs.rename(old, new)
        fs.link(new, old)
        assert fs.stat(old).links == 2
        assert (tmp_path / f"b{deep_path(90)}/moved").read_bytes() == b"/a"
        assert fs.real_path(new) == f"{tmp_path}{new}"
        assert len([*walk_tree(fs, "/")]) == 1 + 2 * 101 + 3
        remove_contents(fs, "/")
        assert os.listdir(tmp_path) == []


def test_errors_have_the_whole_path(tmp_path: Path) -> None:
    with tree_of(tmp_path, 70) as fs:
        missing = f"/a{deep_path(70)}/none/file"
        with pytest.raises(FileNotFoundError) as raised:
            fs.stat(missing)
        assert raised.value.filename == missing


def test_no_link_is_a_step(tmp_path: Path) -> None:
    with tree_of(tmp_path, 70) as fs:
        step = tmp_path / f"a{deep_path(40)}"
        step.rename(tmp_path / "away")
        step.symlink_to(tmp_path / "away")
        fs.forget_waypoints()
        with pytest.raises(LinkInPath):
            fs.stat(f"/a{deep_path(70)}/file")


def test_waypoints_are_closed(tmp_path: Path) -> None:
    before = os.listdir("/proc/self/fd")
    with tree_of(tmp_path, 300) as fs:
        fs.stat(f"/a{deep_path(300)}")
        assert len(os.listdir("/proc/self/fd")) == len(before) + 1 + 9
        fs.forget_waypoints()
        assert len(os.listdir("/proc/self/fd")) == len(before) + 1
    assert os.listdir("/proc/self/fd") == before


def test_a_walk_is_linear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four times the depth takes four times the steps, not sixteen."""
    opened: list[object] = []
    enter = deep_directory.OpenParent.__enter__

    def count(parent: deep_directory.OpenParent) -> deep_directory.OpenParent:
        opened.append(parent.path.count("/"))
        return enter(parent)

    steps = []
    for depth in (100, 400):
        folder = tmp_path / str(depth)
        folder.mkdir()
        with tree_of(folder, depth) as fs, monkeypatch.context() as patch:
            patch.setattr(deep_directory.OpenParent, "__enter__", count)
            opened.clear()
            assert len([*walk_tree(fs, "/")]) > depth
            steps.append(sum(opened))  # type: ignore[arg-type]
    assert steps[1] < 6 * steps[0]
