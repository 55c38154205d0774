"""hexdump against the real one of util-linux."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.command_runner import Answer, run_gnu, run_keysh

FILES = {
    "h": b"hello world\n\0\1\xff abcdefghijklmnop", "z": bytes(64) + b"x", "e": b"",
    "a": bytes(range(256)), "r": b"abcdefgh" * 9 + b"abc", "t": b"0123456789abcde",
    "fmt": b'# bytes\n\n"%_ad: " 4/1 "%3u " "\\n"\n',
}  # fmt: skip
FORMATS = [
    '16/1 "%02x " "\\n"', '1/1 "%02x"', '"%08.8_ax  " 8/1 "%02x " "  " 8/1 "%02x " "|\\n"',
    '4/4 "%08X " "\\n"', '/1 "%_u "', '/1 "%_c"', '/2 "%d "', '/4 "%e\\n"', '"%_ad: " 4/1 "%3u "',
    '16 "%s" "\\n"', '1/8 "%s|"', '"abc\\n"', '3/1 "%02x" " " 2/2 "%04x," "\\n"', "%d",
    '2/3 "%x"', '"%q"', '/1 "%c%c"', '4/1 "%-5d|"', '2/1 "%+d " "x" 2/1 "%5.3d "', '8/1 "%#o "',
    '"%_Ax\\n" "x"', '/8 "%d "', '/8 "%10.3f\\n"', '"%.3s,"', '1/2 "%i\\t"', '2/c "%x"', '"%x',
    '4/1 "%_p" "\\q\\\\"', '"%d\\n"', '"%d %x\\n"', '2 "%_o"', "",
    '"%5c"', '"%%"', '5/1 "%3_u" "\\n"',
]  # fmt: skip
CALLS = [
    [], ["-b"], ["-c"], ["-C"], ["-d"], ["-o"], ["-x"], ["-v"], ["-Cv"], ["-n", "5", "-C"],
    ["-s", "3", "-n", "5", "-C"], ["-s", "100"], ["-n", "0"],
    ["-cC"], ["-s", "0x10"], ["-s", "010"],
    ["-n", "1k"], ["-s", "1KB"], ["-s", "1b"], ["-n", "x"], ["-f", "fmt"], ["-L"],
    ["-n", "8"], ["-n", "16"], ["-s", "64"], ["-s", "63", "-n", "2"], ["-n", "-1"], ["-z"],
    ["-e", '8/1 "%02X ""\\t"" "', "-e", '8/1 "%c""\\n"'], ["-e", '"%_Ax\\n"', "-e", '8/1 "%02x "'],
    ["-b", "-e", '"[%_ao]" 3/1 "%d" "\\n"'], ["-v", "-e", '1/1 "%.2x"'],
]  # fmt: skip


def both(folder: Path, *words: str, stdin: bytes = b"") -> tuple[Answer, Answer]:
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "d").mkdir()
    files = {f"/{name}": content for name, content in FILES.items()} | {"/d/x": b""}
    return (
        run_keysh("hexdump", *words, files=files, stdin=stdin),
        run_gnu("hexdump", *words, cwd=folder, stdin=stdin),
    )


@pytest.mark.parametrize("name", ["h", "z", "a", "r", "t"])
@pytest.mark.parametrize("words", CALLS, ids=repr)
def test_it_answers_as_the_real_one(tmp_path: Path, words: list[str], name: str) -> None:
    answer, real = both(tmp_path, *words, name)
    assert answer == real


@pytest.mark.parametrize("name", ["h", "z", "r", "t"])
@pytest.mark.parametrize("text", FORMATS)
def test_formats(tmp_path: Path, text: str, name: str) -> None:
    answer, real = both(tmp_path, "-e", text, name)
    assert answer == real


@pytest.mark.parametrize(
    "words",
    [["h", "nope"], ["-C", "nope", "d"], ["nope"], ["-C", "z", "h"], ["-s", "70", "-C", "z", "h"],
     ["e"], ["e", "h"], ["-f", "nope", "h"], []],
    ids=repr,
)  # fmt: skip
def test_files(tmp_path: Path, words: list[str]) -> None:
    answer, real = both(tmp_path, *words, stdin=b"from standard input\n")
    assert answer == real


def test_it_skips_what_cannot_seek() -> None:
    """The real one fails if standard input is a pipe."""
    assert run_keysh("hexdump", "-C", "-s", "2", stdin=b"abcd").out == (
        b"00000002  63 64                                             |cd|\n00000004\n"
    )
