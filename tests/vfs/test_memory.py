"""MemoryFS, and what only it has: first files, lazy ones, quotas, snapshots, the clock."""

from __future__ import annotations

import errno
import gc
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

import pytest

from keysh.vfs.api import FileSystem
from keysh.vfs.memory import MemoryFS
from keysh.vfs.memory_stream import LARGEST_FILE
from vfs.conformance import FileSystemConformance
from vfs.conforming.kit import fails, get, names, put, tree
from vfs.conforming.threads import at_once


class TestMemory(FileSystemConformance):
    @pytest.fixture
    def fs(self) -> FileSystem:
        return MemoryFS()


class TestSnapshotIsAFileSystem(FileSystemConformance):
    """Whatever is changed in a snapshot leaves the original as it was."""

    @pytest.fixture
    def fs(self) -> FileSystem:
        return MemoryFS().snapshot()


class TestEnforcingModes(FileSystemConformance):
    """An owner who forbids himself nothing notices nothing."""

    @pytest.fixture
    def fs(self) -> FileSystem:
        return MemoryFS(enforce_modes=True)


class Tick:
    """A clock that counts how often it is asked."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        self.now += 1
        return self.now


class TestFirstFiles:
    def test_makes_the_directories(self) -> None:
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

    def test_text_is_utf8_with_surrogates_for_other_bytes(self) -> None:
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
    def test_refuses_two_for_one_path(self, files: dict[str, str], path: str) -> None:
        with fails(errno.EEXIST, path):
            MemoryFS(files)

    def test_refuses_what_is_no_name(self) -> None:
        with fails(errno.EEXIST, "/"):
            MemoryFS({"/": ""})
        with fails(errno.ENAMETOOLONG, "/a/" + "b" * 256):
            MemoryFS({"/a/" + "b" * 256: ""})
        with pytest.raises(TypeError):
            MemoryFS({"/f": 5})  # type: ignore[dict-item]


class TestPaths:
    @pytest.mark.parametrize("path", ["a", "a/b", "./a", "/a/", "/a//b", "/a/.", "/..", "//"])
    def test_refuses_what_is_not_normal(self, path: str) -> None:
        fs = MemoryFS({"/a/b": ""})
        for verb in ("stat", "open", "list", "make_directory", "remove", "remove_directory"):
            with fails(errno.EINVAL, path):
                getattr(fs, verb)(path)
        with fails(errno.EINVAL, path):
            fs.open(path, "w")
        with fails(errno.EINVAL, "/a", path):
            fs.rename("/a", path)

    def test_empty_path_is_nothing(self) -> None:
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

    def test_lists_in_the_order_of_making(self) -> None:
        fs = MemoryFS({"/c": "", "/a": "", "/b": ""})
        assert [entry.name for entry in fs.list("/")] == ["c", "a", "b"]

    def test_access_is_one_of_five(self) -> None:
        with pytest.raises(ValueError, match="access must be one of r, w, a, x, rw, but is 'rb'"):
            MemoryFS().open("/f", "rb")  # type: ignore[arg-type]


class TestStreams:
    def test_refuses_with_the_kernels_errno(self) -> None:
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

    def test_closed_stream_says_so(self) -> None:
        stream = MemoryFS({"/f": ""}).open("/f")
        stream.close()
        for act in (stream.read, stream.tell, lambda: stream.seek(0), stream.truncate):
            with pytest.raises(ValueError, match="the file is closed: /f"):
                act()

    def test_one_file_is_limited(self) -> None:
        fs = MemoryFS()
        with fs.open("/f", "w") as stream:
            stream.write(b"text")
            stream.seek(1 << 60)
            with fails(errno.EFBIG, "/f"):
                stream.write(b"x")
            assert stream.tell() == 1 << 60
            for size in (1 << 60, LARGEST_FILE + 1):
                with fails(errno.EFBIG, "/f"):
                    stream.truncate(size)
            stream.seek(LARGEST_FILE)
            with fails(errno.EFBIG, "/f"):
                stream.write(b"x")
        assert get(fs, "/f") == b"text"
        assert fs.bytes_used == 4

    def test_takes_any_buffer_and_keeps_none(self) -> None:
        fs = MemoryFS()
        data = bytearray(b"abcd")
        with fs.open("/f", "w") as stream:
            assert stream.write(memoryview(data).cast("H")) == 4  # type: ignore[arg-type]
            data[:] = b"efgh"
            stream.write(data)  # type: ignore[arg-type]
            data[:] = b"ijkl"
        assert get(fs, "/f") == b"abcdefgh"

    def test_reading_leaves_the_time_of_access(self) -> None:
        fs = MemoryFS({"/f": "text"}, clock=Tick())
        before = fs.stat("/f").accessed
        get(fs, "/f")
        assert fs.stat("/f").accessed == before


class Source:
    """A lazy file's function that counts its calls, and fails as often as it is told."""

    def __init__(self, content: object = "lazy", failures: int = 0) -> None:
        self.content, self.failures, self.calls = content, failures, 0

    def __call__(self) -> str | bytes:
        self.calls += 1
        if self.calls <= self.failures:
            raise LookupError(f"not yet, {self.calls}")
        return self.content  # type: ignore[return-value]


class TestLazyFiles:
    @pytest.mark.parametrize(
        "act",
        [
            lambda fs: fs.stat("/f"),
            lambda fs: get(fs, "/f"),
            lambda fs: fs.open("/f").seek(0, 2),
            lambda fs: fs.open("/f", "a").write(b"!"),
            lambda fs: fs.open("/f", "rw").truncate(4),
        ],
        ids=["stat", "read", "seek", "append", "truncate"],
    )
    def test_is_asked_for_once(self, act: Callable[[MemoryFS], object]) -> None:
        source = Source()
        fs = MemoryFS({"/f": source})
        act(fs)
        assert source.calls == 1
        assert get(fs, "/f").startswith(b"lazy")
        assert fs.stat("/f").size == len(get(fs, "/f")) == fs.bytes_used
        assert source.calls == 1

    def test_is_not_asked_for_without_need(self) -> None:
        source = Source()
        fs = MemoryFS({"/d/f": source, "/d/g": source})
        names(fs, "/d")
        fs.rename("/d/f", "/d/h")
        fs.link("/d/h", "/d/i")
        fs.set_mode("/d/i", 0o600)
        fs.open("/d/i").close()
        fs.remove("/d/g")
        fs.snapshot()
        assert source.calls == 0
        put(fs, "/d/h", b"new")
        assert get(fs, "/d/i") == b"new"
        assert source.calls == 0

    @pytest.mark.parametrize("content", ["é\udcff", b"\xc3\xa9\xff", bytearray(b"\xc3\xa9\xff")])
    def test_gives_text_or_bytes(self, content: object) -> None:
        assert get(MemoryFS({"/f": Source(content)}), "/f") == b"\xc3\xa9\xff"

    def test_failure_is_an_errno_and_may_pass(self) -> None:
        source = Source("at last", failures=2)
        fs = MemoryFS({"/f": source})
        with fails(errno.EIO, "/f"):
            fs.stat("/f")
        with fs.open("/f") as stream:
            with pytest.raises(OSError, match="Input/output error: '/f'") as caught:
                stream.read()
            assert repr(caught.value.__cause__) == "LookupError('not yet, 2')"
            assert stream.read() == b"at last"
        assert source.calls == 3

    @pytest.mark.parametrize("content", [None, 5, "\ud800"])
    def test_what_is_no_content_is_a_failure(self, content: object) -> None:
        with fails(errno.EIO, "/f"):
            MemoryFS({"/f": Source(content)}).stat("/f")

    def test_interrupt_passes_and_the_next_may_ask(self) -> None:
        def source() -> str:
            if not calls:
                calls.append(1)
                raise KeyboardInterrupt
            return "lazy"

        calls: list[int] = []
        fs = MemoryFS({"/f": source})
        with pytest.raises(KeyboardInterrupt):
            fs.stat("/f")
        assert get(fs, "/f") == b"lazy"

    def test_is_asked_for_once_by_eight_threads(self) -> None:
        began, go_on = threading.Event(), threading.Event()

        def source() -> str:
            calls.append(1)
            began.set()
            go_on.wait()
            return "lazy"

        calls: list[int] = []
        fs = MemoryFS({"/f": source, "/g": "other"})

        def work(number: int) -> bytes:
            if number:
                return get(fs, "/f") if number % 2 else bytes(fs.stat("/f").size)
            began.wait()
            other = get(fs, "/g")  # the file system is free meanwhile
            put(fs, "/h")
            go_on.set()
            return other

        assert at_once(work) == [b"other"] + [b"lazy", bytes(4)] * 3 + [b"lazy"]
        assert len(calls) == 1

    def test_may_read_others_but_not_itself(self) -> None:
        fs = MemoryFS(
            {
                "/a": "a",
                "/b": lambda: get(fs, "/a") + b"b",
                "/c": lambda: get(fs, "/b") + b"c",
                "/own": lambda: get(fs, "/own"),
                "/x": lambda: get(fs, "/y"),
                "/y": lambda: get(fs, "/x"),
            }
        )
        assert get(fs, "/c") == b"abc"
        for path in ("/own", "/x"):
            with fails(errno.EIO, path):
                get(fs, path)

    def test_may_be_replaced_while_it_is_asked_for(self) -> None:
        def source() -> str:
            put(fs, "/f", b"new")
            return "too late"

        fs = MemoryFS({"/f": source})
        assert get(fs, "/f") == b"new"
        assert fs.bytes_used == 3

    def test_may_be_removed_while_it_is_asked_for(self) -> None:
        fs = MemoryFS({"/f": lambda: fs.remove("/f") or "gone"})  # type: ignore[func-returns-value]
        with fails(errno.ENOENT, "/f"):
            fs.stat("/f")
        assert (fs.bytes_used, fs.files_used) == (0, 0)

    def test_counts_when_it_is_there(self) -> None:
        source = Source(b"12345")
        fs = MemoryFS({"/f": source, "/g": b"123456"}, max_bytes=10)
        assert fs.bytes_used == 6
        with fails(errno.ENOSPC, "/f"):
            get(fs, "/f")
        put(fs, "/g", b"12345")
        assert get(fs, "/f") == b"12345"
        assert (fs.bytes_used, source.calls) == (10, 1)


class TestQuotas:
    def test_last_byte_fits_and_no_more(self) -> None:
        fs = MemoryFS(max_bytes=10)
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

    def test_zeros_count(self) -> None:
        fs = MemoryFS(max_bytes=10)
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

    def test_what_goes_is_given_back(self) -> None:
        fs = MemoryFS({"/a": "1234", "/b": "5678", "/d/e": ""}, max_bytes=8, max_files=5)
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

    def test_every_name_counts(self) -> None:
        fs = MemoryFS({"/d/f": "text"}, max_files=4)
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

    def test_what_is_wrong_otherwise_comes_first(self) -> None:
        fs = MemoryFS({"/f": ""}, max_files=1)
        with fails(errno.EEXIST, "/f"):
            fs.make_directory("/f")
        with fails(errno.ENOENT, "/x/y"):
            fs.open("/x/y", "w")

    def test_first_files_count(self) -> None:
        assert MemoryFS({"/a/b": "1234"}, max_bytes=4, max_files=2).bytes_used == 4
        with fails(errno.ENOSPC, "/a/b"):
            MemoryFS({"/a/b": "1234"}, max_bytes=3)
        with fails(errno.ENOSPC, "/a/b"):
            MemoryFS({"/a/b": "1234"}, max_files=1)

    def test_removed_file_counts_until_it_is_closed(self) -> None:
        fs = MemoryFS({"/f": "12345678"}, max_bytes=10, max_files=2)
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
    def test_forgotten_stream_gives_its_file_back(self, limits: dict[str, int]) -> None:
        fs = MemoryFS({"/f": "12345678"}, **limits)
        stream = fs.open("/f")
        fs.remove("/f")
        del stream
        gc.collect()
        put(fs, "/g", b"12345678")
        assert (fs.bytes_used, fs.files_used) == (8, 1)

    def test_threads_cannot_pass_them(self) -> None:
        fs = MemoryFS(max_bytes=1000, max_files=20)

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


FILES = {"/a/b": "text", "/a/c/d": b"bytes", "/e": lambda: "lazy"}


class TestSnapshots:
    def test_is_all_there(self) -> None:
        fs = MemoryFS(FILES, clock=Tick())
        fs.make_link("a", "/l")
        fs.link("/e", "/a/same")
        fs.set_mode("/a/b", 0o4710)
        fs.set_times("/a/b", 10, 20)
        copy = fs.snapshot()
        assert tree(copy) == tree(fs)
        for path in ["/", *tree(fs)]:
            one, other = fs.stat(path), copy.stat(path)
            assert all(getattr(one, name) == getattr(other, name) for name in one.__slots__)
        assert (copy.bytes_used, copy.files_used) == (fs.bytes_used, fs.files_used)
        assert [entry.name for entry in copy.list("/")] == ["a", "e", "l"]

    def test_changes_stay_on_their_side(self) -> None:
        original = MemoryFS(FILES)
        put(original, "/log", b"one ")
        with original.open("/log", "a") as stream:
            stream.write(b"two ")
            before = tree(original)
            copies = [original.snapshot(), original.snapshot()]
            stream.write(b"three")
        after = tree(original)
        assert after == before | {"/log": b"one two three"}
        for copy in copies:
            assert tree(copy) == before
            with copy.open("/log", "rw") as stream:
                stream.write(b"ONE")
                stream.truncate(5)
            with copy.open("/a/b", "a") as stream:
                stream.write(b"!")
            copy.rename("/a/c", "/c")
            copy.remove("/e")
            copy.make_directory("/e")
            copy.set_mode("/a", 0o700)
            assert tree(copy) == {
                "/a": None,
                "/a/b": b"text!",
                "/c": None,
                "/c/d": b"bytes",
                "/e": None,
                "/log": b"ONE t",
            }
            assert tree(original) == after
            assert original.stat("/a").mode & 0o777 == 0o755
            assert (original.bytes_used, original.files_used) == (26, 6)
            assert (copy.bytes_used, copy.files_used) == (15, 6)

    @pytest.mark.parametrize("size", [0, 2, 6, 9])
    def test_resizing_stays_on_its_side(self, size: int) -> None:
        fs = MemoryFS()
        with fs.open("/f", "w") as stream:
            stream.write(b"abc")
            stream.write(b"def")
        copy, untouched = fs.snapshot(), fs.snapshot()
        for changed in (copy, fs):
            with changed.open("/f", "rw") as stream:
                stream.truncate(size)
                stream.write(b"X")
            assert get(changed, "/f") == b"X" + b"abcdef\0\0\0"[1:size]
            assert get(untouched, "/f") == b"abcdef"

    def test_hard_links_stay_together(self) -> None:
        fs = MemoryFS({"/a": "text", "/d/x": ""})
        fs.link("/a", "/d/b")
        copy = fs.snapshot()
        put(copy, "/a", b"changed")
        assert get(copy, "/d/b") == b"changed"
        assert get(fs, "/d/b") == b"text"
        copy.remove("/a")
        assert (copy.stat("/d/b").links, fs.stat("/d/b").links) == (1, 2)

    def test_lazy_file_is_asked_for_once_for_all(self) -> None:
        source = Source()
        fs = MemoryFS({"/f": source})
        copies = [fs.snapshot(), fs.snapshot()]
        for one in (copies[0], fs, copies[1]):
            with one.open("/f", "a") as stream:
                stream.write(b"!")
            assert get(one, "/f") == b"lazy!"
        assert source.calls == 1

    def test_limits_and_clock_go_along(self) -> None:
        clock = Tick()
        fs = MemoryFS({"/f": "1234"}, max_bytes=6, max_files=2, clock=clock, enforce_modes=True)
        copy = fs.snapshot()
        with copy.open("/f", "a") as stream:
            stream.write(b"56")
            with fails(errno.ENOSPC, "/f"):
                stream.write(b"7")
        assert fs.bytes_used == 4
        copy.make_directory("/d")
        with fails(errno.ENOSPC, "/e"):
            copy.make_directory("/e")
        fs.make_directory("/d")
        assert copy.stat("/f").modified < clock.now
        copy.set_mode("/f", 0)
        with fails(errno.EACCES, "/f"):
            copy.open("/f")

    def test_removed_file_of_a_stream_does_not_go_along(self) -> None:
        fs = MemoryFS({"/f": "1234"}, max_bytes=4)
        with fs.open("/f"):
            fs.remove("/f")
            copy = fs.snapshot()
            assert (fs.bytes_used, copy.bytes_used, copy.files_used) == (4, 0, 0)
            put(copy, "/f", b"5678")

    def test_new_files_get_new_numbers(self) -> None:
        copy = MemoryFS({"/a": "", "/b": ""}).snapshot()
        put(copy, "/c")
        assert len({copy.stat(path).inode for path in ("/", "/a", "/b", "/c")}) == 4

    def test_depth_does_not_matter(self) -> None:
        fs = MemoryFS()
        for _ in range(2 * sys.getrecursionlimit()):
            fs.make_directory("/new")
            if "d" in names(fs):
                fs.rename("/d", "/new/d")
            fs.rename("/new", "/d")
        copy = fs.snapshot()
        assert copy.files_used == 2 * sys.getrecursionlimit()
        assert names(copy, "/d/d/d") == ["d"]

    def test_is_one_moment(self) -> None:
        """Files moved by other threads are in each snapshot once."""
        fs = MemoryFS({f"/{number}/token": "" for number in range(8)} | {"/x/f": ""})

        def work(number: int) -> set[int]:
            seen = set()
            for turn in range(60):
                if number % 2:
                    places = [f"/{number}/token", "/x/token" + str(number)]
                    fs.rename(places[turn % 2], places[1 - turn % 2])
                else:
                    seen.add(fs.snapshot().files_used)
            return seen

        for answer in at_once(work):
            assert isinstance(answer, set), answer
            assert answer <= {fs.files_used}


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

    def test_is_asked_without_the_lock(self) -> None:
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
