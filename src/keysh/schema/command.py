"""Commands as they are declared: their parameters, and what is known of their output."""

from __future__ import annotations

from keysh.schema.types import BOOL, RAW, OptionalType, OptionalValueType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from keysh.schema.types import ParameterType

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "absent"})()


class CommandParameter:
    """One parameter: how it is called, given and described.

    `place` is "text" for an operand without a name (before `/`), "operand" for one that also has a
    name, "rest" for `*files`, and "option". `key` is its name in `key=value`. `is_negated` says
    that the docstring shows a flag as `--no-flag`; `least` is how many operands a rest needs;
    `instead` names the options with which an operand is left out; behind the one that `is_last`
    there are operands only.
    """

    __slots__ = (
        "default", "help", "replacing_options", "is_flag", "ends_options", "is_negated", "key", "minimum", "letters",
        "long_names", "name", "role", "type", "value_is_optional",
    )  # fmt: skip

    def __init__(self, name: str, type: ParameterType, default: object, place: str) -> None:
        self.name, self.type, self.default, self.role = name, type, default, place
        self.key = name.rstrip("_")
        self.is_flag = type is BOOL or (isinstance(type, OptionalType) and type.inner is BOOL)
        self.value_is_optional = isinstance(type, OptionalValueType)
        self.is_negated = self.ends_options = False
        self.letters: tuple[str, ...] = ()
        self.long_names: tuple[str, ...] = ()
        self.replacing_options: tuple[str, ...] = ()
        self.minimum = 0
        self.help = ""

    @property
    def has_name(self) -> bool:
        """Whether `key=value` and `--key` reach it."""
        return self.role in ("operand", "option")

    @property
    def is_required(self) -> bool:
        """Whether a call without it is refused."""
        return self.minimum > 0 or (self.default is ABSENT and self.role != "rest")


HELP_OPTION = CommandParameter("help", BOOL, False, "option")
HELP_OPTION.help = "print this help"
VERSION_OPTION = CommandParameter("version", BOOL, False, "option")
VERSION_OPTION.help = "print which keysh this is"
INFORMATION_OPTIONS = {
    "--help": HELP_OPTION,
    "--version": VERSION_OPTION,
}  # a call with one of them runs nothing

# What follows the refusal of a call, as the coreutils have it, and as diff, cmp and patch do.
USAGE_HINT = "Try '{} --help' for more information."
PREFIXED_USAGE_HINT = "{0}: Try '{0} --help' for more information."


class Command:
    """A declared command: its parameters by every way they are given, and its help."""

    __slots__ = (
        "unabbreviated", "by_key", "by_letter", "by_long", "by_full_name", "section_flags", "expands_words",
        "has_help", "extra_operand_error", "no_glob_match_option", "function", "help", "usage_hint", "invalid_value_errors", "is_pulled_singly", "is_raw",
        "listing_options", "name", "number_option", "legacy_form", "operands", "parameters", "prints_json",
        "prints_lines", "options_first", "prints_value", "rest", "runs_command", "says", "summary",
        "takes_code", "takes_numbers", "has_version", "positional_count", "unknown_option_error", "write_error",
        "usage_status", "is_generator",
    )  # fmt: skip

    def __init__(
        self, name: str, function: Callable[..., Any], parameters: list[CommandParameter]
    ) -> None:
        self.name, self.function, self.parameters = name, function, parameters
        self.operands = [p for p in parameters if p.role in ("text", "operand")]
        self.positional_count = sum(p.role == "text" for p in parameters)
        self.rest = next((p for p in parameters if p.role == "rest"), None)
        self.by_key = {p.key: p for p in parameters if p.has_name}
        self.by_long: dict[str, CommandParameter] = {}  # `--lines`, also shortened
        self.unabbreviated: frozenset[str] = frozenset()  # those of them that are not
        # Never shortened: `--no-quiet`, `--operand`; and what each makes of a flag.
        self.by_full_name: dict[str, tuple[CommandParameter, bool]] = {}
        self.by_letter: dict[str, CommandParameter] = {}
        self.number_option: CommandParameter | None = None  # the option that `-NUM` means
        self.takes_numbers = any(
            p.type.name in ("int", "float") and p.role != "option" for p in parameters
        )
        self.takes_code = False  # whether a dash before anything but a letter begins an operand
        self.section_flags: frozenset[str] = (
            frozenset()
        )  # flags: how many operands came before counts
        # A rest of raw words is a command to run: options of this one stand before it only. With
        # no options either, nothing is ours to read.
        self.runs_command = self.rest is not None and self.rest.type is RAW
        self.is_raw = self.runs_command and len(parameters) == 1
        self.options_first = self.runs_command  # whether they stand before the operands only
        # Whether `--help`, and `--version`, alone, is no raw word but asks for the help, or which
        # keysh this is; what a host or a script has declared is no part of it.
        self.has_help, self.has_version = True, False
        # Whether raw words arrive as a program would get them: a host asks for nothing else.
        self.expands_words = False
        self.summary = self.help = ""
        self.usage_status = 1
        self.usage_hint = USAGE_HINT  # behind the refusal of a call
        self.unknown_option_error = (
            ""  # what is said of an option that there is not, which stands for {}
        )
        self.write_error = (
            1,
            "write error: {}",
        )  # status and words where its output does not arrive
        self.prints_lines = self.prints_value = self.prints_json = False
        self.listing_options: tuple[
            str, ...
        ] = ()  # the options that make its output lines of items
        self.no_glob_match_option = (
            ""  # the option under which a glob that matches nothing is no operand
        )
        self.invalid_value_errors: Mapping[str, str] = {}
        # What its first word means in today's form, where it is of a form that is out of use.
        self.legacy_form: Callable[[str, int], str] | None = None
        self.extra_operand_error = ""  # what it says of an operand too many, as of a bad value
        # Whether its output is yielded, so that who reads it asks for one chunk after the other.
        self.is_generator = False
        self.is_pulled_singly = (
            False  # and it is asked for no more than is read, since a host may care
        )
        # What it prints of words alone, and nothing else; None where there is more to it.
        self.says: Callable[[Sequence[object]], str | None] | None = None

    def is_listing(self, words: list[str]) -> bool:
        """Whether it prints one item a line when it is called so."""
        return self.prints_lines or any(self._is_listing_option(word) for word in words)

    def _is_listing_option(self, word: str) -> bool:
        """Whether a word is, or a cluster of letters holds, an option of a listing."""
        if word[:2] == "--":
            found = self.by_long.get(word[2:])
            return found is not None and found.name in self.listing_options
        letters = word[1:] if word[:1] == "-" else ""
        options = (self.by_letter.get(letter) for letter in letters)
        return any(option is not None and option.name in self.listing_options for option in options)
