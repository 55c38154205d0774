"""Output: where the actions of find write, standard output or files that are named once."""

from __future__ import annotations

from keysh.interp.state.call import why
from keysh.text.chunks import encoded
from keysh.text.gnu_quoting import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stream

    Write: TypeAlias = "Callable[[str], object]"


class Output:
    """The files that -fprint and its kin name: empty from the start, each open but once."""

    __slots__ = ("_sh", "_streams")

    def __init__(self, sh: Call) -> None:
        self._sh = sh
        self._streams: dict[str, Stream] = {}

    def to(self, path: str) -> Write:
        """The function that writes to a file."""
        try:
            if path not in self._streams:
                self._streams[path] = self._sh.open(path, "w")
        except OSError as error:
            raise self._sh.fail(f"{quoted(path)}: {why(error)}") from None
        stream = self._streams[path]

        def write(text: str) -> None:
            try:
                stream.write(encoded(text))
            except OSError as error:
                raise self._sh.fail(f"{quoted(path)}: {why(error)}") from None

        return write

    def close(self) -> None:
        """Close all files; what they could not take is told."""
        for path, stream in self._streams.items():
            try:
                stream.close()
            except OSError as error:
                self._sh.warn(f"{quoted(path)}: {why(error)}")
