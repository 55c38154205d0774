"""Shell words: texts quoted so that a shell reads them back."""

from __future__ import annotations

SAFE_CHARACTERS = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"
)
UNESCAPED_CHARACTERS = (SAFE_CHARACTERS - {","}) | {
    "~",
    "#",
}  # what stands as it is behind the first character
PLAIN_CHARACTERS = SAFE_CHARACTERS - set("@%+=:,")  # what is one word wherever it stands
SPECIAL_CHARACTERS = frozenset(" \t\n'\"\\|&;()<>!{}*[?]^$`")
NAMED_ESCAPES = {
    "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r",
    "\x1b": "\\E", "\\": "\\\\", "'": "\\'",
}  # fmt: skip


def quote(text: str) -> str:
    """A text as one word of a script: keysh and bash read it back just as it is.

    keysh.quote("it's") is "'it'\\''s'", and keysh.quote("a.txt") needs no quotes. ValueError for a
    NUL, which no word holds.
    """
    if "\0" in text:
        raise ValueError("a word cannot hold a NUL character")
    if text and PLAIN_CHARACTERS.issuperset(text) and not text.startswith(("-", "...")):
        return text
    return quoted_text(text)


def quoted_if_needed(text: str) -> str:
    """A text as `set` lists it: quoted only where a shell would read it otherwise."""
    if text and not is_special(text) and is_printable_text(text):
        return text
    return quoted_text(text)


def traced_text(text: str) -> str:
    """A text as `set -x` shows it: what single quotes can make safe stands in them as it is."""
    return single_quoted_text(text) if text and is_special(text) else quoted_if_needed(text)


def is_special(text: str) -> bool:
    """Whether a shell would read a text otherwise where it stands without quotes."""
    if not SPECIAL_CHARACTERS.isdisjoint(text) or text[0] in "~#":
        return True
    return "=~" in text or ":~" in text


def quoted_text(text: str) -> str:
    """A text in quotes, as `${x@Q}` and `declare -p` have it: 'a b', or $'a\\nb'."""
    return single_quoted_text(text) if is_printable_text(text) else ansi_quoted_text(text)


def single_quoted_text(text: str) -> str:
    """A text in single quotes, whatever it holds; a quote alone is escaped, as bash does."""
    if text == "'":
        return "\\'"
    return "'" + text.replace("'", "'\\''") + "'"


def is_printable_text(text: str) -> bool:
    """Whether single quotes can hold a text so that it can be read."""
    return text.isprintable() or not any(needs_escape(char) for char in text)


def needs_escape(char: str) -> bool:
    return char < " " or char == "\x7f" or 0xDC80 <= ord(char) <= 0xDCFF


def ansi_quoted_text(text: str) -> str:
    """A text as `$'…'`."""
    pieces: list[str] = []
    for char in text:
        if char in NAMED_ESCAPES:
            pieces.append(NAMED_ESCAPES[char])
        elif needs_escape(char):
            pieces.append(f"\\{ord(char) & 0xFF:03o}")
        else:
            pieces.append(char)
    return f"$'{''.join(pieces)}'"


def double_quoted_text(text: str) -> str:
    """A text in double quotes, as `declare -p` shows values: "a b"."""
    if not is_printable_text(text):
        return ansi_quoted_text(text)
    for char in '\\"$`':
        text = text.replace(char, "\\" + char)
    return f'"{text}"'


def backslash_escaped(text: str) -> str:
    """A text with backslashes, as `printf %q` writes it."""
    if not text:
        return "''"
    if not is_printable_text(text):
        return ansi_quoted_text(text)
    pieces = [char if char in UNESCAPED_CHARACTERS or char > "~" else f"\\{char}" for char in text]
    # A tilde means something at the start of a word, and of what follows these two.
    for i, char in enumerate(text):
        if char in "~#" and (not i or (char == "~" and text[i - 1] in ":=")):
            pieces[i] = f"\\{char}"
    return "".join(pieces)
