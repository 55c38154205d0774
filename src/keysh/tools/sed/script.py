"""What a script of sed is made of. Nothing here changes while it runs: scripts are kept by text."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.regex import Regex


END_OF_SCRIPT = 1 << 30  # where a branch without a label leads: behind all steps


class ScriptError(Exception):
    """A script that is none, in GNU's words, place included."""


class MissingLabel(ScriptError):
    """A branch leads nowhere; GNU's sed finds that when all is read, with a status of its own."""


class ScriptPiece:
    """One `-e` or `-f`: how messages call it, and its text."""

    __slots__ = ("number", "path", "text")

    def __init__(self, text: str, number: int = 1, path: str = "") -> None:
        self.text, self.number, self.path = text, number, path

    def location(self, at: int, is_unclosed: bool) -> str:
        """A place as messages tell it, in bytes; of what is not closed, GNU's sed forgets it."""
        if self.path:
            return f"file {self.path} line {self.text.count(chr(10), 0, at) + 1}"
        place = 0 if is_unclosed else len(bytes_of_text(self.text[:at]))
        return f"-e expression #{self.number}, char {place}"

    def end_location(self) -> str:
        """What messages of a run call the place of, wherever it was: the end of the last piece."""
        return self.location(len(self.text), is_unclosed=True)


class LineAddress:
    """`N`, `$`, `/re/`, `first~step`, and as a second one `+N` and `~N`.

    `kind` is "line", "last", "regex", "step", "further" or "multiple". A regex without a pattern is
    the last one that was used: None.
    """

    __slots__ = ("kind", "number", "regex", "step")

    def __init__(
        self, kind: str, number: int = 0, step: int = 0, regex: Regex | None = None
    ) -> None:
        self.kind, self.number, self.step, self.regex = kind, number, step, regex

    @property
    def is_zero(self) -> bool:
        """Whether it is the line before the first."""
        return self.kind == "line" and not self.number


class SedReplacement:
    """What `s` puts in: pieces of text, numbers of groups, and letters of `ULEul` for the case."""

    __slots__ = ("changes_case", "groups", "pieces", "plain")

    def __init__(self, pieces: list[str | int | CaseChange]) -> None:
        self.pieces = pieces
        self.changes_case = any(isinstance(piece, CaseChange) for piece in pieces)
        self.groups = max((piece for piece in pieces if isinstance(piece, int)), default=0)
        # The text, where that is all.
        is_plain = all(isinstance(piece, str) for piece in pieces)
        self.plain: str | None = "".join(map(str, pieces)) if is_plain else None


class CaseChange:
    """`\\U`, `\\L`, `\\E`, `\\u`, `\\l`."""

    __slots__ = ("letter",)

    def __init__(self, letter: str) -> None:
        self.letter = letter

    def after(self, mode: str, once: str) -> tuple[str, str]:
        """The case of all that follows, and of the next character, from what they were."""
        return (mode, self.letter) if self.letter in "ul" else (self.letter, "")


class SedSubstitution:
    """All of `s`: what, by what, which of the matches, and what is done then."""

    __slots__ = ("is_global", "number", "path", "prints", "regex", "replacement")

    def __init__(self, regex: Regex | None, replacement: SedReplacement) -> None:
        self.regex, self.replacement = regex, replacement
        self.is_global, self.number, self.prints, self.path = False, 1, False, ""


class Step:
    """One command. `target` is the step a branch or an opening brace leads to."""

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
    """The steps, and whether the script begins with `#n`."""

    __slots__ = ("is_silent", "steps")

    def __init__(self, steps: list[Step], is_silent: bool) -> None:
        self.steps, self.is_silent = steps, is_silent

    def last_active_line(self) -> tuple[int, bool]:
        """The line behind which no step does anything, -1 if there is none; and whether some still
        do at the last line of all.
        """
        last, sees_last, at = 0, False, 0
        while at < len(self.steps):
            step = self.steps[at]
            first, second = step.first, step.second
            at = step.target if step.name == "{" else at + 1
            kinds = [address.kind for address in (first, second) if address is not None]
            if step.is_negated or kinds not in (["line"], ["line", "line"], ["last"]):
                return -1, False
            sees_last = sees_last or kinds == ["last"]
            last = max(last, *(one.number for one in (first, second) if one is not None))
        return last, sees_last

    @property
    def has_empty_regex(self) -> bool:
        """Whether an expression is the one that was used last."""
        addresses = [one for step in self.steps for one in (step.first, step.second)]
        substitutions = [step.substitution for step in self.steps]
        return any(one and one.kind == "regex" and one.regex is None for one in addresses) or any(
            one and one.regex is None for one in substitutions
        )

    @property
    def written_paths(self) -> list[str]:
        """The files that the script writes."""
        paths = [step.text for step in self.steps if step.name in "wW"]
        paths += [step.substitution.path for step in self.steps if step.substitution]
        return [path for path in dict.fromkeys(paths) if path]
