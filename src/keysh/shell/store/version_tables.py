"""What runs did to files, in tables: versions, the files that they are of, and contents.

    keysh_change    the versions before and after a run of one path
    keysh_version   attributes: those by which a later run recognises the version, and the others
    keysh_file      the inode that a file has now, which all its versions know
    keysh_content   what is known of the bytes of versions: that they are kept, or where they are
    keysh_part      bytes that are kept, by their digest

A run begins with what the run before it has left: both have the same row then. So what one of them
learns, such as the new inode of a file that was restored, holds for both.
"""

from __future__ import annotations

import json

from keysh.shell.store.stored_content import StoredContent, add_parts
from keysh.vfs.api import Stat
from keysh.vfs.journal.changes import FileChanges
from keysh.vfs.journal.content import FileContent
from keysh.vfs.journal.version import FileIdentity, FileVersion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.vfs.router import Router
    from keysh.vfs.sqlite.database import Database

LATEST_MATCH = """
    SELECT v.id, content, digest FROM keysh_version AS v LEFT JOIN keysh_content AS c
    ON c.id = content WHERE match = ? ORDER BY v.id DESC LIMIT 1"""


class VersionTables:
    """Reads and writes the versions of runs; used for one turn, and then made anew."""

    def __init__(self, database: Database, router: Router) -> None:
        self._database, self._router = database, router
        # What has been read, by row.
        self._versions: dict[int, tuple[str, FileVersion]] = {}
        self._files: dict[int, FileIdentity] = {}
        self._contents: dict[int, FileContent] = {}

    # ------------------------------------------------------------ a run

    def add_run(self, number: int, changes: FileChanges) -> None:
        """Add what a run changed."""
        execute = self._database.execute
        rows: dict[int, int] = {}  # by the identity of a version
        contents: dict[int, int] = {}  # by the identity of a content
        for path, version in changes.before.items():
            if version is not None:
                found = execute(LATEST_MATCH, (self._match(path, version),)).fetchone()
                if found is not None and is_same_digest(version.content, found[2]):
                    rows[id(version)] = found[0]
                    if version.content is not None and found[1] is not None:
                        contents[id(version.content)] = found[1]
        both = [*changes.before.items(), *changes.after.items()]
        for path, version in both:
            if version is not None and version.content is not None:
                self._put_content(path, version.content, contents)
        for path, version in both:
            if version is not None and id(version) not in rows:
                content = None if version.content is None else contents[id(version.content)]
                row = execute(
                    "INSERT INTO keysh_version (match, more, file, content) VALUES (?, ?, ?, ?)",
                    (self._match(path, version), more_of(version), self._put_file(path, version),
                     content),
                ).lastrowid  # fmt: skip
                assert row is not None
                rows[id(version)] = row
            elif version is not None:
                self._put_file(path, version)
        self._database.executemany(
            "INSERT INTO keysh_change VALUES (?, ?, ?)",
            [
                (number, was and rows[id(was)], now and rows[id(now)])
                for was, now in (
                    (changes.before[path], changes.after[path]) for path in changes.before
                )
            ],
        )

    def _put_file(self, path: str, version: FileVersion) -> int:
        """Note when the inode of a file changed last; return its row."""
        execute, identity = self._database.execute, self._identity(path, version)
        found = execute("SELECT id FROM keysh_file WHERE identity = ?", (identity,)).fetchone()
        if found is not None:
            execute(
                "UPDATE keysh_file SET changed = ? WHERE id = ?", (version.file.changed, found[0])
            )
            return int(found[0])
        row = execute(
            "INSERT INTO keysh_file (identity, changed) VALUES (?, ?)",
            (identity, version.file.changed),
        ).lastrowid
        assert row is not None
        return row

    def _put_content(self, path: str, content: FileContent, rows: dict[int, int]) -> None:
        """Add a content, or what is new of one that is known."""
        values = self._content_values(path, content)
        row = rows.get(id(content))
        if row is None:
            row = self._database.execute(
                """INSERT INTO keysh_content (digest, size, is_kept, live, lost)
                   VALUES (?, ?, ?, ?, ?)""",
                values,
            ).lastrowid
            assert row is not None
            rows[id(content)] = row
        else:
            self._update_content(row, values)

    def _update_content(self, row: int, values: tuple[Any, ...]) -> None:
        self._database.execute(
            """UPDATE keysh_content SET digest = coalesce(?, digest), size = ?, is_kept = ?,
               live = ?, lost = ? WHERE id = ?""",
            (*values, row),
        )

    def _content_values(self, path: str, content: FileContent) -> tuple[Any, ...]:
        """Return the columns of a content, whose bytes are stored if they are kept."""
        digest, live = content.known_digest, None
        if content.kept is not None:
            digest = content.digest()
            assert digest is not None
            if not isinstance(content.kept, StoredContent):
                add_parts(self._database, digest, content.chunks())
        elif content.live is not None:
            point = self._mount_point(path)
            inner, fingerprint = content.live[1:]
            live = json.dumps([point, inner, fingerprint])
        return digest, content.size(), content.kept is not None, live, content.lost

    # ------------------------------------------------------------ reading

    def changes_of(self, number: int, reasons: list[str], moves: dict[str, str]) -> FileChanges:
        """Return what a run changed."""
        before: dict[str, FileVersion | None] = {}
        after: dict[str, FileVersion | None] = {}
        for was, now in self._database.execute(
            "SELECT before, after FROM keysh_change WHERE run = ? ORDER BY rowid", (number,)
        ).fetchall():
            path = self._version(was if now is None else now)[0]
            before[path] = None if was is None else self._version(was)[1]
            after[path] = None if now is None else self._version(now)[1]
        return FileChanges(before, after, reasons, moves=moves)

    def _version(self, row: int) -> tuple[str, FileVersion]:
        """Return the path and the version of a row."""
        found = self._versions.get(row)
        if found is not None:
            return found
        match, more, file, content = self._database.execute(
            "SELECT match, more, file, content FROM keysh_version WHERE id = ?", (row,)
        ).fetchone()
        path, _, size, modified, mode, owner, group, target = json.loads(match)
        accessed, links, is_recent = json.loads(more)
        identity = self._file(file)
        stat = Stat(
            mode, size, modified, accessed=accessed, changed=identity.changed,
            inode=identity.inode, device=identity.device, links=links, owner=owner, group=group,
        )  # fmt: skip
        bytes_of = None if content is None else self._content(content)
        version = FileVersion(stat, identity, bytes_of, target)
        version.is_recent = is_recent
        self._versions[row] = path, version
        return path, version

    def _file(self, row: int) -> FileIdentity:
        found = self._files.get(row)
        if found is None:
            identity, changed = self._database.execute(
                "SELECT identity, changed FROM keysh_file WHERE id = ?", (row,)
            ).fetchone()
            _, device, inode = json.loads(identity)
            stat = Stat(0, changed=changed, inode=inode, device=device)
            found = self._files[row] = FileIdentity(stat)
        return found

    def _content(self, row: int) -> FileContent:
        found = self._contents.get(row)
        if found is not None:
            return found
        digest, size, is_kept, live, lost = self._database.execute(
            "SELECT digest, size, is_kept, live, lost FROM keysh_content WHERE id = ?", (row,)
        ).fetchone()
        content = FileContent()
        content.lost = lost
        if is_kept:
            content.kept = StoredContent(self._database, digest, size)
        elif live is not None:
            point, inner, fingerprint = json.loads(live)
            fs = self._router.mounts.get(point)
            if fs is not None:
                content.live = (fs, inner, tuple(fingerprint))
        content.note_digest(digest)
        self._contents[row] = content
        return content

    # ------------------------------------------------------------ after undo and redo

    def update(self) -> None:
        """Store what has become of the versions that were read: new inodes, kept contents."""
        execute = self._database.execute
        paths: dict[int, str] = {}  # of each file and content
        for row, (path, version) in self._versions.items():
            paths[id(version.file)] = paths[id(version.content)] = path
            execute(
                "UPDATE keysh_version SET match = ?, more = ? WHERE id = ?",
                (self._match(path, version), more_of(version), row),
            )
        for row, file in self._files.items():
            identity = json.dumps([self._mount_point(paths[id(file)]), file.device, file.inode])
            execute(
                "UPDATE keysh_file SET identity = ?, changed = ? WHERE id = ?",
                (identity, file.changed, row),
            )
        for row, content in self._contents.items():
            self._update_content(row, self._content_values(paths[id(content)], content))

    # ------------------------------------------------------------ attributes

    def _match(self, path: str, version: FileVersion) -> str:
        """Return what a later run finds if nobody has changed the file."""
        return json.dumps([
            path, self._identity(path, version), version.size, version.modified, version.mode,
            version.owner, version.group, version.target,
        ])  # fmt: skip

    def _identity(self, path: str, version: FileVersion) -> str:
        file = version.file
        return json.dumps([self._mount_point(path), file.device, file.inode])

    def _mount_point(self, path: str) -> str:
        _fs, inner = self._router.find_mounted(path)
        return path[: len(path) - len(inner)] or "/"


def is_same_digest(content: FileContent | None, digest: str | None) -> bool:
    """Whether a content may be one with a digest, as far as both are known."""
    known = None if content is None else content.known_digest
    return known is None or digest is None or known == digest


def more_of(version: FileVersion) -> str:
    """Return the attributes by which nobody recognises a version."""
    return json.dumps([version.accessed, version.links, version.is_recent])
