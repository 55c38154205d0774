"""The descriptor table of a state: what `< > >> <> n>&m <<` change, and how it is restored."""

from __future__ import annotations

import errno

from keysh.diagnostics.exceptions import failure
from keysh.interp.run.options import NOCLOBBER
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.streams.descriptors import (
    CLOSED_READER,
    CLOSED_WRITER,
    DIRECTORY_READER,
    DISCARD_WRITER,
    Descriptor,
    device_descriptor_number,
    file_descriptor,
    release_streams,
)
from keysh.interp.streams.streams import ErrorWriter, TextReader
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.state.state import State
    from keysh.interp.streams.descriptors import Saved
    from keysh.vfs.api import Access
    from keysh.vfs.stream import Stream

REDIRECT_ACCESS: dict[str, Access] = {"<": "r", ">": "w", ">|": "w", ">>": "a", "<>": "rw"}

FIRST_NAMED_DESCRIPTOR = 10  # `{name}>` assigns numbers from here on


def begin_redirects(state: State) -> Saved:
    """Save the descriptors before a command's redirections, which then change a copy."""
    before: Saved = [state.descriptors, state.stdin, state.out, state.err]
    state.redirect_saves.append(before)
    state.descriptors = state.descriptors.copy()
    return before


def undo_redirects(state: State, before: Saved) -> None:
    """Undo the redirections of a command that has ended and close what it opened.

    As in bash, a descriptor from `{name}>` stays open until the script closes it.
    """
    opened = state.descriptors
    state.descriptors, state.stdin, state.out, state.err = before
    state.redirect_saves.pop()  # last, or `undo_all_redirects` would not know of it
    for number, descriptor in opened.items():
        if number >= FIRST_NAMED_DESCRIPTOR and number not in state.session.substitutions:
            before[0][number] = descriptor
    release_unreachable(state, opened)


def undo_all_redirects(state: State) -> None:
    """Undo the redirections of a run that has ended where they were to be undone.

    A limit of the watchdog may strike where `undo_redirects` begins, in a `finally`.
    """
    while state.redirect_saves:
        undo_redirects(state, state.redirect_saves[-1])


def keep_redirects(state: State, before: Saved) -> None:
    """Make the redirections permanent, as `exec` does; close descriptors that nothing uses.

    They also outlive the enclosing commands, except for numbers that those redirected themselves.
    As in bash, the number of a process substitution is freed: the redirection refers to it.
    """
    state.redirect_saves.pop()
    was, now = before[0], state.descriptors
    for number in state.session.substitutions:
        if number not in was:
            now.pop(number, None)
    changed = [number for number in was | now if was.get(number) is not now.get(number)]
    for around in reversed(state.redirect_saves):
        changed = [number for number in changed if around[0].get(number) is was.get(number)]
        for number in changed:
            if number in now:
                around[0][number] = now[number]
            else:
                del around[0][number]
            if number <= 2:
                around[1 + number] = (state.stdin, state.out, state.err)[number]
    release_unreachable(state, was)


def release_unreachable(state: State, previous: dict[int, Descriptor]) -> None:
    """Release the streams among `previous` that no number of the state leads to any more."""
    if all(descriptor.stream is None for descriptor in previous.values()):
        return
    reachable = set(state.descriptors.values())
    for around in state.redirect_saves:
        reachable.update(around[0].values())
    release_streams(state, [one for one in previous.values() if one not in reachable])


def connect_descriptor(state: State, number: int, descriptor: Descriptor) -> None:
    """Connect a number to a descriptor."""
    state.descriptors[number] = descriptor
    if descriptor.stream is not None:
        state.holds_streams = True
        descriptor.users.add(state)
    refresh_stream(state, number)


def refresh_stream(state: State, number: int) -> None:
    """Update stdin, out or err of the state after a change of descriptor 0, 1 or 2."""
    if number > 2:
        return
    descriptor = state.descriptors.get(number)
    if number == 0:
        state.stdin = (descriptor and descriptor.reader) or CLOSED_READER
    else:
        writer = None if descriptor is None else descriptor.writer
        if number == 1:
            state.out = writer or CLOSED_WRITER
        else:
            state.err = DISCARD_WRITER if writer is None else ErrorWriter(writer)


def redirect_to_file(state: State, number: int, operator: str, path: str) -> None:
    """Apply `n< path`, `n> path` and so on."""
    connect_descriptor(state, number, open_descriptor(state, operator, path))


def open_descriptor(state: State, operator: str, path: str) -> Descriptor:
    """Open a file or `/dev/fd/N`; return the descriptor."""
    if path.startswith("/dev/"):
        descriptor = device_descriptor(state, path)
        if descriptor is not None:
            return descriptor
    if not path:
        raise failure(errno.ENOENT, path)
    absolute = join(state.cwd, path)
    access = REDIRECT_ACCESS[operator]
    if operator == ">" and state.flags & NOCLOBBER and is_file(state, absolute):
        raise FileExistsError(errno.EEXIST, "cannot overwrite existing file", path)
    try:
        stream = open_stream(state, absolute, access)
    except IsADirectoryError as error:
        if access == "r":  # a kernel opens a directory but refuses to read it
            from keysh.interp.streams.file_locks import open_directory  # noqa: PLC0415 - only for flock

            directory: Any = open_directory(state.fs, absolute)
            return Descriptor(DIRECTORY_READER, stream=directory)
        raise failure(error.errno or errno.EIO, path) from None
    except OSError as error:
        if error.errno is None:  # of a file system of the host, which has its own text
            error.filename = path
            raise
        raise failure(error.errno, path) from None
    return file_descriptor(stream, reads=access in ("r", "rw"), writes=access != "r")


def open_stream(state: State, absolute: str, access: Access) -> Stream:
    """Open a file or a FIFO."""
    try:
        return state.fs.open(absolute, access, 0o666 & ~state.umask)
    except PermissionError as refusal:
        from keysh.interp.streams.fifos import open_fifo  # noqa: PLC0415 - fifos are rare

        return open_fifo(state, absolute, access, refusal)


def bound_self_input(state: State, before: Saved) -> None:
    """`< f >> f`: let the command read only what the file held when it started."""
    source, output = state.descriptors.get(0), state.descriptors.get(1)
    if source is None or output is None or source is before[0].get(0):
        return
    if source.stream is None or output.stream is None or source.writer is not None:
        return
    from keysh.interp.streams.self_output import BoundedFile, are_same_file  # noqa: PLC0415 - rarely are both files

    if are_same_file(source.stream, output.stream):
        connect_descriptor(
            state, 0, file_descriptor(BoundedFile(source.stream), reads=True, writes=False)
        )


def is_file(state: State, path: str) -> bool:
    there = state.fs.stat_or_none(path)
    return there is not None and there.is_file


def device_descriptor(state: State, path: str) -> Descriptor | None:
    """Return the descriptor for `/dev/stdin` or `/dev/fd/N`; None for any other path."""
    number = device_descriptor_number(path)
    if number is None:
        return None
    descriptor = state.descriptors.get(number)
    if descriptor is None:
        raise failure(errno.ENOENT, path)
    return descriptor


def copy_descriptor(state: State, number: int, source: str) -> None:
    """Apply `n>&m`, `n>&-` or `n>&m-`."""
    if source == "-":
        state.descriptors.pop(number, None)
        refresh_stream(state, number)
        return
    moves = source.endswith("-")
    digits = source[:-1] if moves else source
    if not is_digits(digits):
        raise RuntimeDiagnostic("E212", "a descriptor must be a number", source,
                      "&> file for output and errors, or n>&m")  # fmt: skip
    other = bounded_number(digits)
    descriptor = state.descriptors.get(other)
    if descriptor is None:
        raise failure(errno.EBADF, digits)
    connect_descriptor(state, number, descriptor)
    if moves and other != number:
        state.descriptors.pop(other, None)
        refresh_stream(state, other)


def redirect_from_text(state: State, number: int, text: str) -> None:
    """Apply `<<E` or `<<<`."""
    connect_descriptor(state, number, Descriptor(reader=TextReader(text)))


def free_descriptor_number(state: State) -> int:
    """Return the number that `{name}>` assigns."""
    number = FIRST_NAMED_DESCRIPTOR
    while number in state.descriptors:
        number += 1
    return number
