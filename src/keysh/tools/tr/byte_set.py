r"""Parse sets such as `a-z[:digit:]\\n[x*3]` into their bytes, in order."""

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
    """A part of a set: its bytes and what it was written as.

    `name` is that of a class; `fills` marks [c*], which repeats as often as needed.
    """

    __slots__ = ("bytes", "fills", "is_equivalence", "name")

    def __init__(self, data: bytes, name: str = "") -> None:
        self.bytes, self.name = data, name
        self.fills = self.is_equivalence = False


class SetParser:
    """Parses one set. Each character is a byte and whether a backslash escaped it."""

    __slots__ = ("_chars", "parts")

    def __init__(self, sh: Call, text: str) -> None:
        self._chars = set_characters(sh, octets_of_text(text))
        self.parts: list[SetPart] = []
        position = 0
        while position < len(self._chars):
            position = self.read_part(sh, position)

    def unescaped_at(self, position: int) -> str:
        """Return the character at a position if it is not escaped, else ""."""
        if position < len(self._chars) and not self._chars[position][1]:
            return chr(self._chars[position][0])
        return ""

    def read_part(self, sh: Call, start: int) -> int:
        """Read one part and return the position after it."""
        if self.unescaped_at(start) == "[":
            for mark, take in ((":", self.take_class), ("=", self.take_equivalence)):
                if (
                    self.unescaped_at(start + 1) == mark
                    and (close := self.find_close(start + 2, mark)) >= 0
                ):
                    is_taken = take(sh, start + 2, close)
                    if is_taken:
                        return close + 2
            if (next_start := self.take_repeat(sh, start)) > start:
                return next_start
        low = self._chars[start][0]
        if self.unescaped_at(start + 1) == "-" and start + 2 < len(self._chars):
            high = self._chars[start + 2][0]
            if high < low:
                range_text = f"{printable_byte(low)}-{printable_byte(high)}"
                message = f"range-endpoints of '{range_text}' are in reverse collating"
                raise sh.fail(f"{message} sequence order")
            self.parts.append(SetPart(bytes(range(low, high + 1))))
            return start + 3
        self.parts.append(SetPart(bytes([low])))
        return start + 1

    def find_close(self, start: int, mark: str) -> int:
        """Return the position of `:]` or `=]`, or -1."""
        for position in range(start, len(self._chars) - 1):
            if self.unescaped_at(position) == mark and self.unescaped_at(position + 1) == "]":
                return position
        return -1

    def text_between(self, start: int, close: int) -> str:
        return "".join(chr(byte) for byte, _ in self._chars[start:close])

    def take_class(self, sh: Call, start: int, close: int) -> bool:
        """Take `[:alpha:]`; return False if it is a repeat of a colon."""
        name = self.text_between(start, close)
        if not name:
            raise sh.fail("missing character class name '[::]'")
        if name not in BYTE_CLASSES:
            if self.repeat_end(start) >= 0:
                return False
            raise sh.fail(f"invalid character class {locale_quoted_text(text_of_octets(name))}")
        self.parts.append(SetPart(BYTE_CLASSES[name], name))
        return True

    def take_equivalence(self, sh: Call, start: int, close: int) -> bool:
        """Take `[=c=]`, which means only the character itself."""
        inside = self.text_between(start, close)
        if not inside:
            raise sh.fail("missing equivalence class character '[==]'")
        if len(inside) > 1:
            if self.repeat_end(start) >= 0:
                return False
            operand = text_of_octets(inside)
            message = f"{operand}: equivalence class operand must be a single character"
            raise sh.fail(message)
        part = SetPart(inside.encode("latin-1"))
        part.is_equivalence = True
        self.parts.append(part)
        return True

    def repeat_end(self, star: int) -> int:
        """Return the position of `]` of a repeat with its star at `star`, or -1."""
        if self.unescaped_at(star) != "*":
            return -1
        for position in range(star + 1, len(self._chars)):
            if self.unescaped_at(position) == "]":
                return position
            if self._chars[position][1]:
                return -1
        return -1

    def take_repeat(self, sh: Call, start: int) -> int:
        """Take `[c*]` or `[c*N]` and return the position after it, or else `start`."""
        close = self.repeat_end(start + 2)
        if close < 0:
            return start
        digits = self.text_between(start + 3, close)
        base = 8 if digits.startswith("0") else 10
        allowed = OCTAL_DIGITS if base == 8 else "0123456789"
        if digits.strip(allowed):
            shown = locale_quoted_text(text_of_octets(digits))
            raise sh.fail(f"invalid repeat count {shown} in [c*n] construct")
        count = int(digits or "0", base) if len(digits) < 20 else 1 << 63
        part = SetPart(bytes([self._chars[start + 1][0]]) * min(count, 1 << 16))
        part.fills = not count
        if part.fills:
            part.bytes = bytes([self._chars[start + 1][0]])
        self.parts.append(part)
        return close + 1


def set_characters(sh: Call, text: str) -> list[tuple[int, bool]]:
    """Return the bytes of a set, each with whether it was escaped."""
    result = []
    position = 0
    while position < len(text):
        if text[position] != "\\":
            result.append((ord(text[position]), False))
            position += 1
            continue
        position += 1
        if position == len(text):
            sh.note("warning: an unescaped backslash at end of string is not portable")
            result.append((92, False))
        elif text[position] in OCTAL_DIGITS:
            digits = text[position : position + 3]
            digits = digits[: len(digits) - len(digits.lstrip(OCTAL_DIGITS))]
            if int(digits, 8) > 255:
                message = f"the ambiguous octal escape \\{digits} is being\n\tinterpreted as the"
                byte, last_digit = digits[:2], digits[2]
                sh.note(f"warning: {message} 2-byte sequence \\0{byte}, {last_digit}")
                digits = byte
            result.append((int(digits, 8), True))
            position += len(digits)
        else:
            result.append((BYTE_ESCAPES.get(text[position], ord(text[position])), True))
            position += 1
    return result


def printable_byte(byte: int) -> str:
    """Format a byte for a message."""
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def parse_sets(sh: Call, texts: list[str]) -> tuple[list[SetPart], list[SetPart]]:
    """Return the parts of both sets."""
    first, second = [*(SetParser(sh, text).parts for text in texts), []][:2]
    if any(part.fills for part in first):
        raise sh.fail("the [c*] repeat construct may not appear in string1")
    if sum(part.fills for part in second) > 1:
        raise sh.fail("only one [c*] repeat construct may appear in string2")
    return first, second


def set_members(parts: list[SetPart], is_complement: bool) -> bytes:
    """Return the bytes of a set, or of its complement."""
    included = all_bytes(parts)
    if not is_complement:
        return included
    return bytes(byte for byte in range(256) if byte not in included)


def all_bytes(parts: list[SetPart]) -> bytes:
    return b"".join(part.bytes for part in parts)


def translation_table(
    sh: Call, first: list[SetPart], second: list[SetPart], is_complement: bool, truncates: bool
) -> bytes:
    """Return the table that maps SET1 to SET2."""
    if any(part.is_equivalence for part in second):
        raise sh.fail("[=c=] expressions may not appear in string2 when translating")
    if any(part.name not in ("", "upper", "lower") for part in second):
        message = "when translating, the only character classes that may appear in"
        raise sh.fail(f"{message}\nstring2 are 'upper' and 'lower'")
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
            message = "when translating with string1 longer than string2,"
            raise sh.fail(f"{message}\nthe latter string must not end with a character class")
        target = target.ljust(len(source), target[-1:])
    maps_to_one = len(target) == len(source) and len(set(target)) < 2
    if is_complement and any(part.name for part in first) and not maps_to_one:
        message = "when translating with complemented character classes,"
        raise sh.fail(f"{message}\nstring2 must map all characters in the domain to one")
    table = bytearray(range(256))
    for old, new in zip(source, target, strict=False):
        table[old] = new
    return bytes(table)


def check_case_classes(sh: Call, first: list[SetPart], second: list[SetPart]) -> None:
    """Refuse a case class in SET2 without one at the same position in SET1."""
    starts, position = set[int](), 0
    for part in first:
        if part.name in ("upper", "lower"):
            starts.add(position)
        position += len(part.bytes)
    size, position = position, 0
    for part in second:
        if part.name and position < size and position not in starts:
            raise sh.fail("misaligned [:upper:] and/or [:lower:] construct")
        position += len(part.bytes)
