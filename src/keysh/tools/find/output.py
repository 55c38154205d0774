"""The output files of -fprint and similar actions."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.interp.state.call import Call
    from keysh.vfs.stream import Stream

    Write: TypeAlias = "Callable[[str], object]"


class FindOutputFiles:
    """The files that the actions name; each is opened once and truncated."""

    __slots__ = ("_sh", "_streams")

    def __init__(self, sh: Call) -> None:
        self._sh = sh
        self._streams: dict[str, Stream] = {}

    def writer_for(self, path: str) -> Write:
        """Return the function that writes to a file."""
        try:
            if path not in self._streams:
                self._streams[path] = self._sh.open(path, "w")
        except OSError as error:
            raise self._sh.fail(f"{quoted_name(path)}: {os_error_text(error)}") from None
        stream = self._streams[path]

        def write(text: str) -> None:
            try:
                stream.write(bytes_of_text(text))
            except OSError as error:
                raise self._sh.fail(f"{quoted_name(path)}: {os_error_text(error)}") from None

        return write

    def close(self) -> None:
        """Close all files; report errors."""
        for path, stream in self._streams.items():
            try:
                stream.close()
            except OSError as error:
                self._sh.warn(f"{quoted_name(path)}: {os_error_text(error)}")
