"""Build the request body from the data options."""

from __future__ import annotations

from urllib.parse import quote_plus

from keysh.gnu.input_files import InputFile
from keysh.interp.state.call import os_error_text
from keysh.interp.streams.streams import Reader
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from keysh.interp.state.call import Call

DATA_OPTIONS = ("data", "data_raw", "data_binary", "data_urlencode", "json")
MAX_BODY_BYTES = 256 << 20
FORM_TYPE, JSON_TYPE = "application/x-www-form-urlencoded", "application/json"


class RequestBody:
    """The body of a request. `content` is None without any data option."""

    __slots__ = ("_sh", "_warns", "content", "is_json")

    def __init__(self, sh: Call, options: Iterable[tuple[str, Any]], *, warns: bool) -> None:
        self._sh, self._warns = sh, warns
        self.content: bytes | None = None
        self.is_json = False
        for name, values in options:
            if name in DATA_OPTIONS:
                for value in values if isinstance(values, list) else (values,):
                    self._add(name, value)

    def _add(self, name: str, text: str) -> None:
        """Append the data of one option."""
        if name == "data_urlencode":
            data = self._escaped(text)
        elif name == "data_raw" or not text.startswith("@"):
            data = bytes_of_text(text)
        else:
            data = self._file(text[1:])
            if name == "data":  # as curl does for lines of a form
                data = data.translate(None, b"\r\n\0")
        self.is_json = self.is_json or name == "json"
        between = b"" if name == "json" else b"&"
        self.content = data if self.content is None else self.content + between + data
        if len(self.content) > MAX_BODY_BYTES:
            raise self._sh.fail(f"the data is larger than {MAX_BODY_BYTES >> 20} MiB", 2)

    def _escaped(self, text: str) -> bytes:
        """Escape `content`, `=content`, `name=content`, `@file` or `name@file`, but no name."""
        name, separator, content = text, "", ""
        for i, char in enumerate(text):
            if char in "=@":
                name, separator, content = text[:i], char, text[i + 1 :]
                break
        if not separator:
            name, content = "", text
        data = self._file(content) if separator == "@" else bytes_of_text(content)
        escaped = quote_plus(data, safe="~")
        return bytes_of_text(f"{name}={escaped}" if name else escaped)

    def _file(self, path: str) -> bytes:
        """Return the contents of a file, - for standard input; warn if it cannot be read."""
        sh = self._sh
        try:
            with InputFile(sh, path) as reader:
                return bytes_of_text(read_body_text(sh, reader))
        except OSError as error:
            if self._warns:
                sh.complain(
                    f"Warning: {message_name(path)}: {os_error_text(error)}; its data is empty"
                )
            return b""


def read_body_text(sh: Call, reader: Reader) -> str:
    """Read all text, up to the maximum size of a body."""
    parts, size = [], 0
    for chunk in sh.ticking(reader.chunks()):
        size += len(chunk)
        if size > MAX_BODY_BYTES:
            raise sh.fail(f"the data is larger than {MAX_BODY_BYTES >> 20} MiB", 2)
        parts.append(chunk)
    return "".join(parts)
