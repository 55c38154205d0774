"""MemoryFS: conformance, initial files, paths, streams, the clock."""

from __future__ import annotations

import errno
from collections.abc import Iterator

import pytest

from keysh.testing import FileSystemConformance
from keysh.testing.conformance.kit import fails, get, names, put, tree
from keysh.vfs.api import FileSystem
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.memory.stream import MAX_FILE_BYTES
from keysh.vfs.memory.whole_files import add_file
from vfs.counted_loader import Tick


@pytest.mark.quick
class TestMemory(FileSystemConformance):
    @pytest.fixture
    def fs(self) -> FileSystem:
        return MemoryFS()


class TestSnapshotIsAFileSystem(FileSystemConformance):
    """No change in a snapshot shows in the original."""

    @pytest.fixture
    def fs(self) -> Iterator[FileSystem]:
        original = MemoryFS()
        yield original.snapshot()
        assert names(original) == []


class TestEnforcingModes(FileSystemConformance):
    """An owner with all permissions sees no difference."""

    @pytest.fixture
    def fs(self) -> FileSystem:
        return MemoryFS(enforce_modes=True)


class TestFirstFiles:
    def test_creates_parent_directories(self) -> None:
        fs = MemoryFS({"/a/b/c.txt": "text", "/a/d": b"\xff", "/e": ""})
        assert tree(fs) == {
            "/a": None,
            "/a/b": None,
            "/a/b/c.txt": b"text",
            "/a/d": b"\xff",
            "/e": b"",
        }
        assert (fs.stat("/a").mode & 0o777, fs.stat("/a/d").mode & 0o777) == (0o755, 0o644)
        assert [fs.stat(path).links for path in ("/", "/a", "/a/b", "/e")] == [3, 3, 2, 1]

    def test_text_is_utf_8_with_surrogate_escapes(self) -> None:
        assert get(MemoryFS({"/f": "é🎉\udcff"}), "/f") == "é🎉".encode() + b"\xff"

    @pytest.mark.parametrize("path", ["f", "//f", "/./f", "/x/../f", "/f/"])
    def test_paths_need_not_be_normal(self, path: str) -> None:
        assert get(MemoryFS({path: "text"}), "/f") == b"text"

    def test_contents_are_copied(self) -> None:
        data = bytearray(b"text")
        fs = MemoryFS({"/f": data})
        data[:] = b"else"
        assert get(fs, "/f") == b"text"

    @pytest.mark.parametrize(
        ("files", "path"),
        [
            ({"/a": "", "/a/b": ""}, "/a"),
            ({"/a/b": "", "/a": ""}, "/a"),
            ({"/a": "", "//a": ""}, "/a"),
        ],
    )
    def test_refuses_two_entries_for_one_path(self, files: dict[str, str], path: str) -> None:
        with fails(errno.EEXIST, path):
            MemoryFS(files)

    def test_refuses_invalid_names(self) -> None:
        with fails(errno.EEXIST, "/"):
            MemoryFS({"/": ""})
        with fails(errno.ENAMETOOLONG, "/a/" + "b" * 256):
            MemoryFS({"/a/" + "b" * 256: ""})
        with pytest.raises(TypeError):
            MemoryFS({"/f": 5})  # type: ignore[dict-item]


class TestPaths:
    @pytest.mark.parametrize("path", ["a", "a/b", "./a", "/a/", "/a//b", "/a/.", "/..", "//"])
    def test_refuses_paths_that_are_not_normal(self, path: str) -> None:
        fs = MemoryFS({"/a/b": ""})
        for verb in ("stat", "open", "list", "make_directory", "remove", "remove_directory"):
            with fails(errno.EINVAL, path):
                getattr(fs, verb)(path)
        with fails(errno.EINVAL, path):
            fs.open(path, "w")
        with fails(errno.EINVAL, "/a", path):
            fs.rename("/a", path)

    def test_empty_path_does_not_exist(self) -> None:
        fs = MemoryFS()
        for verb in ("stat", "open", "list", "make_directory", "remove", "remove_directory"):
            with fails(errno.ENOENT, ""):
                getattr(fs, verb)("")

    def test_path_may_have_4095_bytes(self) -> None:
        fs = MemoryFS()
        for name in ("a" * 200, "é" * 100):
            path = ""
            while len(path.encode()) < 4095 - 201:
                path += "/" + name
                fs.make_directory(path)
            longest = path + "/" + "x" * (4095 - len(path.encode()) - 1)
            put(fs, longest, b"end")
            assert get(fs, longest) == b"end"
            with fails(errno.ENAMETOOLONG, longest + "x"):
                fs.stat(longest + "x")

    def test_lists_in_order_of_creation(self) -> None:
        fs = MemoryFS({"/c": "", "/a": "", "/b": ""})
        assert [entry.name for entry in fs.list("/")] == ["c", "a", "b"]

    def test_access_is_one_of_five(self) -> None:
        with pytest.raises(ValueError, match="access must be one of r, w, a, x, rw, but is 'rb'"):
            MemoryFS().open("/f", "rb")  # type: ignore[arg-type]


class TestAddedFiles:
    def test_is_what_the_verbs_make(self) -> None:
        fs = MemoryFS(max_bytes=10, max_files=2, clock=Tick())
        add_file(fs, "/f", b"text", 0o4640, 7)
        stat = fs.stat("/f")
        assert (get(fs, "/f"), stat.mode & 0o7777, stat.modified, stat.accessed) == (
            b"text", 0o4640, 7, 7,
        )  # fmt: skip
        assert (stat.links, fs.bytes_used, fs.files_used) == (1, 4, 1)
        copy = fs.snapshot()
        add_file(fs, "/g", b"", 0o600, 0)
        assert (names(fs), names(copy)) == (["f", "g"], ["f"])

    def test_refuses_what_the_verbs_refuse(self) -> None:
        fs = MemoryFS(max_bytes=3, max_files=2)
        put(fs, "/f", b"")
        for path, content, number in (
            ("/f", b"", errno.EEXIST), ("/f/x", b"", errno.ENOTDIR), ("/d/x", b"", errno.ENOENT),
            ("/a\0", b"", errno.EINVAL), ("/long", b"text", errno.ENOSPC),
        ):  # fmt: skip
            with fails(number, path):
                add_file(fs, path, content, 0o644, 0)
        put(fs, "/g", b"")
        with fails(errno.ENOSPC, "/h"):
            add_file(fs, "/h", b"", 0o644, 0)


class TestStreams:
    def test_refuses_with_the_errno_of_the_kernel(self) -> None:
        fs = MemoryFS({"/f": "text"})
        with fs.open("/f") as stream:
            with fails(errno.EBADF, "/f"):
                stream.write(b"x")
            with fails(errno.EINVAL, "/f"):
                stream.truncate(0)
            with fails(errno.EINVAL, "/f"):
                stream.seek(0, 3)
            with fails(errno.EINVAL, "/f"):
                stream.seek(1 << 63)
        with fs.open("/f", "a") as stream, fails(errno.EBADF, "/f"):
            stream.read()

    def test_closed_stream_raises(self) -> None:
        stream = MemoryFS({"/f": ""}).open("/f")
        stream.close()
        for act in (stream.read, stream.tell, lambda: stream.seek(0), stream.truncate):
            with pytest.raises(ValueError, match="the file is closed: /f"):
                act()

    def test_file_size_is_limited(self) -> None:
        fs = MemoryFS()
        with fs.open("/f", "w") as stream:
            stream.write(b"text")
            stream.seek(1 << 60)
            with fails(errno.EFBIG, "/f"):
                stream.write(b"x")
            assert stream.tell() == 1 << 60
            for size in (1 << 60, MAX_FILE_BYTES + 1):
                with fails(errno.EFBIG, "/f"):
                    stream.truncate(size)
            stream.seek(MAX_FILE_BYTES)
            with fails(errno.EFBIG, "/f"):
                stream.write(b"x")
        assert get(fs, "/f") == b"text"
        assert fs.bytes_used == 4

    def test_accepts_any_buffer_and_keeps_no_reference(self) -> None:
        fs = MemoryFS()
        data = bytearray(b"abcd")
        with fs.open("/f", "w") as stream:
            assert stream.write(memoryview(data).cast("H")) == 4  # type: ignore[arg-type]
            data[:] = b"efgh"
            stream.write(data)  # type: ignore[arg-type]
            data[:] = b"ijkl"
        assert get(fs, "/f") == b"abcdefgh"

    def test_reading_does_not_change_the_access_time(self) -> None:
        fs = MemoryFS({"/f": "text"}, clock=Tick())
        before = fs.stat("/f").accessed
        get(fs, "/f")
        assert fs.stat("/f").accessed == before


class TestClock:
    def test_sets_every_time(self) -> None:
        clock = Tick()
        fs = MemoryFS({"/d/f": "text"}, clock=clock)

        def times(path: str) -> tuple[int, int, int]:
            stat = fs.stat(path)
            return stat.accessed, stat.modified, stat.changed

        made = times("/d/f")
        assert made == (made[0],) * 3
        fs.set_mode("/d/f", 0o600)
        assert times("/d/f") == (made[0], made[0], clock.now)
        fs.set_times("/d/f", -5, 7)
        assert times("/d/f") == (-5, 7, clock.now)
        with fs.open("/d/f", "a") as stream:
            stream.write(b"x")
        assert times("/d/f") == (-5, clock.now, clock.now)
        written = clock.now
        fs.link("/d/f", "/d/g")
        assert times("/d/f") == (-5, written, clock.now)
        assert times("/d")[1:] == (clock.now, clock.now)
        fs.remove("/d/g")
        assert times("/d/f") == (-5, written, clock.now)

    def test_clock_is_called_without_the_lock(self) -> None:
        """A clock that looks into the file system itself does not hang."""
        known: list[MemoryFS] = []

        def clock() -> int:
            return sum(len(names(fs)) for fs in known)

        fs = MemoryFS(clock=clock)
        known.append(fs)
        put(fs, "/f", b"text")
        fs.make_directory("/d")
        fs.rename("/f", "/g")
        fs.link("/g", "/h")
        fs.make_link("g", "/l")
        fs.set_mode("/g", 0o600)
        fs.set_times("/g", 1, 2)
        fs.remove("/h")
        fs.remove_directory("/d")
        assert fs.stat("/l").modified == 3
