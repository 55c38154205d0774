"""Docstrings of Google's, NumPy's and Sphinx's style, and parameters that none describes.

Both become rows of keysh's style, so that help, completion and JSON Schema have one source.
"""

from __future__ import annotations

import re

from keysh.schema.docstring import HelpRow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.schema.command import Command, CommandParameter

GOOGLE_HEADING = re.compile(r"(Args|Arguments|Parameters|Keyword Args|Keyword Arguments):")
GOOGLE_ENTRY = re.compile(r"\*{0,2}(?P<name>\w+)\s*(\([^)]*\))?\s*:\s*(?P<text>.*)")
NUMPY_HEADING = re.compile(r"(Other )?Parameters")
NUMPY_ENTRY = re.compile(r"(?P<names>\*{0,2}\w+(\s*,\s*\*{0,2}\w+)*)\s*(:.*)?")
SPHINX_ENTRY = re.compile(
    r":(param|parameter|arg|argument|key|keyword)\s+([^:]*\s)?\*{0,2}(?P<name>\w+):\s*(?P<text>.*)"
)
SPHINX_TYPE = re.compile(r":type\s+\w+:.*")
MIN_ROW_GAP = 2  # blanks between a row's head and its text


def complete_help(
    lines: list[str],
    rows: list[HelpRow],
    command: Command,
    hidden_names: tuple[str, ...],
    *,
    is_strict: bool,
) -> tuple[list[str], list[HelpRow]]:
    """Return a docstring with a row for each parameter of a command, and all its rows.

    `rows` are those that it has in keysh's style. With `is_strict` a parameter that the docstring
    does not describe gets none.
    """
    section = DescribedSection(lines)
    if section.texts:
        rows = []
    described = {word.lstrip("-").replace("-", "_") for row in rows for word in row.words[:1]}
    parameters = {parameter.key: parameter for parameter in command.parameters}
    texts = {name.rstrip("_") or name: text for name, text in section.texts.items()}
    added = []
    for parameter in command.parameters:
        if parameter.key in described or f"no_{parameter.key}" in described:
            continue
        text = texts.get(parameter.key) or parameter.help
        if text or not is_strict:
            added.append((help_row(parameter, text), parameter))
    unknown = [  # the declaration is refused, with this row
        unknown_row(name) for name in texts if name not in parameters and name not in hidden_names
    ]
    kept, place = section.other_lines, section.place
    if not kept[0].strip() or not lines[0].strip():
        kept = [f"Call the function {command.name}.", *kept[1:]]
    if added:
        width = max(len(row.head) for row, _ in added) + MIN_ROW_GAP
        shown = [row_line(row, parameter, width) for row, parameter in added]
        before, after = kept[:place], kept[place:]
        gap = [""] if before[-1].strip() and not (rows and place == len(kept)) else []
        kept = [*before, *gap, *shown, *([""] if after and after[0] else []), *after]
    return kept, [*rows, *[row for row, _ in added], *unknown]


def help_row(parameter: CommandParameter, text: str) -> HelpRow:
    """Return the row of a parameter that has no letter."""
    key, value = parameter.key, parameter.key.upper()
    words: tuple[str, ...] = (key,)
    if parameter.role == "rest":
        row, head = HelpRow((), words, is_repeated=True), f"{key} ..."
    elif parameter.role != "option":
        row, head = HelpRow((), words), key
    else:
        is_negated = parameter.is_flag and parameter.default is True
        head = f"--{'no-' if is_negated else ''}{key.replace('_', '-')}"
        words = (head,)
        row = HelpRow(
            (), words, metavar="" if parameter.is_flag else value,
            value_is_optional=parameter.value_is_optional,
        )  # fmt: skip
        if parameter.value_is_optional:
            head += f"[={value}]"
        elif not parameter.is_flag:
            head += f" {value}"
    row.head, row.text = head, text
    return row


def row_line(row: HelpRow, parameter: CommandParameter, width: int) -> str:
    """Return the line of a row in the help; one without a text says what the value must be."""
    text = row.text or ("" if parameter.is_flag else parameter.type.requirement)
    return f"{row.head:{width}}{text}".rstrip()


def unknown_row(name: str) -> HelpRow:
    """Return the row of a name that is no parameter."""
    row = HelpRow((), (name,))
    row.head = name
    return row


class DescribedSection:
    """What a docstring in one of the three styles says of parameters.

    texts        the texts by name; none if the docstring has no such section
    other_lines  the lines without it
    place        where in these it was; the end if there is none
    """

    __slots__ = ("other_lines", "place", "texts")

    def __init__(self, lines: list[str]) -> None:
        self.texts: dict[str, str] = {}
        self.other_lines: list[str] = []
        self.place = -1
        at = 0
        while at < len(lines):
            end = self._read_section(lines, at)
            if end == at:
                self.other_lines.append(lines[at])
                end += 1
            elif self.place < 0:
                self.place = len(self.other_lines)
            at = end
        while len(self.other_lines) > 1 and not self.other_lines[-1]:
            self.other_lines.pop()
        self.other_lines = self.other_lines or [""]
        if not 0 < self.place <= len(self.other_lines):
            self.place = len(self.other_lines)

    def _read_section(self, lines: list[str], at: int) -> int:
        """Read the section that begins at a line, if one does; return the line after it."""
        line = lines[at].rstrip()
        if GOOGLE_HEADING.fullmatch(line):
            return self._read_google(lines, at + 1)
        if NUMPY_HEADING.fullmatch(line) and at + 1 < len(lines) and is_rule(lines[at + 1]):
            return self._read_numpy(lines, at + 2)
        if found := SPHINX_ENTRY.fullmatch(line):
            end, text = continuation(lines, at + 1, 0)
            self.texts[found["name"]] = " ".join([found["text"], *text]).strip()
            return end
        return at + 1 if SPHINX_TYPE.fullmatch(line) else at

    def _read_google(self, lines: list[str], at: int) -> int:
        """Read entries `name (type): text`, which are indented."""
        margin = 0
        while at < len(lines):
            line = lines[at]
            indent = len(line) - len(line.lstrip())
            if line.strip() and not indent:
                break
            margin = margin or indent
            found = GOOGLE_ENTRY.fullmatch(line.strip())
            if found is None or indent != margin:
                at += 1
                continue
            at, text = continuation(lines, at + 1, margin)
            self.texts[found["name"]] = " ".join([found["text"], *text]).strip()
        return at

    def _read_numpy(self, lines: list[str], at: int) -> int:
        """Read entries `name : type`, whose text is indented below."""
        while at < len(lines):
            line = lines[at]
            if at + 1 < len(lines) and line.strip() and is_rule(lines[at + 1]):
                break  # the next heading
            found = NUMPY_ENTRY.fullmatch(line)
            at += 1
            if found is None:
                if line.strip():
                    return at - 1
                continue
            at, text = continuation(lines, at, 0)
            for name in found["names"].split(","):
                self.texts[name.strip().lstrip("*")] = " ".join(text)
        return at


def is_rule(line: str) -> bool:
    """Whether a line underlines a heading."""
    return len(line.strip()) > 2 and not line.strip("- ")


def continuation(lines: list[str], at: int, margin: int) -> tuple[int, list[str]]:
    """Return where the lines that are empty or indented deeper end, and their text."""
    end = at
    while end < len(lines):
        line = lines[end]
        if line.strip() and len(line) - len(line.lstrip()) <= margin:
            break
        end += 1
    return end, [line.strip() for line in lines[at:end] if line.strip()]
