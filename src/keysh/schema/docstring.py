"""Docstrings: the help that a user reads, and its rows, which describe one parameter each.

files ...                files to read                     operands
-n, --lines NUM          how many lines to print           options, with any number of names
--color[=WHEN]           when to color the output          the value may be left out
"""

from __future__ import annotations


class HelpRow:
    """One row: the names it gives, whether a value follows them, and its text."""

    __slots__ = ("is_repeated", "letters", "metavar", "head", "text", "value_is_optional", "words")

    def __init__(
        self,
        letters: tuple[str, ...],
        words: tuple[str, ...],
        *,
        metavar: str = "",
        value_is_optional: bool = False,
        has_dots: bool = False,
    ) -> None:
        self.letters, self.words, self.metavar = letters, words, metavar
        self.value_is_optional, self.is_repeated = value_is_optional, has_dots
        self.head = self.text = ""

    @property
    def is_option(self) -> bool:
        """Whether dashes make it one."""
        return self.head.startswith("-")

    def note_after(self, opening: str) -> str | None:
        """What the text says in parentheses behind `opening`, as in `(at least 1)`."""
        _, found, behind = self.text.partition(f"({opening}")
        inside, closed, _ = behind.partition(")")
        return inside.strip() if found and closed else None


def dedented_lines(text: str) -> list[str]:
    """A docstring's lines without the indentation that the code gives them."""
    lines = text.expandtabs().strip().split("\n")
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(margins, default=0)
    return [lines[0].strip(), *(line[margin:].rstrip() for line in lines[1:])]


def help_rows(lines: list[str]) -> list[HelpRow]:
    """The rows of a docstring's lines; indented lines below one continue its text."""
    found: list[HelpRow] = []
    is_open = False
    for line in lines[1:]:
        if line.startswith(" "):
            if is_open:
                found[-1].text = f"{found[-1].text} {line.strip()}".lstrip()
            continue
        head, gap, text = line.partition("  ")
        row = (
            parse_option_row(head)
            if line.startswith("-")
            else parse_operand_row(head)
            if gap
            else None
        )
        is_open = row is not None
        if row is not None:
            row.head, row.text = head, text.strip()
            found.append(row)
    return found


def parse_option_row(head: str) -> HelpRow | None:
    """`-n, --lines NUM`, `-R, -r, --recursive`, `-i, --in-place[=SUFFIX]`."""
    letters, words, metavar, value_is_optional = [], [], "", False
    for shown in head.split(", "):
        name, bracket, value = shown.partition("[=")
        if bracket:
            value_is_optional, value = True, value.removesuffix("]")
        else:
            name, _, value = shown.replace("=", " ", 1).partition(" ")
        if name.startswith("--") and len(name) > 2:
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
    """`file`, or `files ...`."""
    word, _, dots = head.partition(" ")
    if not word.isidentifier() or dots not in ("", "..."):
        return None
    return HelpRow((), (word,), has_dots=bool(dots))
