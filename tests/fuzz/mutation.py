"""Change texts at random: the same seed gives the same texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

TOKEN = re.compile(r"\w+|\s+|[^\w\s]{1,2}")
# Numbers at the ends of ranges, and characters that mean something in some syntax.
PIECES = [
    "0", "-1", "1e999", "-0", "00", "0x", "9" * 20, "2147483648", "18446744073709551616",
    "4294967295", ".", "..", "1.", ".5", "1e-400", "{", "}", "(", ")", "[", "]", "[[", "]]", "((",
    "))", "{}", "()", "[]", "'", '"', "`", "\\", "\\\n", "\n", "\r", "\t", " ", "", "\0", "\x7f",
    "²", "٣", "--1", "é", "\u0301", "\U0001f600", "\ufeff", "\udcff", "\u2028", "%", "%%", "%s",
    "%*d", "%-+ #099.9f",
    "$", "$$", "${", "$(", "$((", "#", ";", ";;", "&", "&&", "|", "||", "<", "<<", ">", ">>", "<(",
    "=", "==", "!=", "!", "~", "*", "**", "+", "++", "-", "--", "?", "??", ":", "::", ",", "/",
    "//",
    "@", "^", "_", "a", "A", "\\1", "\\9", "\\x", "\\u", "\\0", "[^", "[:", ":]", "[[:alpha:]]",
    "(?", "(?:", "{1,2}", "{,}", "{65536}", "null", "true", "---", "...", "- ", ": ", "&a", "*a",
    "!!", "now", "1970-01-01", "@0", "next", "ago", "TZ=",
]  # fmt: skip
MOST_CHANGES = 6
MOST_CHARACTERS = 4000


class Mutator:
    """Makes new texts out of known ones."""

    def __init__(self, texts: Sequence[str], random: Random) -> None:
        self._texts = [text[:MOST_CHARACTERS] for text in texts] or [""]
        self._tokens = sorted({token for text in texts for token in TOKEN.findall(text)}) or [""]
        self._random = random

    def text(self) -> str:
        """Return a text that differs from a known one in a few places."""
        text = self._random.choice(self._texts)
        for _ in range(self._random.randint(1, MOST_CHANGES)):
            text = self.changed(text)
        return text[:MOST_CHARACTERS]

    def changed(self, text: str) -> str:
        """Return a text that differs from this one in one place."""
        random = self._random
        start = random.randint(0, len(text))
        end = min(len(text), start + random.choice((0, 1, 1, 2, 3, 8, 40)))
        head, cut, tail = text[:start], text[start:end], text[end:]
        match random.randrange(8):
            case 0:
                return head + random.choice(PIECES) + tail
            case 1:
                return head + random.choice(self._tokens) + tail
            case 2:
                return head + random.choice(PIECES) + cut + tail
            case 3:
                return head + cut * random.choice((2, 3, 20)) + tail
            case 4:
                return head + tail
            case 5:
                other = random.choice(self._texts)
                return head + other[random.randint(0, len(other)) :]
            case 6:
                return head + random.choice(self._tokens) + cut + tail
            case _:
                return head + self._character() + tail

    def _character(self) -> str:
        """Return any character, also one that stands for a byte that is not UTF-8."""
        first, count = self._random.choice(((0, 128), (0, 0xD800), (0xDC80, 128)))
        return chr(first + self._random.randrange(count))


class ByteMutator:
    """Makes new bytes out of known ones, which have the form of an archive or an image."""

    def __init__(self, samples: Sequence[bytes], random: Random) -> None:
        self._samples, self._random = list(samples), random

    def data(self) -> bytes:
        """Return bytes that differ from known ones in a few places."""
        data = self._random.choice(self._samples)
        for _ in range(self._random.randint(1, MOST_CHANGES)):
            data = self.changed(data)
        return data

    def changed(self, data: bytes) -> bytes:
        """Return bytes that differ from these in one place."""
        random = self._random
        at = random.randint(0, len(data))
        size = random.choice((1, 1, 2, 4, 8, 64, 512))
        head, cut, tail = data[:at], data[at : at + size], data[at + size :]
        match random.randrange(6):
            case 0:
                return head + random.randbytes(1) + data[at + 1 :]
            case 1:
                return head + random.choice((b"\0", b"\xff", b"\x80", b"7")) * size + tail
            case 2:
                return head + tail
            case 3:
                return head + cut + cut + tail
            case 4:
                other = random.choice(self._samples)
                return head + other[random.randint(0, len(other)) :]
            case _:
                flipped = (data[at] if at < len(data) else 0) ^ (1 << random.randrange(8))
                return head + bytes([flipped]) + data[at + 1 :]


def random_bytes(random: Random) -> bytes:
    """Return some bytes, many of them equal, as packers like them."""
    pieces = [
        random.randbytes(random.randrange(9)) * random.choice((1, 1, 5, 700))
        for _ in range(random.randrange(6))
    ]
    return b"".join(pieces)


def random_text(random: Random, characters: str, most: int) -> str:
    """Return a text of some of these characters."""
    return "".join(random.choice(characters) for _ in range(random.randint(0, most)))
