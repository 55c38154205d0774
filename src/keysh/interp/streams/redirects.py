"""Redirections: what `< > >> <> n>&m <<` do to the descriptors of a state."""

from __future__ import annotations

import errno

from keysh.diagnostics.errors import failure
from keysh.interp.run.options import NOCLOBBER
from keysh.interp.run.problem import RuntimeDiagnostic
from keysh.interp.streams.descriptors import (
    CLOSED_READER,
    CLOSED_WRITER,
    DIRECTORY_READER,
    DISCARD_WRITER,
    Descriptor,
    device_descriptor_number,
    file_descriptor,
)
from keysh.interp.streams.files import stat_at
from keysh.interp.streams.streams import ErrorWriter, TextReader
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State
    from keysh.interp.streams.descriptors import Saved
    from keysh.vfs.api import Access, Stream

REDIRECT_ACCESS: dict[str, Access] = {"<": "r", ">": "w", ">|": "w", ">>": "a", "<>": "rw"}

FIRST_NAMED_DESCRIPTOR = 10  # the numbers from here on are those that `{name}>` is given


def begin_redirects(state: State) -> Saved:
    """What a command's redirections will change; from here on they change a copy."""
    before: Saved = [state.descriptors, state.stdin, state.out, state.err]
    state.redirect_saves.append(before)
    state.descriptors = state.descriptors.copy()
    return before


def undo_redirects(state: State, before: Saved) -> None:
    """Undo the redirections of a command that has ended; what it opened is closed.

    What `{name}>` has been given stays, as in bash, until the script closes it.
    """
    state.redirect_saves.pop()
    opened = state.descriptors
    state.descriptors, state.stdin, state.out, state.err = before
    for number, descriptor in opened.items():
        if number >= FIRST_NAMED_DESCRIPTOR and number not in state.session.substitutions:
            before[0][number] = descriptor
    kept = {id(descriptor) for descriptor in before[0].values()}
    for descriptor in {id(found): found for found in opened.values()}.values():
        if id(descriptor) not in kept and descriptor.stream is not None:
            descriptor.stream.close()


def keep_redirects(state: State, before: Saved) -> None:
    """Let the redirections stay, as `exec` does; what nothing leads to any more is closed.

    They stay behind the commands around, too, but for the numbers that those have redirected. The
    number of a process substitution is free again, as in bash: what was redirected leads to it.
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
    kept = {id(descriptor) for descriptor in now.values()}
    for descriptor in was.values():
        if id(descriptor) not in kept and descriptor.stream is not None:
            descriptor.stream.close()


def connect_descriptor(state: State, number: int, descriptor: Descriptor) -> None:
    """Let a number stand for a descriptor."""
    state.descriptors[number] = descriptor
    refresh_stream(state, number)


def refresh_stream(state: State, number: int) -> None:
    """Let the streams of the state be what the three first numbers stand for."""
    if number > 2:
        return
    found = state.descriptors.get(number)
    if number == 0:
        state.stdin = (found and found.reader) or CLOSED_READER
    else:
        writer = None if found is None else found.writer
        if number == 1:
            state.out = writer or CLOSED_WRITER
        else:
            state.err = DISCARD_WRITER if writer is None else ErrorWriter(writer)


def redirect_to_file(state: State, number: int, operator: str, path: str) -> None:
    """`n< path` and its kin."""
    connect_descriptor(state, number, open_descriptor(state, operator, path))


def open_descriptor(state: State, operator: str, path: str) -> Descriptor:
    """The descriptor of a file, or of `/dev/fd/n`."""
    if path.startswith("/dev/"):
        found = device_descriptor(state, path)
        if found is not None:
            return found
    if not path:
        raise failure(errno.ENOENT, path)
    place = join(state.cwd, path)
    access = REDIRECT_ACCESS[operator]
    if operator == ">" and state.flags & NOCLOBBER and is_file(state, place):
        raise FileExistsError(errno.EEXIST, "cannot overwrite existing file", path)
    try:
        stream = open_stream(state, place, access)
    except IsADirectoryError as error:
        if access == "r":  # a kernel opens it, and refuses to read
            return Descriptor(DIRECTORY_READER)
        raise failure(error.errno or errno.EIO, path) from None
    except OSError as error:
        raise failure(error.errno or errno.EIO, path) from None
    return file_descriptor(stream, reads=access in ("r", "rw"), writes=access != "r")


def open_stream(state: State, place: str, access: Access) -> Stream:
    """Open a file, or a fifo."""
    try:
        return state.fs.open(place, access, 0o666 & ~state.umask)
    except PermissionError as refusal:
        from keysh.interp.streams.fifos import open_fifo  # noqa: PLC0415 - fifos are rare

        return open_fifo(state, place, access, refusal)


def bound_self_input(state: State, before: Saved) -> None:
    """`< f >> f`: a command reads of its own output what there was when it began."""
    source, output = state.descriptors.get(0), state.descriptors.get(1)
    if source is None or output is None or source is before[0].get(0):
        return
    if source.stream is None or output.stream is None or source.writer is not None:
        return
    from keysh.interp.streams.self_output import BoundedFile, are_same_file  # noqa: PLC0415 - both are seldom files

    if are_same_file(source.stream, output.stream):
        connect_descriptor(
            state, 0, file_descriptor(BoundedFile(source.stream), reads=True, writes=False)
        )


def is_file(state: State, path: str) -> bool:
    there = stat_at(state.fs, path)
    return there is not None and there.is_file


def device_descriptor(state: State, path: str) -> Descriptor | None:
    """What `/dev/stdin` and `/dev/fd/n` stand for in this state; None for any other path."""
    number = device_descriptor_number(path)
    if number is None:
        return None
    found = state.descriptors.get(number)
    if found is None:
        raise failure(errno.ENOENT, path)
    return found


def copy_descriptor(state: State, number: int, source: str) -> None:
    """`n>&m`, `n>&-`, `n>&m-`."""
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
    found = state.descriptors.get(other)
    if found is None:
        raise failure(errno.EBADF, digits)
    connect_descriptor(state, number, found)
    if moves and other != number:
        state.descriptors.pop(other, None)
        refresh_stream(state, other)


def redirect_from_text(state: State, number: int, text: str) -> None:
    """`<<E` and `<<<`."""
    connect_descriptor(state, number, Descriptor(reader=TextReader(text)))


def free_descriptor_number(state: State) -> int:
    """The number that `{fd}>` takes."""
    number = FIRST_NAMED_DESCRIPTOR
    while number in state.descriptors:
        number += 1
    return number
