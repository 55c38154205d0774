"""The world of a shell: all that runs change, found by a walk that knows nothing of journals."""

from __future__ import annotations

import json
from typing import Any

from keysh import FileSystem, Shell
from keysh.shell.images.state_records import record_of_state

# What every run changes.
PASSING_FACTS = ("status", "last word", "age", "dialect", "random")


def world_of(shell: Shell) -> dict[str, Any]:
    """Return every file and every fact of a shell."""
    return {"state": facts_of(shell), "files": files_of(shell)}


def facts_of(shell: Shell) -> dict[str, Any]:
    record = json.loads(json.dumps(record_of_state(shell.state)))  # it shares tables
    return {name: value for name, value in record.items() if name not in PASSING_FACTS}


def files_of(shell: Shell) -> dict[str, Any]:
    """Return what is at each path: attributes, content, and the other names of the same file."""
    found: dict[str, Any] = {}
    for point, fs in shell.fs.mounts.items():
        if point == "/" or point.startswith("/work"):
            found |= tree_of(fs, point.rstrip("/"))
    return found


def tree_of(fs: FileSystem, point: str = "") -> dict[str, Any]:
    """Return what is at each path of a file system."""
    found: dict[str, Any] = {}
    names: dict[object, list[str]] = {}
    walk(fs, "/", point, found, names)
    return {path: (*facts, tuple(names[key])) for path, (*facts, key) in found.items()}


def walk(
    fs: FileSystem, path: str, point: str, found: dict[str, Any], names: dict[object, list[str]]
) -> None:
    stat = fs.stat(path)
    shown = point + path
    key = (point, stat.device, stat.inode) if stat.is_file else shown
    names.setdefault(key, []).append(shown)
    content: object = None
    if stat.is_directory:
        children = sorted(entry.name for entry in fs.list(path))
        content = children
        for name in children:
            walk(fs, f"{path.rstrip('/')}/{name}", point, found, names)
    elif stat.is_link:
        content = fs.read_link(path)
    elif stat.is_file:
        with fs.open(path) as stream:
            content = b"".join(iter(lambda: stream.read(1 << 16), b""))
    found[shown] = (stat.mode, stat.modified, content, key)
