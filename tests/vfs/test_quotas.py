"""Limits of a MemoryFS and a SqliteFS: exactly the allowed bytes and names fit."""

from __future__ import annotations

import errno
import gc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import pytest

from keysh.testing.conformance.kit import fails, get, names, put, tree
from keysh.testing.conformance.thread_tests import at_once
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.sqlite.filesystem import SqliteFS

Make: TypeAlias = Callable[..., MemoryFS | SqliteFS]


@pytest.fixture(params=["memory", "sqlite", "sqlite in a transaction"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    """Return a function that makes a file system of files and limits."""
    if request.param == "memory":
        return MemoryFS

    def make_in_sqlite(files: dict[str, str] | None = None, **options: int) -> SqliteFS:
        with SqliteFS(tmp_path / "files.db") as fs:
            for path, content in (files or {}).items():
                if path.count("/") == 2:
                    fs.make_directory(path.rpartition("/")[0])
                put(fs, path, content.encode())
        fs = SqliteFS(tmp_path / "files.db", **options)
        if request.param != "sqlite":
            fs.begin()
        return fs

    return make_in_sqlite


class TestQuotas:
    def test_last_byte_fits_and_no_more(self, make: Make) -> None:
        fs = make(max_bytes=10)
        put(fs, "/a", b"1234")
        with fs.open("/b", "w") as stream:
            stream.write(b"56789")
            with fails(errno.ENOSPC, "/b"):
                stream.write(b"xy")
            assert (get(fs, "/b"), stream.tell(), fs.bytes_used) == (b"56789", 5, 9)
            assert stream.write(b"0") == 1
            with fails(errno.ENOSPC, "/b"):
                stream.write(b"x")
            stream.write(b"")
            stream.seek(0)
            stream.write(b"ABCDEF")
        assert (get(fs, "/b"), fs.bytes_used) == (b"ABCDEF", 10)

    def test_zeros_count(self, make: Make) -> None:
        fs = make(max_bytes=10)
        with fs.open("/f", "w") as stream:
            stream.seek(10)
            with fails(errno.ENOSPC, "/f"):
                stream.write(b"x")
            with fails(errno.ENOSPC, "/f"):
                stream.truncate(11)
            assert fs.stat("/f").size == 0
            assert stream.truncate(10) == 10
            assert fs.bytes_used == 10
            stream.truncate(3)
            assert fs.bytes_used == 3

    def test_removed_bytes_are_given_back(self, make: Make) -> None:
        fs = make({"/a": "1234", "/b": "5678", "/d/e": ""}, max_bytes=8, max_files=5)
        fs.open("/a", "w").close()
        assert fs.bytes_used == 4
        fs.rename("/a", "/b")
        assert (fs.bytes_used, fs.files_used) == (0, 3)
        put(fs, "/b", b"12345678")
        fs.link("/b", "/c")
        fs.remove("/b")
        assert (fs.bytes_used, fs.files_used) == (8, 3)
        fs.remove("/c")
        fs.remove("/d/e")
        fs.remove_directory("/d")
        assert (fs.bytes_used, fs.files_used) == (0, 0)

    def test_every_name_counts_towards_the_quota(self, make: Make) -> None:
        fs = make({"/d/f": "text"}, max_files=4)
        fs.make_link("f", "/d/l")
        fs.link("/d/f", "/d/h")
        before = tree(fs)
        for act in (
            lambda: fs.open("/new", "w"),
            lambda: fs.open("/new", "x"),
            lambda: fs.make_directory("/new"),
            lambda: fs.make_link("x", "/new"),
        ):
            with fails(errno.ENOSPC, "/new"):
                act()
        with fails(errno.ENOSPC, "/d/f", "/new"):
            fs.link("/d/f", "/new")
        assert tree(fs) == before
        assert fs.files_used == 4
        fs.rename("/d/l", "/new")
        put(fs, "/d/f", b"changed")
        fs.rename("/new", "/d/h")
        assert fs.files_used == 3
        fs.make_directory("/new")

    def test_other_errors_come_first(self, make: Make) -> None:
        fs = make({"/f": ""}, max_files=1)
        with fails(errno.EEXIST, "/f"):
            fs.make_directory("/f")
        with fails(errno.ENOENT, "/x/y"):
            fs.open("/x/y", "w")

    def test_initial_files_count(self) -> None:
        assert MemoryFS({"/a/b": "1234"}, max_bytes=4, max_files=2).bytes_used == 4
        with fails(errno.ENOSPC, "/a/b"):
            MemoryFS({"/a/b": "1234"}, max_bytes=3)
        with fails(errno.ENOSPC, "/a/b"):
            MemoryFS({"/a/b": "1234"}, max_files=1)

    def test_removed_file_counts_until_it_is_closed(self, make: Make) -> None:
        fs = make({"/f": "12345678"}, max_bytes=10, max_files=2)
        stream, other = fs.open("/f", "a"), fs.open("/f")
        fs.remove("/f")
        stream.write(b"9")
        assert (fs.bytes_used, fs.files_used) == (9, 1)
        with fails(errno.ENOSPC, "/g"):
            put(fs, "/g", b"12")
        stream.close()
        stream.close()
        assert (fs.bytes_used, fs.files_used) == (9, 2)
        assert other.read() == b"123456789"
        other.close()
        assert (fs.bytes_used, fs.files_used) == (0, 1)

    @pytest.mark.parametrize("limits", [{"max_bytes": 8}, {"max_files": 1}, {}])
    def test_dropped_stream_releases_its_file(self, make: Make, limits: dict[str, int]) -> None:
        fs = make({"/f": "12345678"}, **limits)
        stream = fs.open("/f")
        fs.remove("/f")
        del stream
        gc.collect()
        put(fs, "/g", b"12345678")
        assert (fs.bytes_used, fs.files_used) == (8, 1)

    def test_dropped_stream_makes_room_for_an_open_one(self, make: Make) -> None:
        fs = make({"/f": "12345678"}, max_bytes=8)
        with fs.open("/g", "w") as stream:
            forgotten = fs.open("/f")
            fs.remove("/f")
            with fails(errno.ENOSPC, "/g"):
                stream.write(b"1")
            del forgotten
            gc.collect()
            assert stream.write(b"1") == 1

    def test_threads_cannot_exceed_the_quota(self, make: Make) -> None:
        fs = make(max_bytes=1000, max_files=20)

        def work(number: int) -> int:
            done = 0
            for turn in range(100):
                with (
                    suppress(OSError),
                    fs.open(f"/{number}-{turn % 5}", "a") as stream,
                ):
                    done += stream.write(b"seven b")
            return done

        written = sum(answer for answer in at_once(work) if isinstance(answer, int))
        assert written == fs.bytes_used == 994
        assert fs.files_used == len(names(fs)) == 20
        assert sum(fs.stat(f"/{name}").size for name in names(fs)) == 994


class TestFull:
    def test_host_chooses_the_exception(self, make: Make) -> None:
        """It is told what is full; without one of its own the error is ENOSPC."""
        told: list[tuple[str, int, int]] = []

        def full(kind: str, used: int, allowed: int) -> BaseException | None:
            told.append((kind, used, allowed))
            return LookupError(kind) if kind == "files" else None

        fs = make({"/f": "1234"}, max_bytes=5, max_files=1, full=full)
        with pytest.raises(LookupError):
            fs.make_directory("/d")
        with fs.open("/f", "a") as stream, fails(errno.ENOSPC, "/f"):
            stream.write(b"56")
        assert told == [("files", 2, 1), ("file_bytes", 6, 5)]
        assert tree(fs) == {"/f": b"1234"}
