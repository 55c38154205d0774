"""Globs: the same lists as bash, and the limits."""

from __future__ import annotations

import errno
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysh.diagnostics.exceptions import GlobLimit
from keysh.vfs.api import Entry, failure
from keysh.vfs.glob import ANY_DEPTH, AnyDepth, StepPattern, glob
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router

# A tree: what each path is. A link has a target, a directory is None, a file is "".
Tree = dict[str, str | None]


def matching(matches: Callable[[str], bool], begins_with_dot: bool) -> StepPattern:
    return StepPattern(matches, matches if begins_with_dot else None)


def steps_of(pattern: str) -> list[str | StepPattern | AnyDepth]:
    """A pattern of `*`, `?`, `[…]` and text, with the matching done in the plainest way."""
    return [
        ANY_DEPTH if step == "**"
        else matching(lambda name, step=step: fits(step, name), step.startswith("."))
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
    """Return the paths that bash finds for each pattern, each once."""
    program = "IFS=; for p; do printf '%s\\0' $p; printf '\\0'; done"
    done = subprocess.run(
        ["bash", "-O", "globstar", "-O", "nullglob", "-c", program, "bash", *patterns],
        cwd=directory, env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]}, capture_output=True,
        check=True,
    )  # fmt: skip
    lists = []
    for part in done.stdout.split(b"\0\0")[:-1]:
        result = dict.fromkeys(part.split(b"\0"))
        lists.append([os.fsdecode(path) for path in result if path])
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
    [
        "a",
        ".a",
        "ab",
        ".",
        "..",
        "*",
        "*",
        "a*",
        "*b",
        "?",
        "[ab]",
        "[!a]*",
        ".*",
        ".?*",
        "**",
        "**",
    ]
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

    `./**/x` follows links one level deep, and `**/x` does not. `./**` finds `./`,
    and `./**/**` finds `.`.
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


@pytest.fixture
def router() -> Router:
    return Router(MemoryFS({"/a/b/c/x.py": "", "/a/x.py": "", "/a/.x.py": "", "/b/y": ""}))


def look(router: Router, pattern: str, cwd: str = "/", **limits: object) -> list[str]:
    return glob(router, steps_of(pattern), cwd, **limits)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*", ["a", "b"]),
        ("/*", ["/a", "/b"]),
        ("/**/x.py", ["/a/b/c/x.py", "/a/x.py"]),
        ("./**/", ["./", "./a/", "./a/b/", "./a/b/c/", "./b/"]),
        ("a/.*", ["a/.x.py"]),
        ("a//*.py", ["a//x.py"]),
        ("*//*.py", ["a/x.py"]),
        ("missing/**", []),
        ("b/y/**", []),
        ("*/b/../x.py", ["a/b/../x.py"]),
        ("**/**", ["a", "a/b", "a/b/c", "a/b/c/x.py", "a/x.py", "b", "b/y"]),
        # Where bash lists one path several times.
        ("**/*/**", ["a", "a/b", "a/b/c", "a/b/c/x.py", "a/x.py", "b", "b/y"]),
    ],
)
def test_results_are_spelled_like_the_pattern(
    router: Router, pattern: str, expected: list[str]
) -> None:
    assert look(router, pattern) == expected


def test_relative_patterns_start_at_the_current_directory(router: Router) -> None:
    assert look(router, "*", "/a/b") == ["c"]
    assert look(router, "../*", "/a/b") == ["../b", "../x.py"]
    assert look(router, "*", "/gone") == []


def test_globs_cross_mounts_and_links(router: Router) -> None:
    router.mount("/m", MemoryFS({"/d/z.py": ""}))
    router.make_link("/m/d", "/link")
    assert look(router, "**/z.py") == ["m/d/z.py"]
    assert look(router, "*/z.py") == ["link/z.py"]
    assert look(router, "link/*") == ["link/z.py"]
    assert look(router, "**/") == ["a/", "a/b/", "a/b/c/", "b/", "link/", "m/", "m/d/"]


def test_sorts_by_bytes() -> None:
    ordered = ["A", "Z", "a", "a-b", "a/", "a/b", "é", "\ue000", "\U0001f389", "\udc80", "\udcff"]
    expected = sorted((name for name in ordered if "/" not in name), key=os.fsencode)
    router = Router(MemoryFS({f"/{name}": "" for name in expected if name != "a"} | {"/a/b": ""}))
    assert look(router, "*") == expected
    assert look(router, "**") == sorted([*expected, "a/b"], key=os.fsencode)
    assert expected != sorted(expected)


def test_limits(router: Router) -> None:
    assert len(look(router, "**", most_results=7, most_entries=8)) == 7
    with pytest.raises(GlobLimit, match="more than 6 results") as caught:
        look(router, "**", most_results=6)
    assert (caught.value.what, caught.value.allowed) == ("results", 6)
    with pytest.raises(GlobLimit) as caught:
        look(router, "**/nothing*", most_entries=7)
    assert (caught.value.what, caught.value.allowed) == ("entries", 7)


class Stop(Exception):
    pass


@pytest.mark.parametrize("pattern", ["**", "**/x", "*", "n*", "*/*"])
def test_glob_can_be_cancelled(pattern: str) -> None:
    router = Router(MemoryFS({f"/{number}/x": "" for number in range(3000)}))
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        ticks += 1
        if ticks == 3:
            raise Stop

    with pytest.raises(Stop):
        look(router, pattern, tick=tick)


def test_deep_directories_are_walked() -> None:
    fs = MemoryFS()
    path = ""
    for _ in range(1500):
        path += "/d"
        fs.make_directory(path)
    put_at = f"{path}/x"
    fs.open(put_at, "x").close()
    router = Router(fs)
    assert look(router, "**/x") == [put_at[1:]]
    assert look(router, "/".join(["*"] * 1501)) == [put_at[1:]]
    assert len(look(router, "**/*/**/*/**/*/**")) == 1499


def test_unreadable_directory_matches_nothing(router: Router) -> None:
    class Refusing(MemoryFS):
        def list(self, path: str) -> Iterator[Entry]:
            if path == "/secret":
                raise failure(errno.EACCES, path)
            return super().list(path)

    router.mount("/m", Refusing({"/secret/x": "", "/open/x": ""}))
    assert look(router, "m/**") == ["m/", "m/open", "m/open/x", "m/secret"]
    assert look(router, "m/*/x") == ["m/open/x", "m/secret/x"]  # a name needs no reading
    assert look(router, "m/*/*") == ["m/open/x"]
