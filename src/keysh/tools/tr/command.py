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
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.arguments import Work
    from keysh.schema.types import Raw


def translate_whole(
    sh: Call,
    *words: Raw,
    complement: bool = False,
    delete: bool = False,
    squeeze_repeats: bool = False,
    truncate_set1: bool = False,
) -> Work | None:
    """Return how to translate a whole text of standard input."""
    translate = make_translator(sh, words, complement, delete, squeeze_repeats, truncate_set1)
    return lambda text, _: ("".join(translate((text,))), 0)


@command(compatible="GNU coreutils 9.1", whole=translate_whole)
def tr(
    sh: Call,
    *words: Raw,
    complement: bool = False,
    delete: bool = False,
    squeeze_repeats: bool = False,
    truncate_set1: bool = False,
) -> Iterator[str]:
    r"""Translate, squeeze or delete bytes of standard input.

    words ...              SET1, and SET2 to translate to
    -c, -C, --complement   use the complement of SET1
    -d, --delete           delete the bytes in SET1
    -s, --squeeze-repeats  replace repeated bytes of the last SET by one
    -t, --truncate-set1    first truncate SET1 to the length of SET2

    A SET holds bytes, ranges a-z, escapes \n \t \\ \NNN (octal), classes such as
    [:alpha:] and [:digit:], [=c=], and in SET2 [c*N] and [c*], which repeat c.
    """
    translate = make_translator(sh, words, complement, delete, squeeze_repeats, truncate_set1)
    for source in sh.inputs((), "read error: {why}"):
        yield from translate(source.chunks())


def make_translator(
    sh: Call,
    words: Sequence[object],
    complement: bool,
    delete: bool,
    squeeze_repeats: bool,
    truncate_set1: bool,
) -> Callable[[Iterable[str]], Iterator[str]]:
    """Return the function that translates chunks of text."""
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

    def translate(chunks: Iterable[str]) -> Iterator[str]:
        decoder = Decoder()
        squeeze = Squeezer(squeezed)
        for chunk in chunks:
            data = squeeze.squeeze(bytes_of_text(chunk).translate(table, dropped))
            if text := decoder.decode(data):
                yield text
        yield decoder.finish()

    return translate


def check_set_count(sets: Sequence[str], delete: bool, squeeze: bool) -> None:
    """Refuse too few or too many sets."""
    minimum = 2 if delete == squeeze else 1
    maximum = 1 if delete and not squeeze else 2
    if not sets:
        raise UsageFailure("missing operand")
    if len(sets) < minimum:
        reason = (
            "Two strings must be given when both deleting and squeezing repeats."
            if squeeze
            else "Two strings must be given when translating."
        )
        raise UsageFailure(f"missing operand after {locale_quoted_text(sets[-1])}\n{reason}")
    if len(sets) > maximum:
        reason = "\nOnly one string may be given when deleting without squeezing repeats."
        is_second = len(sets) == 2
        message = f"extra operand {locale_quoted_text(sets[maximum])}"
        raise UsageFailure(message + (reason if is_second else ""))


class Squeezer:
    """Removes repeats of some bytes from data that arrives in chunks."""

    __slots__ = ("_bytes", "_last", "_pattern")

    def __init__(self, squeezed: bytes) -> None:
        self._bytes = bytes(sorted(set(squeezed)))
        # An empty class is invalid; without bytes the pattern is not used.
        byte = re.escape(self._bytes or b"-")
        repeats = b"%s%s+" % (byte, byte) if len(self._bytes) == 1 else b"([%s])\\1+" % byte
        self._pattern = re.compile(repeats, re.DOTALL)
        self._last = b""

    def squeeze(self, data: bytes) -> bytes:
        """Remove repeats, also of the byte that ended the previous data."""
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
