"""File commands: messages about names that are missing, odd or of the wrong kind.

One table for all commands; each call is compared with the real tool in a copy of a directory.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import run_keysh
from commands.file_effects import run_both
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router

LONG, TOO_LONG = "n" * 255, "n" * 256
# The arguments before and after the names of a call.
CALLS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "basename": ((), ()), "cat": ((), ()), "chmod": (("-v", "640"), ()), "cmp": ((), ("b",)),
    "cp": ((), ("e",)), "dirname": ((), ()), "du": (("-a",), ()), "find": ((), ("-print",)),
    "install": (("-m", "600"), ("e",)), "ln": (("-s",), ("e",)), "ls": (("-1",), ()),
    "mkdir": (("-v",), ()), "mv": (("-v",), ("e",)), "readlink": (("-v",), ()),
    "rm": (("-rv",), ()), "rmdir": (("-v",), ()), "stat": (("-c", "%n %s %F %a %N"), ()),
    "sync": ((), ()), "touch": (("-d@5",), ()), "truncate": (("-s1",), ()), "unlink": ((), ()),
    "realpath": (("--relative-to=.",), ()), "tree": ((), ()),
}  # fmt: skip
SYSTEM = ["arch", "df", "id", "logname", "mktemp", "nproc", "printenv", "sleep", "tty", "uname",
          "users", "whoami", "who", "env", "timeout"]  # fmt: skip


def more(root: Path) -> None:
    """Create odd, long and deep names, and links that form a cycle."""
    for name in ("\udcff\udcfe", "new\nline", "-x", "größe", LONG, "$(x)", "*", "back\\slash"):
        (root / name).write_bytes(b"odd")
    (root / "loop").symlink_to("pool")
    (root / "pool").symlink_to("loop")
    (root / "/".join("deep")).mkdir(parents=True)
    (root / "d/e/e/p").parent.mkdir(parents=True, exist_ok=True)


NAMES: list[tuple[str, ...]] = [
    (), ("a",), ("missing",), ("d",), ("a/x",), ("",), ("two words",), ("it's",), ("\udcff\udcfe",),
    ("new\nline",), ("--", "-x"), ("größe", "$(x)", "*"), (LONG,), (TOO_LONG,), ("loop",),
    ("loop/x",), ("nowhere",), ("to_d/",), ("a/",), ("missing/",), ("back\\slash",), ("d/e/e",),
    (".",), ("missing", "a"), ("x" * 5000,), ("\udcff/x",), ("nowhere/x",),
]  # fmt: skip


# The real tool's answer depends on the order of a directory, or on what it tries first.
DIFFERENT = {("du", (".",)), ("ln", ("",)), ("ln", ("x" * 5000,)), ("tree", ("it's",))}
READS_HERE = ("cat", "du", "find", "ls", "sync", "tree")  # existing files, or standard input


@pytest.mark.parametrize("words", NAMES, ids=lambda words: repr(" ".join(words))[:20])
@pytest.mark.parametrize("name", CALLS)
def test_odd_names_match_gnu(tmp_path: Path, name: str, words: tuple[str, ...]) -> None:
    if (name, words) in DIFFERENT or (name in READS_HERE and not words):
        pytest.skip("the answer is the machine's")
    before, behind = CALLS[name]
    # Some tools quote with backslashes in an ASCII locale only.
    env = {"LC_ALL": "C"} if name in ("find", "mkdir") and "it's" in words else {}
    run_both(tmp_path, name, *before, *words, *(behind if words else ()), more=more, **env)


@pytest.mark.parametrize("name", [*CALLS, *SYSTEM])
def test_unknown_option_matches_gnu(tmp_path: Path, name: str) -> None:
    if name in ("cmp", "find", "tree"):
        pytest.skip("the real tool has other words for it")
    assert run_both(tmp_path, name, "--no-such-option").status != 0


@pytest.mark.parametrize("name", ["arch", "logname", "nproc", "tty", "uname", "whoami"])
def test_extra_operand_matches_gnu(tmp_path: Path, name: str) -> None:
    assert run_both(tmp_path, name, "extra").status != 0


FULL = "No space left on device"


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("cp /a /full/new", f"cp: error writing '/full/new': {FULL}"),
        ("cp -b /a /full/old", f"cp: error writing '/full/old': {FULL}"),
        ("cp -r /d /full", f"cp: error writing '/full/d/f': {FULL}"),
        ("mv /a /full/new", f"mv: error writing '/full/new': {FULL}"),
        ("mv /d /full", f"mv: error writing '/full/d/f': {FULL}"),
        ("mv -b /a /full/old", f"mv: error writing '/full/old': {FULL}"),
        ("install /a /full/new", f"install: error writing '/full/new': {FULL}"),
        ("truncate -s 1M /full/old",
         f"truncate: failed to truncate '/full/old' at 1048576 bytes: {FULL}"),
        ("dd if=/a of=/full/new status=none", f"dd: writing to '/full/new': {FULL}"),
        ("uniq /a /full/new", f"uniq: write error: {FULL}"),
        ("find /d -fprintf /full/new %300p", f"find: '/full/new': {FULL}"),
    ],
)  # fmt: skip
def test_full_file_system_is_reported_and_nothing_is_lost(call: str, says: str) -> None:
    small = MemoryFS({"/old": "kept"}, max_bytes=200)
    fs = Router({"/": MemoryFS({"/a": "x" * 1000, "/d/f": "y" * 1000}), "/full": small})
    answer = run_keysh(*call.split(" "), fs=fs)
    assert (answer.status, answer.out) == (1, b"")
    assert answer.err == f"{says}\n"
    assert contents(fs, "/a") == b"x" * 1000
    assert contents(fs, "/d/f") == b"y" * 1000
    assert contents(small, "/old") == b"kept"


def contents(fs: MemoryFS | Router, path: str) -> bytes:
    with fs.open(path) as stream:
        return bytes(stream.read())


ANY_NAME = st.text(st.sampled_from('ab \n\t-*$"\\é\udcff\udc80.~#'), min_size=1, max_size=6).filter(
    lambda name: name not in (".", "..")
)
TREES = st.dictionaries(
    st.lists(ANY_NAME, min_size=1, max_size=3).map("/".join), st.binary(max_size=5), max_size=5
)
WALKS = {
    "cp": [("-r", "t", "new"), ("-a", "t", "e"), ("-rb", "t/.", "e")],
    "mv": [("t", "new"), ("-v", "t", "e")],
    "rm": [("-r", "t"), ("-rv", "t")],
    "chmod": [("-R", "go-rwx", "t"), ("-Rv", "u=rwX,g=", "t")],
    "find": [("t",), ("t", "-type", "f"), ("t", "-printf", "%p %s %d %y\n"),
             ("t", "-name", "a")],
    "ls": [("-R", "t"), ("-1RQ", "t"), ("-Rb", "t"), ("-RA", "--quoting-style=shell-escape", "t")],
    "du": [("-ab", "t"), ("-a", "--inodes", "t"), ("-b", "t/.")],
    "stat": [("-c", "%N %s %F %a", "t")],
}  # fmt: skip


@settings(max_examples=60, derandomize=True)
@given(data=st.data(), files=TREES)
def test_random_trees_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, files: dict[str, bytes]
) -> None:
    name = data.draw(st.sampled_from(sorted(WALKS)))
    words = data.draw(st.sampled_from(WALKS[name]))

    def grow(root: Path) -> None:
        (root / "t").mkdir()
        for path, content in files.items():
            place = root / "t" / path
            # A name may be that of a directory already, or lie below a file.
            if place.exists() or any(above.is_file() for above in place.parents):
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)

    run_both(tmp_path_factory.mktemp("walk"), name, *words, more=grow)
