"""Debug: what --debug tells of the keys, and the lines with the parts that count marked below.

a  9x
   _       the number of -k2n
_____      the whole line, for lines whose keys are equal
"""

from __future__ import annotations

import re

from keysh.diagnostics.display import display_width
from keysh.text.chunks import text_of_octets
from keysh.text.gnu_quoting import quoted_name
from keysh.tools.sort.extract import find_position
from keysh.tools.sort.order import GENERAL_NUMBER, UNIT_POWERS, month_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from keysh.tools.sort.arrange import LineSorter
    from keysh.tools.sort.key import SortKey

NUMERIC = frozenset("ghn")
OPTIONS = "bdfghiMnRrV"  # in the order in which they are named
BLANKS = re.compile(r"[ \t\n]*")
RAW_NUMBER = re.compile(r"-?[0-9]*(?:\.[0-9]*)?")
MONTH = 3  # letters of one
ODD = re.compile("[\t\udc80-\udcff]")
NO_MATCH = "^ no match for key"


def notes(env: Mapping[str, str], arrangement: LineSorter, general: SortKey) -> Iterator[str]:
    """What may not be meant, of the keys and of the options for all of them."""
    locale = env.get("LC_ALL") or env.get("LC_COLLATE") or env.get("LANG") or ""
    how = "simple byte comparison"
    if locale.startswith("C."):  # in which the order is that of the bytes, too
        how = f"{quoted_name(locale)} sorting rules"
    yield f"text ordering performed using {how}"
    keys = arrangement.keys
    are_given = bool(keys) and keys[0] is not general
    spans: set[str] = set()
    for number, key in enumerate(keys if are_given else (), 1):
        yield from key_notes(arrangement, key, number)
        spans |= key.order & NUMERIC if is_wide(key) else set()
    yield from number_notes(arrangement, spans)
    yield from option_notes(arrangement, general, are_given=are_given)


def key_notes(arrangement: LineSorter, key: SortKey, number: int) -> Iterator[str]:
    """What is said of one key."""
    start, end = key.start, key.end
    end_field, end_chars, end_skips = end_of(key)
    is_empty = end is not None and end_field < start.fields
    if is_empty:
        yield f"key {number} has zero width and will be ignored"
    skips_anyway = bool(key.order & (NUMERIC | {"M"}))
    is_offset = end is not None and not end_field and end_chars
    if not (is_empty or arrangement.separator or is_offset) and (
        (not start.skips_blanks and (start.chars or not skips_anyway))
        or (end_chars and not end_skips)
    ):
        yield f"leading blanks are significant in key {number}; consider also specifying 'b'"
    if key.order & NUMERIC and is_wide(key):
        yield f"key {number} is numeric and spans multiple fields"


def end_of(key: SortKey) -> tuple[int, int, bool]:
    """The field, from 0 on, and the character that a key ends with, and whether blanks count."""
    if key.end is None:
        return 0, 0, False
    last = key.end.fields if key.end.chars else key.end.fields - 1
    return last, key.end.chars, key.end.skips_blanks


def is_wide(key: SortKey) -> bool:
    """Whether a key is more than one field."""
    return key.end is None or key.start.fields < end_of(key)[0]


def number_notes(arrangement: LineSorter, spans: set[str]) -> Iterator[str]:
    """What is said of numbers, of which `spans` are kinds in keys of several fields."""
    separator = arrangement.separator
    if spans and separator == ".":
        yield f"field separator {quoted_name('.')} is treated as a decimal point in numbers"
        return
    if spans and (separator == "-" or (separator == "+" and "g" in spans)):
        sign = "minus" if separator == "-" else "plus"
        yield f"field separator {quoted_name(separator)} is treated as a {sign} sign in numbers"
    if any(key.order & NUMERIC for key in arrangement.keys):
        note = "" if separator == "." else "note "
        yield f"{note}numbers use {quoted_name('.')} as a decimal point in this locale"


def option_notes(arrangement: LineSorter, general: SortKey, *, are_given: bool) -> Iterator[str]:
    """Which options for all keys hold for none."""
    unused = set(general.order)
    leaves_start = leaves_end = general.start.skips_blanks
    if "d" in unused:
        unused.discard("i")  # which it implies
    is_reversed = general.is_reversed
    for key in arrangement.keys:
        unused -= key.order
        skips_at_end = key.uses_general_order if key.end is None else key.end.skips_blanks
        leaves_start = leaves_start and not key.start.skips_blanks
        leaves_end = leaves_end and not skips_at_end
        is_reversed = is_reversed and not key.is_reversed
    unused |= {"b"} if are_given and (leaves_start or leaves_end) else set()
    is_last = arrangement.stable or arrangement.unique
    if is_reversed and is_last and are_given:
        unused.add("r")
    if unused:
        named = "".join(letter for letter in OPTIONS if letter in unused)
        plural = "options" if len(named) > 1 else "option"
        yield f"{plural} '-{named}' {'are' if len(named) > 1 else 'is'} ignored"
    if is_reversed and not is_last and are_given:
        yield "option '-r' only applies to last-resort comparison"


def marked(arrangement: LineSorter, lines: Sequence[str]) -> Iterator[str]:
    """The lines, in octets, each with a line below for each key."""
    keys: list[SortKey | None] = [*arrangement.keys]
    if not keys or not (arrangement.unique or arrangement.stable):
        keys.append(None)
    for line in lines:
        arrangement.tick()
        yield text_of_octets(line.replace("\t", ">")) + "\n"
        for key in keys:
            start, end = (0, len(line)) if key is None else place(line, key, arrangement.separator)
            width = columns(line[start:end])
            yield " " * columns(line[:start]) + ("_" * width or NO_MATCH) + "\n"


def place(line: str, key: SortKey, separator: str) -> tuple[int, int]:
    """Where the part of a line that counts for a key begins and ends."""
    start = find_position(line, key.start, separator, is_end=False)
    end = len(line) if key.end is None else find_position(line, key.end, separator, is_end=True)
    if not key.order & (NUMERIC | {"M"}):
        return start, end
    blanks = BLANKS.match(line, start, max(start, end))
    start = blanks.end() if blanks else start
    return start, start + length_of(line[start:end], key.order)


def length_of(text: str, order: set[str]) -> int:
    """How much of a text is read as a month or as a number."""
    if "M" in order:
        return MONTH if month_number(text) else 0
    if "g" in order:
        match = GENERAL_NUMBER.match(text)
        return match.end() if match else 0
    match = RAW_NUMBER.match(text)
    end = match.end() if match else 0
    if not any(char.isdigit() for char in text[:end]):
        return 0
    return end + ("h" in order and text[end : end + 1] in UNIT_POWERS and end < len(text))


def columns(text: str) -> int:
    """The columns of a text in octets; a tab and a byte that is no UTF-8 are one each."""
    shown = text_of_octets(text)
    return display_width(ODD.sub(" ", shown))
