"""A process that writes to a SqliteFS and reports each commit, until it is killed.

    python sqlite_writer.py FILE

It goes on from the last commit. Turn N changes several files and a value at once: if any part of a
turn were missing, or of the next one there, `require_turn` would notice.
"""

from __future__ import annotations

import hashlib
import sys

from keysh.testing.conformance.kit import get, put, tree
from keysh.vfs.sqlite.filesystem import SqliteFS

KEPT_TURNS = 3


def content(turn: int) -> bytes:
    """Return the contents of a turn's file: up to some chunks, and different for each turn."""
    return hashlib.sha256(str(turn).encode()).digest() * (turn * 37 % 400)


def write_turn(fs: SqliteFS, turn: int) -> None:
    fs.begin()
    if turn == 1:
        fs.make_directory("/d")
    put(fs, f"/d/{turn}", content(turn))
    put(fs, "/new", b"%d" % turn)
    fs.rename("/new", "/last")
    with fs.open("/log", "a") as stream:
        stream.write(b"%d\n" % turn)
    if turn > KEPT_TURNS:
        fs.remove(f"/d/{turn - KEPT_TURNS}")
    fs.values["turn"] = turn
    fs.commit()


def require_turn(fs: SqliteFS, turn: int) -> None:
    """Raise unless everything is as after a turn."""
    kept = range(max(1, turn - KEPT_TURNS + 1), turn + 1)
    expected: dict[str, object] = {f"/d/{each}": content(each) for each in kept}
    if turn:
        expected |= {
            "/d": None,
            "/last": b"%d" % turn,
            "/log": b"".join(b"%d\n" % each for each in range(1, turn + 1)),
        }
    assert tree(fs) == expected


def main() -> None:
    """Write turn after turn."""
    with SqliteFS(sys.argv[1]) as fs:
        turn = fs.values.get("turn", 0)
        require_turn(fs, turn)
        while True:
            turn += 1
            write_turn(fs, turn)
            print(turn, flush=True)
            if turn % 50 == 0:
                assert get(fs, "/last") == b"%d" % turn


if __name__ == "__main__":
    main()
