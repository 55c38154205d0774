"""SqliteFS: conformance, what is stored, files that are refused, closing."""

from __future__ import annotations

import errno
import gc
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import keysh
from keysh.testing import FileSystemConformance
from keysh.testing.conformance.kit import fails, get, names, put, tree
from keysh.vfs.api import FileSystem
from keysh.vfs.memory.stream import MAX_FILE_BYTES
from keysh.vfs.sqlite.filesystem import SqliteFS
from vfs.counted_loader import Tick

if TYPE_CHECKING:
    from keysh.vfs.api import Access

CHUNK = 4096


@pytest.fixture
def fs(db_path: str) -> Iterator[SqliteFS]:
    with SqliteFS(db_path) as fs:
        yield fs


def rows(db_path: str, query: str) -> list[tuple[Any, ...]]:
    """Return what another connection sees in the file."""
    with closing(sqlite3.connect(db_path)) as connection:
        return connection.execute(query).fetchall()


def change(db_path: str, script: str) -> None:
    with closing(sqlite3.connect(db_path)) as connection:
        connection.executescript(script)


class TestSqlite(FileSystemConformance):
    @pytest.fixture
    def fs(self, db_path: str) -> Iterator[FileSystem]:
        with SqliteFS(db_path) as fs:
            yield fs
        assert rows(db_path, "PRAGMA integrity_check") == [("ok",)]
        SqliteFS(db_path).close()


class TestSqliteInTransaction(FileSystemConformance):
    """A transaction changes nothing of what its own process sees."""

    @pytest.fixture
    def fs(self, db_path: str) -> Iterator[FileSystem]:
        with SqliteFS(db_path) as fs:
            fs.begin()
            yield fs
            fs.commit()
        SqliteFS(db_path).close()


class TestKept:
    def test_everything_is_there_again(self, db_path: str) -> None:
        with SqliteFS(db_path) as fs:
            fs.make_directory("/d", 0o750)
            put(fs, "/d/f", b"text")
            put(fs, "/d/\udcff\n", b"odd")
            fs.link("/d/f", "/same")
            fs.make_link("../\udcfe", "/d/l")
            fs.set_mode("/d/f", 0o4711)
            fs.set_times("/d/f", -1, 10**18 + 1)
            fs.set_owner("/d/f", 7, 8)
            fs.set_owner("/d/f", -1, 9)
        with SqliteFS(db_path) as fs:
            assert tree(fs) == {
                "/d": None,
                "/d/f": b"text",
                "/d/\udcff\n": b"odd",
                "/d/l": "../\udcfe",
                "/same": b"text",
            }
            stat = fs.stat("/same")
            assert (stat.mode & 0o7777, stat.links, stat.owner, stat.group) == (0o4711, 2, 7, 9)
            assert (stat.accessed, stat.modified) == (-1, 10**18 + 1)
            assert fs.stat("/d").mode & 0o7777 == 0o750

    def test_lists_in_order_of_creation(self, fs: SqliteFS) -> None:
        for name in "cab":
            put(fs, f"/{name}")
        fs.rename("/c", "/d")
        assert [entry.name for entry in fs.list("/")] == ["a", "b", "d"]

    def test_reading_does_not_change_the_access_time(self, db_path: str) -> None:
        with SqliteFS(db_path, clock=Tick()) as fs:
            put(fs, "/f", b"text")
            before = fs.stat("/f").accessed
            get(fs, "/f")
            assert fs.stat("/f").accessed == before

    def test_refuses_times_that_no_column_holds(self, fs: SqliteFS) -> None:
        with fails(errno.EINVAL, "/"):
            fs.set_times("/", 0, 2**63 * 10**9)

    def test_access_is_one_of_five(self, fs: SqliteFS) -> None:
        with pytest.raises(ValueError, match="access must be one of r, w, a, x, rw, but is 'rb'"):
            fs.open("/f", "rb")  # type: ignore[arg-type]

    @pytest.mark.parametrize("name", [":memory:", "a?mode=ro#b%41", "\udcff"])
    def test_name_of_the_file_has_no_special_meaning(self, tmp_path: Path, name: str) -> None:
        with SqliteFS(tmp_path / name) as fs:
            put(fs, "/f", b"text")
        assert [entry.name for entry in tmp_path.iterdir()] == [name]

    def test_shell_works_on_it(self, db_path: str) -> None:
        with SqliteFS(db_path) as fs:
            shell = keysh.Shell(fs)
            text = "mkdir -p a/b; seq 3 > a/b/f; sed -i 2d a/b/f; mv a c; cat c/b/f"
            assert shell.run(text).stdout == "1\n3\n"
        with SqliteFS(db_path) as fs:
            assert get(fs, "/c/b/f") == b"1\n3\n"


class TestChunks:
    """Whatever is written, all chunks but the last are full, and nothing lies past the end."""

    PLACES = (0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK - 1, 3 * CHUNK, 5 * CHUNK + 7)

    def require_chunks(self, db_path: str) -> None:
        for inode, size in rows(
            db_path, "SELECT ino, size FROM fs_inode WHERE mode & 61440 = 32768"
        ):
            lengths = rows(
                db_path,
                f"SELECT length(data) FROM fs_data WHERE ino = {inode} ORDER BY chunk_index",
            )
            full, rest = divmod(size, CHUNK)
            assert [length for (length,) in lengths] == [CHUNK] * full + [rest] * bool(rest)

    @pytest.mark.parametrize("size", PLACES)
    def test_writes_anywhere(self, db_path: str, fs: SqliteFS, size: int) -> None:
        before = bytes(range(256)) * 100
        for start in self.PLACES:
            for length in self.PLACES[1:]:
                expected = bytearray(before[:size].ljust(start, b"\0"))
                expected[start : start + length] = b"x" * length
                put(fs, "/f", before[:size])
                with fs.open("/f", "rw") as stream:
                    stream.seek(start)
                    stream.write(b"x" * length)
                    stream.seek(0)
                    assert stream.read() == expected
                    stream.seek(CHUNK - 1)
                    assert stream.read(2) == expected[CHUNK - 1 : CHUNK + 1]
        self.require_chunks(db_path)

    @pytest.mark.parametrize("size", PLACES)
    def test_truncates_anywhere(self, db_path: str, fs: SqliteFS, size: int) -> None:
        before = bytes(range(1, 256)) * 100
        for number, after in enumerate(self.PLACES):
            put(fs, f"/{number}", before[:size])
            with fs.open(f"/{number}", "rw") as stream:
                stream.truncate(after)
            assert get(fs, f"/{number}") == before[: min(size, after)].ljust(after, b"\0")
        self.require_chunks(db_path)

    def test_reads_chunks_that_are_missing_or_short(self, db_path: str, fs: SqliteFS) -> None:
        put(fs, "/f", b"x" * (3 * CHUNK))
        change(
            db_path,
            "DELETE FROM fs_data WHERE chunk_index = 0;"
            "UPDATE fs_data SET data = x'7a' WHERE chunk_index = 1",
        )
        assert get(fs, "/f") == bytes(CHUNK) + b"z".ljust(CHUNK, b"\0") + b"x" * CHUNK

    def test_keeps_the_chunk_size_of_an_existing_file(self, db_path: str) -> None:
        with SqliteFS(db_path):
            pass
        change(db_path, "UPDATE fs_config SET value = '10' WHERE key = 'chunk_size'")
        with SqliteFS(db_path) as fs:
            put(fs, "/f", b"0123456789abc")
            assert get(fs, "/f") == b"0123456789abc"
        assert rows(db_path, "SELECT CAST(data AS TEXT) FROM fs_data") == [
            ("0123456789",),
            ("abc",),
        ]

    def test_file_size_is_limited(self, db_path: str, fs: SqliteFS) -> None:
        with fs.open("/f", "w") as stream:
            with fails(errno.EFBIG, "/f"):
                stream.truncate(MAX_FILE_BYTES + 1)
            stream.seek(MAX_FILE_BYTES)
            with fails(errno.EFBIG, "/f"):
                stream.write(b"x")
            assert stream.tell() == MAX_FILE_BYTES
        change(db_path, f"UPDATE fs_inode SET size = {MAX_FILE_BYTES + 1} WHERE ino <> 1")
        with fails(errno.EFBIG, "/f"):
            fs.open("/f")

    def test_special_file_cannot_be_opened(self, db_path: str, fs: SqliteFS) -> None:
        put(fs, "/f")
        change(db_path, f"UPDATE fs_inode SET mode = {0o010644} WHERE ino <> 1")
        accesses: list[Access] = ["r", "w"]
        for access in accesses:
            with fails(errno.ENXIO, "/f"):
                fs.open("/f", access)
        fs.remove("/f")
        assert names(fs) == []


class TestRemovedFiles:
    """The database never has an inode without a name."""

    def test_open_file_is_not_in_the_database(self, db_path: str, fs: SqliteFS) -> None:
        put(fs, "/f", b"text" * CHUNK)
        with fs.open("/f", "rw") as stream:
            fs.remove("/f")
            assert rows(db_path, "SELECT ino FROM fs_inode") == [(1,)]
            assert rows(db_path, "SELECT * FROM fs_data") == []
            stream.seek(0, 2)
            stream.write(b"more")
            stream.seek(-8, 2)
            assert stream.read() == b"textmore"
            assert fs.bytes_used == 4 * CHUNK + 4
        assert fs.bytes_used == fs.files_used == 0

    def test_file_that_another_process_removed_is_stale(self, db_path: str, fs: SqliteFS) -> None:
        put(fs, "/f", b"text")
        with fs.open("/f") as stream, SqliteFS(db_path) as other:
            other.remove("/f")
            put(other, "/g", b"other")
            with fails(errno.ESTALE, "/f"):
                stream.read()

    def test_link_and_its_target_are_removed(self, db_path: str, fs: SqliteFS) -> None:
        fs.make_link("a", "/l")
        fs.remove("/l")
        assert rows(db_path, "SELECT * FROM fs_symlink") == []


class TestValues:
    def test_is_a_mapping_of_json(self, db_path: str, fs: SqliteFS) -> None:
        value = {"a": [1, 2.5, None, True, "\udcff é"], "b": {}}
        fs.values["z"] = 1
        fs.values["a"] = value
        fs.values["\udcff"] = "odd"
        fs.values["z"] = 2
        del fs.values["\udcff"]
        with SqliteFS(db_path) as other:
            assert dict(other.values) == {"a": value, "z": 2}
            assert list(other.values) == ["a", "z"]
            assert (len(other.values), "b" in other.values) == (2, False)

    def test_refuses_what_is_not_json(self, fs: SqliteFS) -> None:
        for value, error in ((object(), TypeError), (float("nan"), ValueError)):
            with pytest.raises(error):
                fs.values["k"] = value
        with pytest.raises(TypeError, match="a key must be a str, but is 1"):
            fs.values[1] = 2  # type: ignore[index]
        with pytest.raises(KeyError):
            del fs.values["k"]
        assert dict(fs.values) == {}

    def test_is_part_of_the_transaction(self, fs: SqliteFS) -> None:
        fs.values["k"] = 1
        fs.begin()
        fs.values["k"] = 2
        put(fs, "/f")
        fs.rollback()
        assert (dict(fs.values), names(fs)) == ({"k": 1}, [])


class TestToolCalls:
    def test_records_success_and_error(self, db_path: str, fs: SqliteFS) -> None:
        first = fs.record_tool_call(
            "ls", {"path": "/"}, result=["a"], started_at=100.25, completed_at=101.5
        )
        second = fs.record_tool_call("rm", error="no", started_at=100, completed_at=100)
        assert rows(db_path, "SELECT * FROM tool_calls ORDER BY id") == [
            (first, "ls", '{"path": "/"}', '["a"]', None, "success", 100, 101, 1250),
            (second, "rm", None, None, "no", "error", 100, 100, 0),
        ]

    def test_table_of_the_specification_has_no_status(self, db_path: str, fs: SqliteFS) -> None:
        change(db_path, "ALTER TABLE tool_calls DROP COLUMN status")
        fs.record_tool_call("ls", started_at=1, completed_at=2)
        assert rows(db_path, "SELECT name, result FROM tool_calls") == [("ls", json.dumps(None))]


DAMAGE = {
    "DROP TABLE fs_data": "it has no table fs_data",
    "DROP TABLE fs_inode": "it is not an AgentFS database",
    "UPDATE fs_config SET value = '0' WHERE key = 'chunk_size'": "its chunk size must be a number",
    "UPDATE fs_config SET value = '²' WHERE key = 'chunk_size'": "its chunk size must be a number",
    "DELETE FROM fs_config": "its chunk size must be a number",
    "UPDATE fs_config SET value = '0.5' WHERE key <> 'chunk_size'": "its schema is not that of",
    "ALTER TABLE fs_inode DROP COLUMN rdev": "its schema is not that of AgentFS 0.4",
    "DELETE FROM fs_inode WHERE ino = 1": "it has no root directory",
    "UPDATE fs_inode SET mode = 33188 WHERE ino = 1": "it has no root directory",
    "UPDATE fs_inode SET size = -1": "an invalid inode",
    "UPDATE fs_inode SET size = 'x'": "an invalid inode",
    "UPDATE fs_dentry SET name = '..' WHERE ino = 2": "an invalid name",
    "UPDATE fs_dentry SET name = 'a/b' WHERE ino = 2": "an invalid name",
    "UPDATE fs_dentry SET ino = 99": "a name without an inode",
    "UPDATE fs_dentry SET ino = 1": "an inode with too many names",
    "INSERT INTO fs_dentry (name, parent_ino, ino) VALUES ('n', 2, 2)": "too many names",
    "INSERT INTO fs_dentry (name, parent_ino, ino) VALUES ('n', 2, 3)": "too many names",
    "DELETE FROM fs_symlink": "a link without a target",
    "CREATE TABLE fs_overlay_config (key, value);"
    "INSERT INTO fs_overlay_config VALUES ('base_path', '/')": "it is an AgentFS overlay",
}


class TestRefusedFiles:
    @pytest.mark.parametrize("damage", DAMAGE)
    def test_refuses_a_damaged_database(self, db_path: str, damage: str) -> None:
        with SqliteFS(db_path) as fs:
            fs.make_directory("/d")  # inode 2
            put(fs, "/d/f")  # inode 3
            fs.make_link("d", "/l")
        change(db_path, damage)
        with pytest.raises(ValueError, match=r"files\.db cannot be used: ") as caught:
            SqliteFS(db_path)
        assert DAMAGE[damage] in str(caught.value)

    @pytest.mark.parametrize("content", [b"text", b"PNG" * 5000, b"SQLite format 3\0" * 300])
    def test_refuses_another_format_and_leaves_it_alone(self, db_path: str, content: bytes) -> None:
        Path(db_path).write_bytes(content)
        with pytest.raises(ValueError, match="cannot be used: "):
            SqliteFS(db_path)
        assert Path(db_path).read_bytes() == content

    def test_refuses_a_database_of_something_else(self, db_path: str) -> None:
        change(db_path, "CREATE TABLE notes (text)")
        before = Path(db_path).read_bytes()
        with pytest.raises(ValueError, match="it is not an AgentFS database"):
            SqliteFS(db_path)
        assert Path(db_path).read_bytes() == before

    def test_damage_that_is_found_later_is_an_input_error(self, db_path: str) -> None:
        with SqliteFS(db_path) as fs:
            put(fs, "/small", b"text")
            put(fs, "/f", b"x" * 100 * CHUNK)
        content = bytearray(Path(db_path).read_bytes())
        for place in range(20 * CHUNK, len(content), CHUNK):
            content[place : place + 100] = b"\xff" * 100
        Path(db_path).write_bytes(content)
        with SqliteFS(db_path) as fs:
            with fails(errno.EIO, "/f"):
                get(fs, "/f")
            assert fs.stat("/small").size == 4

    def test_refuses_places(self, tmp_path: Path) -> None:
        with fails(errno.EISDIR, str(tmp_path)):
            SqliteFS(tmp_path)
        missing = str(tmp_path / "none" / "files.db")
        with pytest.raises(FileNotFoundError):
            SqliteFS(missing)
        with fails(errno.ENOENT, str(tmp_path / "none")):
            SqliteFS(tmp_path / "none", read_only=True)
        assert [*tmp_path.iterdir()] == []

    def test_synchronous_is_one_of_two(self, db_path: str) -> None:
        with pytest.raises(ValueError, match="synchronous must be one of normal, full, but is"):
            SqliteFS(db_path, synchronous="off")  # type: ignore[arg-type]
        SqliteFS(db_path, synchronous="full").close()


@contextmanager
def as_nobody() -> Iterator[None]:
    """Give up the rights of root, for which every file can be written."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


class TestReadOnly:
    def require_refusals(self, fs: SqliteFS) -> None:
        for act in (
            lambda: fs.open("/f", "a"),
            lambda: fs.open("/new", "x"),
            lambda: fs.make_directory("/new"),
            lambda: fs.remove("/f"),
            lambda: fs.set_mode("/f", 0),
        ):
            with pytest.raises(OSError) as caught:  # noqa: PT011 the errno is looked at
                act()
            assert caught.value.errno == errno.EROFS
            assert get(fs, "/f") == b"text"
        with fails(errno.EROFS, fs.path):
            fs.values["k"] = 1

    def test_changes_are_refused_and_reads_go_on(self, db_path: str) -> None:
        with SqliteFS(db_path) as fs:
            put(fs, "/f", b"text")
        with SqliteFS(db_path, read_only=True) as fs:
            self.require_refusals(fs)
            fs.begin()
            self.require_refusals(fs)
            fs.commit()
            assert fs.files_used == 1

    @pytest.mark.parametrize("mode", [0o777, 0o555], ids=["file", "directory"])
    def test_file_that_cannot_be_written(self, db_path: str, mode: int) -> None:
        with SqliteFS(db_path) as fs:
            put(fs, "/f", b"text")
        os.chmod(db_path, 0o444)
        os.chmod(os.path.dirname(db_path), mode)
        try:
            with as_nobody(), SqliteFS(db_path) as fs:
                self.require_refusals(fs)
        finally:
            os.chmod(os.path.dirname(db_path), 0o700)

    def test_reader_sees_what_a_writer_commits(self, db_path: str, fs: SqliteFS) -> None:
        put(fs, "/f", b"text")
        with SqliteFS(db_path, read_only=True) as reader:
            put(fs, "/f", b"more")
            assert get(reader, "/f") == b"more"


class TestClosing:
    def test_closed_file_system_raises(self, db_path: str) -> None:
        fs = SqliteFS(db_path)
        stream, removed = fs.open("/f", "w"), fs.open("/g", "w")
        fs.remove("/g")
        fs.close()
        fs.close()
        for act in (
            lambda: fs.stat("/"),
            lambda: fs.open("/f"),
            lambda: fs.remove("/f"),
            lambda: fs.values["k"],
            lambda: fs.begin(),
            lambda: stream.write(b"x"),
        ):
            with pytest.raises(ValueError, match=r"the file system is closed: .*files\.db"):
                act()
        stream.close()
        removed.close()

    def test_unused_file_system_is_closed_at_once(self, db_path: str) -> None:
        gc.disable()
        try:
            stream = SqliteFS(db_path).open("/f", "w")
            stream.write(b"text")
            assert os.path.exists(f"{db_path}-wal")
            del stream
            assert not os.path.exists(f"{db_path}-wal")
        finally:
            gc.enable()
