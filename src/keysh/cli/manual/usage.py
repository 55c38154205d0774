"""Outline: the program's options and subcommands, read from its usage texts.

A usage text has forms, one a line up to the first empty line, and then rows: a head, two blanks or
more, and its help. An indented row belongs to the subcommand above it. The forms tell which options
a subcommand has, the rows what they do.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ROW = re.compile(r"( *)(\S+(?: \S+)*) {2,}(\S.*)")
CONTINUED = re.compile(r"\n {8,}(?=\S)")  # a row's help that goes on in the next line
OPTION = re.compile(r"--?[A-Za-z][a-z-]*")
VALUE = re.compile(r"(\[?)=?([A-Z][^]]*)")


class Option:
    """One spelling of an option. `value` is what it takes, such as `DIR`; empty for a flag."""

    __slots__ = ("help", "is_optional", "name", "value")

    def __init__(self, name: str, value: str, is_optional: bool, help: str) -> None:
        self.name, self.value, self.is_optional, self.help = name, value, is_optional, help


class Outline:
    """What usage texts say.

    forms     how the program is called
    rows      head and help, in the order of the text
    prose     the lines that are no rows
    commands  the subcommands and their help
    options   for each subcommand its options; for "" those of a run
    """

    __slots__ = ("commands", "forms", "options", "prose", "rows")

    def __init__(self, texts: Sequence[str]) -> None:
        self.forms: list[str] = []
        self.rows: list[tuple[str, str]] = []
        self.prose: list[str] = []
        self.commands: dict[str, str] = {}
        self.options: dict[str, list[Option]] = {"": []}
        found: dict[str, Option] = {}
        for text in texts:
            head, _, body = text.partition("\n\n")
            self.forms += [line.removeprefix("usage:").strip() for line in head.splitlines()]
            for line in CONTINUED.sub(" ", body).splitlines():
                self._read(line, found)
        for form in self.forms:
            name = form.split()[1]
            if name in self.commands or name.startswith("-"):
                listed = self.options.setdefault("" if name.startswith("-") else name, [])
                listed += [found[option] for option in OPTION.findall(form) if option in found]
                if name in self.commands and "OPTION…" in form:
                    listed += [one for one in self.options[""] if one.name.startswith("--")]

    def _read(self, line: str, found: dict[str, Option]) -> None:
        """Take in one line of a body."""
        match = ROW.fullmatch(line)
        if match is None:
            self.prose.append(line)
            return
        indent, head, told = match.groups()
        self.rows.append((indent + head, told))
        if not head.startswith("-"):
            self.commands[head] = told
            return
        value = VALUE.search(head)
        for name in OPTION.findall(head):
            option = Option(name, value[2] if value else "", bool(value and value[1]), told)
            found[name] = option
            if not self.commands:
                self.options[""].append(option)
