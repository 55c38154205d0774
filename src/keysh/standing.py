"""Standing: files, input, clock, chance and leave, as a shell is given them by its host."""

from __future__ import annotations

from time import time_ns

from keysh.runtime.strand import beside
from keysh.text.lines import decoded
from keysh.vfs.api import FileSystem
from keysh.vfs.dev import DevFS
from keysh.vfs.paths import join, parent
from keysh.vfs.router import Router

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from random import Random
    from typing import IO, Any, TypeAlias

    from keysh.runtime.limits import Limits
    from keysh.runtime.network import Network
    from keysh.runtime.state import State
    from keysh.source import Source
    from keysh.syntax.node import Node
    from keysh.vfs.api import Stream
    from keysh.vfs.space import Full

    Contents: TypeAlias = str | bytes | Callable[[], str | bytes]
    Stdin: TypeAlias = str | bytes | Iterable[str | bytes] | IO[str] | IO[bytes] | None


def file_system(
    given: FileSystem | Mapping[str, FileSystem] | None,
    files: Mapping[str, Contents] | None,
    limits: Limits,
    streams: Callable[[int], Stream | None],
    full: Full,
) -> Router:
    """The tree of a shell: what is given, or memory; /dev; and files put into it."""
    if isinstance(given, Router):
        router = given
    elif given is None:
        router = Router(memory(limits, full))
    else:
        mounts = {"/": given} if isinstance(given, FileSystem) else dict(given)
        if "/" not in mounts:
            mounts["/"] = memory(limits, full)
        router = Router(mounts)
    if "/dev" not in router.mounts:
        router.mount("/dev", DevFS(streams))
    for path, content in (files or {}).items():
        put_file(router, join("/", path), content)
    return router


def memory(limits: Limits, full: Full) -> FileSystem:
    """An empty tree in memory, for as much as the limits allow."""
    from keysh.vfs.memory import MemoryFS  # noqa: PLC0415 - a shell of the machine's files has none

    return MemoryFS(max_bytes=limits.file_bytes, max_files=limits.files, full=full)


def put_file(router: Router, path: str, content: Contents) -> None:
    """Make a file and the directories above it."""
    make_directories(router, parent(path) or "/")
    if callable(content):
        content = content()
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    with router.open(path, "w") as stream:
        stream.write(data)


def make_directories(router: Router, path: str) -> None:
    """Make a directory and all above it that are missing."""
    missing: list[str] = []
    while path != "/":
        try:
            router.stat(path, follow=True)
            break
        except FileNotFoundError:
            missing.append(path)
            path = parent(path) or "/"
    for folder in reversed(missing):
        router.make_directory(folder)


def input_of(given: Stdin, state: State) -> Iterator[str]:
    """What a host gives as standard input, in chunks of text.

    What may block is read on a thread of its own, where the run must not wait for it.
    """
    if given is None:
        return iter(())
    if isinstance(given, str):
        return iter((given,))
    if isinstance(given, bytes):
        return iter((given.decode("utf-8", "surrogateescape"),))
    read = getattr(given, "read", None)
    chunks = pieces(given) if read is None else from_file(read)
    blocks = state.budget.ends_early and not isinstance(given, list | tuple)
    return beside(state, chunks) if blocks else chunks


def from_file(read: Callable[[int], str | bytes]) -> Iterator[str]:
    """The text of an open file, of text or of bytes."""
    first = read(4096)
    if isinstance(first, str):
        while first:
            yield first  # type: ignore[misc]
            first = read(65536)
        return
    waiting: list[bytes] = [first]
    yield from decoded(lambda size: waiting.pop() if waiting else read(size))  # type: ignore[arg-type,return-value]


def pieces(given: Iterable[str | bytes]) -> Iterator[str]:
    """The pieces of an iterator; a character may reach from one piece of bytes into the next."""
    from codecs import getincrementaldecoder  # noqa: PLC0415 - only for iterators

    decoder = getincrementaldecoder("utf-8")("surrogateescape")
    for piece in given:
        text = piece if isinstance(piece, str) else decoder.decode(piece)
        if text:
            yield text
    if rest := decoder.decode(b"", True):
        yield rest


def clock_of(clock: Callable[[], float] | float | None) -> Callable[[], int]:
    """The clock a host asks for, in nanoseconds: its own in seconds, a fixed one, or the real."""
    if clock is None:
        return time_ns
    if callable(clock):
        return lambda: round(clock() * 1_000_000_000)
    fixed = round(clock * 1_000_000_000)
    return lambda: fixed


def chance_of(seed: int | None) -> Callable[[], Random]:
    """Where chance comes from: the same numbers each time where there is a seed."""
    made: list[Random] = []

    def chance() -> Random:
        if not made:
            from random import Random  # noqa: PLC0415 - 3 ms that most scripts do not need

            made.append(Random(seed))
        return made[0]

    return chance


def opened(network: Network | bool) -> Network | None:
    """What a host lets scripts reach."""
    from keysh.runtime.network import network_of  # noqa: PLC0415 - most hosts open none

    return network_of(network)


def asking(
    on_command: Callable[[str, list[object], Any], object],
) -> Callable[[str, list[object], Source, Node], str | None]:
    """The host's question before each command: None, or why it may not run."""

    def ask(name: str, arguments: list[object], source: Source, node: Node) -> str | None:
        line, column = source.position(node.start)
        answer = on_command(name, arguments, (source.name, line, column))
        if answer is None or answer is True:
            return None
        return "refused by the host" if answer is False else str(answer)

    return ask
