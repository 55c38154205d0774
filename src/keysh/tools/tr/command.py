"""tr - translate, squeeze or delete bytes."""

from __future__ import annotations

import re

from keysh.interp.state.call import UsageFailure
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import command
from keysh.text.chunks import Decoder, bytes_of_text
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.tools.tr.byte_set import all_bytes, parse_sets, set_members, translation_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command
def tr(
    sh: Call,
    *words: Raw,
    complement: bool = False,
    delete: bool = False,
    squeeze_repeats: bool = False,
    truncate_set1: bool = False,
) -> Iterator[str]:
    r"""Translate, squeeze or delete bytes of standard input.

    words ...                  the sets: the bytes meant, and what they become
    -c, -C, --complement       all bytes but those of the first set are meant
    -d, --delete               delete bytes
    -s, --squeeze-repeats      one byte for several that repeat, of those in the last set
    -t, --truncate-set1        leave out of the first set what the second has no byte for

    A set holds bytes, ranges a-z, escapes \n \t \\ \NNN (octal), classes [:alpha:] [:digit:] and
    so on, [=c=], and in the second set [c*N] and [c*], which repeat a byte.
    """
    sets = raw_texts(words)
    check_set_count(sets, delete, squeeze_repeats)
    first, second = parse_sets(sh, sets)
    table: bytes | None = None
    dropped = squeezed = b""
    if delete and any(part.fills for part in second):
        raise sh.fail("the [c*] construct may appear in string2 only when translating")
    if delete:
        dropped = set_members(first, complement)
        squeezed = all_bytes(second)
    elif len(sets) > 1:
        table = translation_table(sh, first, second, complement, truncate_set1)
        squeezed = all_bytes(second) if squeeze_repeats else b""
    else:
        squeezed = set_members(first, complement)

    def made(chunks: Iterable[str]) -> Iterator[str]:
        decoder = Decoder()
        squeeze = Squeezer(squeezed)
        for chunk in chunks:
            data = squeeze.squeeze(bytes_of_text(chunk).translate(table, dropped))
            if text := decoder.decode(data):
                yield text
        yield decoder.finish()

    sh.remember(lambda text, _: ("".join(made((text,))), 0))
    for source in sh.inputs((), "read error: {why}"):
        yield from made(source.chunks())


def check_set_count(sets: Sequence[str], delete: bool, squeeze: bool) -> None:
    """Refuse too few sets, and too many."""
    least = 2 if delete == squeeze else 1
    most = 1 if delete and not squeeze else 2
    if not sets:
        raise UsageFailure("missing operand")
    if len(sets) < least:
        reason = (
            "Two strings must be given when both deleting and squeezing repeats."
            if squeeze
            else "Two strings must be given when translating."
        )
        raise UsageFailure(f"missing operand after {locale_quoted_text(sets[-1])}\n{reason}")
    if len(sets) > most:
        reason = "\nOnly one string may be given when deleting without squeezing repeats."
        is_second = len(sets) == 2
        says = f"extra operand {locale_quoted_text(sets[most])}"
        raise UsageFailure(says + (reason if is_second else ""))


class Squeezer:
    """Takes the repeats of some bytes out of data that comes in chunks."""

    __slots__ = ("_bytes", "_last", "_pattern")

    def __init__(self, squeezed: bytes) -> None:
        self._bytes = bytes(sorted(set(squeezed)))
        # Of no byte at all there is no such class; it is not asked for then.
        byte = re.escape(self._bytes or b"-")
        repeats = b"%s%s+" % (byte, byte) if len(self._bytes) == 1 else b"([%s])\\1+" % byte
        self._pattern = re.compile(repeats, re.DOTALL)
        self._last = b""

    def squeeze(self, data: bytes) -> bytes:
        """The data without repeats, also of the byte that ended the data before."""
        if not self._bytes or not data:
            return data
        if self._last and self._last in self._bytes:
            data = data.lstrip(self._last)
        if len(self._bytes) > 1:
            data = self._pattern.sub(rb"\1", data)
        else:
            byte = self._bytes
            data = self._pattern.sub(byte.replace(b"\\", rb"\\"), data)
        self._last = data[-1:] or self._last
        return data
