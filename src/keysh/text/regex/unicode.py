r"""Unicode properties of characters, by the names used in `\p{…}`."""

from __future__ import annotations

from bisect import bisect
from unicodedata import category

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Test: TypeAlias = Callable[[str], bool]

CATEGORY_NAMES = {
    "L": "Letter", "Lu": "Uppercase_Letter", "Ll": "Lowercase_Letter", "Lt": "Titlecase_Letter",
    "Lm": "Modifier_Letter", "Lo": "Other_Letter", "M": "Mark", "Mn": "Nonspacing_Mark",
    "Mc": "Spacing_Mark", "Me": "Enclosing_Mark", "N": "Number", "Nd": "Decimal_Number",
    "Nl": "Letter_Number", "No": "Other_Number", "P": "Punctuation", "Pc": "Connector_Punctuation",
    "Pd": "Dash_Punctuation", "Ps": "Open_Punctuation", "Pe": "Close_Punctuation",
    "Pi": "Initial_Punctuation", "Pf": "Final_Punctuation", "Po": "Other_Punctuation",
    "S": "Symbol", "Sm": "Math_Symbol", "Sc": "Currency_Symbol", "Sk": "Modifier_Symbol",
    "So": "Other_Symbol", "Z": "Separator", "Zs": "Space_Separator", "Zl": "Line_Separator",
    "Zp": "Paragraph_Separator", "Cc": "Control", "Cf": "Format",
}  # fmt: skip

# The characters of scripts, from Unicode's Scripts.txt.
SCRIPT_RANGES = {
    "Armenian": "531-556 559-58a 58d-58f fb13-fb17",
    "Cyrillic": "400-484 487-52f 1c80-1c88 1d2b 1d78 2de0-2dff a640-a69f fe2e-fe2f 1e030-1e06d"
    " 1e08f",
    "Devanagari": "900-950 955-963 966-97f a8e0-a8ff 11b00-11b09",
    "Georgian": "10a0-10c5 10c7 10cd 10d0-10fa 10fc-10ff 1c90-1cba 1cbd-1cbf 2d00-2d25 2d27 2d2d",
    "Greek": "370-373 375-377 37a-37d 37f 384 386 388-38a 38c 38e-3a1 3a3-3e1 3f0-3ff 1d26-1d2a"
    " 1d5d-1d61 1d66-1d6a 1dbf 1f00-1f15 1f18-1f1d 1f20-1f45 1f48-1f4d 1f50-1f57 1f59 1f5b 1f5d"
    " 1f5f-1f7d 1f80-1fb4 1fb6-1fc4 1fc6-1fd3 1fd6-1fdb 1fdd-1fef 1ff2-1ff4 1ff6-1ffe 2126 ab65"
    " 10140-1018e 101a0 1d200-1d245",
    "Han": "2e80-2e99 2e9b-2ef3 2f00-2fd5 3005 3007 3021-3029 3038-303b 3400-4dbf 4e00-9fff"
    " f900-fa6d fa70-fad9 16fe2-16fe3 16ff0-16ff1 20000-2a6df 2a700-2b739 2b740-2b81d 2b820-2cea1"
    " 2ceb0-2ebe0 2f800-2fa1d 30000-3134a 31350-323af",
    "Hangul": "1100-11ff 302e-302f 3131-318e 3200-321e 3260-327e a960-a97c ac00-d7a3 d7b0-d7c6"
    " d7cb-d7fb ffa0-ffbe ffc2-ffc7 ffca-ffcf ffd2-ffd7 ffda-ffdc",
    "Hebrew": "591-5c7 5d0-5ea 5ef-5f4 fb1d-fb36 fb38-fb3c fb3e fb40-fb41 fb43-fb44 fb46-fb4f",
    "Hiragana": "3041-3096 309d-309f 1b001-1b11f 1b132 1b150-1b152 1f200",
    "Katakana": "30a1-30fa 30fd-30ff 31f0-31ff 32d0-32fe 3300-3357 ff66-ff6f ff71-ff9d"
    " 1aff0-1aff3 1aff5-1affb 1affd-1affe 1b000 1b120-1b122 1b155 1b164-1b167",
    "Latin": "41-5a 61-7a aa ba c0-d6 d8-f6 f8-2b8 2e0-2e4 1d00-1d25 1d2c-1d5c 1d62-1d65 1d6b-1d77"
    " 1d79-1dbe 1e00-1eff 2071 207f 2090-209c 212a-212b 2132 214e 2160-2188 2c60-2c7f a722-a787"
    " a78b-a7ca a7d0-a7d1 a7d3 a7d5-a7d9 a7f2-a7ff ab30-ab5a ab5c-ab64 ab66-ab69 fb00-fb06"
    " ff21-ff3a ff41-ff5a 10780-10785 10787-107b0 107b2-107ba 1df00-1df1e 1df25-1df2a",
    "Thai": "e01-e3a e40-e5b",
}  # fmt: skip


def category_test(*beginnings: str) -> Test:
    """Return a test whether a character's category starts with one of some prefixes."""
    return lambda char: category(char).startswith(beginnings)


def range_test(text: str) -> Test:
    """Return a test whether a character is in sorted ranges: after an odd number of borders."""
    borders: list[int] = []
    for piece in text.split():
        first, _, last = piece.partition("-")
        borders += [int(first, 16), int(last or first, 16) + 1]
    return lambda char: bisect(borders, ord(char)) % 2 == 1


is_word_character = category_test("L", "M", "Nd", "Nl", "Pc")

PROPERTIES: dict[str, Test] = {
    **{short: category_test(short) for short in CATEGORY_NAMES},
    **{name: range_test(text) for name, text in SCRIPT_RANGES.items()},
    "Alnum": category_test("L", "Nd", "Nl", "Mc"),
    "Alpha": category_test("L", "Nl", "Mc"),
    "ASCII": str.isascii,
    "Assigned": category_test("L", "M", "N", "P", "S", "Z", "Cc", "Cf", "Cs", "Co"),
    "Blank": lambda char: char == "\t" or category(char) == "Zs",
    "Cased_Letter": category_test("Lu", "Ll", "Lt"),
    "Graph": category_test("L", "M", "N", "P", "S", "Cf", "Co"),
    "Lower": str.islower,
    "Print": category_test("L", "M", "N", "P", "S", "Zs", "Cf", "Co"),
    "Punct": category_test("P"),
    "Space": lambda char: char.isspace() and not "\x1c" <= char <= "\x1f",
    "Upper": str.isupper,
    "Word": lambda char: is_word_character(char) or char in "²³¹¼½¾",
    "XDigit": lambda char: char in "0123456789abcdefABCDEF",
}

# Property names without punctuation and case; for each, the property and whether it is inverted.
PROPERTY_NAMES: dict[str, tuple[str, bool]] = {
    name.replace("_", "").lower(): (short, False)
    for names in (CATEGORY_NAMES.items(), zip(PROPERTIES, PROPERTIES, strict=True))
    for short, long in names
    for name in (short, long)
} | {
    "alphabetic": ("Alpha", False), "cntrl": ("Cc", False), "digit": ("Nd", False),
    "lc": ("Cased_Letter", False), "lowercase": ("Lower", False), "uppercase": ("Upper", False),
    "whitespace": ("Space", False), "c": ("Visible", True), "other": ("Visible", True),
    "cn": ("Assigned", True), "unassigned": ("Assigned", True),
}  # fmt: skip

# Properties without a name in `\p{…}`: all but `\p{C}`, and `[[:punct:]]`.
PROPERTIES["Visible"] = category_test("L", "M", "N", "P", "S", "Z")
PROPERTIES["Marks"] = category_test("P", "S")
