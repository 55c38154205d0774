"""Body: what the options of data make together."""

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
MAX_BODY_BYTES = 256 << 20  # bytes of a body
FORM_TYPE, JSON_TYPE = "application/x-www-form-urlencoded", "application/json"


class RequestBody:
    """The body of a request; `content` is None where no option gives one."""

    __slots__ = ("_sh", "_warns", "content", "is_json")

    def __init__(self, sh: Call, given: Iterable[tuple[str, Any]], *, warns: bool) -> None:
        self._sh, self._warns = sh, warns
        self.content: bytes | None = None
        self.is_json = False
        for name, values in given:
            if name in DATA_OPTIONS:
                for value in values if isinstance(values, list) else (values,):
                    self._add(name, value)

    def _add(self, name: str, text: str) -> None:
        """Add one option's data behind those before."""
        if name == "data_urlencode":
            made = self._escaped(text)
        elif name == "data_raw" or not text.startswith("@"):
            made = bytes_of_text(text)
        else:
            made = self._file(text[1:])
            if name == "data":  # read as lines of a form
                made = made.translate(None, b"\r\n\0")
        self.is_json = self.is_json or name == "json"
        between = b"" if name == "json" else b"&"
        self.content = made if self.content is None else self.content + between + made
        if len(self.content) > MAX_BODY_BYTES:
            raise self._sh.fail(f"the data is larger than {MAX_BODY_BYTES >> 20} MiB", 2)

    def _escaped(self, text: str) -> bytes:
        """`content`, `=content`, `name=content`, `@file` or `name@file`, escaped all but a name."""
        name, mark, content = text, "", ""
        for at, char in enumerate(text):
            if char in "=@":
                name, mark, content = text[:at], char, text[at + 1 :]
                break
        if not mark:
            name, content = "", text
        data = self._file(content) if mark == "@" else bytes_of_text(content)
        made = quote_plus(data, safe="~")
        return bytes_of_text(f"{name}={made}" if name else made)

    def _file(self, path: str) -> bytes:
        """What a file holds, - being standard input; with a warning nothing, if there is none."""
        sh = self._sh
        try:
            with InputFile(sh, path) as reader:
                return bytes_of_text(read_body_text(sh, reader))
        except OSError as error:
            if self._warns:
                sh.err.write(
                    f"Warning: {message_name(path)}: {os_error_text(error)}; its data is empty\n"
                )
            return b""


def read_body_text(sh: Call, reader: Reader) -> str:
    """All that a reader has, up to the largest body."""
    parts, size = [], 0
    for chunk in sh.ticking(reader.chunks()):
        size += len(chunk)
        if size > MAX_BODY_BYTES:
            raise sh.fail(f"the data is larger than {MAX_BODY_BYTES >> 20} MiB", 2)
        parts.append(chunk)
    return "".join(parts)
