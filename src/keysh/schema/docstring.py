"""Docstrings: the help that a user reads, with a row for each parameter.

files ...                files to read                     operands
-n, --lines NUM          print NUM lines                   options, with any number of names
--color[=WHEN]           color the output                  an option with an optional value
"""

from __future__ import annotations


class HelpRow:
    """One row: a parameter's names, whether a value follows, and the text."""

    __slots__ = ("head", "is_repeated", "letters", "metavar", "text", "value_is_optional", "words")

    def __init__(
        self,
        letters: tuple[str, ...],
        words: tuple[str, ...],
        *,
        metavar: str = "",
        value_is_optional: bool = False,
        is_repeated: bool = False,
    ) -> None:
        self.letters, self.words, self.metavar = letters, words, metavar
        self.value_is_optional, self.is_repeated = value_is_optional, is_repeated
        self.head = self.text = ""

    @property
    def is_option(self) -> bool:
        """Whether the row describes an option."""
        return self.head.startswith("-")

    def note_after(self, opening: str) -> str | None:
        """Return what follows an opening in parentheses: "1" of `(at least 1)`."""
        _, found, rest = self.text.partition(f"({opening}")
        inside, closed, _ = rest.partition(")")
        return inside.strip() if found and closed else None


def dedented_lines(text: str) -> list[str]:
    """Return a docstring's lines without the code's indentation."""
    lines = text.expandtabs().strip().split("\n")
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(margins, default=0)
    return [lines[0].strip(), *(line[margin:].rstrip() for line in lines[1:])]


def help_rows(lines: list[str]) -> list[HelpRow]:
    """Return the rows among a docstring's lines; an indented line continues the row above it."""
    rows: list[HelpRow] = []
    is_open = False
    for line in lines[1:]:
        if line.startswith(" "):
            if is_open:
                rows[-1].text = f"{rows[-1].text} {line.strip()}".lstrip()
            continue
        head, gap, text = line.partition("  ")
        if line.startswith("-"):
            row = parse_option_row(head)
        else:
            row = parse_operand_row(head) if gap else None
        is_open = row is not None
        if row is not None:
            row.head, row.text = head, text.strip()
            rows.append(row)
    return rows


def parse_option_row(head: str) -> HelpRow | None:
    """Parse `-n, --lines NUM`, `-R, -r, --recursive` or `-i, --in-place[=SUFFIX]`."""
    letters, words, metavar, value_is_optional = [], [], "", False
    for shown in head.split(", "):
        name, bracket, value = shown.partition("[=")
        if bracket:
            value_is_optional, value = True, value.removesuffix("]")
        else:
            name, _, value = shown.replace("=", " ", 1).partition(" ")
        if name.startswith("--") and name[2:3] not in ("", "-"):  # `-----` underlines a heading
            words.append(name)
        elif name.startswith("-") and len(name) == 2 and name != "--":
            letters.append(name[1])
        else:
            return None
        metavar = value or metavar
    if " " in metavar and not (metavar.isupper() and metavar.count(" ") == 1):  # `NAME TEXT`
        return None
    return HelpRow(
        tuple(letters), tuple(words), metavar=metavar, value_is_optional=value_is_optional
    )


def parse_operand_row(head: str) -> HelpRow | None:
    """Parse `file` or `files ...`."""
    word, _, dots = head.partition(" ")
    if not word.isidentifier() or dots not in ("", "..."):
        return None
    return HelpRow((), (word,), is_repeated=bool(dots))
