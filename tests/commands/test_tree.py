"""tree: tables and random calls against the real tool, over one directory."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, on_disk, run_gnu, run_keysh
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree") / "t"
    for name in ("d/s", "e", "empty/in", "v"):
        (root / name).mkdir(parents=True)
    files = {"d/b.C": 6, "d/s/x.c": 2, "Z": 1, "a": 3000, "v/f10": 4, "v/f9": 40, "v/.h": 1,
             'q"u\\o\nx': 2, "é b": 1}  # fmt: skip
    for name, size in files.items():
        (root / name).write_bytes(b"x" * size)
    for name, target in {"ld": "d", "lost": "nope", "d/up": "../d", "e/a": "../a"}.items():
        (root / name).symlink_to(target)
    (root / "a").chmod(0o755)
    for at, path in enumerate(sorted(root.rglob("*"))):
        time = 10**18 + at * 10**15
        os.utime(path, ns=(time, time), follow_symlinks=False)
    os.utime(root, ns=(10**18, 10**18))
    return root


@pytest.fixture(scope="module")
def whole() -> Iterator[Router]:
    with on_disk(Path("/")) as fs:
        yield Router(fs)


def agree(folder: Path, whole: Router, *words: str, **env: str) -> Answer:
    answer = run_keysh("tree", *words, fs=whole, cwd=str(folder), env=env)
    no_color = () if env else ("-n",)
    assert answer == run_gnu("tree", *no_color, *words, cwd=folder, **env), words
    return answer


@pytest.mark.parametrize(
    "words",
    ["", "-D", "-t", "-c -r --sort=name", "--prune", "--prune -P *.c", "-du", "--du --noreport",
     "--du -h --noreport", "--du --si --noreport", "-ug", "-pugsD d", "--inodes --device",
     "--filesfirst", "--sort=size", "--sort size -r", "--sort=version v", "-v v", "--filelimit 2",
     "--filelimit 4", "--timefmt %Y-%m", "--si -s", "--ignore-case -P *.c", "--metafirst -s", "-N",
     "-q", "-Q", "-x", "--charset=ascii", "--charset UTF-8", "-J", "-J d e", "-Js -p d",
     "-JDugp e", "-Jf -L 2", "-Jd", "-J --noreport e", "-J --du --noreport", "-Ji d e",
     "-Ji --noreport e", "-J --du -h d --noreport", "--dirsfirst -t", "--dirsfirst -r", "-l",
     "--matchdirs -P d", "--matchdirs -P s -I x.c", "-a v", "-L 1 --prune", "--prune -d",
     "--du -d --noreport", "--prune -L 2", "--noreport --prune e", "-if -s", "-F -d", "-s nope a",
     "-sD --noreport nope", "--du a d --noreport", "-r --sort=mtime", "-fQ -L 1", "--prune -I *.c",
     "-P Z|a|*.C", "-I Z|d", "-i --du --noreport"],
)  # fmt: skip
def test_calls_match_tree(folder: Path, whole: Router, words: str) -> None:
    agree(folder, whole, *[word for word in words.split(" ") if word])


@pytest.mark.parametrize(
    "words",
    ["-X", "-X d e", "-Xs d", "-Xhpug e", "-XD -L 2", "-Xd", "-X --noreport e", "-Xi d", "-Xf d",
     "-X --si -s d", "-X a", "-Xl", "-XF e", "-X --filelimit 3 ."],
)  # fmt: skip
def test_json_and_xml_match_tree(folder: Path, whole: Router, words: str) -> None:
    agree(folder, whole, *words.split())


IGNORED = {
    ".gitignore": "# c\n*.o\n/build/\n!keep.log\n*.log\ndoc/*.txt\n  \nx\\ y  \n",
    "a/.gitignore": "h*\n!f.o\n", "ig": "b\nsrc/**/z\n**/m.c\nf.?\n",
    "ig2": "/src\n*a*b*\n[ab]/**\n",
    "deep/.gitignore": "**/q\nr/**\n/s/*/t\nU/\n",
    "list": "a/b/c\na/d\n./x/y\nz/\n/abs/q\n\na/b/c\na//e\nlink -> tgt\nw/../v\nc\n",
    "list2": "a -> b\nc/d -> ../x\nc/e\n.h/i\n",
}  # fmt: skip
NAMED = [
    "f.o", "g.c", "a/b/h.log", "a/b/keep.log", "a/f.o", "build/x/y", "src/build/z", "src/m.c",
    "doc/n.txt", "doc/sub/n.txt", ".hid", "x y", "aXb", "deep/q", "deep/m/q", "deep/r/a/b",
    "deep/r/c", "deep/s/1/t", "deep/s/2/3/t", "deep/U/v", "deep/w/U/x",
    "deep/w/V",
]  # fmt: skip


@pytest.fixture(scope="module")
def ignored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("ignored") / "t"
    for name in [*NAMED, *IGNORED]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(IGNORED.get(name, ""))
    return root


@pytest.mark.parametrize(
    "words",
    ["--gitignore", "--gitignore -a", "--gitignore -f", "--gitignore -J", "--gitignore --prune",
     "--gitignore -d", "--gitignore src", "--gitignore doc a src", "--gitignore ./src deep",
     "--gitignore deep/", "--gitignore -P *.c", "--gitignore --ignore-case deep", "--gitfile=ig",
     "--gitignore -L 1", "--gitfile ig -P *.c", "--gitfile=nope", "--gitfile=ig2 --gitfile=ig",
     "-A", "-A a src", "-S", "-S -X doc", "-S -J doc", "-AS", "-A -i", "-A -f -s", "-S -s a",
     "-A --charset=utf-8", "-A --metafirst -p doc", "--fromfile list", "--fromfile list -p -s",
     "--fromfile list list2 --noreport", "--fromfile nope list2", "--fromfile --fflinks list2",
     "--fromfile --fflinks -J list2", "--fromfile --fflinks -X list2", "--fromfile -J list2",
     "--fromfile --fflinks -pF list2", "--fromfile -F list", "--fromfile -a list",
     "-f --fromfile list",
     "--fromfile -L 1 -d list", "--fromfile --dirsfirst -r list", "--fromfile --filesfirst list",
     "--fromfile -U list", "--fromfile -I d list", "--fromfile doc", "--fromfile -Q list2",
     "--fromfile --inodes --device list2", "--fromfile --filelimit 2 list", "--fromfile -s list2",
     "--fromfile -s --sort=size list", "--fromfile -P c|d list"],
)  # fmt: skip
def test_filters_match_tree(ignored: Path, whole: Router, words: str) -> None:
    agree(ignored, whole, *words.split())


# Two stars that are not a whole component; in tree, a star next to a slash may match it.
BESIDE = re.compile(r"[^/!]\*\*|\*\*[^/]|/.*(?<!\*)\*(?!\*)|(?<!\*)\*(?!\*).*/")
RULE = st.lists(
    st.sampled_from(["a", "b", "*", "**", "/", "!", "?", ".o", "[ab]", "\\", " ", "#", "*.c"]),
    max_size=5,
).map("".join).filter(lambda rule: not BESIDE.search(rule))  # fmt: skip
PLACED = ["a/b/a", "a/ab.o", "b/a.c", "ab/b/b", "a.c", "b.o"]


@settings(max_examples=80)
@given(top=st.lists(RULE, max_size=3), inner=st.lists(RULE, max_size=2))
def test_random_gitignore_rules_match_tree(
    tmp_path_factory: pytest.TempPathFactory, top: list[str], inner: list[str]
) -> None:
    root = tmp_path_factory.mktemp("rules")
    for name in PLACED:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    (root / ".gitignore").write_text("\n".join(top))
    (root / "a/.gitignore").write_text("\n".join(inner))
    with on_disk(root) as fs:
        answer = run_keysh("tree", "--gitignore", fs=fs)
    assert answer == run_gnu("tree", "-n", "--gitignore", cwd=root)


def test_paths_are_read_from_standard_input() -> None:
    answer = run_keysh("tree", "--fromfile", "--noreport", stdin=b"a/b\nc\n")
    assert answer.out.decode() == ".\n├── a\n│\xa0\xa0 └── b\n└── c\n"


COLORS = "fi=00:di=01;34:ln=01;36:*.c=33:ex=32:or=31:mi=41:pi=35:*~=1"


@pytest.mark.parametrize("words", ["-C", "-C d", "-CF", "-Cn", "-Cl", "-n", "-CQi -s e", "-CJ d"])
@pytest.mark.parametrize("colors", [COLORS, "ln=target:di=1", "nonsense"])
def test_colors_come_from_the_environment(
    folder: Path, whole: Router, words: str, colors: str
) -> None:
    agree(folder, whole, *words.split(), TERM="xterm", LS_COLORS=colors)
    agree(folder, whole, *words.split(), TERM="xterm", TREE_COLORS=colors, LS_COLORS="di=9")


def test_unnamed_terminal_has_no_colors(folder: Path, whole: Router) -> None:
    agree(folder, whole, "-C", LS_COLORS=COLORS)
    agree(folder, whole, "-C", "d", TERM="xterm")


def test_a_tree_is_written_to_a_file() -> None:
    fs = MemoryFS({"/d/a": "1"})
    assert run_keysh("tree", "-o", "/out", "/d", fs=fs) == Answer(0, b"", "")
    with fs.open("/out") as stream:
        assert stream.read() == run_keysh("tree", "/d", fs=fs).out
    reported = run_keysh("tree", "-o", "/no/out", "/d", fs=fs)
    assert reported == Answer(1, b"", "tree: /no/out: No such file or directory\n")


OPTIONS = [
    "-X", "-a", "-d", "-f", "-F", "-i", "-N", "-p", "-q", "-Q", "-r", "-s", "-h", "-t", "-v", "-x",
    "-D", "-u", "-g", "-J", "-L1", "-L2", "--prune", "--si", "--dirsfirst", "--filesfirst",
    "--noreport", "--sort=size", "--metafirst", "-P*.c", "-Id", "--ignore-case",
    "--inodes", "--device", "--charset=x",
]  # fmt: skip
NAMES = [".", "d", "e", "empty", "v", "d/s"]


@settings(max_examples=80, derandomize=True)
@given(
    options=st.lists(st.sampled_from(OPTIONS), max_size=4, unique=True),
    names=st.lists(st.sampled_from(NAMES), max_size=2),
)
def test_random_calls_match_tree(
    folder: Path, whole: Router, options: list[str], names: list[str]
) -> None:
    # In JSON and XML the real tool prints 0 for the inode and the device of the starting points.
    if {"-J", "-X"} & {*options}:
        options = [option for option in options if option not in ("--inodes", "--device")]
    # Between two trees the real tool now and then leaves the comma of JSON out.
    words = [*options, *(names[:1] if "-J" in options else names)]
    agree(folder, whole, *[part for word in words for part in parted(word)])


def parted(word: str) -> list[str]:
    """The real tool takes the value of a letter only as a separate word."""
    return [word[:2], word[2:]] if word[:2] in ("-L", "-P", "-I") else [word]


def test_total_counts_each_file_once() -> None:
    """The real tool counts a file once more for each directory around it."""
    fs = MemoryFS({"/d/a": "123", "/d/s/b": "1"})
    out = run_keysh("tree", "--du", "/d", fs=fs).out.decode()
    assert out.endswith(
        f"\n {4 + 2 * fs.stat('/d').size:11} bytes used in 2 directories, 2 files\n"
    )
    short = run_keysh("tree", "--du", "-h", "/d/s/b", fs=fs)
    assert short.out.decode().endswith("\n    1 used in 0 directories, 1 file\n")


def test_invalid_sort_order_is_refused() -> None:
    says = "tree: Sort type 'foo' not valid, should be one of: name,version,size,mtime,ctime\n"
    assert run_keysh("tree", "--sort=foo") == Answer(1, b"", says)


def test_output_is_json_despite_errors() -> None:
    fs = MemoryFS({"/d/a": "1"})
    answer = run_keysh("tree", "-J", "/nope", "/d", fs=fs)
    result = json.loads(answer.out)
    assert answer.status == 2
    assert [one["type"] for one in result] == ["error", "directory", "report"]
    assert result[1]["contents"] == [{"type": "file", "name": "a"}]


def test_deep_tree_is_summed() -> None:
    fs = MemoryFS()
    path = ""
    for _ in range(1200):
        path += "/d"
        fs.make_directory(path)
    assert run_keysh("tree", "--prune", "/d", fs=fs).out == b"/d\n\n0 directories, 0 files\n"
    assert json.loads(run_keysh("tree", "-J", "-L", "40", "/d", fs=fs).out)[1]["directories"] == 41


def test_link_loop_ends() -> None:
    fs = MemoryFS({"/d/a": ""})
    fs.make_link("/d", "/d/loop")
    fs.make_link("self", "/d/self")
    out = run_keysh("tree", "-l", "/d", fs=fs).out.decode()
    assert "loop -> /d  [recursive, not followed]\n" in out
    assert "self -> self\n" in out
