"""Multipart form data, for -F (RFC 7578)."""

from __future__ import annotations

import re

from keysh.gnu.input_files import InputFile
from keysh.text.chunks import bytes_of_text
from keysh.tools.curl.body import MAX_BODY_BYTES, read_body_text
from keysh.tools.curl.failure import READ_ERROR, TransferError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.call import Call

UNREADABLE_FILE = "Failed to open/read local data from file/application"
# The content types that curl guesses from extensions.
CONTENT_TYPES = {
    "gif": "image/gif", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png",
    "svg": "image/svg+xml", "txt": "text/plain", "htm": "text/html", "html": "text/html",
    "pdf": "application/pdf", "xml": "application/xml",
}  # fmt: skip
FIELD_PATTERN = re.compile(r'(?>(?:[^;"]++|"[^"]*"|")*)')  # up to a semicolon that is not in quotes
DEFAULT_CONTENT_TYPE = "application/octet-stream"
FORM_NAME_ESCAPES = str.maketrans({'"': "%22", "\r": "%0D", "\n": "%0A"})


class FormPart:
    """One part of a form. `file_name` and `content_type` are None if they are not sent."""

    __slots__ = ("content", "file_name", "content_type", "name")

    def __init__(self, name: str, content: bytes, file: str | None, kind: str | None) -> None:
        self.name, self.content, self.file_name, self.content_type = name, content, file, kind

    def head(self) -> bytes:
        """Return the headers of the part."""
        line = f'Content-Disposition: form-data; name="{self.name.translate(FORM_NAME_ESCAPES)}"'
        if self.file_name is not None:
            line += f'; filename="{self.file_name.translate(FORM_NAME_ESCAPES)}"'
        if self.content_type is not None:
            line += f"\r\nContent-Type: {self.content_type}"
        return bytes_of_text(f"{line}\r\n\r\n")


def form_body(sh: Call, options: Sequence[tuple[str, str]]) -> tuple[bytes, str] | None:
    """Return the body that the options make, and its content type; None without options."""
    if not options:
        return None
    parts = [parse_form_part(sh, text, is_plain=name == "form_string") for name, text in options]
    if sum(len(part.content) for part in parts) > MAX_BODY_BYTES:
        raise sh.fail(f"the data is larger than {MAX_BODY_BYTES >> 20} MiB", 2)
    boundary = "-" * 24 + f"{sh.random.getrandbits(64):016x}"
    line = bytes_of_text(f"--{boundary}")
    pieces = [b"".join((line, b"\r\n", part.head(), part.content, b"\r\n")) for part in parts]
    kind = f"multipart/form-data; boundary={boundary}"
    return b"".join((*pieces, line, b"--\r\n")), kind


def parse_form_part(sh: Call, text: str, *, is_plain: bool) -> FormPart:
    """Parse `name=text`, `name=@file` or `name=<file`, with `;type=` and `;filename=`."""
    name, equals, value = text.partition("=")
    if not equals:
        raise sh.fail("-F takes name=content", 2)
    if is_plain:
        return FormPart(name, bytes_of_text(value), None, None)
    value, *attributes = semicolon_fields(value.lstrip(" \t"))
    settings: dict[str, str] = {}
    for attribute in attributes:
        key, _, setting = attribute.strip().partition("=")
        if key in ("type", "filename"):
            settings[key] = unquote_form_value(setting)
        else:
            sh.complain(f"Warning: skip unknown form field: {attribute}")
    if value[:1] not in ("@", "<"):
        return FormPart(
            name,
            bytes_of_text(unquote_form_value(value)),
            settings.get("filename"),
            settings.get("type"),
        )
    path = unquote_form_value(value[1:])
    content = read_content(sh, path)
    if value[0] == "<":
        return FormPart(name, content, settings.get("filename"), settings.get("type"))
    file_name = settings.get("filename", path.rpartition("/")[2])
    guess = (
        CONTENT_TYPES.get(file_name.rpartition(".")[2].lower(), DEFAULT_CONTENT_TYPE)
        if path != "-"
        else None
    )
    return FormPart(name, content, file_name, settings.get("type", guess))


def semicolon_fields(text: str) -> list[str]:
    """Split a text at semicolons outside quotes."""
    fields: list[str] = []
    position = 0
    while field := FIELD_PATTERN.match(text, position):
        fields.append(field[0])
        position = field.end() + 1
        if position > len(text):
            break
    return fields


def unquote_form_value(text: str) -> str:
    """Remove the quotes around a value."""
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return text


def read_content(sh: Call, path: str) -> bytes:
    """Return the contents of a file, - for standard input."""
    try:
        with InputFile(sh, path) as reader:
            return bytes_of_text(read_body_text(sh, reader))
    except OSError:
        raise TransferError(READ_ERROR, UNREADABLE_FILE) from None
