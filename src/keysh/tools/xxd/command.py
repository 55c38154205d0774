"""xxd - bytes as hexadecimal digits and back."""

from __future__ import annotations

import re

from keysh.gnu.copy.same_file import lead_to_same_file
from keysh.interp.state.call import os_error_text
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import OutputStyle, command
from keysh.text.chunks import bytes_of_text, decode_chunks
from keysh.text.gnu_quoting import message_name
from keysh.tools.xxd.hexadecimal import HexDump, c_array, parse_dump, parse_plain_dump, plain_dump

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw
    from keysh.vfs.api import Stream

FLAG_LETTERS, TYPE_LETTERS, VALUE_LETTERS = "aCdEru", "beip", "cglnos"
NO_INPUT_STATUS, NO_OUTPUT_STATUS, NO_OFFSET_STATUS, NO_REVERT_STATUS = 2, 3, 5, 255  # statuses
MAX_FILE_OFFSET, ZERO_CHUNK_BYTES = 1 << 62, 1 << 16  # place in a file; zeros at once
MAX_COLUMNS = 256


@command(output=OutputStyle(write_error=(3, "{}")))
def xxd(sh: Call, *words: Raw) -> Iterator[str]:
    """Show bytes in hexadecimal digits, or turn these into bytes.

    words ...  options, the file to read (- for standard input), the file to write

    Digits: -p only digits (also -ps), -b digits of two, -i as C, -e groups as little-endian
    numbers, -u capital digits, -c COLS bytes on a line (with -p, 0 for all of them), -g BYTES of a
    group. Around them: -d
    addresses in decimal digits, -o OFF added to addresses, -a a * for lines of zeros, -C capitals
    in the name of -i, -n NAME that name, -E characters as EBCDIC has them. What is read: -s
    [-]SEEK where to begin, -l LEN bytes at most. With -r digits become bytes again, with -p
    without addresses, and are written over what a file holds.
    """
    texts = expanded_texts(words)
    given, files = parse_options(sh, texts)
    name = files[0] if files else "-"
    inputs = sh.inputs([name], reading="{why}")  # held, for it closes the file
    source = next(inputs, None)
    if source is None:
        sh.status = NO_INPUT_STATUS
        return
    data: Iterable[bytes] = (bytes_of_text(chunk) for chunk in source.chunks())
    if "r" in given and given.get("type", "p") != "p":
        raise sh.fail("Sorry, cannot revert this type of hexdump", NO_REVERT_STATUS)
    if files[1:] in ([], ["-"]):
        yield from output_chunks(sh, given, data, name)
        sh.status = NO_INPUT_STATUS if sh.status else 0
        return
    # What is written must not become more input.
    if name != "-" and lead_to_same_file(sh, name, files[1]):
        data = [b"".join(data)] if "r" in given else []
    try:
        stream = open_output(sh, files[1], is_kept="r" in given)
    except OSError as error:
        raise sh.fail(
            f"{message_name(files[1])}: {os_error_text(error)}", NO_OUTPUT_STATUS
        ) from None
    try:
        with stream:
            if "r" in given:
                for place, made in placed_bytes(sh, given, data):
                    stream.seek(place)
                    stream.write(made)
            else:
                for text in output_chunks(sh, given, data, name):
                    stream.write(bytes_of_text(text))
    except OSError as error:
        raise sh.fail(os_error_text(error), NO_OUTPUT_STATUS) from None
    sh.status = NO_INPUT_STATUS if sh.status else 0


def open_output(sh: Call, name: str, *, is_kept: bool) -> Stream:
    """The file to write; what digits are turned into is written over what it holds."""
    return sh.open(name, "rw" if is_kept else "w")


def parse_options(sh: Call, texts: list[str]) -> tuple[dict[str, str], list[str]]:
    """The options by their first letters, which may be followed by more, and the files."""
    given: dict[str, str] = {}
    at = 0
    while at < len(texts) and texts[at][:1] == "-" and len(texts[at]) > 1:
        word = texts[at].removeprefix("--" if texts[at][:2] == "--" else "-")
        at += 1
        letter = word[:1]
        if not word:
            break
        if letter in TYPE_LETTERS:
            given["type"] = letter
        elif letter == "a" and "a" in given:
            del given["a"]  # it toggles
        elif letter in FLAG_LETTERS:
            given[letter] = word
        elif letter in VALUE_LETTERS:
            value = word[1:] if letter != "n" else ""
            if not value or value.isalpha():
                if at == len(texts):
                    raise sh.fail(f"option -{letter} needs a value")
                value = texts[at]
                at += 1
            given[letter] = value
        else:
            raise sh.fail(f"unknown option '{texts[at - 1]}'")
    if len(texts) - at > 2:
        raise sh.fail("more than an input and an output")
    return given, texts[at:]


def output_chunks(
    sh: Call, given: dict[str, str], data: Iterable[bytes], name: str
) -> Iterator[str]:
    """What is to be printed."""
    if "r" in given:
        pieces = padded_bytes(sh, placed_bytes(sh, given, data))
        yield from decode_chunks(lambda size: next(pieces, b""))
        return
    skip, most = parse_number(sh, given, "s", 0), parse_number(sh, given, "l", -1)
    if skip < 0:  # from the end, which has to be known
        whole = b"".join(data)
        data, skip = (whole,), max(len(whole) + skip, 0)
    data = byte_range(data, skip, most)
    kind, is_upper = given.get("type", ""), "u" in given
    is_plain, is_bits, is_little = kind == "p", kind == "b", kind == "e"
    default = 30 if is_plain else 6 if is_bits else 12 if kind == "i" else 16
    columns = parse_number(sh, given, "c", default)
    columns = columns or (0 if is_plain else default)
    if columns < 0 or (columns > MAX_COLUMNS and not is_plain):
        raise sh.fail(f"invalid number of columns (max. {MAX_COLUMNS}).")
    if is_plain:
        yield from plain_dump(data, columns, is_upper)
    elif kind == "i":
        variable = given.get("n", "" if name == "-" else re.sub(r"\W", "_", name, flags=re.ASCII))
        yield from c_array(data, columns, variable.upper() if "C" in given else variable, is_upper)
    else:
        usual = 1 if is_bits else 4 if is_little else 2
        group = parse_number(sh, given, "g", usual)
        if group < 0:
            group = usual
        elif not 0 < group <= columns:
            group = columns
        lines = HexDump(columns, group, is_bits=is_bits, is_upper=is_upper)
        lines.is_little, lines.is_decimal = is_little, "d" in given
        lines.skips_zeros, lines.is_ebcdic = "a" in given, "E" in given
        for text in lines.lines(data, skip + parse_number(sh, given, "o", 0)):
            sh.tick()
            yield text


def placed_bytes(
    sh: Call, given: dict[str, str], data: Iterable[bytes]
) -> Iterator[tuple[int, bytes]]:
    """The bytes that digits mean, and where in a file they belong."""
    if given.get("type") == "p":
        yield from parse_plain_dump(data)
        return
    for place, made in parse_dump(data, parse_number(sh, given, "s", 0)):
        sh.tick()
        if not 0 <= place < MAX_FILE_OFFSET:
            raise sh.fail("Sorry, cannot seek.", NO_OFFSET_STATUS)
        yield place, made


def padded_bytes(sh: Call, pieces: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
    """Bytes as a pipe takes them, with zeros where nothing belongs."""
    at = 0
    for place, made in pieces:
        if place < at:
            raise sh.fail("Sorry, cannot seek backwards.", NO_OFFSET_STATUS)
        while at < place:
            sh.tick()
            zeros = bytes(min(place - at, ZERO_CHUNK_BYTES))
            yield zeros
            at += len(zeros)
        yield made
        at += len(made)


def parse_number(sh: Call, given: dict[str, str], letter: str, default: int) -> int:
    """The number that an option has: decimal, 0x or octal."""
    if letter not in given:
        return default
    text = given[letter].removeprefix("+")
    try:
        return int(text, 8 if text.lstrip("-")[:1] == "0" and text.lstrip("-").isdecimal() else 0)
    except ValueError:
        raise sh.fail(f"option -{letter} needs a number, not '{text}'") from None


def byte_range(data: Iterable[bytes], skip: int, most: int) -> Iterator[bytes]:
    """Bytes from a place on, and no more than so many."""
    for piece in data:
        rest = piece[max(skip, 0) :]
        skip -= len(piece) - len(rest)
        if most >= 0:
            rest = rest[:most]
            most -= len(rest)
        if rest:
            yield rest
        if most == 0:
            return
