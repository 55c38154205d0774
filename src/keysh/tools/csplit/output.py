"""The pieces that csplit writes: their names and sizes, and their removal after a failure."""

from __future__ import annotations

import re

from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import message_name
from keysh.text.printf import MAX_FIELD_CHARACTERS, FieldTooWide, parse_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.call import Call

CONVERSION = re.compile(r"%(?:%|([-+ 0#']*\d*(?:\.\d*)?)(.?))")
INTEGER_LETTERS = "diuoxX"


def check_suffix_format(sh: Call, text: str) -> None:
    """Refuse a format of -b that does not convert exactly one integer."""
    conversions = [found for found in CONVERSION.finditer(text) if found[0] != "%%"]
    for found in conversions:
        if not found[2]:
            raise sh.fail("missing conversion specifier in suffix")
        if found[2] not in INTEGER_LETTERS:
            raise sh.fail(f"invalid conversion specifier in suffix: {found[2]}")
    if not conversions:
        raise sh.fail("missing % conversion specification in suffix")
    for digits in re.findall("[0-9]+", conversions[0][1]):
        size = parse_size(digits)
        if size > MAX_FIELD_CHARACTERS:
            raise sh.fail(str(FieldTooWide(f"a field of {size} characters")))
        sh.check_size(size)
    if len(conversions) > 1:
        raise sh.fail("too many % conversion specifications in suffix")


class SplitOutput:
    """Writes the pieces, one after another."""

    __slots__ = ("_names", "_prefix", "_sh", "_suffix_format", "is_silent", "skips_empty")

    def __init__(self, sh: Call, prefix: str, suffix_format: str) -> None:
        self._sh, self._prefix, self._suffix_format = sh, prefix, suffix_format.replace("'", "")
        self._names: list[str] = []
        self.is_silent = self.skips_empty = False

    def write(self, lines: Sequence[str]) -> None:
        """Write a piece and print its size; an empty one may be left out."""
        if not lines and self.skips_empty:
            return
        name = f"{self._prefix}{self._suffix_format % len(self._names)}"
        data = bytes_of_text("".join(lines))
        try:
            with self._sh.open(name, "w") as stream:
                self._names.append(name)
                stream.write(data)
        except OSError as error:
            raise self._sh.fail(f"{message_name(name)}: {os_error_text(error)}") from None
        if not self.is_silent:
            self._sh.tell(f"{len(data)}\n")

    def remove_all(self) -> None:
        """Remove the pieces that were written."""
        for name in self._names:
            try:
                self._sh.fs.remove(self._sh.path(name))
            except OSError as error:
                self._sh.warn(f"{message_name(name)}: {os_error_text(error)}")
