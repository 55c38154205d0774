"""ln link readlink realpath basename dirname: tables and random calls against the real tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, run_gnu, run_keysh
from commands.file_effects import run_both
from keysh.vfs.memory.filesystem import MemoryFS

TABLE = """
ln|ln f|ln -s a|ln a|ln a f|ln a b|ln d f|ln -s x y f|ln -sv a f|ln -sf a b|ln -sfv a b|ln -s a d
ln -sn a to_d|ln -sfn a to_d|ln -sT a d|ln -st d a b|ln -st f a|ln -st a b|ln -sr d/x f
ln -srv a d/f|ln -L to_a f|ln -P to_a f|ln a a|ln -f a a|ln -sf a a|ln -f a hard|ln -sf a hard
ln -s x f/y|ln f y|ln a b f|ln -T a|ln -T a b f|ln -v a f|ln -r a f|ln -bf a b|ln -b a b
ln -sfT a d|ln a b d|ln -v a b d|ln -s a a d|ln -sf a d/a d|ln -Tt d a|ln nowhere f
ln -L nowhere f|ln -sb a b|ln --backup=numbered -sv a b|ln -S .o a b|ln --backup=x a b
ln -s d/sub e|ln -srt e d/x to_a|ln -sr nowhere f|ln -sr f d/g|ln -F d f|ln -sf nowhere b
ln to_d f|ln -L to_d f|ln -sfr a to_d|ln -s to_d/ f|ln a d/|ln a b/|ln a f/|ln -s a f/
ln -sTf a nowhere|ln -sv --relative d/sub/y e/d/z|link|link a|link a f|link a b|link f g
ln -st d -t e a|ln -b a a|ln -ib a a|ln --backup=x -t f a|ln --backup=numbered -t d a a
ln -sfr b a/|ln -b a d/up|ln -sbr a a|ln a b d//|ln -st d// a b|ln -f a a/|ln -sfT a d/x/
link a b c|link d f|link a f/x|link to_a f|link a/ f
"""  # fmt: skip
CALLS = [call for call in TABLE.strip("\n").replace("\n", "|").split("|") if call]


@pytest.mark.parametrize("call", CALLS)
def test_calls_match_gnu(tmp_path: Path, call: str) -> None:
    run_both(tmp_path, *call.split(" "))


@pytest.mark.parametrize("words", ["-s||f", "||f", "-s|a|", "a|", "-t||a", "two words|it's x"])
def test_odd_arguments_match_gnu(tmp_path: Path, words: str) -> None:
    run_both(tmp_path, "ln", *words.split("|"))


@pytest.mark.parametrize("stdin", [b"y\n", b"n\n", b""])
def test_prompts_are_shown(tmp_path: Path, stdin: bytes) -> None:
    run_both(tmp_path, "ln", "-i", "a", "b", stdin=stdin)


NAMES = ["a", "b", "d", "e", "e/d", "hard", "to_a", "to_d", "nowhere", "f", "d/sub", ".", "d/f",
         "to_d/sub", "d/up", "../x", "e/.."]  # fmt: skip
OPTIONS = ["-s", "-f", "-n", "-v", "-r", "-T", "-b", "-L", "-P", "-td", "-i"]


@settings(max_examples=60, derandomize=True)
@given(
    options=st.lists(st.sampled_from(OPTIONS), max_size=3, unique=True),
    names=st.lists(st.sampled_from(NAMES), min_size=1, max_size=3),
)
def test_random_links_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, options: list[str], names: list[str]
) -> None:
    run_both(tmp_path_factory.mktemp("ln"), "ln", *options, *names, stdin=b"y\nn\n")


WITHOUT_FILES = """
basename|basename a b c|basename -a|basename -s .x a.x b/c.x|basename /|basename //|basename a/
basename .c .c|basename -z a/b|basename a.c .c|basename -a a/b c/d|basename -s .c -a x.c .c
basename --suffix=a ba aa a|basename a/b/ b|basename -az x y|basename ///a/// a|basename x y
dirname|dirname a/b c /x //x a//b/ . a|dirname -z a/b c|dirname / // ///a a/b// /a/b .. ../x
dirname a/. /. ./a //a//b|basename -Z|dirname -Z|dirname a/b/c/d/ x|readlink|readlink to_a a f
readlink -v to_a a f|readlink -n to_a nowhere|readlink -n to_a|readlink -z to_a nowhere
readlink to_d/up|readlink -q a|readlink -vq a|readlink -e f -v|realpath|realpath -q f/x
realpath -Z
"""  # fmt: skip


@pytest.mark.parametrize("call", WITHOUT_FILES.strip("\n").replace("\n", "|").split("|"))
def test_basename_and_dirname_match_gnu(tmp_path: Path, call: str) -> None:
    run_both(tmp_path, *call.split(" "))


PATHS = ["a", "to_a", "to_d", "nowhere", "f", "f/x", "a/x", "a/", "to_d/..", "d/../a", "/", "d/up",
         "nowhere/x", "to_d/sub/../x", ".", "..", "to_d/", "f/", "nowhere/", "f/../a", "//d//sub",
         "to_d/up", "e/d/../../to_d", "/nope/../a"]  # fmt: skip
REAL = {
    "readlink": ["-f", "-e", "-m", "-v", "-z"],
    "realpath": ["-e", "-m", "-L", "-P", "-s", "-q", "-z", "--relative-to=d", "--relative-base=d",
                 "--relative-base=.", "--relative-to=e/d", "--relative-to=f",
                 "--relative-to=/"],
}  # fmt: skip


@settings(max_examples=60, derandomize=True)
@given(data=st.data())
def test_real_paths_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Both see one tree from its root: the real tool's answers begin with the directory's path."""
    from commands.command_runner import on_disk
    from commands.file_effects import fill
    from keysh.vfs.router import Router

    folder = fill(tmp_path_factory.mktemp("real") / "t").resolve()
    name = data.draw(st.sampled_from(sorted(REAL)))
    options = data.draw(st.lists(st.sampled_from(REAL[name]), max_size=3, unique=True))
    paths = data.draw(st.lists(st.sampled_from(PATHS), min_size=1, max_size=3))
    words = [*options, *paths]
    with on_disk(Path("/")) as fs:
        answer = run_keysh(name, *words, fs=Router(fs), cwd=str(folder))
    assert answer == run_gnu(name, *words, cwd=folder), words


def test_links_in_memory_are_followed() -> None:
    fs = MemoryFS({"/d/a": ""})
    fs.make_link("../d/a", "/d/b")
    fs.make_link("/loop", "/loop")
    assert run_keysh("realpath", "/d/b", fs=fs).out == b"/d/a\n"
    assert run_keysh("readlink", "-m", "/loop/x", fs=fs) == Answer(0, b"/loop/x\n", "")
    assert run_keysh("realpath", "/loop", fs=fs).err == (
        "realpath: /loop: Too many levels of symbolic links\n"
    )
