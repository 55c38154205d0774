"""Files: dot commands that open another database, and that write a copy of the one there is."""

from __future__ import annotations

import sqlite3

from keysh.interp.state.call import os_error_text
from keysh.tools.sqlite3.database import Database, DatabaseOpenError
from keysh.tools.sqlite3.session import DotError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.sqlite3.session import SqlSession


def open_file(session: SqlSession, words: list[str]) -> None:
    """`.open ?--new? ?--readonly? ?FILE?`: save this database, and go on with another"""
    name, options = "", set()
    for word in words:
        if word.startswith("-"):
            option = word.removeprefix("-").removeprefix("-")
            if option not in ("new", "readonly", "nofollow"):
                raise DotError(f"unknown option: {word}\n")
            options.add(option)
        elif name:
            raise DotError(f'extra argument: "{word}"\n')
        else:
            name = word
    session.database.save()
    if name and "new" in options:
        try:
            session.sh.fs.remove(session.sh.path(name))
        except FileNotFoundError:
            pass
        except OSError as error:
            raise DotError(f'Error: unable to remove "{name}": {os_error_text(error)}\n') from None
    try:
        session.take(Database(session.sh, name, is_readonly="readonly" in options))
    except DatabaseOpenError as error:
        session.take(Database(session.sh, "", is_readonly=False))
        raise DotError(f"Error: {error}\n") from None


def save(session: SqlSession, words: list[str]) -> None:
    """`.save FILE`, or `.backup ?main? FILE`: write a copy of the database"""
    plain = [word for word in words if not word.startswith("-")]
    for word in words:
        if word.startswith("-") and word.removeprefix("-").removeprefix("-") != "async":
            raise DotError(f"unknown option: {word}\n")
    if not plain:
        raise DotError("missing FILENAME argument on .backup\n")
    if len(plain) > 2:
        raise DotError("Usage: .backup ?DB? ?OPTIONS? FILENAME\n")
    if len(plain) == 2 and plain[0] != "main":
        raise DotError(f"Error: unknown database {plain[0]}\n")
    name = plain[-1]
    try:
        image = session.database.image()
    except sqlite3.DatabaseError as error:  # it is none
        raise DotError(f"Error: {error}\n") from None
    try:
        with session.sh.open(name, "w") as stream:
            stream.write(image)
    except OSError:
        raise DotError(f'Error: cannot open "{name}"\n') from None
