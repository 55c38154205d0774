"""Completion of paths, on any mounted file system."""

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

MAX_DIRECTORY_ENTRIES = 10_000  # more are not read


def path_candidates(
    state: State, word: TypedWord, *, folders_only: bool = False
) -> list[Candidate]:
    """Return the files whose paths begin with the word."""
    before, slash, beginning = word.text.rpartition("/")
    home = text_of(state.variables.get("HOME"))
    folder = expanded_path(before + slash, state.variables, home)
    directory = join(state.cwd, folder) if folder else state.cwd
    matches = [
        (entry, is_directory_entry(state, directory, entry))
        for entry in directory_entries(state, directory)
        if entry.name.startswith(beginning) and (beginning.startswith(".") or entry.name[:1] != ".")
    ]
    return [
        Candidate(
            word.quoted_name(entry.name) + ("/" if is_directory else word.quote),
            word.name_start,
            "directory" if is_directory else "file",
        )
        for entry, is_directory in sorted(matches, key=lambda pair: pair[0].name)
        if is_directory or not folders_only
    ]


def directory_entries(state: State, directory: str) -> list[Entry]:
    """Return a directory's entries, as far as it can be read."""
    entries: list[Entry] = []
    try:
        for entry in state.fs.list(directory):
            entries.append(entry)
            if len(entries) >= MAX_DIRECTORY_ENTRIES:
                break
    except OSError:
        pass
    return entries


def is_directory_entry(state: State, directory: str, entry: Entry) -> bool:
    """Whether an entry is a directory or a link to one."""
    if not kinds.S_ISLNK(entry.kind):
        return kinds.S_ISDIR(entry.kind)
    try:
        return state.fs.stat(join(directory, entry.name), follow=True).is_directory
    except OSError:
        return False
