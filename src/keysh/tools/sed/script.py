"""The parts of a parsed sed script. They never change: parsed scripts are cached."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.text.regex.regex import Regex


END_OF_SCRIPT = 1 << 30  # the target of a branch without a label: after all steps


class ScriptError(Exception):
    """An error in a script, as GNU's message with its location."""


class ScriptPanic(ScriptError):
    """An error for which GNU sed has a status of its own: a missing label, a `[:space:]`."""


class ScriptPiece:
    """The text of one `-e` or `-f`, and its number or file name for error messages."""

    __slots__ = ("number", "path", "text")

    def __init__(self, text: str, number: int = 1, path: str = "") -> None:
        self.text, self.number, self.path = text, number, path

    def location(self, offset: int, is_unclosed: bool) -> str:
        """Return an offset as messages print it, in bytes; GNU prints 0 for an unclosed block."""
        if self.path:
            return f"file {self.path} line {self.text.count(chr(10), 0, offset) + 1}"
        position = 0 if is_unclosed else len(bytes_of_text(self.text[:offset]))
        return f"-e expression #{self.number}, char {position}"

    def end_location(self) -> str:
        """Return the end of the piece, the location in all messages of a running script."""
        return self.location(len(self.text), is_unclosed=True)


class LineAddress:
    """`N`, `$`, `/re/` or `first~step`, and as the end of a range also `+N` and `~N`.

    `kind` is "line", "last", "regex", "step", "further" or "multiple". The regex is None if it is
    empty, which stands for the last regex used.
    """

    __slots__ = ("kind", "number", "regex", "step")

    def __init__(
        self, kind: str, number: int = 0, step: int = 0, regex: Regex | None = None
    ) -> None:
        self.kind, self.number, self.step, self.regex = kind, number, step, regex

    @property
    def is_zero(self) -> bool:
        """Whether it is line 0."""
        return self.kind == "line" and not self.number


class SedReplacement:
    """The replacement of `s`: strings, group numbers and case changes."""

    __slots__ = ("changes_case", "groups", "pieces", "plain")

    def __init__(self, pieces: list[str | int | CaseChange]) -> None:
        self.pieces = pieces
        self.changes_case = any(isinstance(piece, CaseChange) for piece in pieces)
        self.groups = max((piece for piece in pieces if isinstance(piece, int)), default=0)
        # The text, if there is nothing else.
        is_plain = all(isinstance(piece, str) for piece in pieces)
        self.plain: str | None = "".join(map(str, pieces)) if is_plain else None


class CaseChange:
    """`\\U`, `\\L`, `\\E`, `\\u`, `\\l`."""

    __slots__ = ("letter",)

    def __init__(self, letter: str) -> None:
        self.letter = letter

    def after(self, mode: str, once: str) -> tuple[str, str]:
        """Return the new case of the following text, and of its next character only."""
        return (mode, self.letter) if self.letter in "ul" else (self.letter, "")


class SedSubstitution:
    """The command `s`: the regex, the replacement and the flags."""

    __slots__ = ("is_global", "number", "path", "prints", "regex", "replacement")

    def __init__(self, regex: Regex | None, replacement: SedReplacement) -> None:
        self.regex, self.replacement = regex, replacement
        self.is_global, self.number, self.prints, self.path = False, 1, False, ""


class Step:
    """One command. `target` is the index of the step that a branch or an opening brace leads to."""

    __slots__ = (
        "first", "is_negated", "name", "number", "second", "substitution", "table", "target",
        "text",
    )  # fmt: skip

    def __init__(self, name: str) -> None:
        self.name = name
        self.first: LineAddress | None = None
        self.second: LineAddress | None = None
        self.is_negated = False
        self.text = ""  # of a, i, c; the file of r, R, w, W; the label of b, t, T
        self.number = -1  # of l, q, Q
        self.target = 0
        self.substitution: SedSubstitution | None = None
        self.table: dict[int, str] = {}  # of y


class SedScript:
    """A parsed script; it is silent if it begins with `#n`.

    `compiled` has what it was compiled to, by options.
    """

    __slots__ = ("compiled", "is_silent", "steps")

    def __init__(self, steps: list[Step], is_silent: bool) -> None:
        self.steps, self.is_silent = steps, is_silent
        self.compiled: dict[tuple[bool, bool, str], Any] = {}

    def last_active_line(self) -> tuple[int, bool]:
        """Return the last line to which a step applies, -1 if unknown, and whether a step also
        applies to the last line of the input.
        """
        last, sees_last, index = 0, False, 0
        while index < len(self.steps):
            step = self.steps[index]
            first, second = step.first, step.second
            index = step.target if step.name == "{" else index + 1
            kinds = [address.kind for address in (first, second) if address is not None]
            if step.is_negated or kinds not in (["line"], ["line", "line"], ["last"]):
                return -1, False
            sees_last = sees_last or kinds == ["last"]
            last = max(last, *(bound.number for bound in (first, second) if bound is not None))
        return last, sees_last

    @property
    def has_empty_regex(self) -> bool:
        """Whether the script contains an empty regex, which stands for the last one used."""
        addresses = [one for step in self.steps for one in (step.first, step.second)]
        substitutions = [step.substitution for step in self.steps]
        return any(one and one.kind == "regex" and one.regex is None for one in addresses) or any(
            one and one.regex is None for one in substitutions
        )

    @property
    def written_paths(self) -> list[str]:
        """The paths that the script writes to."""
        paths = [step.text for step in self.steps if step.name in "wW"]
        paths += [step.substitution.path for step in self.steps if step.substitution]
        return [path for path in dict.fromkeys(paths) if path]
