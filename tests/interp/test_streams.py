"""Reader and Writer: one reader leaves the rest to the next."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysh.interp.streams.open_files import SeekableReader
from keysh.interp.streams.streams import Reader, Writer, reader_of, writer_of
from keysh.text.chunks import bytes_of_text
from keysh.vfs.memory.filesystem import MemoryFS

pytestmark = pytest.mark.quick


def generated(*chunks: str) -> Iterator[str]:
    """Chunks from a generator, which closing would end."""
    yield from chunks


def test_read_line_leaves_the_rest_for_the_next_reader() -> None:
    reader = Reader(generated("one\ntw", "o\nthree\n", "four"))
    assert reader.read_line() == "one\n"
    assert reader.read_line() == "two\n"
    assert reader.read() == "three\nfour"
    assert reader.read_line() == ""


def test_a_line_without_an_end_is_the_last() -> None:
    reader = Reader(generated("a", "b"))
    assert reader.read_line() == "ab"
    assert reader.read_line() == ""


def test_lines_may_end_with_another_character() -> None:
    reader = Reader(generated("a\0b", "\0c"))
    assert reader.read_line("\0") == "a\0"
    assert list(reader.lines("\0")) == ["b\0", "c"]


def test_a_dropped_iterator_leaves_the_source_open() -> None:
    reader = Reader(generated("a", "b", "c"))
    for chunk in reader:
        assert chunk == "a"
        break
    first = next(reader.chunks())
    assert first == "b"
    assert reader.read() == "c"


def test_pushed_back_text_comes_first() -> None:
    reader = Reader(generated("abc", "d"))
    chunks = reader.chunks()
    assert next(chunks) == "abc"
    reader.push_back("c")
    reader.push_back("b")
    assert list(reader.chunks()) == ["bc", "d"]


@given(st.lists(st.text(alphabet="ab\n\0", min_size=1)), st.lists(st.sampled_from("lcz")))
def test_mixed_reads_lose_nothing(chunks: list[str], ways: list[str]) -> None:
    reader = Reader(generated(*chunks))
    result: list[str] = []
    for way in ways:
        if way == "c":
            result.append(next(reader.chunks(), ""))
        else:
            result.append(reader.read_line("\n" if way == "l" else "\0"))
    assert "".join(result) + reader.read() == "".join(chunks)


def test_closing_happens_once() -> None:
    closed: list[int] = []
    reader = Reader([], lambda: closed.append(1))
    reader.close()
    reader.close()
    assert closed == [1]
    Reader([]).close()


def test_an_empty_text_is_not_written() -> None:
    result: list[str] = []
    writer = Writer(result.append)
    writer.write("")
    writer.write("a")
    writer.writelines(["b", "c"])
    assert result == ["a", "b", "c"]


def test_a_file_is_read_and_written_as_bytes() -> None:
    fs = MemoryFS({"/f": bytes(range(256))})
    reader = reader_of(fs.open("/f"))
    text = reader.read()
    stream = fs.open("/g", "w")
    writer_of(stream).write(text)
    stream.close()
    with fs.open("/g") as written:
        assert written.read() == bytes(range(256))


def test_closing_a_reader_closes_its_file() -> None:
    stream = MemoryFS({"/f": "text"}).open("/f")
    reader_of(stream).close()
    with pytest.raises(ValueError, match="closed"):
        stream.read()


def test_data_is_the_content_of_the_file() -> None:
    fs = MemoryFS(files={"/f": b"\xff\xc3" * 5000})
    pieces = list(reader_of(fs.open("/f")).data())
    assert b"".join(pieces) == b"\xff\xc3" * 5000
    assert len(pieces) > 1


def test_data_follows_what_was_read_as_text() -> None:
    fs = MemoryFS(files={"/f": b"one\n\xc3\xa9\xfftwo\n" + b"x" * 9000})
    reader = reader_of(fs.open("/f"))
    assert reader.read_line() == "one\n"
    assert b"".join(reader.data()) == b"\xc3\xa9\xfftwo\n" + b"x" * 9000
    reader = reader_of(fs.open("/f"))
    next(reader.chunks())
    assert b"".join(reader.data()) == b"x" * (9000 + 11 - 4096)
    assert reader.read() == ""
    assert b"".join(Reader(generated("\udcff", "a")).data()) == b"\xffa"


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_data_follows_a_shared_position(count: int) -> None:
    """A character that has been read in part is not lost."""
    fs = MemoryFS(files={"/f": b"a" * 4095 + b"\xc3\xa9b"})
    reader = SeekableReader(fs.open("/f", "rw"))
    chunks = reader.chunks()
    taken = sum(len(bytes_of_text(next(chunks, ""))) for _ in range(count))
    assert b"".join(reader.data()) == (b"a" * 4095 + b"\xc3\xa9b")[taken:]
