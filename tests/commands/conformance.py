"""Tests that every text filter must pass, as a class to derive from.

What holds for all commands is tested in test_every_command.py, and their refusals in
test_refusals.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from commands.command_runner import Answer, command_named, on_disk, run_gnu, run_keysh
from fake_shell import FakeShell
from keysh.interp.engine.invoke import invoke
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.schema.arguments import NamedArgument
from keysh.text.chunks import bytes_of_text, decode_chunks
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router
from real_tools import need

EVERY_BYTE = bytes(range(256))
FILES = {
    "a": b"one\ntwo\n\nthree\n",
    "b": b"x\ty\nno newline at the end",
    "crlf": b"one\r\n\r\ntwo\r\n",
    "empty": b"",
    "every": EVERY_BYTE + b"\n" + EVERY_BYTE[::-1],
    "utf8": "größe €\n\U0001f600\n".encode(),
    "torn": "é€\n".encode() * 4000,  # a border of chunks falls into a character
    "broken": b"\xff\xc3\n\xe2\x82\n\x80" * 2000,
}


def fill(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "dir").mkdir()


class TextCommandConformance:
    """A subclass sets the command, and arguments with which it reads files.

    `real` is the tool to compare with, the same name unless given; None where there is none, and
    then the answers are held to be right by the command's own tests.
    """

    name = ""
    arguments: tuple[str, ...] = ()  # in front of the files
    real: str | None = ""
    named: tuple[tuple[str, object, tuple[str, ...]], ...] = ()  # key, value, the option's words

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        fill(tmp_path, FILES)
        return tmp_path

    @pytest.fixture
    def disk(self, folder: Path) -> Iterator[LocalFS]:
        with on_disk(folder) as fs:
            yield fs

    def agrees(self, folder: Path, fs: LocalFS, words: Iterable[str], stdin: bytes = b"") -> Answer:
        """Run keysh's command and, if there is one, the real tool; assert that they agree."""
        words = [*self.arguments, *words]
        answer = run_keysh(self.name, *words, stdin=stdin, fs=fs)
        if self.real is not None:
            real = self.real or self.name
            need(real)
            assert answer == run_gnu(real, *words, cwd=folder, stdin=stdin)
        return answer

    @pytest.mark.parametrize("file", FILES)
    def test_a_file_is_read(self, folder: Path, disk: LocalFS, file: str) -> None:
        assert self.agrees(folder, disk, [file]).status == 0

    @pytest.mark.parametrize("file", FILES)
    @pytest.mark.parametrize("words", [(), ("-",)], ids=["alone", "dash"])
    def test_standard_input_is_read(
        self, folder: Path, disk: LocalFS, file: str, words: tuple[str, ...]
    ) -> None:
        assert self.agrees(folder, disk, words, FILES[file]).err == ""

    def test_several_files_are_read_in_order(self, folder: Path, disk: LocalFS) -> None:
        assert self.agrees(folder, disk, ["b", "-", "empty", "a"], b"in\n").status == 0

    def test_missing_file_is_reported_and_the_others_are_read(
        self, folder: Path, disk: LocalFS
    ) -> None:
        answer = self.agrees(folder, disk, ["a", "missing", "b"])
        assert answer.status == 1
        assert "missing" in answer.err
        assert answer.err.endswith("No such file or directory\n")
        assert answer.out == self.agrees(folder, disk, ["a", "b"]).out

    def test_directory_is_reported_and_the_others_are_read(
        self, folder: Path, disk: LocalFS
    ) -> None:
        answer = self.agrees(folder, disk, ["dir", "a"])
        assert answer.status == 1
        assert answer.err.endswith("Is a directory\n")

    def test_file_below_a_file_is_reported(self, folder: Path, disk: LocalFS) -> None:
        assert "Not a directory" in self.agrees(folder, disk, ["a/b", "b"]).err

    def test_odd_names_are_accepted(self, folder: Path, disk: LocalFS) -> None:
        for name in ("-x", "a b", "it's", "\udcff.txt", "größe", "new\nline", 'q"$`'):
            (folder / name).write_bytes(b"text\n")
            assert self.agrees(folder, disk, ["--", name]).status == 0

    def test_megabytes_are_read(self, folder: Path, disk: LocalFS) -> None:
        big = b"".join(b"%d some more text\n" % i for i in range(170_000))
        assert len(big) > 3_000_000
        (folder / "big").write_bytes(big)
        assert self.agrees(folder, disk, ["big"]).status == 0
        assert self.agrees(folder, disk, ["-"], big).status == 0

    def test_one_long_line_is_read(self, folder: Path, disk: LocalFS) -> None:
        assert self.agrees(folder, disk, ["-"], b"long " * 200_000).status == 0

    def test_chunk_borders_do_not_matter(self) -> None:
        text = "zwölf\n\nBoxkämpfer\r\n\udcff\udcc3x" * 3
        whole = self.fed([text])
        assert self.fed(list(text)) == whole
        assert self.fed([text[i : i + 7] for i in range(0, len(text), 7)]) == whole

    def fed(self, chunks: list[str]) -> bytes:
        out: list[str] = []
        err: list[str] = []
        call = Call(
            self.name, FakeShell(Router(MemoryFS())), Reader(chunks), Writer(out.append),
            Writer(err.append),
        )  # fmt: skip
        assert invoke(command_named(self.name), call, self.arguments) == 0
        assert err == []
        return bytes_of_text("".join(out))

    def test_memory_and_disk_give_the_same_bytes(self, disk: LocalFS) -> None:
        words = [*self.arguments, *FILES]
        in_memory = run_keysh(self.name, *words, files=FILES)
        assert in_memory == run_keysh(self.name, *words, fs=disk)

    def test_named_argument_sets_the_option(self) -> None:
        for key, value, option in self.named:
            words = [*option, "a", "b"]
            by_option = run_keysh(self.name, *words, files=FILES)
            text = f"{key}={value}"
            by_name = run_keysh(self.name, NamedArgument(key, value, text), "a", "b", files=FILES)
            assert by_option.status == 0
            assert by_name == by_option


def reader(data: bytes, size: int) -> Reader:
    """A reader of bytes in pieces of a size."""
    pieces = iter([data[i : i + size] for i in range(0, len(data), size)])
    return Reader(decode_chunks(lambda _: next(pieces, b"")))
