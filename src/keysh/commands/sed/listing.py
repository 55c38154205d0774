"""`l`: a line with all that is not plain ASCII escaped, folded where it is long."""

from __future__ import annotations

from keysh.text.lines import encoded

ESCAPES = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 92: "\\\\"}


def listed(text: str, width: int, end: str) -> str:
    """The line with a `$` at its end; a width of 0 folds nothing, `end` ends the folds."""
    folded: list[str] = []
    line: list[str] = []
    length = 0
    for byte in encoded(text):
        is_plain = 32 <= byte < 127 and byte != 92
        shown = chr(byte) if is_plain else ESCAPES.get(byte) or f"\\{byte:03o}"
        if width and length + len(shown) > width - 1:
            folded.append("".join([*line, f"\\{end}"]))
            line.clear()
            length = 0
        line.append(shown)
        length += len(shown)
    return "".join([*folded, *line, "$"])
