"""Reading a script of sed, with GNU's extensions and GNU's complaints."""

from __future__ import annotations

from keysh.text.regex.regex import RegexError, RegexLimit, regex_of
from keysh.tools.sed.escapes import resolved, unescaped, without_extensions
from keysh.tools.sed.replacement import replacement
from keysh.tools.sed.scanner import SPACES, Scanner
from keysh.tools.sed.script import (
    END,
    Address,
    MissingLabel,
    Piece,
    Script,
    ScriptError,
    Step,
    Substitution,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.regex import Regex

ALONE = "=dDFgGhHnNpPxz"
EXTENSIONS = "FQRTWevz"  # commands that POSIX does not know
FILED = ("0r", "r", "R", "w", "W")  # what has the name of a file
NO_PROGRAMS = "e/r/w commands disabled in sandbox mode"
MOST_STEPS = 20_000


class Reader(Scanner):
    """One script while it is read."""

    __slots__ = ("is_extended", "is_sandboxed", "labels", "open", "steps")

    def __init__(
        self,
        pieces: list[Piece],
        is_extended: bool,
        is_posix: bool = False,
        is_sandboxed: bool = False,
    ) -> None:
        super().__init__(pieces, is_posix=is_posix)
        self.is_extended, self.is_sandboxed = is_extended, is_sandboxed
        self.steps: list[Step] = []
        # The opening braces that are not closed: their steps, and their places in the text.
        self.open: list[tuple[int, int]] = []
        self.labels: dict[str, int] = {"": END}

    def read(self) -> Script:
        is_silent = self.text.startswith("#n")
        while self.step():
            pass
        if self.open:
            raise self.error("unmatched `{'", self.open[-1][1], is_unclosed=True)
        for step in self.steps:
            if step.name in ("b", "t", "T"):
                if step.text not in self.labels:
                    raise MissingLabel(f"can't find label for jump to `{step.text}'")
                step.target = self.labels[step.text]
        return Script(self.steps, is_silent)

    # ------------------------------------------------------------ steps

    def step(self) -> bool:
        """Read one command; whether there was any."""
        self.skip(SPACES + ";\n")
        if not self.peek():
            return False
        if self.peek() == "#":
            self.rest_of_line()
            return True
        first, second = self.addresses()
        is_before = first is not None and first.is_zero and second is None
        is_negated = False
        self.skip(SPACES)
        while self.peek() == "!":
            self.at += 1
            if is_negated:
                raise self.error("multiple `!'s")
            is_negated = True
            self.skip(SPACES)
        name = self.next()
        if not name:
            raise self.error("missing command")
        if is_before:  # only of `r`: the file is inserted before the first line
            name, first = "0r", Address("line", 1)
        step = Step(name)
        step.first, step.second, step.is_negated = first, second, is_negated
        if len(self.steps) > MOST_STEPS:
            raise self.error("too many commands")
        self.arguments(step)
        return True

    def arguments(self, step: Step) -> None:
        """What follows a command's letter."""
        name = step.name
        if self.is_posix and name in EXTENSIONS:
            raise self.error(f"unknown command: `{name}'")
        if name == "}":
            self.close(step)
        elif name == ":":
            self.label(step)
        elif name == "v":
            self.version()
        elif name == "#":
            raise self.error("comments don't accept any addresses")
        else:
            if step.second is not None and name in ("=ailqr" if self.is_posix else "qQ"):
                raise self.error("command only uses one address")
            self.operands(step)
            self.steps.append(step)

    def operands(self, step: Step) -> None:
        """What a command works with."""
        name = step.name
        if name == "{":
            self.open.append((len(self.steps), self.at))
        elif name in "aic":
            step.text = self.body()
        elif name in "btT":
            self.skip(SPACES)
            step.text = self.word()
        elif name == "e" or (self.is_sandboxed and name in FILED):
            raise self.error(NO_PROGRAMS)
        elif name in FILED:
            step.text = self.path()
        elif name in "lqQ":
            self.skip(SPACES)
            if self.peek().isdecimal() and not self.is_posix:
                step.number = self.number()
            self.end_of_step()
        elif name == "s":
            step.substitution = self.substitution()
        elif name == "y":
            step.table = self.table()
        elif name in ALONE:
            self.end_of_step()
        else:
            raise self.error(f"unknown command: `{name}'")

    def path(self) -> str:
        """The rest of the line as the name of a file."""
        self.skip(SPACES)
        path = self.rest_of_line()
        if not path:
            self.next()
            raise self.error("missing filename in r/R/w/W commands")
        return path

    def close(self, step: Step) -> None:
        if not self.open:
            raise self.error("unexpected `}'")
        if step.first is not None:
            raise self.error("`}' doesn't want any addresses")
        self.steps[self.open.pop()[0]].target = len(self.steps)
        self.end_of_step()

    def label(self, step: Step) -> None:
        if step.first is not None:
            raise self.error(": doesn't want any addresses")
        self.skip(SPACES)
        name = self.word()
        if not name:
            raise self.error('":" lacks a label')
        self.labels[name] = len(self.steps)

    def version(self) -> None:
        self.skip(SPACES)
        wanted = self.word()
        parts = [int(part[:9]) for part in wanted.split(".") if part.isdecimal()]
        if parts > [4, 9]:
            raise self.error("expected newer version of sed")
        self.end_of_step()

    def body(self) -> str:
        """The text of a, i and c: on the same line, or behind a backslash and a newline."""
        self.skip(SPACES)
        if self.is_at_end():
            raise self.error("expected \\ after `a', `c' or `i'")
        pieces: list[str] = []
        if self.peek() == "\\":
            self.at += 1
            if not self.peek():
                return ""
            first = self.next()
            if first != "\n":
                pieces.append(first)  # on the same line; a backslash here does not keep a newline
        elif self.is_posix:
            self.at += 1
            raise self.error("expected \\ after `a', `c' or `i'")
        while (char := self.next()) and char != "\n":
            if char == "\\":
                char = self.next()
                if char:
                    char = f"\\{char}"
            pieces.append(char)
        return unescaped(resolved("".join([*pieces, "\n"]), "\\"))

    # ------------------------------------------------------------ addresses

    def addresses(self) -> tuple[Address | None, Address | None]:
        first = self.address()
        if first is None:
            return None, None
        if first.kind in ("further", "multiple"):
            raise self.error("invalid usage of +N or ~N as first address")
        self.skip(SPACES)
        second = None
        if self.peek() == ",":
            self.at += 1
            self.skip(SPACES)
            second = self.address()
            if second is None:
                self.next()
                raise self.error("unexpected `,'")
        if first.is_zero:
            self.skip(SPACES)
            is_used = self.peek() == "r" if second is None else second.kind == "regex"
            if self.is_posix or not is_used:
                self.next()
                raise self.error("invalid usage of line address 0")
        return first, second

    def address(self) -> Address | None:
        char = self.peek()
        if char in ("/", "\\"):
            self.at += 1
            delimiter = self.next() if char == "\\" else char
            text = self.delimited(delimiter, is_regex=True) if delimiter else None
            if text is None:
                raise self.error("unterminated address regex")
            return Address("regex", regex=self.regex(text, self.flags()))
        if char.isdecimal():
            number = self.number()
            self.skip(SPACES)
            if self.peek() == "~" and not self.is_posix:
                self.at += 1
                self.skip(SPACES)
                step = self.number()
                return Address("step", number, step) if step > 0 else Address("line", number)
            return Address("line", number)
        if char in ("+", "~") and not self.is_posix:
            self.at += 1
            return Address("further" if char == "+" else "multiple", self.number())
        if char == "$":
            self.at += 1
            return Address("last")
        return None

    def flags(self) -> str:
        """`I` and `M` behind an address."""
        found = ""
        while True:
            self.skip(SPACES)
            if self.peek() not in ("I", "M") or self.is_posix:
                return found
            found += self.next()

    def regex(self, text: str, flags: str) -> Regex | None:
        """The expression of a text; None for the empty one, which is the last that was used."""
        if not text:
            if flags:
                raise self.error("cannot specify modifiers on empty regexp")
            return None
        if self.is_posix:
            text = without_extensions(text, is_extended=self.is_extended)
        try:
            return regex_of(
                resolved(text, is_regex=True), "sed" if self.is_extended else "basic",
                ignore_case="I" in flags, multiline="M" in flags,
            )  # fmt: skip
        except (RegexError, RegexLimit) as error:
            if error.message.startswith("character class syntax"):
                raise ScriptError(error.message) from None
            raise self.error(error.message) from None

    # ------------------------------------------------------------ s and y

    def substitution(self) -> Substitution:
        delimiter = self.next()
        pattern = self.delimited(delimiter, is_regex=True) if delimiter else None
        by = self.delimited(delimiter, is_regex=False) if pattern is not None else None
        if pattern is None or by is None:
            raise self.error("unterminated `s' command")
        made = Substitution(None, replacement(by, is_posix=self.is_posix))
        flags = self.substitution_flags(made)
        made.regex = self.regex(pattern, flags)
        if made.regex is not None and made.replacement.groups > made.regex.groups:
            number = made.replacement.groups
            raise self.error(f"invalid reference \\{number} on `s' command's RHS")
        return made

    def substitution_flags(self, made: Substitution) -> str:
        """The flags behind `s`; those that are about the expression are returned."""
        flags = given = ""
        while True:
            char = self.next()
            kind = "number" if char.isdecimal() else char
            if self.is_posix and char and char in "eimIM":
                raise self.error("unknown option to `s'")
            if kind in ("p", "g", "number") and kind in given.split():
                name = kind if kind == "number" else f"`{kind}'"
                raise self.error(f"multiple {name} options to `s' command")
            given += f" {kind}"
            if char in ("i", "I", "m", "M"):
                flags += char.upper()
            elif char == "p":
                made.prints = True
            elif char == "g":
                made.is_global = True
            elif kind == "number":
                self.at -= 1
                made.number = self.number()
                if not made.number:
                    raise self.error("number option to `s' command may not be zero")
            elif char == "w" and not self.is_sandboxed:
                made.path = self.path()
                return flags
            elif char in ("e", "w"):
                raise self.error(NO_PROGRAMS)
            elif char in ("}", "#", "", "\n", ";"):
                self.at -= char in ("}", "#")
                return flags
            elif char not in SPACES:
                raise self.error("unknown option to `s'")

    def table(self) -> dict[int, str]:
        """What `y` makes of each character."""
        delimiter = self.next()
        old = self.delimited(delimiter, is_regex=False) if delimiter else None
        new = self.delimited(delimiter, is_regex=False) if old is not None else None
        if old is None or new is None:
            raise self.error("unterminated `y' command")
        before, after = (unescaped(resolved(text)) for text in (old, new))
        if len(before) != len(after):
            raise self.error("strings for `y' command are different lengths")
        self.end_of_step()
        table: dict[int, str] = {}
        for one, other in zip(before, after, strict=True):
            table.setdefault(ord(one), other)
        return table
