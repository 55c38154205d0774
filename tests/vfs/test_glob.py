"""Globs: the same lists as bash, and the limits."""

from __future__ import annotations

import os
import stat as kinds
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysh.errors import GlobLimit
from keysh.vfs.glob import ANY_DEPTH, AnyDepth, Match, glob
from keysh.vfs.local import LocalFS
from keysh.vfs.memory import MemoryFS
from keysh.vfs.router import Router

# A tree: what each path is. A link has a target, a directory is None, a file is "".
Tree = dict[str, str | None]


def steps_of(pattern: str) -> list[str | Match | AnyDepth]:
    """A pattern of `*`, `?`, `[…]` and text, with the matching done in the plainest way."""
    return [
        ANY_DEPTH if step == "**"
        else Match(lambda name, step=step: fits(step, name), step.startswith("."))
        if set(step) & set("*?[")
        else step
        for step in pattern.split("/")
    ]  # fmt: skip


def fits(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(fits(pattern[1:], name[at:]) for at in range(len(name) + 1))
    if not name:
        return False
    if pattern[0] == "[":
        inside, _, rest = pattern[1:].partition("]")
        wanted = inside.removeprefix("!")
        return (name[0] in wanted) == (wanted == inside) and fits(rest, name[1:])
    return pattern[0] in ("?", name[0]) and fits(pattern[1:], name[1:])


def build(fs: MemoryFS | LocalFS, tree: Tree) -> None:
    for path, content in tree.items():
        if content is None:
            fs.make_directory(path)
        elif content:
            fs.make_link(content, path)
        else:
            fs.open(path, "x").close()


def ask_bash(directory: str, patterns: list[str]) -> list[list[str]]:
    """What bash finds for each pattern, each path once."""
    program = "IFS=; for p; do printf '%s\\0' $p; printf '\\0'; done"
    done = subprocess.run(
        ["bash", "-O", "globstar", "-O", "nullglob", "-c", program, "bash", *patterns],
        cwd=directory, env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]}, capture_output=True,
        check=True,
    )  # fmt: skip
    lists = []
    for part in done.stdout.split(b"\0\0")[:-1]:
        found = dict.fromkeys(part.split(b"\0"))
        lists.append([os.fsdecode(path) for path in found if path])
    return lists


# Deeper than any pattern climbs.
DEEP = "/w/w/w/w/w/w"

NAMES = st.sampled_from(["a", "b", "ab", "B", ".a", "..b", "a-b", "a b", "é", "\udcff"])


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    tree: Tree = {}
    folders = [""]
    for _ in range(draw(st.integers(0, 14))):
        path = f"{draw(st.sampled_from(folders))}/{draw(NAMES)}"
        if path in tree:
            continue
        kind = draw(st.sampled_from(["file", "folder", "folder", "link"]))
        if kind == "folder":
            folders.append(path)
            tree[path] = None
        else:
            targets = st.sampled_from(["a", "../b", ".", "..", "missing", "a/ab", "ab/", "../.a"])
            tree[path] = draw(targets) if kind == "link" else ""
    return tree


STEPS = st.sampled_from(
    ["a", ".a", "ab", ".", "..", "*", "*", "a*", "*b", "?", "[ab]", "[!a]*", ".*", ".?*", "**", "**"]
)


@st.composite
def patterns(draw: st.DrawFn) -> str:
    steps = draw(st.lists(STEPS, min_size=1, max_size=4).filter(has_pattern))
    steps += draw(st.sampled_from([[], [], [""]]))
    if draw(st.booleans()):
        steps.insert(0, draw(st.sampled_from([".", "..", "a"])))
    return "/".join(steps)


def has_pattern(steps: list[str]) -> bool:
    return any(set(step) & set("*?[") for step in steps)


def is_bash_strange(pattern: str, tree: Tree) -> bool:
    """Whether bash 5.2 itself is not consistent.

    With a link, `./**/x` looks behind it, one level deep, where `**/x` does not. `./**` finds `./`,
    where `./**/**` finds `.`.
    """
    return "/**/**" in pattern or (any(tree.values()) and "**" in pattern.split("/")[1:-1])


@settings(max_examples=60)
@given(tree=trees(), wanted=st.lists(patterns(), min_size=1, max_size=8))
def test_same_as_bash(tree: Tree, wanted: list[str]) -> None:
    wanted = [pattern for pattern in wanted if not is_bash_strange(pattern, tree)]
    here = {DEEP[:at]: None for at in range(2, len(DEEP) + 1, 2)}
    tree = here | {DEEP + path: content for path, content in tree.items()}
    memory = MemoryFS()
    build(memory, tree)
    with tempfile.TemporaryDirectory() as folder, LocalFS(folder) as local:
        build(local, tree)
        for pattern, answer in zip(wanted, ask_bash(folder + DEEP, wanted), strict=True):
            assert glob(Router(local), steps_of(pattern), DEEP) == answer, pattern
            assert glob(Router(memory), steps_of(pattern), DEEP) == answer, pattern
