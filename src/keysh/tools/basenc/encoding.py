"""The encodings of basenc: groups of bytes, written as groups of letters."""

from __future__ import annotations

import re
from base64 import b16decode, b32decode, b32encode, b32hexdecode, b32hexencode
from binascii import a2b_base64, b2a_base64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

CAPITAL_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS_AND_DIGITS = CAPITAL_LETTERS + CAPITAL_LETTERS.lower() + "0123456789"
# ZeroMQ RFC 32
Z85_ALPHABET = (
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
)
Z85_VALUES = {char: value for value, char in enumerate(Z85_ALPHABET)}
Z85_BASE = 85
URL_TRANSLATION, STANDARD_TRANSLATION = str.maketrans("+/", "-_"), str.maketrans("-_", "+/")
# The bytes that an incomplete group of base64 or base32 stands for, by its number of letters.
BASE64_PARTIAL_BYTES = (0, 0, 1, 2)
BASE32_PARTIAL_BYTES = (0, 0, 1, 1, 2, 3, 3, 4)


class Encoding:
    """One encoding.

    bytes_per_group  how many bytes a group stands for, and `letters_per_group` its length
    foreign          letters that make GNU refuse all the input at hand
    decode           decode complete groups; an invalid letter, or padding before the last group, is
                     a ValueError
    """

    __slots__ = (
        "_complete_groups", "_garbage", "_group", "bytes_per_group", "decode", "encode", "foreign",
        "letters_per_group",
    )  # fmt: skip

    def __init__(
        self,
        encode: Callable[[bytes], str],
        decode: Callable[[str], bytes],
        alphabet: str,
        group: tuple[int, int],
        foreign: str = "",
    ) -> None:
        self.encode, self.decode, self.foreign = encode, decode, foreign
        self.bytes_per_group, self.letters_per_group = group
        letter = f"[{re.escape(alphabet)}]"
        # GNU keeps "=" in every encoding.
        self._garbage = re.compile(f"[^{re.escape(alphabet)}=]")
        self._group = re.compile(f"{letter}{{{group[1]}}}")
        padded = [
            f"{letter}{{{group[1] - count}}}={{{count}}}"
            for count in {3: (1, 2), 5: (1, 3, 4, 6)}.get(group[0], ())
        ]
        self._group = re.compile("|".join([self._group.pattern, *padded]))
        self._complete_groups = re.compile(f"(?:{self._group.pattern})*")

    def without_garbage(self, text: str) -> str:
        """Return the text without characters outside the alphabet."""
        return self._garbage.sub("", text)

    def decode_groups(self, text: str) -> tuple[bytes, int]:
        """Decode groups until the first invalid one; return the bytes and the length decoded."""
        length = len(text) - len(text) % self.letters_per_group
        try:
            return self.decode(text[:length]), length
        except ValueError:
            match = self._complete_groups.match(text)
        end = match.end() if match is not None else 0
        data = bytearray()
        for group in self._group.finditer(text, 0, end):
            try:
                data += self.decode(group[0])
            except ValueError:  # a group of Z85 that is no number of 32 bits
                return bytes(data), group.start()
        return bytes(data), end

    def decode_partial(self, text: str) -> bytes:
        """Return the bytes that GNU prints of an invalid or incomplete group at the end."""
        counts: tuple[int, ...]
        if self.bytes_per_group == 3:
            counts, pad = BASE64_PARTIAL_BYTES, "="
        elif self.bytes_per_group == 5 and len(text) >= self.letters_per_group:
            counts, pad = BASE32_PARTIAL_BYTES, "="
        else:
            return b""
        letters = self._letters_before_garbage(text)
        count = counts[min(len(letters), len(counts) - 1)]
        needed = -(-count * 8 // (6 if self.bytes_per_group == 3 else 5))
        return self.decode(letters[:needed].ljust(self.letters_per_group, pad)) if count else b""

    def _letters_before_garbage(self, text: str) -> str:
        garbage = self._garbage.search(text)
        return text[: garbage.start() if garbage is not None else None].partition("=")[0]


def encode_base64(data: bytes) -> str:
    return b2a_base64(data, newline=False).decode("ascii")


def decode_base64(text: str) -> bytes:
    return a2b_base64(text, strict_mode=True)


def encode_bits(data: bytes) -> str:
    """Write each byte as its bits, the most significant one first."""
    return "".join([f"{byte:08b}" for byte in data])


def decode_bits(text: str) -> bytes:
    if text.strip("01") or "_" in text:
        raise ValueError(text)
    return bytes([int(text[at : at + 8], 2) for at in range(0, len(text), 8)])


def reversed_groups(text: str) -> str:
    """Reverse each eight bits."""
    return "".join([text[at : at + 8][::-1] for at in range(0, len(text), 8)])


def encode_z85(data: bytes) -> str:
    """Write each four bytes, a number of 32 bits, as five digits to the base of 85."""
    pieces = []
    for at in range(0, len(data), 4):
        number, digits = int.from_bytes(data[at : at + 4], "big"), ""
        for _ in range(5):
            number, digit = divmod(number, Z85_BASE)
            digits = Z85_ALPHABET[digit] + digits
        pieces.append(digits)
    return "".join(pieces)


def decode_z85(text: str) -> bytes:
    pieces = []
    for at in range(0, len(text), 5):
        number = 0
        for char in text[at : at + 5]:
            if char not in Z85_VALUES:
                raise ValueError(char)
            number = number * Z85_BASE + Z85_VALUES[char]
        if number >> 32:
            raise ValueError(text[at : at + 5])
        pieces.append(number.to_bytes(4, "big"))
    return b"".join(pieces)


BASE64 = Encoding(encode_base64, decode_base64, f"{LETTERS_AND_DIGITS}+/", (3, 4))
BASE64URL = Encoding(
    lambda data: encode_base64(data).translate(URL_TRANSLATION),
    lambda text: decode_base64(text.translate(STANDARD_TRANSLATION)),
    f"{LETTERS_AND_DIGITS}-_",
    (3, 4),
    foreign="+/",
)
BASE32 = Encoding(
    lambda data: b32encode(data).decode("ascii"), b32decode, f"{CAPITAL_LETTERS}234567", (5, 8)
)
BASE32HEX = Encoding(
    lambda data: b32hexencode(data).decode("ascii"),
    b32hexdecode,
    f"0123456789{CAPITAL_LETTERS[:22]}",
    (5, 8),
)
BASE16 = Encoding(lambda data: data.hex().upper(), b16decode, "0123456789ABCDEF", (1, 2))
BASE2MSBF = Encoding(encode_bits, decode_bits, "01", (1, 8))
BASE2LSBF = Encoding(
    lambda data: reversed_groups(encode_bits(data)),
    lambda text: decode_bits(reversed_groups(text)),
    "01",
    (1, 8),
)
Z85 = Encoding(encode_z85, decode_z85, Z85_ALPHABET, (4, 5))
