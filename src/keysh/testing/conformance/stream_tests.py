"""Streams: the five modes of opening a file, and the position in it."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest

from keysh.testing.conformance.kit import Kit, get, names, put
from keysh.vfs.api import FileSystem

if TYPE_CHECKING:
    from keysh.vfs.api import Access

ALL_BYTES = bytes(range(256))
THREE_MEGABYTES = b"".join(number.to_bytes(3, "big") for number in range(1 << 20))


class Streams(Kit):
    @pytest.mark.parametrize(
        "data",
        [b"", b"x", b"\0", b"a\r\nb\n", ALL_BYTES],
        ids=["none", "one", "nul", "lines", "all"],
    )
    def test_keeps_bytes(self, fs: FileSystem, data: bytes) -> None:
        put(fs, "/f", data)
        assert get(fs, "/f") == data
        assert fs.stat("/f").size == len(data)

    def test_keeps_megabytes(self, fs: FileSystem) -> None:
        put(fs, "/f", THREE_MEGABYTES)
        assert get(fs, "/f") == THREE_MEGABYTES
        with fs.open("/g", "w") as stream:
            for start in range(0, len(THREE_MEGABYTES), 1 << 16):
                stream.write(THREE_MEGABYTES[start : start + (1 << 16)])
        with fs.open("/g") as stream:
            chunks = list(iter(lambda: stream.read(100_000), b""))
        assert b"".join(chunks) == THREE_MEGABYTES
        assert fs.stat("/g").size == len(THREE_MEGABYTES)

    @pytest.mark.parametrize(
        ("access", "result"),
        [("w", b"new"), ("a", b"old textnew"), ("rw", b"new text")],
    )
    def test_opens_existing_files(self, fs: FileSystem, access: Access, result: bytes) -> None:
        self.require_claims(*{"a": ["has_append"], "rw": ["has_random_access"]}.get(access, []))
        put(fs, "/f", b"old text")
        with fs.open("/f", access) as stream:
            assert stream.write(b"new") == 3
        assert get(fs, "/f") == result

    @pytest.mark.parametrize("access", ["w", "a", "x", "rw"])
    def test_creates_missing_files(self, fs: FileSystem, access: Access) -> None:
        self.require_claims(*{"a": ["has_append"], "rw": ["has_random_access"]}.get(access, []))
        with fs.open("/f", access) as stream:
            assert names(fs) == ["f"]
            assert stream.write(b"new") == 3
        assert get(fs, "/f") == b"new"

    @pytest.mark.parametrize("access", ["w", "a", "x", "rw"])
    def test_creates_an_empty_file_without_a_write(self, fs: FileSystem, access: Access) -> None:
        self.require_claims(*{"a": ["has_append"], "rw": ["has_random_access"]}.get(access, []))
        fs.open("/f", access).close()
        assert fs.stat("/f").size == 0
        assert get(fs, "/f") == b""

    def test_opening_for_writing_truncates(self, fs: FileSystem) -> None:
        put(fs, "/f", b"old text")
        with fs.open("/f", "w"):
            assert fs.stat("/f").size == 0

    def test_reader_cannot_write(self, fs: FileSystem) -> None:
        put(fs, "/f", b"text")
        with fs.open("/f") as stream:
            with pytest.raises(OSError):  # noqa: PT011 Python's own streams give no errno
                stream.write(b"x")
            with pytest.raises(OSError):  # noqa: PT011
                stream.truncate(0)
            assert stream.read() == b"text"

    @pytest.mark.parametrize("access", ["w", "a", "x"])
    def test_writer_cannot_read(self, fs: FileSystem, access: Access) -> None:
        self.require_claims(*["has_append"] if access == "a" else [])
        with fs.open("/f", access) as stream:
            stream.write(b"text")
            with pytest.raises(OSError):  # noqa: PT011
                stream.read()

    def test_reads_in_pieces(self, fs: FileSystem) -> None:
        put(fs, "/f", b"0123456789")
        with fs.open("/f") as stream:
            assert stream.read(0) == b""
            assert stream.read(3) == b"012"
            assert stream.tell() == 3
            assert stream.read(4) == b"3456"
            assert stream.read(100) == b"789"
            assert stream.read(100) == b""
            assert stream.read() == b""
            assert stream.tell() == 10

    def test_reads_the_rest(self, fs: FileSystem) -> None:
        put(fs, "/f", b"0123456789")
        with fs.open("/f") as stream:
            stream.read(4)
            assert stream.read(-1) == b"456789"

    def test_seeks(self, fs: FileSystem) -> None:
        put(fs, "/f", b"0123456789")
        with fs.open("/f") as stream:
            assert stream.seek(4) == 4
            assert stream.read(1) == b"4"
            assert stream.seek(2, 1) == 7
            assert stream.read(1) == b"7"
            assert stream.seek(-3, 1) == 5
            assert stream.read(1) == b"5"
            assert stream.seek(-1, 2) == 9
            assert stream.read() == b"9"
            assert stream.seek(5, 2) == 15
            assert stream.tell() == 15
            assert stream.read() == b""
            assert stream.read(5) == b""
            assert stream.tell() == 15

    def test_refuses_to_seek_before_the_start(self, fs: FileSystem) -> None:
        put(fs, "/f", b"0123456789")
        with fs.open("/f") as stream:
            stream.seek(4)
            for offset, whence in ((-1, 0), (-5, 1), (-11, 2)):
                with pytest.raises(OSError) as caught:  # noqa: PT011 the errno is looked at
                    stream.seek(offset, whence)
                assert caught.value.errno == errno.EINVAL
            assert stream.tell() == 4

    def test_writes_at_a_position(self, fs: FileSystem) -> None:
        self.require_claims("has_random_access")
        put(fs, "/f", b"0123456789")
        with fs.open("/f", "rw") as stream:
            stream.seek(3)
            stream.write(b"ab")
            assert stream.tell() == 5
            assert stream.read(2) == b"56"
            stream.seek(-1, 2)
            stream.write(b"xyz")
        assert get(fs, "/f") == b"012ab5678xyz"

    def test_writing_past_the_end_fills_with_zeros(self, fs: FileSystem) -> None:
        self.require_claims("has_random_access")
        put(fs, "/f", b"ab")
        with fs.open("/f", "rw") as stream:
            stream.seek(5)
            stream.write(b"")
            assert fs.stat("/f").size == 2
            stream.write(b"c")
        assert get(fs, "/f") == b"ab\0\0\0c"

    def test_new_file_may_start_with_zeros(self, fs: FileSystem) -> None:
        self.require_claims("has_random_access")
        with fs.open("/f", "w") as stream:
            stream.seek(3)
            stream.write(b"x")
        assert get(fs, "/f") == b"\0\0\0x"

    @pytest.mark.parametrize("size", [0, 3, 10, 15])
    def test_truncates(self, fs: FileSystem, size: int) -> None:
        self.require_claims("has_random_access")
        put(fs, "/f", b"0123456789")
        with fs.open("/f", "rw") as stream:
            stream.seek(7)
            assert stream.truncate(size) == size
            assert stream.tell() == 7
            assert fs.stat("/f").size == size
        assert get(fs, "/f") == b"0123456789"[:size].ljust(size, b"\0")

    def test_truncates_at_its_position(self, fs: FileSystem) -> None:
        self.require_claims("has_random_access")
        put(fs, "/f", b"0123456789")
        with fs.open("/f", "rw") as stream:
            stream.seek(4)
            assert stream.truncate() == 4
        assert get(fs, "/f") == b"0123"

    def test_truncated_bytes_do_not_return(self, fs: FileSystem) -> None:
        self.require_claims("has_random_access")
        put(fs, "/f", b"0123456789")
        with fs.open("/f", "rw") as stream:
            stream.truncate(2)
            stream.truncate(4)
            stream.seek(6)
            stream.write(b"x")
        assert get(fs, "/f") == b"01\0\0\0\0x"

    def test_refuses_to_truncate_to_a_negative_size(self, fs: FileSystem) -> None:
        self.require_claims("has_random_access")
        put(fs, "/f", b"text")
        with fs.open("/f", "rw") as stream:
            with pytest.raises(OSError) as caught:  # noqa: PT011 the errno is looked at
                stream.truncate(-1)
            assert caught.value.errno == errno.EINVAL
        assert get(fs, "/f") == b"text"

    def test_writes_are_visible_immediately(self, fs: FileSystem) -> None:
        self.require_claims("has_random_access")
        put(fs, "/f", b"")
        with fs.open("/f") as reader, fs.open("/f", "rw") as writer:
            assert reader.read() == b""
            writer.write(b"one")
            assert reader.read() == b"one"
            writer.write(b"two")
            assert fs.stat("/f").size == 6
            assert reader.read() == b"two"
            writer.truncate(1)
            assert reader.read() == b""
            reader.seek(0)
            assert reader.read() == b"o"

    def test_streams_have_their_own_positions(self, fs: FileSystem) -> None:
        put(fs, "/f", b"0123456789")
        with fs.open("/f") as one, fs.open("/f") as other:
            assert one.read(4) == b"0123"
            assert other.read(2) == b"01"
            assert one.read(1) == b"4"

    def test_always_appends_at_the_end(self, fs: FileSystem) -> None:
        self.require_claims("has_append")
        put(fs, "/f", b"0")
        with fs.open("/f", "a") as one, fs.open("/f", "a") as other:
            one.write(b"11")
            other.write(b"222")
            one.write(b"3")
            assert one.tell() == 7
            other.write(b"4")
        assert get(fs, "/f") == b"01122234"

    def test_appends_at_the_end_after_a_seek(self, fs: FileSystem) -> None:
        self.require_claims("has_append", "has_random_access")
        put(fs, "/f", b"text")
        with fs.open("/f", "a") as stream:
            stream.seek(1)
            stream.write(b"+")
            assert stream.tell() == 5
            stream.truncate(2)
            stream.write(b"-")
        assert get(fs, "/f") == b"te-"

    def test_writer_and_appender_share_the_bytes(self, fs: FileSystem) -> None:
        self.require_claims("has_append", "has_random_access")
        with fs.open("/f", "w") as writer, fs.open("/f", "a") as appender:
            writer.write(b"abc")
            appender.write(b"defg")
            writer.write(b"XY")
        assert get(fs, "/f") == b"abcXYfg"

    def test_may_be_closed_twice(self, fs: FileSystem) -> None:
        stream = fs.open("/f", "w")
        stream.write(b"text")
        stream.flush()
        stream.close()
        stream.close()
        with pytest.raises((OSError, ValueError)):
            stream.write(b"x")
        with pytest.raises((OSError, ValueError)):
            stream.tell()
        assert get(fs, "/f") == b"text"

    def test_with_block_closes(self, fs: FileSystem) -> None:
        with fs.open("/f", "w") as stream:
            stream.write(b"text")
        with pytest.raises((OSError, ValueError)):
            stream.write(b"x")

    def test_stream_outlives_the_name(self, fs: FileSystem) -> None:
        self.require_claims("keeps_open_files", "has_random_access")
        put(fs, "/f", b"text")
        with fs.open("/f", "rw") as stream:
            fs.remove("/f")
            put(fs, "/f", b"another")
            assert stream.read() == b"text"
            stream.write(b"+")
            stream.seek(0)
            assert stream.read() == b"text+"
        assert get(fs, "/f") == b"another"

    def test_stream_follows_a_renamed_file(self, fs: FileSystem) -> None:
        self.require_claims("keeps_open_files", "has_append")
        fs.make_directory("/d")
        with fs.open("/f", "w") as stream:
            stream.write(b"one")
            fs.rename("/f", "/d/g")
            stream.write(b"two")
            fs.rename("/d", "/e")
            stream.write(b"three")
        assert get(fs, "/e/g") == b"onetwothree"

    def test_stream_outlives_a_replaced_file(self, fs: FileSystem) -> None:
        self.require_claims("keeps_open_files")
        put(fs, "/old", b"old")
        put(fs, "/new", b"new")
        with fs.open("/old") as stream:
            fs.rename("/new", "/old")
            assert stream.read() == b"old"
        assert get(fs, "/old") == b"new"
