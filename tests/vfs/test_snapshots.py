"""Snapshots of a MemoryFS are complete, and no change to one shows in the other."""

from __future__ import annotations

import errno
import gc
import sys
import tracemalloc

import pytest

from keysh.testing.conformance.kit import fails, get, names, put, tree
from keysh.testing.conformance.thread_tests import at_once
from keysh.vfs.memory.filesystem import MemoryFS
from vfs.counted_loader import Source, Tick

FILES = {"/a/b": "text", "/a/c/d": b"bytes", "/e": lambda: "lazy"}


class TestSnapshots:
    def test_snapshot_is_complete(self) -> None:
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

    def test_changes_are_not_shared(self) -> None:
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
    def test_resizing_is_not_shared(self, size: int) -> None:
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

    def test_lazy_file_is_loaded_once_for_all_snapshots(self) -> None:
        source = Source()
        fs = MemoryFS({"/f": source})
        copies = [fs.snapshot(), fs.snapshot()]
        for one in (copies[0], fs, copies[1]):
            with one.open("/f", "a") as stream:
                stream.write(b"!")
            assert get(one, "/f") == b"lazy!"
        assert source.calls == 1

    def test_limits_and_clock_are_kept(self) -> None:
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

    def test_removed_open_file_is_not_in_the_snapshot(self) -> None:
        fs = MemoryFS({"/f": "1234"}, max_bytes=4)
        with fs.open("/f"):
            fs.remove("/f")
            copy = fs.snapshot()
            assert (fs.bytes_used, copy.bytes_used, copy.files_used) == (4, 0, 0)
            put(copy, "/f", b"5678")

    def test_new_files_get_new_inodes(self) -> None:
        copy = MemoryFS({"/a": "", "/b": ""}).snapshot()
        put(copy, "/c")
        assert len({copy.stat(path).inode for path in ("/", "/a", "/b", "/c")}) == 4

    def test_deep_trees_are_copied(self) -> None:
        fs = MemoryFS()
        for _ in range(2 * sys.getrecursionlimit()):
            fs.make_directory("/new")
            if "d" in names(fs):
                fs.rename("/d", "/new/d")
            fs.rename("/new", "/d")
        copy = fs.snapshot()
        assert copy.files_used == 2 * sys.getrecursionlimit()
        assert names(copy, "/d/d/d") == ["d"]

    def test_snapshot_is_atomic(self) -> None:
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

    def test_snapshots_of_snapshots_have_their_own_threads(self) -> None:
        """Eight snapshots of one another share files, and each thread changes one of them."""
        fs = MemoryFS({f"/d{n}/f{m}": "text" for n in range(4) for m in range(4)})
        fs.link("/d0/f0", "/d1/same")
        with fs.open("/d2/f2", "a") as stream:
            sides = [fs]
            for _ in range(7):
                sides.append(sides[-1].snapshot())
            before = tree(fs)

            def work(number: int) -> None:
                side = sides[number]
                for turn in range(40):
                    put(side, "/d0/f0", b"%d-%d" % (number, turn))
                    put(side, f"/d3/new{turn % 3}", b"%d" % number)
                    side.rename("/d1/f1", "/d1/f9")
                    side.rename("/d1/f9", "/d1/f1")
                    if number == 0:
                        stream.write(b"!")
                    own = side.snapshot()
                    put(own, "/d1/same", b"not seen")
                    own.remove("/d0/f0")
                    assert get(side, "/d1/same") == b"%d-%d" % (number, turn)

            assert at_once(work) == [None] * 8
        for number, side in enumerate(sides):
            changed = {f"/d3/new{n}": b"%d" % number for n in range(3)}
            changed |= dict.fromkeys(["/d0/f0", "/d1/same"], b"%d-39" % number)
            changed["/d2/f2"] = b"text" + b"!" * 40 if number == 0 else b"text"
            assert tree(side) == before | changed

    def test_removed_open_file_stays_one_file_for_its_streams(self) -> None:
        fs = MemoryFS({"/f": "1234"})
        with fs.open("/f", "rw") as one, fs.open("/f") as other:
            copy = fs.snapshot()
            fs.remove("/f")
            fs.snapshot()
            one.write(b"5")
            assert other.read() == b"5234"
            assert (fs.bytes_used, fs.files_used) == (4, 1)
        assert (fs.bytes_used, fs.files_used) == (0, 0)
        assert get(copy, "/f") == b"1234"

    def test_replaced_versions_end_with_their_files(self) -> None:
        fs = MemoryFS({"/f": "1", "/g": "2"})
        fs.link("/f", "/same")
        copy = fs.snapshot()
        put(fs, "/f", b"3")
        with fs.open("/g") as stream:
            put(fs, "/g", b"4")
            assert stream.read() == b"4"
        second = fs.snapshot()
        replacements = fs._tree.replacements
        assert replacements is not None
        assert sum(map(len, replacements._blocks.values())) == 2
        for path in ("/f", "/g", "/same"):
            fs.remove(path)
        assert not replacements._blocks
        assert (get(second, "/same"), get(second, "/g")) == (b"3", b"4")
        assert (get(copy, "/same"), get(copy, "/g")) == (b"1", b"2")

    def test_only_the_path_of_a_change_is_copied(self) -> None:
        fs = MemoryFS({"/a/b/f": "1", "/a/g": "2", "/c/h": "3"})
        copy = fs.snapshot()
        put(copy, "/a/b/f", b"4")
        for path, is_shared in {"/a": False, "/a/b/f": False, "/a/g": True, "/c": True}.items():
            assert (copy._tree.find(path) is fs._tree.find(path)) == is_shared, path

    def test_many_snapshots_share_everything(self) -> None:
        fs = MemoryFS({f"/d/f{number}": "text" for number in range(1000)})
        gc.collect()
        tracemalloc.start()
        sides = [fs.snapshot() for _ in range(1000)]
        size, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(sides) == 1000
        assert size < 10_000_000

    def test_full_snapshot_is_a_full_disk(self) -> None:
        """The original's exception would end the script of the original's shell."""
        fs = MemoryFS({"/f": "1"}, max_files=1, full=lambda kind, used, allowed: KeyError(kind))
        with pytest.raises(KeyError):
            fs.make_directory("/d")
        with fails(errno.ENOSPC, "/d"):
            fs.snapshot().make_directory("/d")
