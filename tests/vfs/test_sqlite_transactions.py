"""SqliteFS: transactions, crashes, a full disk, and two processes at one file."""

from __future__ import annotations

import errno
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from keysh.testing.conformance.kit import fails, get, names, put, tree
from keysh.testing.conformance.thread_tests import at_once
from keysh.vfs.sqlite.filesystem import SqliteFS
from vfs import sqlite_writer

KILLS = 30
TESTS = Path(__file__).parents[1]


@pytest.fixture
def fs(db_path: str) -> Iterator[SqliteFS]:
    with SqliteFS(db_path, timeout=0) as fs:
        yield fs


@pytest.fixture
def other(db_path: str) -> Iterator[SqliteFS]:
    """The same file, as another process would see it."""
    with SqliteFS(db_path, timeout=0) as other:
        yield other


def start_python(*arguments: str) -> subprocess.Popen[str]:
    """Start a Python program that can import what tests import."""
    return subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
    )


def require_sound(db_path: str) -> None:
    with closing(sqlite3.connect(db_path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


class TestTransactions:
    def test_others_see_changes_after_the_commit(self, fs: SqliteFS, other: SqliteFS) -> None:
        put(fs, "/f", b"one")
        fs.begin()
        put(fs, "/f", b"two")
        fs.make_directory("/d")
        assert (get(fs, "/f"), tree(other)) == (b"two", {"/f": b"one"})
        fs.commit()
        assert tree(other) == {"/f": b"two", "/d": None}

    def test_rollback_takes_everything_back(self, fs: SqliteFS) -> None:
        fs.make_directory("/d")
        put(fs, "/d/f", b"text" * 5000)
        put(fs, "/g", b"other")
        before = tree(fs)
        stats = [vars_of(fs, path) for path in ("/", "/d", "/d/f")]
        fs.begin()
        put(fs, "/d/f", b"new")
        fs.rename("/g", "/d/f")
        fs.rename("/d", "/e")
        fs.set_mode("/e/f", 0)
        fs.remove("/e/f")
        fs.remove_directory("/e")
        fs.make_link("x", "/l")
        assert names(fs) == ["l"]
        fs.rollback()
        assert tree(fs) == before
        assert [vars_of(fs, path) for path in ("/", "/d", "/d/f")] == stats
        assert (fs.bytes_used, fs.files_used) == (20_005, 3)

    def test_failing_verb_leaves_the_rest_of_the_transaction(self, fs: SqliteFS) -> None:
        fs.begin()
        put(fs, "/f", b"text")
        with fails(errno.EEXIST, "/f"):
            fs.make_directory("/f")
        with fails(errno.ENOENT, "/x", "/y"):
            fs.rename("/x", "/y")
        fs.commit()
        assert tree(fs) == {"/f": b"text"}

    def test_transactions_are_not_nested(self, fs: SqliteFS) -> None:
        for act in (fs.commit, fs.rollback):
            with pytest.raises(RuntimeError, match="no transaction has begun"):
                act()
        fs.begin()
        with pytest.raises(RuntimeError, match="a transaction has already begun"):
            fs.begin()
        fs.rollback()
        fs.begin()
        fs.commit()

    def test_closing_takes_back_what_is_not_committed(self, db_path: str) -> None:
        with SqliteFS(db_path) as fs:
            fs.begin()
            put(fs, "/f")
        with SqliteFS(db_path) as fs:
            assert names(fs) == []

    def test_reading_locks_nothing(self, fs: SqliteFS, other: SqliteFS) -> None:
        put(fs, "/f", b"one")
        fs.begin()
        assert get(fs, "/f") == b"one"
        put(other, "/f", b"two")
        assert get(fs, "/f") == b"two"
        fs.commit()

    def test_threads_share_the_transaction(self, fs: SqliteFS) -> None:
        fs.begin()
        assert at_once(lambda number: put(fs, f"/{number}")) == [None] * 8
        fs.rollback()
        assert names(fs) == []


def vars_of(fs: SqliteFS, path: str) -> list[object]:
    stat = fs.stat(path)
    return [getattr(stat, name) for name in stat.__slots__]


class TestStreams:
    def test_stream_of_a_removed_file_is_the_files_again(self, fs: SqliteFS) -> None:
        put(fs, "/f", b"text")
        with fs.open("/f", "rw") as stream:
            fs.begin()
            fs.remove("/f")
            stream.write(b"TEXT")
            fs.rollback()
            assert stream.tell() == 4
            stream.seek(0)
            assert stream.read() == b"text"
            stream.write(b"+")
        assert get(fs, "/f") == b"text+"

    def test_stream_of_a_file_that_never_was_is_stale(self, fs: SqliteFS) -> None:
        fs.begin()
        stream = fs.open("/f", "w")
        stream.write(b"text")
        fs.rollback()
        put(fs, "/g", b"another")  # with the same inode number
        for act in (lambda: stream.write(b"x"), lambda: stream.truncate(0)):
            with fails(errno.ESTALE, "/f"):
                act()
        stream.close()
        assert get(fs, "/g") == b"another"

    def test_closing_is_not_taken_back(self, fs: SqliteFS) -> None:
        put(fs, "/f", b"text")
        stream = fs.open("/f")
        fs.remove("/f")
        fs.begin()
        put(fs, "/g", b"12")
        stream.close()
        fs.rollback()
        assert (fs.bytes_used, fs.files_used) == (0, 0)


class TestCrashes:
    def test_nothing_reported_is_lost(self, db_path: str) -> None:
        """A writer is killed at random moments; each one goes on from the last commit."""
        chance = random.Random(19)
        reported = 0
        for _ in range(KILLS):
            writer = start_python("-m", "vfs.sqlite_writer", db_path)
            assert writer.stdout is not None
            for _ in range(chance.randrange(1, 40)):
                reported = int(writer.stdout.readline())
            writer.kill()
            later = writer.stdout.read().split("\n")[:-1]  # what it had reported by then
            writer.communicate()
            reported = int(later[-1]) if later else reported
            with SqliteFS(db_path) as fs:
                turn = fs.values["turn"]
                assert reported <= turn <= reported + 1
                sqlite_writer.require_turn(fs, turn)
            require_sound(db_path)

    def test_nothing_is_left_of_an_open_transaction(self, db_path: str) -> None:
        program = (
            "import sys; from keysh import SqliteFS; fs = SqliteFS(sys.argv[1]); fs.begin()\n"
            "fs.open('/f', 'w').write(bytes(10**7)); print(flush=True); sys.stdin.read()"
        )
        with SqliteFS(db_path) as fs:
            put(fs, "/kept", b"text")
        writer = start_python("-c", program, db_path)
        assert writer.stdout is not None
        assert writer.stdout.readline() == "\n"
        writer.kill()
        writer.communicate()
        with SqliteFS(db_path) as fs:
            assert tree(fs) == {"/kept": b"text"}
        require_sound(db_path)

    def test_crash_frees_removed_files(self, db_path: str) -> None:
        program = (
            "import sys; from keysh import SqliteFS\n"
            "fs = SqliteFS(sys.argv[1]); s = fs.open('/f', 'w')\n"
            "s.write(b'text'); fs.remove('/f'); print(flush=True); sys.stdin.read()"
        )
        writer = start_python("-c", program, db_path)
        assert writer.stdout is not None
        assert writer.stdout.readline() == "\n"
        writer.kill()
        writer.communicate()
        with SqliteFS(db_path) as fs:
            assert fs.bytes_used == fs.files_used == 0


@contextmanager
def small_disk() -> Iterator[str]:
    """Mount 1 MB of memory; skip where that is not allowed."""
    with tempfile.TemporaryDirectory() as directory:
        mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", directory]
        if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
            pytest.skip("nothing may be mounted")
        try:
            yield directory
        finally:
            subprocess.run(["umount", directory], check=True)


class TestFullDisk:
    """There is room for the first file and not for the second."""

    def fill(self, fs: SqliteFS) -> None:
        put(fs, "/f", b"text")
        with fs.open("/big", "w") as stream:
            for _ in range(2):
                with fails(errno.ENOSPC, "/big"):
                    stream.write(os.urandom(3_000_000))
                assert stream.tell() == 0
            assert tree(fs) == {"/f": b"text", "/big": b""}
        fs.remove("/big")
        put(fs, "/f", b"more")
        assert tree(fs) == {"/f": b"more"}

    def fill_in_transaction(self, fs: SqliteFS) -> None:
        """The run is lost as a whole, whichever step notices it."""
        put(fs, "/f", b"text")
        fs.begin()
        put(fs, "/f", b"changed")
        with pytest.raises(OSError) as caught:  # noqa: PT011 the errno is looked at
            self.write_and_commit(fs)
        assert caught.value.errno == errno.ENOSPC
        if fs.database.is_explicit:
            fs.rollback()
        assert tree(fs) == {"/f": b"text"}
        put(fs, "/f", b"more")
        assert tree(fs) == {"/f": b"more"}

    def write_and_commit(self, fs: SqliteFS) -> None:
        for number in range(100):
            put(fs, f"/{number}", os.urandom(30_000))
        fs.commit()

    def test_verb_fails_on_a_full_disk(self) -> None:
        with small_disk() as directory:
            with SqliteFS(f"{directory}/files.db") as fs:
                self.fill(fs)
            require_sound(f"{directory}/files.db")

    def test_transaction_fails_on_a_full_disk(self) -> None:
        with small_disk() as directory:
            with SqliteFS(f"{directory}/files.db") as fs:
                self.fill_in_transaction(fs)
            require_sound(f"{directory}/files.db")

    def test_verb_fails_at_the_limit_of_the_database(self, fs: SqliteFS) -> None:
        fs.database.execute("PRAGMA max_page_count = 100")
        self.fill(fs)

    def test_transaction_fails_at_the_limit_of_the_database(self, fs: SqliteFS) -> None:
        fs.database.execute("PRAGMA max_page_count = 100")
        self.fill_in_transaction(fs)

    def test_verb_that_finds_the_disk_full_loses_the_transaction(self, fs: SqliteFS) -> None:
        put(fs, "/f", b"text")
        fs.database.execute("PRAGMA max_page_count = 100")
        fs.begin()
        put(fs, "/g", b"text")
        with fs.open("/f", "w") as stream, fails(errno.ENOSPC, "/f"):
            stream.write(bytes(3_000_000))
        with fails(errno.ENOSPC, "/h"):
            put(fs, "/h")
        assert tree(fs) == {"/f": b"text"}
        with fails(errno.ENOSPC, fs.path):
            fs.commit()
        put(fs, "/f", b"more")
        assert tree(fs) == {"/f": b"more"}

    def test_lost_transaction_refuses_changes_until_its_end(self, fs: SqliteFS) -> None:
        """SQLite may take a transaction back by itself, as here a trigger makes it do."""
        fs.database.execute(
            "CREATE TEMP TRIGGER lose BEFORE INSERT ON fs_dentry WHEN new.name = 'lost' "
            "BEGIN SELECT RAISE(ROLLBACK, 'lost'); END"
        )
        put(fs, "/f", b"text")
        for end in (fs.commit, fs.rollback):
            fs.begin()
            put(fs, "/g", b"text")
            with fails(errno.EIO, "/lost"):
                fs.make_directory("/lost")
            with fails(errno.EIO, "/h"):
                put(fs, "/h", b"text")
            assert tree(fs) == {"/f": b"text"}
            if end == fs.commit:
                with fails(errno.EIO, fs.path):
                    end()
            else:
                end()
            put(fs, "/f", b"text")


class TestTwoProcesses:
    def test_busy_file_is_an_error_after_the_timeout(self, fs: SqliteFS, other: SqliteFS) -> None:
        put(fs, "/f", b"one")
        fs.begin()
        put(fs, "/f", b"two")
        for act, path in (
            (lambda: other.remove("/f"), "/f"),
            (lambda: other.make_directory("/d"), "/d"),
            (lambda: other.values.update(k=1), other.path),
        ):
            with pytest.raises(OSError, match="Locked by another process") as caught:
                act()
            assert (caught.value.errno, caught.value.filename) == (errno.EBUSY, path)
        assert get(other, "/f") == b"one"
        fs.commit()
        other.remove("/f")
        assert names(fs) == []

    def test_other_process_waits(self, fs: SqliteFS, db_path: str) -> None:
        put(fs, "/f", b"one")
        program = (
            "import sys; from keysh import SqliteFS; fs = SqliteFS(sys.argv[1], timeout=60)\n"
            "print(flush=True); s = fs.open('/f', 'a'); s.write(b' three')"
        )
        fs.begin()
        put(fs, "/f", b"two")
        writer = start_python("-c", program, db_path)
        assert writer.stdout is not None
        assert writer.stdout.readline() == "\n"
        fs.commit()
        writer.communicate()
        assert (writer.returncode, get(fs, "/f")) == (0, b"two three")

    def test_two_processes_lose_nothing(self, db_path: str) -> None:
        """Both create the database, and then append to one file."""
        program = (
            "import sys; from keysh import SqliteFS\n"
            "print(flush=True); sys.stdin.readline()\n"
            "fs = SqliteFS(sys.argv[1], timeout=60)\n"
            "for turn in range(100):\n"
            "    with fs.open('/log', 'a') as s: s.write(f'{sys.argv[2]} {turn}\\n'.encode())"
        )
        writers = [start_python("-c", program, db_path, name) for name in "abc"]
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "\n"
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.write("\n")
            writer.stdin.flush()
        for writer in writers:
            writer.communicate()
            assert writer.returncode == 0
        with SqliteFS(db_path) as fs:
            lines = get(fs, "/log").decode().splitlines()
        assert sorted(lines) == sorted(f"{name} {turn}" for name in "abc" for turn in range(100))
        require_sound(db_path)

    def test_quota_counts_what_others_write(self, fs: SqliteFS, db_path: str) -> None:
        with SqliteFS(db_path, max_bytes=10, max_files=2) as limited:
            put(limited, "/a", b"12345")
            put(fs, "/b", b"12345")
            with fails(errno.ENOSPC, "/a"), limited.open("/a", "a") as stream:
                stream.write(b"6")
            with fails(errno.ENOSPC, "/c"):
                limited.make_directory("/c")
            fs.remove("/b")
            limited.make_directory("/c")

    def test_readers_see_whole_files(self, fs: SqliteFS, other: SqliteFS) -> None:
        texts = [bytes([number]) * 20_000 for number in range(5)]
        put(fs, "/f", texts[0])
        is_done = threading.Event()
        seen: set[bytes] = set()

        def read() -> None:
            while not is_done.is_set():
                with other.open("/f") as stream:
                    seen.add(stream.read())

        reader = threading.Thread(target=read)
        reader.start()
        for turn in range(60):
            fs.begin()
            put(fs, "/f", texts[turn % 5])
            fs.commit()
        is_done.set()
        reader.join()
        assert seen <= {*texts}
