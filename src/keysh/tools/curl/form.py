"""Form: what -F makes, a body of parts, RFC 7578."""

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
# What curl takes a file for by the end of its name.
CONTENT_TYPES = {
    "gif": "image/gif", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png",
    "svg": "image/svg+xml", "txt": "text/plain", "htm": "text/html", "html": "text/html",
    "pdf": "application/pdf", "xml": "application/xml",
}  # fmt: skip
FIELD_PATTERN = re.compile(r'(?>(?:[^;"]++|"[^"]*"|")*)')  # up to a semicolon that is not in quotes
DEFAULT_CONTENT_TYPE = "application/octet-stream"
FORM_NAME_ESCAPES = str.maketrans({'"': "%22", "\r": "%0D", "\n": "%0A"})


class FormPart:
    """One part: its name, what it holds, and where that is from a file, the file's name."""

    __slots__ = ("content", "file_name", "content_type", "name")

    def __init__(self, name: str, content: bytes, file: str | None, kind: str | None) -> None:
        self.name, self.content, self.file_name, self.content_type = name, content, file, kind

    def head(self) -> bytes:
        """The headers of the part."""
        line = f'Content-Disposition: form-data; name="{self.name.translate(FORM_NAME_ESCAPES)}"'
        if self.file_name is not None:
            line += f'; filename="{self.file_name.translate(FORM_NAME_ESCAPES)}"'
        if self.content_type is not None:
            line += f"\r\nContent-Type: {self.content_type}"
        return bytes_of_text(f"{line}\r\n\r\n")


def form_body(sh: Call, given: Sequence[tuple[str, str]]) -> tuple[bytes, str] | None:
    """The body that the options make, and its type; None where there are none of them."""
    if not given:
        return None
    parts = [parse_form_part(sh, text, is_plain=name == "form_string") for name, text in given]
    if sum(len(part.content) for part in parts) > MAX_BODY_BYTES:
        raise sh.fail(f"the data is larger than {MAX_BODY_BYTES >> 20} MiB", 2)
    boundary = "-" * 24 + f"{sh.random.getrandbits(64):016x}"
    line = bytes_of_text(f"--{boundary}")
    pieces = [b"".join((line, b"\r\n", part.head(), part.content, b"\r\n")) for part in parts]
    kind = f"multipart/form-data; boundary={boundary}"
    return b"".join((*pieces, line, b"--\r\n")), kind


def parse_form_part(sh: Call, text: str, *, is_plain: bool) -> FormPart:
    """`name=text`, `name=@file`, `name=<file`, with `;type=` and `;filename=` behind."""
    name, equals, value = text.partition("=")
    if not equals:
        raise sh.fail("-F takes name=content", 2)
    if is_plain:
        return FormPart(name, bytes_of_text(value), None, None)
    value, *traits = semicolon_fields(value.lstrip(" \t"))
    own: dict[str, str] = {}
    for trait in traits:
        key, _, said = trait.strip().partition("=")
        if key in ("type", "filename"):
            own[key] = unquote_form_value(said)
        else:
            sh.err.write(f"Warning: skip unknown form field: {trait}\n")
    if value[:1] not in ("@", "<"):
        return FormPart(
            name, bytes_of_text(unquote_form_value(value)), own.get("filename"), own.get("type")
        )
    path = unquote_form_value(value[1:])
    content = read_content(sh, path)
    if value[0] == "<":
        return FormPart(name, content, own.get("filename"), own.get("type"))
    file = own.get("filename", path.rpartition("/")[2])
    guess = (
        CONTENT_TYPES.get(file.rpartition(".")[2].lower(), DEFAULT_CONTENT_TYPE)
        if path != "-"
        else None
    )
    return FormPart(name, content, file, own.get("type", guess))


def semicolon_fields(text: str) -> list[str]:
    """What stands between the semicolons."""
    found: list[str] = []
    at = 0
    while field := FIELD_PATTERN.match(text, at):
        found.append(field[0])
        at = field.end() + 1
        if at > len(text):
            break
    return found


def unquote_form_value(text: str) -> str:
    """A value without the quotes around it."""
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return text


def read_content(sh: Call, path: str) -> bytes:
    """What a file holds, - being standard input."""
    try:
        with InputFile(sh, path) as reader:
            return bytes_of_text(read_body_text(sh, reader))
    except OSError:
        raise TransferError(READ_ERROR, UNREADABLE_FILE) from None
