"""Commands as they are declared: their parameters, and what is known of their output."""

from __future__ import annotations

from keysh.schema.types import BOOL, RAW, Optional, OptionalValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from keysh.schema.types import ParameterType

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "absent"})()


class Parameter:
    """One parameter: how it is called, given and described.

    `place` is "text" for an operand without a name (before `/`), "operand" for one that also has a
    name, "rest" for `*files`, and "option". `key` is its name in `key=value`. `is_negated` says
    that the docstring shows a flag as `--no-flag`; `least` is how many operands a rest needs;
    `instead` names the options with which an operand is left out; behind the one that `is_last`
    there are operands only.
    """

    __slots__ = (
        "default", "help", "instead", "is_flag", "is_last", "is_negated", "key", "least", "letters",
        "longs", "name", "place", "type", "value_is_optional",
    )  # fmt: skip

    def __init__(self, name: str, type: ParameterType, default: object, place: str) -> None:
        self.name, self.type, self.default, self.place = name, type, default, place
        self.key = name.rstrip("_")
        self.is_flag = type is BOOL or (isinstance(type, Optional) and type.inner is BOOL)
        self.value_is_optional = isinstance(type, OptionalValue)
        self.is_negated = self.is_last = False
        self.letters: tuple[str, ...] = ()
        self.longs: tuple[str, ...] = ()
        self.instead: tuple[str, ...] = ()
        self.least = 0
        self.help = ""

    @property
    def has_name(self) -> bool:
        """Whether `key=value` and `--key` reach it."""
        return self.place in ("operand", "option")

    @property
    def is_required(self) -> bool:
        """Whether a call without it is refused."""
        return self.least > 0 or (self.default is ABSENT and self.place != "rest")


HELP = Parameter("help", BOOL, False, "option")
HELP.help = "print this help"
VERSION = Parameter("version", BOOL, False, "option")
VERSION.help = "print which keysh this is"
ASKING = {"--help": HELP, "--version": VERSION}  # a call with one of them runs nothing

# What follows the refusal of a call, as the coreutils have it, and as diff, cmp and patch do.
HINT = "Try '{} --help' for more information."
NAMED_HINT = "{0}: Try '{0} --help' for more information."


class Command:
    """A declared command: its parameters by every way they are given, and its help."""

    __slots__ = (
        "added", "by_key", "by_letter", "by_long", "by_whole", "dividers", "expands_words",
        "explains", "extra", "forgives", "function", "help", "hint", "invalid", "is_lazy", "is_raw",
        "lists_under", "name", "number", "old", "operands", "parameters", "prints_json",
        "prints_lines", "options_first", "prints_value", "rest", "runs_words", "says", "summary",
        "takes_code", "takes_numbers", "tells_version", "texts", "unknown", "unwritten",
        "usage_status", "yields",
    )  # fmt: skip

    def __init__(
        self, name: str, function: Callable[..., Any], parameters: list[Parameter]
    ) -> None:
        self.name, self.function, self.parameters = name, function, parameters
        self.operands = [p for p in parameters if p.place in ("text", "operand")]
        self.texts = sum(p.place == "text" for p in parameters)
        self.rest = next((p for p in parameters if p.place == "rest"), None)
        self.by_key = {p.key: p for p in parameters if p.has_name}
        self.by_long: dict[str, Parameter] = {}  # `--lines`, also shortened
        self.added: frozenset[str] = frozenset()  # those of them that are not
        # Never shortened: `--no-quiet`, `--operand`; and what each makes of a flag.
        self.by_whole: dict[str, tuple[Parameter, bool]] = {}
        self.by_letter: dict[str, Parameter] = {}
        self.number: Parameter | None = None  # the option that `-NUM` means
        self.takes_numbers = any(
            p.type.name in ("int", "float") and p.place != "option" for p in parameters
        )
        self.takes_code = False  # whether a dash before anything but a letter begins an operand
        self.dividers: frozenset[str] = frozenset()  # flags: how many operands came before counts
        # A rest of raw words is a command to run: options of this one stand before it only. With
        # no options either, nothing is ours to read.
        self.runs_words = self.rest is not None and self.rest.type is RAW
        self.is_raw = self.runs_words and len(parameters) == 1
        self.options_first = self.runs_words  # whether they stand before the operands only
        # Whether `--help`, and `--version`, alone, is no raw word but asks for the help, or which
        # keysh this is; what a host or a script has declared is no part of it.
        self.explains, self.tells_version = True, False
        # Whether raw words arrive as a program would get them: a host asks for nothing else.
        self.expands_words = False
        self.summary = self.help = ""
        self.usage_status = 1
        self.hint = HINT  # behind the refusal of a call
        self.unknown = ""  # what is said of an option that there is not, which stands for {}
        self.unwritten = (1, "write error: {}")  # status and words where its output does not arrive
        self.prints_lines = self.prints_value = self.prints_json = False
        self.lists_under: tuple[str, ...] = ()  # the options that make its output lines of items
        self.forgives = ""  # the option under which a glob that matches nothing is no operand
        self.invalid: Mapping[str, str] = {}
        # What its first word means in today's form, where it is of a form that is out of use.
        self.old: Callable[[str, int], str] | None = None
        self.extra = ""  # what it says of an operand too many, as of a bad value
        # Whether its output is yielded, so that who reads it asks for one chunk after the other.
        self.yields = False
        self.is_lazy = False  # and it is asked for no more than is read, since a host may care
        # What it prints of words alone, and nothing else; None where there is more to it.
        self.says: Callable[[Sequence[object]], str | None] | None = None

    def lists(self, words: list[str]) -> bool:
        """Whether it prints one item a line when it is called so."""
        return self.prints_lines or any(self._is_option(word) for word in words)

    def _is_option(self, word: str) -> bool:
        """Whether a word is, or a cluster of letters holds, an option of a listing."""
        if word[:2] == "--":
            found = self.by_long.get(word[2:])
            return found is not None and found.name in self.lists_under
        letters = word[1:] if word[:1] == "-" else ""
        options = (self.by_letter.get(letter) for letter in letters)
        return any(option is not None and option.name in self.lists_under for option in options)
