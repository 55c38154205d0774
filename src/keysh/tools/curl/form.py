"""Form: what -F makes, a body of parts, RFC 7578."""

from __future__ import annotations

import re

from keysh.gnu.input_files import GivenFile
from keysh.text.chunks import encoded
from keysh.tools.curl.body import LARGEST, whole
from keysh.tools.curl.failure import READ, TransferError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.call import Call

UNREADABLE = "Failed to open/read local data from file/application"
# What curl takes a file for by the end of its name.
TYPES = {
    "gif": "image/gif", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png",
    "svg": "image/svg+xml", "txt": "text/plain", "htm": "text/html", "html": "text/html",
    "pdf": "application/pdf", "xml": "application/xml",
}  # fmt: skip
FIELD = re.compile(r'(?>(?:[^;"]++|"[^"]*"|")*)')  # up to a semicolon that is not in quotes
OTHER = "application/octet-stream"
ESCAPES = str.maketrans({'"': "%22", "\r": "%0D", "\n": "%0A"})


class Part:
    """One part: its name, what it holds, and where that is from a file, the file's name."""

    __slots__ = ("content", "file", "kind", "name")

    def __init__(self, name: str, content: bytes, file: str | None, kind: str | None) -> None:
        self.name, self.content, self.file, self.kind = name, content, file, kind

    def head(self) -> bytes:
        """The headers of the part."""
        line = f'Content-Disposition: form-data; name="{self.name.translate(ESCAPES)}"'
        if self.file is not None:
            line += f'; filename="{self.file.translate(ESCAPES)}"'
        if self.kind is not None:
            line += f"\r\nContent-Type: {self.kind}"
        return encoded(f"{line}\r\n\r\n")


def form_of(sh: Call, given: Sequence[tuple[str, str]]) -> tuple[bytes, str] | None:
    """The body that the options make, and its type; None where there are none of them."""
    if not given:
        return None
    parts = [part_of(sh, text, is_plain=name == "form_string") for name, text in given]
    if sum(len(part.content) for part in parts) > LARGEST:
        raise sh.fail(f"the data is larger than {LARGEST >> 20} MiB", 2)
    boundary = "-" * 24 + f"{sh.random.getrandbits(64):016x}"
    line = encoded(f"--{boundary}")
    pieces = [b"".join((line, b"\r\n", part.head(), part.content, b"\r\n")) for part in parts]
    kind = f"multipart/form-data; boundary={boundary}"
    return b"".join((*pieces, line, b"--\r\n")), kind


def part_of(sh: Call, text: str, *, is_plain: bool) -> Part:
    """`name=text`, `name=@file`, `name=<file`, with `;type=` and `;filename=` behind."""
    name, equals, value = text.partition("=")
    if not equals:
        raise sh.fail("-F takes name=content", 2)
    if is_plain:
        return Part(name, encoded(value), None, None)
    value, *traits = fields_of(value.lstrip(" \t"))
    own: dict[str, str] = {}
    for trait in traits:
        key, _, said = trait.strip().partition("=")
        if key in ("type", "filename"):
            own[key] = unquoted(said)
        else:
            sh.err.write(f"Warning: skip unknown form field: {trait}\n")
    if value[:1] not in ("@", "<"):
        return Part(name, encoded(unquoted(value)), own.get("filename"), own.get("type"))
    path = unquoted(value[1:])
    content = content_of(sh, path)
    if value[0] == "<":
        return Part(name, content, own.get("filename"), own.get("type"))
    file = own.get("filename", path.rpartition("/")[2])
    guess = TYPES.get(file.rpartition(".")[2].lower(), OTHER) if path != "-" else None
    return Part(name, content, file, own.get("type", guess))


def fields_of(text: str) -> list[str]:
    """What stands between the semicolons."""
    found: list[str] = []
    at = 0
    while field := FIELD.match(text, at):
        found.append(field[0])
        at = field.end() + 1
        if at > len(text):
            break
    return found


def unquoted(text: str) -> str:
    """A value without the quotes around it."""
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return text


def content_of(sh: Call, path: str) -> bytes:
    """What a file holds, - being standard input."""
    try:
        with GivenFile(sh, path) as reader:
            return encoded(whole(sh, reader))
    except OSError:
        raise TransferError(READ, UNREADABLE) from None
