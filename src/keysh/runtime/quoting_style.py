"""Quoting in a style: literal, shell, shell-always, shell-escape, c, escape, locale and kin."""

from __future__ import annotations

from keysh.runtime.quoting import is_printed, quoted
from keysh.text.lines import encoded

C_ESCAPES = {
    "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v",
    "\\": "\\\\",
}  # fmt: skip
CLOSING = "\N{RIGHT SINGLE QUOTATION MARK}"  # with which the locale ends a quotation
SHELL_SPECIAL = frozenset(" !\"$&'()*;<=>?[\\^`|\t\n")


def written(name: str, style: str, hides_controls: bool = False, more: str = "") -> str:
    """A name in a style of quoting, in which `more` characters are special."""
    if style in ("c", "escape"):
        return escaped(name, style == "c", special=('"' if style == "c" else " ") + more)
    if style == "locale":
        inside = escaped(name, False, special=CLOSING + more)
        return f"\N{LEFT SINGLE QUOTATION MARK}{inside}{CLOSING}"
    if style == "shell-escape":
        # The message's style also quotes what is only odd there.
        return quoted(name) if needs_quotes(name, more) else name
    if style == "shell-escape-always":
        return quoted(name)
    is_quoted = style == "shell-always" or (
        style == "shell" and needs_quotes(name, more, escapes=False)
    )
    if hides_controls:
        name = "".join(char if is_printed(char) else "?" * len(encoded(char)) for char in name)
    return quoted_plainly(name) if is_quoted else name


def needs_quotes(name: str, more: str = "", *, escapes: bool = True) -> bool:
    """Whether a shell would read a name as anything but itself, or one of `more` is in it.

    What is not printed needs them too, where it is escaped.
    """
    if not name or name[0] in "#~" or name in ("{", "}"):
        return True
    special = SHELL_SPECIAL.union(more) if more else SHELL_SPECIAL
    return any(char in special or (escapes and not is_printed(char)) for char in name)


def quoted_plainly(name: str) -> str:
    """A name between quotes, control characters as they are."""
    if "'" not in name:
        return f"'{name}'"
    if not any(char in '"$`\\!' for char in name):
        return f'"{name}"'
    return "'" + name.replace("'", "'\\''") + "'"


def escaped(name: str, has_quotes: bool, *, special: str) -> str:
    """A name with the escapes of C and those of what is special, maybe between double quotes."""
    made = []
    for char in name:
        if char in C_ESCAPES:
            made.append(C_ESCAPES[char])
        elif char in special:
            made.append(f"\\{char}")
        elif is_printed(char):
            made.append(char)
        else:
            made.append("".join(f"\\{byte:03o}" for byte in encoded(char)))
    text = "".join(made)
    return f'"{text}"' if has_quotes else text
