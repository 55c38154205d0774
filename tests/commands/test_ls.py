"""ls: tables and random calls against the real tool, over one directory."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, on_disk, run_gnu, run_keysh
from commands.file_effects import fill
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router

MORE = ["file10", "file9", "x.c", "y.c~", ".hid", "größe", "日本", "tab\tname", 'q"x', "z.tar.gz"]
COLORS = "di=1;35:ln=target:or=31:ex=32:*.gz=33:*.C=36:mi=41"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = fill(tmp_path_factory.mktemp("ls") / "t")
    for name in MORE:
        (root / name).write_text("x" * len(name) * 100)
    (root / "stick").mkdir()
    (root / "stick").chmod(0o1777)
    os.mkfifo(root / "ff")
    (root / "d/sub/.h2").write_text("")
    os.truncate(root / "x.c", 10**7)
    for path in sorted(root.rglob("*")):
        at = len(path.name) % 5
        os.utime(path, ns=(10**18 + at * 10**9, 10**18 + at * 10**10), follow_symlinks=False)
    os.utime(root, ns=(10**18, 10**18))
    list(os.walk(root))  # so that nobody is the first to read them
    return root


@pytest.fixture(scope="module")
def whole(folder: Path) -> Iterator[Router]:
    with on_disk(Path("/")) as fs:
        yield Router(fs)


def agree(folder: Path, whole: Router, *words: str, **env: str) -> Answer:
    env = {"TERM": "xterm", **env}
    answer = run_keysh("ls", *words, fs=whole, cwd=str(folder), env=env)
    assert answer == run_gnu("ls", *words, cwd=folder, **env), words
    return answer


@pytest.mark.parametrize(
    "words",
    [
        "", "-l", "-la d", "-1", "-C", "-x", "-m", "-d", "-F", "-p", "-i d", "-s", "-S", "-t", "-r",
        "-R", "-n", "-g", "-o", "-lG", "-lh", "--si -l", "-X", "-v", "-Q", "-b", "-q", "-N",
        "-k -s", "-l to_a nowhere nope", "to_d", "-l to_d", "-H to_d", "-lL to_a", "-L", "-lL",
        "-A", "-a d", "--color", "--color -l", "--color=never", "--color=x", "--sort=x", "--sort=s",
        "--time=x", "--format=x", "--indicator-style=x", "--time-style=x -l", "--block-size=x",
        "--zero -R", "--full-time", "-l --time-style=iso", "-l --time-style=+%s",
        "--group-directories-first", "-B", "-w 30 -C", "-w0 -C", "-T0 -C", "-I *.c", "--hide=file*",
        "--hide=file* -A", "-ls d a", "-l --author", "--file-type", "-l --block-size=K",
        "-s --block-size=1", "-nope", "d a e/a", "--quoting-style=shell -C",
        "--quoting-style=shell-escape", "-u -l d/x", "-lu --time-style=+%s", "-U a",
        "--dereference-command-line-symlink-to-dir -l to_d", "-lH to_d nowhere", "-lF to_d",
        "--format=commas -s -w 40", "-xw 50", "a/ d/", "-R d nope", "-d d . to_d/", "-1l d",
        "-s -f a", "-f -s a", "-lsf a", "-w x", "-w -1", "-T x", "-T -1 -C", "-nL",
    ],
)  # fmt: skip
def test_calls_match_gnu(folder: Path, whole: Router, words: str) -> None:
    agree(folder, whole, *[word for word in words.split(" ") if word])


@pytest.mark.parametrize("style", ["c", "escape", "locale", "shell", "shell-escape", "literal"])
def test_indicator_characters_in_names_are_quoted(tmp_path: Path, style: str) -> None:
    names = ("a=b", "a@b", "star*", "a|b", "a>b", "a:b", "plain", "\x01", "t\tb")
    for name in names:
        (tmp_path / name).mkdir()
    with on_disk(Path("/")) as fs:
        for option in ("-F", "--file-type", "-p", "-1", "-q", "-CFq", "-xq"):
            agree(tmp_path, Router(fs), f"--quoting-style={style}", option)
            agree(tmp_path, Router(fs), f"--quoting-style={style}", option, *names)


@pytest.mark.parametrize(
    "words", ["--color", "--color -l", "--color=always -F d a x.c", "--color -C"]
)
def test_colors_come_from_the_environment(folder: Path, whole: Router, words: str) -> None:
    agree(folder, whole, *words.split(" "), LS_COLORS=COLORS)
    agree(folder, whole, *words.split(" "), LS_COLORS="", TERM="dumb")


@pytest.mark.parametrize(
    "colors",
    [
        "di=\\e[1:ln=\\_x", "di=\\0331m:*.c=^a", "di=\\x41\\101\\?", "mh=44:ec=X:lc=L:rc=R",
        "::di=1::",
        "*.c=1:*c=2", "*=3", "fi=4:di=5=6", "*.c=3\\", "di", "d", "*a", "*a=^", "zz=1:di=3",
        "di=1:=3",
        "foo",
    ],
)  # fmt: skip
def test_color_settings_match_gnu(folder: Path, whole: Router, colors: str) -> None:
    agree(folder, whole, "--color=always", LS_COLORS=colors)


@pytest.mark.parametrize(
    ("words", "env"),
    [
        ("-l", {"BLOCK_SIZE": "K"}), ("-ls", {"LS_BLOCK_SIZE": "1", "BLOCK_SIZE": "K"}),
        ("-s -k", {"BLOCK_SIZE": "1"}), ("-s -h -k", {}), ("", {"QUOTING_STYLE": "c"}),
        ("-b", {"QUOTING_STYLE": "c"}), ("", {"QUOTING_STYLE": "x"}),
        ("-N", {"QUOTING_STYLE": "x"}),
        ("-C", {"COLUMNS": "30"}), ("-C", {"COLUMNS": "x"}), ("", {"COLUMNS": "x"}),
        ("-C -w 20", {"COLUMNS": "x"}), ("--hyperlink", {}), ("-l --hyperlink=always", {}),
        ("--hyperlink -C --quoting-style=shell-escape", {}), ("--hyperlink=auto", {}),
    ],
)  # fmt: skip
def test_environment_variables_match_gnu(
    folder: Path, whole: Router, words: str, env: dict[str, str]
) -> None:
    agree(folder, whole, *words.split(), HOSTNAME=os.uname().nodename, **env)


SIZES = [
    "", "K", "k", "KB", "kB", "KiB", "MB", "g", "E", "Z", "3", "1K", "10kB", "0", "0K", "1k5", "-1",
    "1.5K", "B", "1B", "'1", "+1", "0x10", "010", "99999999999999999999", "KiBx", "c", "2c",
    "si", "human-readable", " 1",
]  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
def test_block_sizes_match_gnu(folder: Path, whole: Router, size: str) -> None:
    agree(folder, whole, "-s", f"--block-size={size}", "x.c")
    answer = run_keysh("du", f"--block-size={size}", "x.c", fs=whole, cwd=str(folder))
    assert answer == run_gnu("du", f"--block-size={size}", "x.c", cwd=folder)


def test_color_end_sequence_is_printed(folder: Path, whole: Router) -> None:
    agree(folder, whole, "--color=always", "-C", "--zero", "--color=always", LS_COLORS="lc=<:rc=>")


OPTIONS = [
    "-a", "-A", "-l", "-h", "-1", "-C", "-x", "-m", "-d", "-F", "-p", "-i", "-s", "-S", "-t", "-r",
    "-R", "-n", "-g", "-o", "-G", "-k", "-X", "-Q", "-b", "-q", "-N", "-H", "--color",
    "--full-time", "--time-style=long-iso", "--group-directories-first", "-B", "-w40", "-w0", "-T4",
    "-I*.c", "--si", "--block-size=K", "--author", "--file-type", "--sort=version", "--sort=width",
    "--quoting-style=shell", "--zero", "--hyperlink", "--quoting-style=locale", "-u", "-c",
    "--block-size=KB", "-L", "--hide=x*", "--quoting-style=clocale", "--indicator-style=slash",
    "-D", "-Z", "--quoting-style=shell-escape",
]  # fmt: skip
NAMES = ["d", "e", "a", "to_a", "to_d", "nowhere", "nope", "d/sub", "stick", "empty", "ff", "to_d/"]


COLORINGS = ["", "no=31", "no=0:fi=0", "fi=:ln=target", "no=4:mi=41:cl=<", "mi=7", COLORS]


@settings(max_examples=150, derandomize=True)
@given(
    options=st.lists(st.sampled_from(OPTIONS), max_size=4),
    names=st.lists(st.sampled_from(NAMES), max_size=3),
    colors=st.sampled_from(COLORINGS),
)
def test_random_calls_match_gnu(
    folder: Path, whole: Router, options: list[str], names: list[str], colors: str
) -> None:
    host = os.uname().nodename
    words = ["--time-style=long-iso", *options, *(names or ["d"])]
    agree(folder, whole, *words, HOSTNAME=host, LS_COLORS=colors)


@pytest.mark.parametrize(
    "words",
    ["-D", "-lD d e", "-lDR", "-lDQ", "-lD --zero", "-D --zero", "-lDF --color", "-lsiD nope d e",
     "-lDC", "-lD --quoting-style=shell-escape", "-lD -d empty", "-lD empty", "-lD --hyperlink"],
)  # fmt: skip
def test_dired_positions_match_gnu(folder: Path, whole: Router, words: str) -> None:
    agree(folder, whole, *words.split(), HOSTNAME=os.uname().nodename)


@pytest.mark.parametrize("coloring", COLORINGS)
@pytest.mark.parametrize("words", ["-l", "-lF", "-w 12", "-lw 30", "-C -w 60", "-m -w 20", "-lL"])
def test_uncolored_names_use_the_normal_color(
    folder: Path, whole: Router, words: str, coloring: str
) -> None:
    agree(folder, whole, "--color", *words.split(), LS_COLORS=coloring)


@pytest.mark.parametrize(
    "style", ["literal", "shell", "shell-always", "shell-escape", "shell-escape-always", "c",
              "escape"],
)  # fmt: skip
def test_quoted_headings_match_gnu(tmp_path: Path, style: str) -> None:
    for name in ("a:b", " ", 'q"', "back\\slash", "new\nline"):
        (tmp_path / name).mkdir()
    with on_disk(tmp_path) as fs:
        answer = run_keysh("ls", "-R", f"--quoting-style={style}", fs=fs)
    assert answer == run_gnu("ls", "-R", f"--quoting-style={style}", cwd=tmp_path)


def test_files_in_memory_belong_to_the_user() -> None:
    fs = MemoryFS({"/a": "12345"}, clock=lambda: 10**18)
    answer = run_keysh("ls", "-l", "/a", fs=fs, env={"USER": "amy"})
    assert answer.out == b"-rw-r--r-- 1 amy amy 5 Sep  9  2001 /a\n"
    assert run_keysh("ls", "-n", "/a", fs=fs).out == b"-rw-r--r-- 1 1000 1000 5 Sep  9  2001 /a\n"


def test_time_zone_comes_from_the_environment() -> None:
    fs = MemoryFS({"/a": ""}, clock=lambda: 10**18)
    answer = run_keysh("ls", "--full-time", "/a", fs=fs, env={"TZ": "Asia/Tokyo"})
    assert b" 2001-09-09 10:46:40.000000000 +0900 /a\n" in answer.out


def test_rows_are_records() -> None:
    fs = MemoryFS({"/d/a": "12345"}, clock=lambda: 10**18)
    fs.make_link("a", "/d/l")
    rows = [json.loads(line) for line in run_keysh("ls", "--json", "/d", fs=fs).out.splitlines()]
    assert rows[0] == {
        "name": "a", "type": "file", "size": 5, "mode": "0644", "links": 1, "owner": "user",
        "group": "user", "modified": "2001-09-09T01:46:40Z", "inode": 3,
    }  # fmt: skip
    assert (rows[1]["type"], rows[1]["target"]) == ("link", "a")


def test_link_loop_is_reported() -> None:
    fs = MemoryFS({"/d/a": ""})
    fs.make_link("/d", "/d/loop")
    answer = run_keysh("ls", "-RL", "/d", fs=fs)
    assert answer.status == 2
    assert answer.err == "ls: /d/loop: not listing already-listed directory\n"
