"""Sets: the bytes that a string such as `a-z[:digit:]\\n[x*3]` tells, in order."""

from __future__ import annotations

from keysh.text.chunks import octets_of_text, text_of_octets
from keysh.text.gnu_quoting import locale_quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

BYTE_ESCAPES = {"\\": 92, "a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
OCTAL_DIGITS = "01234567"
BYTE_CLASSES: dict[str, bytes] = {
    "alnum": bytes([*range(48, 58), *range(65, 91), *range(97, 123)]),
    "alpha": bytes([*range(65, 91), *range(97, 123)]),
    "blank": b"\t ",
    "cntrl": bytes([*range(32), 127]),
    "digit": bytes(range(48, 58)),
    "graph": bytes(range(33, 127)),
    "lower": bytes(range(97, 123)),
    "print": bytes(range(32, 127)),
    "punct": bytes([*range(33, 48), *range(58, 65), *range(91, 97), *range(123, 127)]),
    "space": b"\t\n\v\f\r ",
    "upper": bytes(range(65, 91)),
    "xdigit": bytes([*range(48, 58), *range(65, 71), *range(97, 103)]),
}


class SetPart:
    """A piece of a set: its bytes; and what it was, for not all may stand everywhere.

    `name` is that of a class; `fills` says that the byte repeats as often as is needed.
    """

    __slots__ = ("bytes", "fills", "is_equivalence", "name")

    def __init__(self, data: bytes, name: str = "") -> None:
        self.bytes, self.name = data, name
        self.fills = self.is_equivalence = False


class SetParser:
    """One reading of a set. A character is its byte, and whether a backslash made it."""

    __slots__ = ("_chars", "parts")

    def __init__(self, sh: Call, text: str) -> None:
        self._chars = set_characters(sh, octets_of_text(text))
        self.parts: list[SetPart] = []
        at = 0
        while at < len(self._chars):
            at = self.read_part(sh, at)

    def unescaped_at(self, at: int) -> str:
        """The character at a place, if no backslash made it."""
        if at < len(self._chars) and not self._chars[at][1]:
            return chr(self._chars[at][0])
        return ""

    def read_part(self, sh: Call, at: int) -> int:
        """Read one part; the place behind it."""
        if self.unescaped_at(at) == "[":
            for mark, take in ((":", self.take_class), ("=", self.take_equivalence)):
                if (
                    self.unescaped_at(at + 1) == mark
                    and (close := self.find_close(at + 2, mark)) >= 0
                ):
                    taken = take(sh, at + 2, close)
                    if taken:
                        return close + 2
            if (behind := self.take_repeat(sh, at)) > at:
                return behind
        low = self._chars[at][0]
        if self.unescaped_at(at + 1) == "-" and at + 2 < len(self._chars):
            high = self._chars[at + 2][0]
            if high < low:
                shown = f"{printable_byte(low)}-{printable_byte(high)}"
                says = f"range-endpoints of '{shown}' are in reverse collating"
                raise sh.fail(f"{says} sequence order")
            self.parts.append(SetPart(bytes(range(low, high + 1))))
            return at + 3
        self.parts.append(SetPart(bytes([low])))
        return at + 1

    def find_close(self, at: int, mark: str) -> int:
        """Where `:]` or `=]` stands; -1 where it does not."""
        for place in range(at, len(self._chars) - 1):
            if self.unescaped_at(place) == mark and self.unescaped_at(place + 1) == "]":
                return place
        return -1

    def text_between(self, at: int, close: int) -> str:
        return "".join(chr(byte) for byte, _ in self._chars[at:close])

    def take_class(self, sh: Call, at: int, close: int) -> bool:
        """`[:alpha:]`; what looks like one and is a repeat of a colon is none."""
        name = self.text_between(at, close)
        if not name:
            raise sh.fail("missing character class name '[::]'")
        if name not in BYTE_CLASSES:
            if self.repeat_end(at) >= 0:
                return False
            raise sh.fail(f"invalid character class {locale_quoted_text(text_of_octets(name))}")
        self.parts.append(SetPart(BYTE_CLASSES[name], name))
        return True

    def take_equivalence(self, sh: Call, at: int, close: int) -> bool:
        """`[=c=]`, which is only the character itself."""
        inside = self.text_between(at, close)
        if not inside:
            raise sh.fail("missing equivalence class character '[==]'")
        if len(inside) > 1:
            if self.repeat_end(at) >= 0:
                return False
            shown = text_of_octets(inside)
            says = f"{shown}: equivalence class operand must be a single character"
            raise sh.fail(says)
        part = SetPart(inside.encode("latin-1"))
        part.is_equivalence = True
        self.parts.append(part)
        return True

    def repeat_end(self, at: int) -> int:
        """Where the `]` of a repeat `*N]` stands, whose star is at a place; -1 where none is."""
        if self.unescaped_at(at) != "*":
            return -1
        for place in range(at + 1, len(self._chars)):
            if self.unescaped_at(place) == "]":
                return place
            if self._chars[place][1]:
                return -1
        return -1

    def take_repeat(self, sh: Call, at: int) -> int:
        """`[c*]` and `[c*N]`: the place behind; where there is none, the same place."""
        close = self.repeat_end(at + 2)
        if close < 0:
            return at
        digits = self.text_between(at + 3, close)
        base = 8 if digits.startswith("0") else 10
        allowed = OCTAL_DIGITS if base == 8 else "0123456789"
        if digits.strip(allowed):
            says = f"invalid repeat count {locale_quoted_text(text_of_octets(digits))} in [c*n] construct"
            raise sh.fail(says)
        count = int(digits or "0", base) if len(digits) < 20 else 1 << 63
        part = SetPart(bytes([self._chars[at + 1][0]]) * min(count, 1 << 16))
        part.fills = not count
        if part.fills:
            part.bytes = bytes([self._chars[at + 1][0]])
        self.parts.append(part)
        return close + 1


def set_characters(sh: Call, text: str) -> list[tuple[int, bool]]:
    """The bytes of a set, each with whether it was escaped."""
    found = []
    at = 0
    while at < len(text):
        if text[at] != "\\":
            found.append((ord(text[at]), False))
            at += 1
            continue
        at += 1
        if at == len(text):
            sh.note("warning: an unescaped backslash at end of string is not portable")
            found.append((92, False))
        elif text[at] in OCTAL_DIGITS:
            digits = text[at : at + 3]
            digits = digits[: len(digits) - len(digits.lstrip(OCTAL_DIGITS))]
            if int(digits, 8) > 255:
                says = f"the ambiguous octal escape \\{digits} is being\n\tinterpreted as the"
                byte, last = digits[:2], digits[2]
                sh.note(f"warning: {says} 2-byte sequence \\0{byte}, {last}")
                digits = byte
            found.append((int(digits, 8), True))
            at += len(digits)
        else:
            found.append((BYTE_ESCAPES.get(text[at], ord(text[at])), True))
            at += 1
    return found


def printable_byte(byte: int) -> str:
    """A byte in a message."""
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def parse_sets(sh: Call, texts: list[str]) -> tuple[list[SetPart], list[SetPart]]:
    """The set that tells which bytes are meant, and that which tells what they become."""
    first, second = [*(SetParser(sh, text).parts for text in texts), []][:2]
    if any(part.fills for part in first):
        raise sh.fail("the [c*] repeat construct may not appear in string1")
    if sum(part.fills for part in second) > 1:
        raise sh.fail("only one [c*] repeat construct may appear in string2")
    return first, second


def set_members(parts: list[SetPart], is_complement: bool) -> bytes:
    """The bytes of the first set, or all others."""
    found = all_bytes(parts)
    if not is_complement:
        return found
    return bytes(byte for byte in range(256) if byte not in found)


def all_bytes(parts: list[SetPart]) -> bytes:
    """All bytes of a set, in order."""
    return b"".join(part.bytes for part in parts)


def translation_table(
    sh: Call, first: list[SetPart], second: list[SetPart], is_complement: bool, truncates: bool
) -> bytes:
    """What each byte becomes, where `first` is the set as it was told."""
    if any(part.is_equivalence for part in second):
        raise sh.fail("[=c=] expressions may not appear in string2 when translating")
    if any(part.name not in ("", "upper", "lower") for part in second):
        says = "when translating, the only character classes that may appear in"
        raise sh.fail(f"{says}\nstring2 are 'upper' and 'lower'")
    source = set_members(first, is_complement)
    for part in second:
        if part.fills:
            part.bytes *= max(0, len(source) - len(all_bytes(second)) + 1)
    if not is_complement:
        check_case_classes(sh, first, second)
    target = all_bytes(second)
    if len(target) < len(source) and not truncates:
        if not target:
            raise sh.fail("when not truncating set1, string2 must be non-empty")
        if second[-1].name:
            says = "when translating with string1 longer than string2,"
            raise sh.fail(f"{says}\nthe latter string must not end with a character class")
        target = target.ljust(len(source), target[-1:])
    maps_to_one = len(target) == len(source) and len(set(target)) < 2
    if is_complement and any(part.name for part in first) and not maps_to_one:
        says = "when translating with complemented character classes,"
        raise sh.fail(f"{says}\nstring2 must map all characters in the domain to one")
    table = bytearray(range(256))
    for old, new in zip(source, target, strict=False):
        table[old] = new
    return bytes(table)


def check_case_classes(sh: Call, first: list[SetPart], second: list[SetPart]) -> None:
    """Refuse a class in the second set that has no `[:upper:]` or `[:lower:]` to become it."""
    starts, at = set[int](), 0
    for part in first:
        if part.name in ("upper", "lower"):
            starts.add(at)
        at += len(part.bytes)
    size, at = at, 0
    for part in second:
        if part.name and at < size and at not in starts:
            raise sh.fail("misaligned [:upper:] and/or [:lower:] construct")
        at += len(part.bytes)
