"""Quote names as GNU's messages and the quoting styles of ls do."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text

# Characters that keep GNU from using double quotes.
UNSAFE_CHARACTERS = '!"$&()*;<=>?[\\^`|{}'
UNSAFE_LATER_CHARACTERS = frozenset(UNSAFE_CHARACTERS + "#~")
QUOTED_CHARACTERS = frozenset(UNSAFE_CHARACTERS[:-2] + " ':")
CONTROL_ESCAPES = {
    "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r",
}  # fmt: skip


def quoted_name(name: str) -> str:
    r"""Quote a name as GNU's messages do: always in quotes, and on one line.

    'name', "it's", 'a'$'\n''b' (gnulib's shell-escape-always)
    """
    if "'" not in name and name.isprintable():
        return f"'{name}'"
    if "'" in name and fits_double_quotes(name):
        return f'"{name}"'
    pieces = ["'"]
    is_escaping = False
    for char in name:
        if char == "'":
            is_escaping = False
            pieces.append("'\\''")
        elif is_c_printable(char):
            pieces.append(f"''{char}" if is_escaping else char)
            is_escaping = False
        else:
            octal = "".join(f"\\{byte:03o}" for byte in bytes_of_text(char))
            pieces.append(("" if is_escaping else "'$'") + CONTROL_ESCAPES.get(char, octal))
            is_escaping = True
    return "".join(pieces) + "'"


def locale_quoted_text(text: str) -> str:
    """Quote a string that is no name as GNU's messages do, with backslashes (gnulib's locale)."""
    pieces = []
    for char in text:
        if char in "\\'":
            pieces.append(f"\\{char}")
        elif is_c_printable(char):
            pieces.append(char)
        else:
            octal = "".join(f"\\{byte:03o}" for byte in bytes_of_text(char))
            pieces.append(CONTROL_ESCAPES.get(char, octal))
    return f"'{''.join(pieces)}'"


def fits_double_quotes(name: str) -> bool:
    """Whether GNU puts a name with a single quote between double quotes."""
    is_safe = name[0] not in UNSAFE_CHARACTERS and UNSAFE_LATER_CHARACTERS.isdisjoint(name[1:])
    return is_safe and has_only_printed(name)


def message_name(name: str) -> str:
    """Return a name as GNU's messages start with it, quoted only if needed.

    That is gnulib's shell-escape, with colons quoted too.
    """
    is_plain = name and name[0] not in "#~" and name not in ("{", "}")
    if is_plain and QUOTED_CHARACTERS.isdisjoint(name) and has_only_printed(name):
        return name
    return quoted_name(name)


def shell_message_name(name: str) -> str:
    """Return a name for the shell's own messages, quoted only if it is unreadable."""
    return name if name.isprintable() and name else quoted_name(name)


def has_only_printed(text: str) -> bool:
    """Whether the C library considers all characters printable."""
    return text.isprintable() or all(map(is_c_printable, text))


def is_c_printable(char: str) -> bool:
    """Whether the C library considers a character printable; Python is stricter."""
    if char.isprintable():
        return True
    from keysh.diagnostics import width  # noqa: PLC0415 - only for odd names

    return width.is_printed(char)


# Quoting styles: literal, shell, shell-always, shell-escape, c, escape, locale …

C_ESCAPES = {
    "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v",
    "\\": "\\\\",
}  # fmt: skip
CLOSING_QUOTE = "\N{RIGHT SINGLE QUOTATION MARK}"
SHELL_SPECIAL = frozenset(" !\"$&'()*;<=>?[\\^`|\t\n")


def styled_name(name: str, style: str, hides_controls: bool = False, more: str = "") -> str:
    """Quote a name in a style; the characters in `more` are special too."""
    if style in ("c", "escape"):
        return c_escaped_name(name, style == "c", special=('"' if style == "c" else " ") + more)
    if style == "locale":
        escaped = c_escaped_name(name, False, special=CLOSING_QUOTE + more)
        return f"\N{LEFT SINGLE QUOTATION MARK}{escaped}{CLOSING_QUOTE}"
    if style == "shell-escape":
        # quoted_name alone would quote harmless names too.
        return quoted_name(name) if needs_quotes(name, more) else name
    if style == "shell-escape-always":
        return quoted_name(name)
    is_quoted = style == "shell-always" or (
        style == "shell" and needs_quotes(name, more, escapes=False)
    )
    if hides_controls:
        name = "".join(
            char if is_c_printable(char) else "?" * len(bytes_of_text(char)) for char in name
        )
    return single_quoted_name(name) if is_quoted else name


def needs_quotes(name: str, more: str = "", *, escapes: bool = True) -> bool:
    """Whether a name needs quotes: it is special to a shell, or contains one of `more`.

    With `escapes`, so do unprintable characters.
    """
    if not name or name[0] in "#~" or name in ("{", "}"):
        return True
    special = SHELL_SPECIAL.union(more) if more else SHELL_SPECIAL
    return any(char in special or (escapes and not is_c_printable(char)) for char in name)


def single_quoted_name(name: str) -> str:
    """Return a name in quotes, with control characters unchanged."""
    if "'" not in name:
        return f"'{name}'"
    if not any(char in '"$`\\!' for char in name):
        return f'"{name}"'
    return "'" + name.replace("'", "'\\''") + "'"


def c_escaped_name(name: str, has_quotes: bool, *, special: str) -> str:
    """Escape a name as in C, with `special` characters escaped too."""
    pieces = []
    for char in name:
        if char in C_ESCAPES:
            pieces.append(C_ESCAPES[char])
        elif char in special:
            pieces.append(f"\\{char}")
        elif is_c_printable(char):
            pieces.append(char)
        else:
            pieces.append("".join(f"\\{byte:03o}" for byte in bytes_of_text(char)))
    text = "".join(pieces)
    return f'"{text}"' if has_quotes else text
