"""Paths: the names of files and directories, on whatever they are mounted."""

from __future__ import annotations

import stat as kinds

from keysh.shell.completion.candidate import Candidate
from keysh.shell.completion.word import expanded_path
from keysh.values import text_of
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State
    from keysh.shell.completion.word import TypedWord
    from keysh.vfs.api import Entry

MAX_DIRECTORY_ENTRIES = 10_000  # entries of a directory that are looked at


def path_candidates(
    state: State, word: TypedWord, *, folders_only: bool = False
) -> list[Candidate]:
    """The files whose paths go on so."""
    before, slash, begin = word.text.rpartition("/")
    home = text_of(state.variables.get("HOME"))
    folder = expanded_path(before + slash, state.variables, home)
    place = join(state.cwd, folder) if folder else state.cwd
    found = [
        (entry, is_directory_entry(state, place, entry))
        for entry in directory_entries(state, place)
        if entry.name.startswith(begin) and (begin.startswith(".") or entry.name[:1] != ".")
    ]
    return [
        Candidate(
            word.quoted_name(entry.name) + ("/" if is_directory else word.quote),
            word.name_start,
            "directory" if is_directory else "file",
        )
        for entry, is_directory in sorted(found, key=lambda pair: pair[0].name)
        if is_directory or not folders_only
    ]


def directory_entries(state: State, place: str) -> list[Entry]:
    """What a directory holds, as far as it can be read."""
    found: list[Entry] = []
    try:
        for entry in state.fs.list(place):
            found.append(entry)
            if len(found) >= MAX_DIRECTORY_ENTRIES:
                break
    except OSError:
        pass
    return found


def is_directory_entry(state: State, place: str, entry: Entry) -> bool:
    """Whether an entry is a directory, or a link to one."""
    if not kinds.S_ISLNK(entry.kind):
        return kinds.S_ISDIR(entry.kind)
    try:
        return state.fs.stat(join(place, entry.name), follow=True).is_directory
    except OSError:
        return False
