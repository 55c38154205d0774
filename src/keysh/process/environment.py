"""The environment and the arguments of a process as bytes for the kernel."""

from __future__ import annotations

import errno

from keysh.process.result import NotStarted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TAG = "KEYSH_SPAWN"  # its value identifies detached descendants


def encoded_arguments(argv: Sequence[str]) -> list[bytes]:
    """The arguments as bytes; NotStarted for what no process can receive."""
    if isinstance(argv, str | bytes):
        raise NotStarted("arguments", errno.EINVAL, "argv", "must be a list of arguments")
    encoded = []
    for argument in argv:
        if not isinstance(argument, str):
            raise NotStarted(
                "arguments", errno.EINVAL, repr(argument), "an argument must be a string"
            )
        encoded.append(encoded_text(argument, "arguments", argument))
    return encoded


def encoded_environment(variables: Mapping[str, str], tag: str) -> dict[bytes, bytes]:
    """The variables as bytes, and the tag after those of outer programs."""
    encoded = {}
    for name, value in variables.items():
        if not isinstance(name, str) or not name or "=" in name:
            raise NotStarted("environment", errno.EINVAL, repr(name), "not a variable's name")
        if not isinstance(value, str):
            raise NotStarted("environment", errno.EINVAL, name, "a value must be a string")
        encoded[encoded_text(name, "environment", name)] = encoded_text(value, "environment", name)
    if tag:
        outer = variables.get(TAG)
        encoded[TAG.encode()] = (f"{outer}:{tag}" if outer else tag).encode("ascii", "replace")
    return encoded


def encoded_text(text: str, kind: str, subject: str) -> bytes:
    """A string as bytes; NotStarted if it contains a NUL or has no bytes."""
    if "\0" in text:
        raise NotStarted(kind, errno.EINVAL, subject.replace("\0", "\\0"), "holds a NUL character")
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        subject = subject.encode("utf-8", "backslashreplace").decode()
        raise NotStarted(kind, errno.EILSEQ, subject, "holds a character without bytes") from None
