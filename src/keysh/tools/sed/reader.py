"""The parser of sed scripts, with GNU's extensions and error messages."""

from __future__ import annotations

from keysh.text.regex.regex import RegexError, RegexLimit, regex_of
from keysh.text.shell_numbers import is_digits
from keysh.tools.sed.escapes import posix_regex_text, remove_backslashes, resolve_escapes
from keysh.tools.sed.replacement import parse_replacement
from keysh.tools.sed.scanner import SPACES, ScriptScanner
from keysh.tools.sed.script import (
    END_OF_SCRIPT,
    LineAddress,
    ScriptPanic,
    ScriptPiece,
    SedScript,
    SedSubstitution,
    Step,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.regex import Regex

BARE_COMMANDS = "=dDFgGhHnNpPxz"
GNU_COMMANDS = "FQRTWevz"  # commands that POSIX does not have
FILE_COMMANDS = ("0r", "r", "R", "w", "W")  # commands with a file name
SANDBOX_ERROR = "e/r/w commands disabled in sandbox mode"
MAX_STEPS = 20_000


class ScriptReader(ScriptScanner):
    """Parses one script."""

    __slots__ = ("is_extended", "is_sandboxed", "labels", "open_blocks", "steps")

    def __init__(
        self,
        pieces: list[ScriptPiece],
        is_extended: bool,
        is_posix: bool = False,
        is_sandboxed: bool = False,
    ) -> None:
        super().__init__(pieces, is_posix=is_posix)
        self.is_extended, self.is_sandboxed = is_extended, is_sandboxed
        self.steps: list[Step] = []
        # The open braces: the indices of their steps, and their offsets in the text.
        self.open_blocks: list[tuple[int, int]] = []
        self.labels: dict[str, int] = {"": END_OF_SCRIPT}

    def read(self) -> SedScript:
        is_silent = self.text.startswith("#n")
        while self.read_step():
            pass
        if self.open_blocks:
            raise self.error_at("unmatched `{'", self.open_blocks[-1][1], is_unclosed=True)
        for step in self.steps:
            if step.name in ("b", "t", "T"):
                if step.text not in self.labels:
                    raise ScriptPanic(f"can't find label for jump to `{step.text}'")
                step.target = self.labels[step.text]
        return SedScript(self.steps, is_silent)

    # ------------------------------------------------------------ steps

    def read_step(self) -> bool:
        """Read one command; returns whether there was one."""
        self.skip(SPACES + ";\n")
        if not self.peek():
            return False
        if self.peek() == "#":
            self.rest_of_line()
            return True
        first, second = self.read_addresses()
        is_before = first is not None and first.is_zero and second is None
        is_negated = False
        self.skip(SPACES)
        while self.peek() == "!":
            self.at += 1
            if is_negated:
                raise self.error_at("multiple `!'s")
            is_negated = True
            self.skip(SPACES)
        name = self.next_char()
        if not name:
            raise self.error_at("missing command")
        if is_before:  # `0r`: insert the file before the first line
            name, first = "0r", LineAddress("line", 1)
        step = Step(name)
        step.first, step.second, step.is_negated = first, second, is_negated
        if len(self.steps) > MAX_STEPS:
            raise self.error_at("too many commands")
        self.read_arguments(step)
        return True

    def read_arguments(self, step: Step) -> None:
        """Read the rest of a command, after its letter."""
        name = step.name
        if self.is_posix and name in GNU_COMMANDS:
            raise self.error_at(f"unknown command: `{name}'")
        if name == "}":
            self.close_block(step)
        elif name == ":":
            self.read_label(step)
        elif name == "v":
            self.check_version()
        elif name == "#":
            raise self.error_at("comments don't accept any addresses")
        else:
            if step.second is not None and name in ("=ailqr" if self.is_posix else "qQ"):
                raise self.error_at("command only uses one address")
            self.read_operands(step)
            self.steps.append(step)

    def read_operands(self, step: Step) -> None:
        """Read the operands of a command."""
        name = step.name
        if name == "{":
            self.open_blocks.append((len(self.steps), self.at))
        elif name in "aic":
            step.text = self.read_text()
        elif name in "btT":
            self.skip(SPACES)
            step.text = self.read_word()
        elif name == "e" or (self.is_sandboxed and name in FILE_COMMANDS):
            raise self.error_at(SANDBOX_ERROR)
        elif name in FILE_COMMANDS:
            step.text = self.read_path()
        elif name in "lqQ":
            self.skip(SPACES)
            if is_digits(self.peek()) and not self.is_posix:
                step.number = self.read_number()
            self.expect_end_of_step()
        elif name == "s":
            step.substitution = self.read_substitution()
        elif name == "y":
            step.table = self.read_table()
        elif name in BARE_COMMANDS:
            self.expect_end_of_step()
        else:
            raise self.error_at(f"unknown command: `{name}'")

    def read_path(self) -> str:
        """Read the rest of the line as a file name."""
        self.skip(SPACES)
        path = self.rest_of_line()
        if not path:
            self.next_char()
            raise self.error_at("missing filename in r/R/w/W commands")
        return path

    def close_block(self, step: Step) -> None:
        if not self.open_blocks:
            raise self.error_at("unexpected `}'")
        if step.first is not None:
            raise self.error_at("`}' doesn't want any addresses")
        self.steps[self.open_blocks.pop()[0]].target = len(self.steps)
        self.expect_end_of_step()

    def read_label(self, step: Step) -> None:
        if step.first is not None:
            raise self.error_at(": doesn't want any addresses")
        self.skip(SPACES)
        name = self.read_word()
        if not name:
            raise self.error_at('":" lacks a label')
        self.labels[name] = len(self.steps)

    def check_version(self) -> None:
        self.skip(SPACES)
        wanted = self.read_word()
        # A part that is no number is newer than any, as for strverscmp.
        parts = [int(part[:9]) if is_digits(part) else 10**9 for part in wanted.split(".") if part]
        if parts > [4, 9]:
            raise self.error_at("expected newer version of sed")
        self.expect_end_of_step()

    def read_text(self) -> str:
        """Read the text of a, i and c: on the same line, or after a backslash and a newline."""
        self.skip(SPACES)
        if self.is_at_end():
            raise self.error_at("expected \\ after `a', `c' or `i'")
        pieces: list[str] = []
        if self.peek() == "\\":
            self.at += 1
            if not self.peek():
                return ""
            first = self.next_char()
            if first != "\n":
                pieces.append(first)  # one-liner; this character is taken literally
        elif self.is_posix:
            self.at += 1
            raise self.error_at("expected \\ after `a', `c' or `i'")
        while (char := self.next_char()) and char != "\n":
            if char == "\\":
                char = self.next_char()
                if char:
                    char = f"\\{char}"
            pieces.append(char)
        return remove_backslashes(resolve_escapes("".join([*pieces, "\n"]), "\\"))

    # ------------------------------------------------------------ addresses

    def read_addresses(self) -> tuple[LineAddress | None, LineAddress | None]:
        first = self.read_address()
        if first is None:
            return None, None
        if first.kind in ("further", "multiple"):
            raise self.error_at("invalid usage of +N or ~N as first address")
        self.skip(SPACES)
        second = None
        if self.peek() == ",":
            self.at += 1
            self.skip(SPACES)
            second = self.read_address()
            if second is None:
                self.next_char()
                raise self.error_at("unexpected `,'")
        if first.is_zero:
            self.skip(SPACES)
            is_used = self.peek() == "r" if second is None else second.kind == "regex"
            if self.is_posix or not is_used:
                self.next_char()
                raise self.error_at("invalid usage of line address 0")
        return first, second

    def read_address(self) -> LineAddress | None:
        char = self.peek()
        if char in ("/", "\\"):
            self.at += 1
            delimiter = self.next_char() if char == "\\" else char
            text = self.read_delimited(delimiter, is_regex=True) if delimiter else None
            if text is None:
                raise self.error_at("unterminated address regex")
            return LineAddress("regex", regex=self.compile_regex(text, self.read_regex_flags()))
        if is_digits(char):
            number = self.read_number()
            self.skip(SPACES)
            if self.peek() == "~" and not self.is_posix:
                self.at += 1
                self.skip(SPACES)
                step = self.read_number()
                return (
                    LineAddress("step", number, step) if step > 0 else LineAddress("line", number)
                )
            return LineAddress("line", number)
        if char in ("+", "~") and not self.is_posix:
            self.at += 1
            return LineAddress("further" if char == "+" else "multiple", self.read_number())
        if char == "$":
            self.at += 1
            return LineAddress("last")
        return None

    def read_regex_flags(self) -> str:
        """Read `I` and `M` after an address."""
        flags = ""
        while True:
            self.skip(SPACES)
            if self.peek() not in ("I", "M") or self.is_posix:
                return flags
            flags += self.next_char()

    def compile_regex(self, text: str, flags: str) -> Regex | None:
        """Compile a regex; None for the empty one, which stands for the last regex used."""
        if not text:
            if flags:
                raise self.error_at("cannot specify modifiers on empty regexp")
            return None
        if self.is_posix:
            text = posix_regex_text(text, is_extended=self.is_extended)
        try:
            return regex_of(
                resolve_escapes(text, is_regex=True), "sed" if self.is_extended else "basic",
                ignore_case="I" in flags, multiline="M" in flags,
            )  # fmt: skip
        except (RegexError, RegexLimit) as error:
            if error.message.startswith("character class syntax"):
                raise ScriptPanic(error.message) from None
            raise self.error_at(error.message) from None

    # ------------------------------------------------------------ s and y

    def read_substitution(self) -> SedSubstitution:
        delimiter = self.next_char()
        pattern = self.read_delimited(delimiter, is_regex=True) if delimiter else None
        new_text = self.read_delimited(delimiter, is_regex=False) if pattern is not None else None
        if pattern is None or new_text is None:
            raise self.error_at("unterminated `s' command")
        substitution = SedSubstitution(None, parse_replacement(new_text, is_posix=self.is_posix))
        flags = self.read_substitution_flags(substitution)
        substitution.regex = self.compile_regex(pattern, flags)
        if (
            substitution.regex is not None
            and substitution.replacement.groups > substitution.regex.groups
        ):
            number = substitution.replacement.groups
            raise self.error_at(f"invalid reference \\{number} on `s' command's RHS")
        return substitution

    def read_substitution_flags(self, substitution: SedSubstitution) -> str:
        """Read the flags of `s`; returns those of the regex."""
        flags = seen = ""
        while True:
            char = self.next_char()
            kind = "number" if is_digits(char) else char
            if self.is_posix and char and char in "eimIM":
                raise self.error_at("unknown option to `s'")
            if kind in ("p", "g", "number") and kind in seen.split():
                name = kind if kind == "number" else f"`{kind}'"
                raise self.error_at(f"multiple {name} options to `s' command")
            seen += f" {kind}"
            if char in ("i", "I", "m", "M"):
                flags += char.upper()
            elif char == "p":
                substitution.prints = True
            elif char == "g":
                substitution.is_global = True
            elif kind == "number":
                self.at -= 1
                substitution.number = self.read_number()
                if not substitution.number:
                    raise self.error_at("number option to `s' command may not be zero")
            elif char == "w" and not self.is_sandboxed:
                substitution.path = self.read_path()
                return flags
            elif char in ("e", "w"):
                raise self.error_at(SANDBOX_ERROR)
            elif char in ("}", "#", "", "\n", ";"):
                self.at -= char in ("}", "#")
                return flags
            elif char not in SPACES:
                raise self.error_at("unknown option to `s'")

    def read_table(self) -> dict[int, str]:
        """Read the translation table of `y`."""
        delimiter = self.next_char()
        old = self.read_delimited(delimiter, is_regex=False) if delimiter else None
        new = self.read_delimited(delimiter, is_regex=False) if old is not None else None
        if old is None or new is None:
            raise self.error_at("unterminated `y' command")
        before, after = (remove_backslashes(resolve_escapes(text)) for text in (old, new))
        if len(before) != len(after):
            raise self.error_at("strings for `y' command are different lengths")
        self.expect_end_of_step()
        table: dict[int, str] = {}
        for old_char, new_char in zip(before, after, strict=True):
            table.setdefault(ord(old_char), new_char)
        return table
