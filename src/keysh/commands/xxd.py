"""xxd - bytes as hexadecimal digits and back."""

from __future__ import annotations

import re

from keysh.schema.arguments import expanded
from keysh.schema.declare import command
from keysh.text.hexadecimal import Lines, included, plain, reverted, reverted_plain
from keysh.text.lines import decoded, encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.runtime.call import Call
    from keysh.schema.types import Raw

FLAGS, WITH_VALUE = "abCdeipru", "cglnos"
WIDEST = 256


@command
def xxd(sh: Call, *words: Raw) -> Iterator[str]:
    """Show bytes in hexadecimal digits, or turn these into bytes.

    words ...  options, the file to read (- for standard input), the file to write

    -p only digits (also -ps), -b digits of two, -i as C, -e groups as little-endian numbers,
    -u capital digits, -d decimal addresses, -a a * for lines of zeros, -C capitals in the name of
    -i, -n NAME the name of -i, -c COLS bytes on a line, -g BYTES of a group, -l LEN bytes at most,
    -s [-]SEEK where to begin, -o OFF added to addresses; -r turns digits into bytes again, with
    -p without addresses.
    """
    texts = expanded(words)
    given, files = options(sh, texts)
    name = files[0] if files else "-"
    inputs = sh.inputs([name])  # held, for it closes the file
    source = next(inputs, None)
    if source is None:
        sh.status = 2
        return
    data = (encoded(chunk) for chunk in source.chunks())
    if len(files) > 1:
        with sh.open(files[1], "w") as stream:
            for text in answer(sh, given, data, name):
                stream.write(encoded(text))
        return
    yield from answer(sh, given, data, name)


def options(sh: Call, texts: list[str]) -> tuple[dict[str, str], list[str]]:
    """The options by their first letters, which may be followed by more, and the files."""
    given: dict[str, str] = {}
    at = 0
    while at < len(texts) and texts[at][:1] == "-" and len(texts[at]) > 1:
        word = texts[at].removeprefix("--" if texts[at][:2] == "--" else "-")
        at += 1
        letter = word[:1]
        if not word:
            break
        if letter in FLAGS:
            given[letter] = word
        elif letter in WITH_VALUE:
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


def answer(sh: Call, given: dict[str, str], data: Iterable[bytes], name: str) -> Iterator[str]:
    """What is to be printed."""
    if "r" in given:
        text = reverted_plain(data) if "p" in given else reverted(data, number(sh, given, "s", 0))
        pieces = iter(text)
        yield from decoded(lambda size: next(pieces, b""))
        return
    skip, most = number(sh, given, "s", 0), number(sh, given, "l", -1)
    if skip < 0:  # from the end, which has to be known
        whole = b"".join(data)
        data, skip = (whole,), max(len(whole) + skip, 0)
    data = part(data, skip, most)
    is_plain, is_bits, is_upper = "p" in given, "b" in given, "u" in given
    default = 30 if is_plain else 6 if is_bits else 12 if "i" in given else 16
    columns = number(sh, given, "c", default) or default
    if not 1 <= columns <= WIDEST and not is_plain:
        raise sh.fail(f"invalid number of columns (max. {WIDEST}).")
    if is_plain:
        yield from plain(data, columns, is_upper)
    elif "i" in given:
        variable = given.get("n", "" if name == "-" else re.sub(r"\W", "_", name, flags=re.ASCII))
        yield from included(data, columns, variable.upper() if "C" in given else variable, is_upper)
    else:
        usual = 1 if is_bits else 4 if "e" in given else 2
        group = number(sh, given, "g", usual)
        if group < 0:
            group = usual
        elif not 0 < group <= columns:
            group = columns
        lines = Lines(columns, group, is_bits=is_bits, is_upper=is_upper)
        lines.is_little, lines.is_decimal = "e" in given, "d" in given
        lines.skips_zeros = "a" in given
        for shown in lines.of(data, skip + number(sh, given, "o", 0)):
            sh.tick()
            yield shown


def number(sh: Call, given: dict[str, str], letter: str, default: int) -> int:
    """The number that an option has: decimal, 0x or octal."""
    if letter not in given:
        return default
    text = given[letter].removeprefix("+")
    try:
        return int(text, 8 if text.lstrip("-")[:1] == "0" and text.lstrip("-").isdecimal() else 0)
    except ValueError:
        raise sh.fail(f"option -{letter} needs a number, not '{text}'") from None


def part(data: Iterable[bytes], skip: int, most: int) -> Iterator[bytes]:
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
