"""Quote strings so that a shell reads them back unchanged."""

from __future__ import annotations

SAFE_CHARACTERS = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"
)
# After the first character.
UNESCAPED_CHARACTERS = (SAFE_CHARACTERS - {","}) | {"~", "#"}
PLAIN_CHARACTERS = SAFE_CHARACTERS - set("@%+=:,")  # safe anywhere
SPECIAL_CHARACTERS = frozenset(" \t\n'\"\\|&;()<>!{}*[?]^$`")
NAMED_ESCAPES = {
    "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r",
    "\x1b": "\\E", "\\": "\\\\", "'": "\\'",
}  # fmt: skip


def quote(text: str) -> str:
    """Quote a string as one word of a script that keysh and bash read back unchanged.

    keysh.quote("it's") is "'it'\\''s'", and keysh.quote("a.txt") needs no quotes. Raises ValueError
    for a NUL, which no word can hold.
    """
    if "\0" in text:
        raise ValueError("a word cannot hold a NUL character")
    if text and PLAIN_CHARACTERS.issuperset(text) and not text.startswith(("-", "...")):
        return text
    return quoted_text(text)


def quoted_if_needed(text: str) -> str:
    """Quote a string as `set` lists it: only if a shell would read it differently."""
    if text and not is_special(text) and is_printable_text(text):
        return text
    return quoted_text(text)


def traced_text(text: str) -> str:
    """Quote a string as `set -x` shows it: in single quotes wherever they suffice."""
    return single_quoted_text(text) if text and is_special(text) else quoted_if_needed(text)


def is_special(text: str) -> bool:
    """Whether a shell would read a string differently without quotes."""
    if not SPECIAL_CHARACTERS.isdisjoint(text) or text[0] in "~#":
        return True
    return "=~" in text or ":~" in text


def quoted_text(text: str) -> str:
    r"""Quote a string as `${x@Q}` and `declare -p` do: 'a b', or $'a\nb'."""
    return single_quoted_text(text) if is_printable_text(text) else ansi_quoted_text(text)


def single_quoted_text(text: str) -> str:
    """Put a string in single quotes. A lone quote is escaped instead, as in bash."""
    if text == "'":
        return "\\'"
    return "'" + text.replace("'", "'\\''") + "'"


def is_printable_text(text: str) -> bool:
    """Whether a string needs no escapes within single quotes."""
    return text.isprintable() or not any(needs_escape(char) for char in text)


def needs_escape(char: str) -> bool:
    return char < " " or char == "\x7f" or 0xDC80 <= ord(char) <= 0xDCFF


def ansi_quoted_text(text: str) -> str:
    """Quote a string as `$'…'`."""
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
    """Put a string in double quotes, as `declare -p` shows values: "a b"."""
    if not is_printable_text(text):
        return ansi_quoted_text(text)
    for char in '\\"$`':
        text = text.replace(char, "\\" + char)
    return f'"{text}"'


def backslash_escaped(text: str) -> str:
    """Escape a string with backslashes, as `printf %q` does."""
    if not text:
        return "''"
    if not is_printable_text(text):
        return ansi_quoted_text(text)
    pieces = [char if char in UNESCAPED_CHARACTERS or char > "~" else f"\\{char}" for char in text]
    # A tilde is special at the start of a word and after `:` or `=`.
    for i, char in enumerate(text):
        if char in "~#" and (not i or (char == "~" and text[i - 1] in ":=")):
            pieces[i] = f"\\{char}"
    return "".join(pieces)
