"""xxd - make a hex dump, or reverse it."""

from __future__ import annotations

import re

from keysh.gnu.copy.same_file import lead_to_same_file
from keysh.interp.state.call import os_error_text
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import OutputStyle, command
from keysh.text.chunks import bytes_of_text, decode_chunks
from keysh.text.gnu_quoting import message_name
from keysh.tools.xxd.hex_dump import HexDump, c_array, parse_dump, parse_plain_dump, plain_dump

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw
    from keysh.vfs.stream import Stream

FLAG_LETTERS, TYPE_LETTERS, VALUE_LETTERS = "aCdEru", "beip", "cglnos"
NO_INPUT_STATUS, NO_OUTPUT_STATUS, NO_OFFSET_STATUS, NO_REVERT_STATUS = 2, 3, 5, 255  # statuses
MAX_FILE_OFFSET, ZERO_CHUNK_BYTES = 1 << 62, 1 << 16  # in a file; of zeros at once
MAX_COLUMNS = 256


@command(output=OutputStyle(write_error=(3, "{}")))
def xxd(sh: Call, *words: Raw) -> Iterator[str]:
    """Make a hex dump, or convert one back to bytes.

    words ...  options, the input file (- for standard input), the output file

      -a          replace lines of zeros by a *
      -b          binary digits
      -C          capitalize the variable name of -i
      -c COLS     bytes per line; with -p, 0 for one line
      -d          decimal offsets
      -E          show characters in EBCDIC
      -e          groups as little-endian numbers
      -g BYTES    bytes per group
      -i          output as C include file
      -l LEN      stop after LEN bytes
      -n NAME     variable name of -i
      -o OFF      add OFF to the offsets
      -p, -ps     plain digits without offsets
      -r          convert a dump to bytes; write over the output file
      -s [-]SEEK  start at SEEK, from the end with -
      -u          upper-case digits
    """
    texts = expanded_texts(words)
    chosen, files = parse_options(sh, texts)
    name = files[0] if files else "-"
    inputs = sh.inputs([name], reading="{why}")  # kept alive because it closes the file
    source = next(inputs, None)
    if source is None:
        sh.status = NO_INPUT_STATUS
        return
    data: Iterable[bytes] = (bytes_of_text(chunk) for chunk in source.chunks())
    if "r" in chosen and chosen.get("type", "p") != "p":
        raise sh.fail("Sorry, cannot revert this type of hexdump", NO_REVERT_STATUS)
    if files[1:] in ([], ["-"]):
        yield from output_chunks(sh, chosen, data, name)
        sh.status = NO_INPUT_STATUS if sh.status else 0
        return
    # The output must not become further input.
    if name != "-" and lead_to_same_file(sh, name, files[1]):
        data = [b"".join(data)] if "r" in chosen else []
    try:
        stream = open_output(sh, files[1], keeps_contents="r" in chosen)
    except OSError as error:
        raise sh.fail(
            f"{message_name(files[1])}: {os_error_text(error)}", NO_OUTPUT_STATUS
        ) from None
    try:
        with stream:
            if "r" in chosen:
                for offset, converted in placed_bytes(sh, chosen, data):
                    stream.seek(offset)
                    stream.write(converted)
            else:
                for text in output_chunks(sh, chosen, data, name):
                    stream.write(bytes_of_text(text))
    except OSError as error:
        raise sh.fail(os_error_text(error), NO_OUTPUT_STATUS) from None
    sh.status = NO_INPUT_STATUS if sh.status else 0


def open_output(sh: Call, name: str, *, keeps_contents: bool) -> Stream:
    """Open the output file; -r writes over its contents."""
    return sh.open(name, "rw" if keeps_contents else "w")


def parse_options(sh: Call, texts: list[str]) -> tuple[dict[str, str], list[str]]:
    """Return the options by their first letters, and the files."""
    chosen: dict[str, str] = {}
    index = 0
    while index < len(texts) and texts[index][:1] == "-" and len(texts[index]) > 1:
        word = texts[index].removeprefix("--" if texts[index][:2] == "--" else "-")
        index += 1
        letter = word[:1]
        if not word:
            break
        if letter in TYPE_LETTERS:
            chosen["type"] = letter
        elif letter == "a" and "a" in chosen:
            del chosen["a"]  # -a toggles
        elif letter in FLAG_LETTERS:
            chosen[letter] = word
        elif letter in VALUE_LETTERS:
            value = word[1:] if letter != "n" else ""
            if not value or value.isalpha():
                if index == len(texts):
                    raise sh.fail(f"option -{letter} needs a value")
                value = texts[index]
                index += 1
            chosen[letter] = value
        else:
            raise sh.fail(f"unknown option '{texts[index - 1]}'")
    if len(texts) - index > 2:
        raise sh.fail("more than an input and an output")
    return chosen, texts[index:]


def output_chunks(
    sh: Call, chosen: dict[str, str], data: Iterable[bytes], name: str
) -> Iterator[str]:
    """Yield the output."""
    if "r" in chosen:
        pieces = padded_bytes(sh, placed_bytes(sh, chosen, data))
        yield from decode_chunks(lambda size: next(pieces, b""))
        return
    skip, limit = parse_number(sh, chosen, "s", 0), parse_number(sh, chosen, "l", -1)
    if skip < 0:  # from the end
        whole = b"".join(data)
        data, skip = (whole,), max(len(whole) + skip, 0)
    data = byte_range(data, skip, limit)
    kind, is_upper = chosen.get("type", ""), "u" in chosen
    is_plain, is_bits, is_little = kind == "p", kind == "b", kind == "e"
    default = 30 if is_plain else 6 if is_bits else 12 if kind == "i" else 16
    columns = parse_number(sh, chosen, "c", default)
    columns = columns or (0 if is_plain else default)
    if columns < 0 or (columns > MAX_COLUMNS and not is_plain):
        raise sh.fail(f"invalid number of columns (max. {MAX_COLUMNS}).")
    if is_plain:
        yield from plain_dump(data, columns, is_upper)
    elif kind == "i":
        variable = chosen.get("n", "" if name == "-" else re.sub(r"\W", "_", name, flags=re.ASCII))
        yield from c_array(data, columns, variable.upper() if "C" in chosen else variable, is_upper)
    else:
        default_group = 1 if is_bits else 4 if is_little else 2
        group = parse_number(sh, chosen, "g", default_group)
        if group < 0:
            group = default_group
        elif not 0 < group <= columns:
            group = columns
        lines = HexDump(columns, group, is_bits=is_bits, is_upper=is_upper)
        lines.is_little, lines.is_decimal = is_little, "d" in chosen
        lines.skips_zeros, lines.is_ebcdic = "a" in chosen, "E" in chosen
        for text in lines.lines(data, skip + parse_number(sh, chosen, "o", 0)):
            sh.tick()
            yield text


def placed_bytes(
    sh: Call, chosen: dict[str, str], data: Iterable[bytes]
) -> Iterator[tuple[int, bytes]]:
    """Yield the bytes of a dump and their offsets."""
    if chosen.get("type") == "p":
        yield from parse_plain_dump(data)
        return
    for offset, converted in parse_dump(data, parse_number(sh, chosen, "s", 0)):
        sh.tick()
        if not 0 <= offset < MAX_FILE_OFFSET:
            raise sh.fail("Sorry, cannot seek.", NO_OFFSET_STATUS)
        yield offset, converted


def padded_bytes(sh: Call, pieces: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
    """Yield the bytes for a pipe, with zeros in gaps."""
    position = 0
    for offset, data in pieces:
        if offset < position:
            raise sh.fail("Sorry, cannot seek backwards.", NO_OFFSET_STATUS)
        while position < offset:
            sh.tick()
            zeros = bytes(min(offset - position, ZERO_CHUNK_BYTES))
            yield zeros
            position += len(zeros)
        yield data
        position += len(data)


def parse_number(sh: Call, chosen: dict[str, str], letter: str, default: int) -> int:
    """Return the number of an option: decimal, 0x hexadecimal or 0 octal."""
    if letter not in chosen:
        return default
    text = chosen[letter].removeprefix("+")
    try:
        return int(text, 8 if text.lstrip("-")[:1] == "0" and text.lstrip("-").isdecimal() else 0)
    except ValueError:
        raise sh.fail(f"option -{letter} needs a number, not '{text}'") from None


def byte_range(data: Iterable[bytes], skip: int, limit: int) -> Iterator[bytes]:
    """Skip bytes, then yield at most `limit`; -1 is no limit."""
    for piece in data:
        rest = piece[max(skip, 0) :]
        skip -= len(piece) - len(rest)
        if limit >= 0:
            rest = rest[:limit]
            limit -= len(rest)
        if rest:
            yield rest
        if limit == 0:
            return
