"""xxd: calls and random bytes against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import on_disk, run_gnu, run_keysh
from commands.comparison import assert_agreement
from keysh import MemoryFS, Shell
from keysh.tools.xxd.hex_dump import parse_plain_dump

FILES = {
    "a": bytes(range(256)), "empty": b"", "text.c": b"hello\n\tworld\0\x07\xc3\xa9, hello again",
    "zeros": bytes(70) + b"x" + bytes(64), "two": bytes(32) + b"x",
    "mixed": b"6\n1 6x1 0x62,0x63 616\n", "far": b"00000004: 61\n", "back": b"04: 61\n00: 62\n",
    "digits": b"68 65 6c\n6c6f\n", "lines": b"00000000: 6865 6c6c 6f  hello\n00000008: 21  !\n",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    ["a", "empty", "text.c", "-p a", "-ps text.c", "-plain text.c", "-b text.c", "-i text.c",
     "-i empty", "-i", "-C -i text.c", "-e text.c", "-u a", "-g 1 text.c", "-g0 text.c", "-g 4 a",
     "-c 8 a", "-c5 text.c", "-c 8 -g 3 text.c", "-l 5 text.c", "-l5 a", "-s 3 text.c",
     "-s -4 text.c", "-s 0x10 text.c", "-o 16 text.c", "-d a", "-a zeros", "-a two", "zeros",
     "-r lines", "-r -p digits", "-p -r digits", "-", "", "-u -p a", "-p -c 5 text.c", "-b -c 4 a",
     "-n name -i text.c", "-e -g 2 text.c", "-l 0 a", "-g 99999999999 a", "-g -1 a", "-b -g 77 a",
     "-E a", "-E -b text.c", "-E -e -c 8 a", "-p -e text.c", "-e -p text.c", "-i -b text.c",
     "-a -a zeros", "-a -a -a zeros", "-r -b lines", "-r -e lines", "-r -i lines", ".", "-p .",
     "text.c -", "text.c .", "-r -p mixed", "-r far", "-r back",
     "-p -c 0 a", "-p -c0 empty", "-u -ps -c 0", "-c 0 a", "-p -c -1 a", "-p -c 300 a"],
)  # fmt: skip
def test_calls_match_xxd(folder: Path, words: str) -> None:
    with on_disk(folder) as fs:
        answer = run_keysh("xxd", *words.split(), fs=fs, stdin=b"from a pipe")
    assert answer == run_gnu("xxd", *words.split(), cwd=folder, stdin=b"from a pipe")


def test_output_file_is_written(folder: Path) -> None:
    with on_disk(folder) as fs:
        assert run_keysh("xxd", "text.c", "out", fs=fs).out == b""
        assert run_keysh("xxd", "-r", "out", "back", fs=fs).status == 0
    assert (folder / "back").read_bytes() == FILES["text.c"]


def test_full_disk_message_matches_xxd() -> None:
    answer = Shell(fs={"/": MemoryFS({"f": "hello"})}).run("xxd f /dev/full; xxd -r -p f /dev/full")
    assert answer.stderr == "xxd: No space left on device\n" * 2
    assert answer.code == 3


@pytest.mark.parametrize("words", ["-p f f", "-i f f", "f f", "-r r r", "-r -p f r", "-r r f"])
def test_file_may_be_read_and_written_at_once(tmp_path: Path, words: str) -> None:
    assert_agreement(
        "xxd", words.split(), tmp_path, {"f": b"hello\n61", "r": b"00000002: 6162 63\n"}
    )


@pytest.mark.parametrize("words", [["-z"], ["-c"], ["-c", "x", "a"], ["a", "b", "c"], ["missing"]])
def test_invalid_call_is_reported(words: list[str]) -> None:
    answer = run_keysh("xxd", *words)
    assert answer.status != 0
    assert answer.err.startswith("xxd: ")


@pytest.mark.parametrize("words", [["missing"], ["-i", "missing", "out"]])
def test_missing_file_is_reported_and_nothing_is_written(folder: Path, words: list[str]) -> None:
    with on_disk(folder) as fs:
        assert run_keysh("xxd", *words, fs=fs) == run_gnu("xxd", *words, cwd=folder)
    assert not (folder / "out").exists()


@settings(max_examples=60, derandomize=True)
@given(
    st.binary(max_size=70),
    st.sampled_from(["-p", "-g1", "-b", "-e", "-i", "-c7", "-a", "-u", "-g3", "-d", "-c8"]),
)
def test_random_bytes_match_xxd(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, option: str
) -> None:
    folder = tmp_path_factory.mktemp("xxd")
    assert run_keysh("xxd", option, stdin=data) == run_gnu("xxd", option, cwd=folder, stdin=data)


@settings(max_examples=60, derandomize=True)
@given(st.binary(max_size=100), st.sampled_from([(), ("-p",)]))
def test_dump_round_trips(data: bytes, words: tuple[str, ...]) -> None:
    displayed = run_keysh("xxd", *words, stdin=data)
    assert run_keysh("xxd", "-r", *words, stdin=displayed.out).out == data


@pytest.mark.parametrize("words", ["", "-u", "-c 10 -g 5", "-d", "-c 7", "-o 4294967200"])
def test_many_lines_match_xxd(tmp_path: Path, words: str) -> None:
    data = bytes(range(256)) * 80 + b"end"
    assert run_keysh("xxd", *words.split(), stdin=data) == run_gnu(
        "xxd", *words.split(), cwd=tmp_path, stdin=data
    )


@settings(max_examples=60)
@given(st.text("af1xg:, \n", max_size=30).map(str.encode), st.integers(1, 5))
def test_reversing_digits_among_other_text_matches_xxd(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, size: int
) -> None:
    pieces = [content[at : at + size] for at in range(0, len(content), size)]
    made = b"".join(made for _, made in parse_plain_dump(pieces))
    assert made == run_gnu("xxd", "-r", "-p", cwd=tmp_path_factory.getbasetemp(), stdin=content).out
