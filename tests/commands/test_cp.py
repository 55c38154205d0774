"""cp: tables and random calls against the real tool, in two copies of one directory."""

from __future__ import annotations

import os
from pathlib import Path

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, command_named, on_disk, run_in_copies, run_keysh
from commands.directory_tree import tree
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router


def fill(root: Path) -> Path:
    """Files, directories, links of both kinds, modes and old times."""
    root.mkdir(exist_ok=True)
    for name in ("d/sub", "e/d", "empty", "locked"):
        (root / name).mkdir(parents=True)
    contents = {"a": b"1\n", "b": bytes(range(256)), "d/x": b"3", "d/sub/y": b"", "e/a": b"old\n",
                "run": b"#!", "locked/z": b"z", "\udcff": b"odd", "new": b"new"}  # fmt: skip
    for name, content in contents.items():
        (root / name).write_bytes(content)
    os.link(root / "a", root / "hard")
    os.link(root / "d/x", root / "d/sub/x")
    for name, target in {"to_a": "a", "to_d": "d", "nowhere": "missing", "d/up": "../a",
                         "loop": "loop"}.items():  # fmt: skip
        (root / name).symlink_to(target)
    (root / "run").chmod(0o4755)
    (root / "b").chmod(0o600)
    (root / "locked").chmod(0o500)
    for at, name in enumerate(["e/a", "a", "b", "d/x", "d/sub/y", "run", "d/sub", "locked", "d"]):
        os.utime(root / name, ns=(10**12 + at, 10**15 + at * 1_000_000_007))
    os.utime(root / "to_a", ns=(5, 77), follow_symlinks=False)
    return root


def both(folder: Path, words: list[str], stdin: bytes = b"") -> Answer:
    """Run both and assert equal answers and results."""
    answer, expected = run_in_copies(folder, "cp", words, fill, stdin=stdin)
    if "into itself" in answer.err:  # how far that goes is a matter of the directory's order
        assert [*filter(is_of_itself, answer.err.splitlines())] == [
            *filter(is_of_itself, expected.err.splitlines())
        ]
        return answer
    assert in_any_order(answer) == in_any_order(expected)
    assert tree(folder / "here", times=True) == tree(folder / "there", times=True)
    return answer


def is_of_itself(line: str) -> bool:
    return "into itself" in line


def in_any_order(answer: Answer) -> Answer:
    """Sort the lines, because the order of directory entries is unknown."""
    return Answer(answer.status, b"\n".join(sorted(answer.out.split(b"\n"))), answer.err)


@pytest.mark.parametrize(
    "words",
    [
        # operands
        "", "a", "-t d", "-t missing a", "-t a b", "-T a b c", "a b c", "a b missing", "-t d -T a",
        "-T a", "-T a e", "-T d e", "-rT d e", "a new", "a fresh", "a fresh/", "a missing/x",
        "a b/x", "a e", "a b e", "a b e/", "-t e a b", "a d e", "missing a e", "a missing e",
        "a a", "a hard", "a to_a", "to_a a", "a .", "-f a a", "a nowhere", "-f a nowhere",
        "nowhere e", "-P nowhere e", "to_a fresh", "-P to_a fresh", "-d to_a e", "d e", "d fresh",
        "a/ e", "a/b e", "d/x d/x e", "a e/a e", "a d/../e/a e", ". e", "-- a fresh", "-- -x e",
        "run fresh", "b fresh", "to_d e", "a to_d", "\udcff e", "\udcffmissing e", "e/a a",
        # trees
        "-r d e", "-r d fresh", "-R d/ fresh", "-r d e e", "-r d d", "-r d d/fresh", "-r d a",
        "-r d a b", "-r a e", "-rv d e", "-rv d fresh", "-r d/. fresh", "-r d/.. e", "-r e/. e",
        "-r locked fresh", "-rp locked fresh", "-r d to_d", "-rT d to_d", "-rL d fresh",
        "-rH to_d fresh", "-r to_d fresh", "-rL to_d fresh", "-r d d/ e", "-r empty e", "-r d .",
        "-rL nowhere fresh", "-r nowhere fresh", "-rP to_a to_d e", "-r d/sub e/d/x fresh",
        "-r missing e", "-r a missing d e",
        # preserved attributes
        "-p a fresh", "-p run fresh", "-p b e", "-a d fresh", "-a d e", "-a d/. fresh",
        "-a a hard e", "-d a hard e", "-a to_a fresh", "-p to_a fresh", "-a locked e",
        "--preserve=mode run fresh", "--preserve=timestamps b fresh", "--preserve b fresh",
        "--preserve=mode,timestamps run fresh", "--preserve=links a hard e", "--preserve=mo b new",
        "--preserve=all -r d fresh", "--no-preserve=mode b fresh", "-p --no-preserve=mode b fresh",
        "-p --no-preserve=timestamps b fresh", "-a --no-preserve=links d fresh", "-p a new",
        "--preserve=wrong a fresh", "--preserve=mode,wrong a fresh", "--no-preserve=wrong a b",
        "--no-preserve=mode -r locked fresh", "--attributes-only -p b fresh",
        "--attributes-only b new", "--no-preserve", "-pr d fresh",
        # existing targets
        "-n a new", "-nv a new", "-i a new", "-iv a new", "-in a new", "-ni a new", "-u a e",
        "-u e/a a", "-uv a e", "-ur d e", "-f a new", "--remove-destination a hard",
        "--remove-destination -v a new", "--remove-destination a a", "--remove-destination a to_a",
        "-a a hard", "-P a to_a", "-P to_a a", "-P to_a new", "-d to_a to_a", "-n a fresh",
        "-r e/d a", "d/x e/d e/d", "-a hard e/a",
        # links
        "-l a fresh", "-l a new", "-lf a new", "-l a a", "-l a hard",
        "-lr d fresh", "-l to_a fresh",
        "-lP to_a fresh", "-s a fresh", "-s a new", "-sf a new", "-s a e", "-s missing fresh",
        "-s a hard", "-s a a", "-s a b e", "-l d fresh", "-lv a fresh", "-sv a fresh",
        # parents
        "--parents d/x e", "--parents -v d/x e", "--parents d/x missing", "--parents d/x a",
        "--parents -r d/sub e", "--parents -p d/sub/y e", "--parents missing/x e",
        "--parents a/x e", "--parents d/missing e", "--parents locked/z e",
        "--parents -v d/sub/y d",
        # backups
        "-b a new", "-bv a new", "-b a fresh", "-b a a", "-bf a a", "-bfv a hard", "-b a hard",
        "-b a to_a", "-b to_a a", "-bP to_a a", "-bP a to_a", "-bP to_a nowhere", "-b d e",
        "-rb d e", "-rbv d/. e", "-rb a d", "-b nowhere new", "-b a nowhere", "-bs a e/a",
        "-S .x a new", "--backup=numbered -v a new", "--backup=t -v d/x e/a e", "-lb a new",
        "--backup=none a new", "--backup=x a new", "-bn a new", "-bu e/a a", "-bi a new",
        "-b new d/x", "--backup=simple -r d/sub e", "-bl a a", "-bT a d", "-S a d/y d/ya",
        "-b e/a a e/a", "-b --remove-destination -v a new", "-b --parents d/x e", "-abv hard a",
        "--backup=numbered a e/a e", "-b a e/a e", "-S w a ne",
        # blocks
        "--reflink a fresh", "--reflink=always -v a new", "--reflink=auto a fresh",
        "--reflink=x a new", "--sparse=always a fresh", "--sparse=x a new", "--sparse a new",
        "--reflink --sparse=never a new", "--copy-contents a new",
        # found by random calls
        "-n --backup=none a fresh", "-n --backup=x a new", "--backup=x --backup a new",
        "d/x b e//", "-rv d// fresh", "-rv d e//", "--parents missing/ e", "-s a missing/x/",
        "-asv b fresh", "-t e -t d a", "-S /x a new", "-br nowhere nowhere", "a loop", "-fv a loop",
        "-f a loop/x",
        "-pv a run", "-rs to_a new", "-fb e/a a e", "-r e/d e/d e", "-ab hard a",
        # options
        "--foo", "-Q", "-t", "--strip-trailing-slashes -r d/ fresh", "-x -r d fresh",
        "--strip-trailing-slashes a/ fresh", "--verbose=3 a b", "--target a",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    both(tmp_path, [word for word in words.split(" ") if word])


@pytest.mark.parametrize("words", [["", "e"], ["a", ""], ["a", "b", ""], ["-t", "", "a"]])
def test_empty_name_does_not_exist(tmp_path: Path, words: list[str]) -> None:
    assert both(tmp_path, words).status == 1


@pytest.mark.parametrize("stdin", [b"y\n", b"yes\n", b"n\n", b"\n", b"Y"])
def test_answer_to_a_prompt_is_read(tmp_path: Path, stdin: bytes) -> None:
    both(tmp_path, ["-i", "a", "new"], stdin)


def test_two_prompts_read_two_lines(tmp_path: Path) -> None:
    (tmp_path / "only").mkdir()
    both(tmp_path, ["-i", "a", "new", "-t", "e"], b"n\ny\n")


NAMES = ["a", "b", "d", "e", "hard", "to_a", "to_d", "nowhere", "fresh", "new", "d/x", "d/sub",
         "e/d", "locked", "run", ".", "d/.", "e/a"]  # fmt: skip
OPTIONS = ["-r", "-a", "-d", "-f", "-l", "-L", "-n", "-P", "-p", "-s", "-T", "-u", "-v", "-H",
           "-b", "--backup=numbered", "--parents", "--remove-destination",
           "--preserve=links"]  # fmt: skip


@settings(max_examples=150, derandomize=True)
@given(
    options=st.lists(st.sampled_from(OPTIONS), max_size=3),
    names=st.lists(st.sampled_from(NAMES), min_size=1, max_size=3),
)
@example(options=["-a"], names=["d", "hard", "e"])
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, options: list[str], names: list[str]
) -> None:
    both(tmp_path_factory.mktemp("cp"), [*options, *names])


def test_write_protected_file_has_its_own_prompt() -> None:
    fs = MemoryFS({"/a": "1", "/b": "2"})
    fs.set_mode("/b", 0o444)
    mode = "mode 0444, r--r--r--"
    requests = f"cp: unwritable '/b' ({mode}); try anyway? "
    assert run_keysh("cp", "-i", "/a", "/b", fs=fs, stdin=b"n\n") == Answer(0, b"", requests)
    requests = "replace '/b', overriding mode 0444 (r--r--r--)? "
    assert run_keysh("cp", "-fi", "/a", "/b", fs=fs).err == f"cp: {requests}"
    assert run_keysh("mv", "-i", "/a", "/b", fs=fs).err == f"mv: {requests}"


def test_megabytes_are_copied(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(os.urandom(3_000_000))
    with on_disk(tmp_path) as fs:
        assert run_keysh("cp", "big", "copy", fs=fs) == Answer(0, b"", "")
    assert (tmp_path / "copy").read_bytes() == (tmp_path / "big").read_bytes()


def test_trees_are_copied_between_mounts() -> None:
    there = MemoryFS({"/old": "x"})
    here = MemoryFS({"/tree/a": b"\xff", "/tree/sub/b": "b"})
    here.make_link("a", "/tree/link")
    here.link("/tree/a", "/tree/sub/hard")
    answer = run_keysh("cp", "-a", "/tree", "/mnt", fs=Router({"/": here, "/mnt": there}))
    assert answer == Answer(0, b"", "")
    assert there.open("/tree/a").read() == b"\xff"
    assert there.read_link("/tree/link") == "a"
    assert there.stat("/tree/a").inode == there.stat("/tree/sub/hard").inode
    assert there.stat("/tree/a").modified == here.stat("/tree/a").modified


def test_help_and_schema() -> None:
    answer = run_keysh("cp", "--help")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith(b"Usage: cp [OPTION]... [PATH]...\n")
    jsonschema.Draft202012Validator.check_schema(command_named("cp").json_schema())
