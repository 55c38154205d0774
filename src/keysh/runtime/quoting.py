"""Quoting: how GNU's messages show the name of a file."""

from __future__ import annotations

from keysh.text.lines import encoded

# What GNU does not put between double quotes.
AWKWARD = '!"$&()*;<=>?[\\^`|{}'
AWKWARD_LATER = AWKWARD + "#~"
SPECIAL = AWKWARD[:-2] + " ':"
ESCAPES = {
    "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r",
}  # fmt: skip


def quoted(name: str) -> str:
    """A name as GNU's messages quote it: always in quotes, and on one line.

    'name', "it's", 'a'$'\\n''b' (gnulib's shell-escape-always)
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
        elif is_printed(char):
            pieces.append(f"''{char}" if is_escaping else char)
            is_escaping = False
        else:
            octal = "".join(f"\\{byte:03o}" for byte in encoded(char))
            pieces.append(("" if is_escaping else "'$'") + ESCAPES.get(char, octal))
            is_escaping = True
    return "".join(pieces) + "'"


def locale_quoted(text: str) -> str:
    """A text that is no name as GNU's messages quote it: with backslashes (gnulib's locale)."""
    pieces = []
    for char in text:
        if char in "\\'":
            pieces.append(f"\\{char}")
        elif is_printed(char):
            pieces.append(char)
        else:
            octal = "".join(f"\\{byte:03o}" for byte in encoded(char))
            pieces.append(ESCAPES.get(char, octal))
    return f"'{''.join(pieces)}'"


def fits_double_quotes(name: str) -> bool:
    """Whether GNU puts a name that holds a single quote between double ones."""
    is_tame = name[0] not in AWKWARD and not any(char in AWKWARD_LATER for char in name[1:])
    return is_tame and all(map(is_printed, name))


def shown(name: str) -> str:
    """A name as GNU's messages begin with it: in quotes where a shell would need them, or a reader.

    That is shell-escape, where a colon too is quoted.
    """
    is_plain = name and name[0] not in "#~" and name not in ("{", "}")
    if is_plain and not any(char in SPECIAL for char in name) and all(map(is_printed, name)):
        return name
    return quoted(name)


def printable(name: str) -> str:
    """A name as the shell's own messages have it: in quotes where it could not be read."""
    return name if name.isprintable() and name else quoted(name)


def is_printed(char: str) -> bool:
    """Whether the C library calls a character printable: Python is stricter."""
    if char.isprintable():
        return True
    from keysh.text import width  # noqa: PLC0415 - only for names that are odd

    return width.is_printed(char)
