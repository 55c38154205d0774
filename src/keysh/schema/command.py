"""Declared commands: their parameters, output, refusals and option style."""

from __future__ import annotations

from keysh.schema.parameter_type import OptionalType, OptionalValueType
from keysh.schema.types import BOOL, RAW
from keysh.values import ABSENT, INFINITY, value_of_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from keysh.schema.arguments import Work
    from keysh.schema.types import ParameterType


class CommandParameter:
    """One parameter of a command.

    role               "text": an operand without a name, before `/` in the signature; "operand":
                       one that `key=value` reaches too; "rest": `*files`; "option"; and
                       "ignored" or "refused" for options that the function does not receive
    key                its name in `key=value`
    letters            of `-n`; `long_names` are of `--lines`
    is_negated         the help shows a flag as `--no-flag`
    minimum            how many operands a rest needs
    replacing_options  options that take an operand's place
    ends_options       words after this option are operands
    """

    __slots__ = (
        "default", "ends_options", "help", "is_flag", "is_negated", "key", "letters", "long_names",
        "minimum", "name", "replacing_options", "role", "type", "value_is_optional",
    )  # fmt: skip

    def __init__(self, name: str, type: ParameterType, default: object, role: str) -> None:
        self.name, self.type, self.default, self.role = name, type, default, role
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
        """Whether `key=value` and `--key` set it."""
        return self.role in ("operand", "option")

    @property
    def is_required(self) -> bool:
        """Whether a call must give it."""
        return self.minimum > 0 or (self.default is ABSENT and self.role != "rest")

    @property
    def plain_default(self) -> object:
        """The default as JSON has it; ABSENT if there is none, or none that JSON has."""
        if self.default is ABSENT or self.default is None:
            return ABSENT
        try:
            plain = value_of_python(self.type.plain_value(self.default))
        except TypeError:
            return ABSENT
        return ABSENT if plain in (INFINITY, -INFINITY) else plain


JSON_SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"
HELP_OPTION = CommandParameter("help", BOOL, False, "option")
HELP_OPTION.help = "print this help"
VERSION_OPTION = CommandParameter("version", BOOL, False, "option")
VERSION_OPTION.help = "print which keysh this is"
# A call with one of these prints text and runs nothing.
INFORMATION_OPTIONS = {"--help": HELP_OPTION, "--version": VERSION_OPTION}

# The line after a usage error, of the coreutils and of diff, cmp and patch.
USAGE_HINT = "Try '{} --help' for more information."
PREFIXED_USAGE_HINT = "{0}: Try '{0} --help' for more information."


class OutputStyle:
    """What a command's callers know about its output.

    lines            prints one item a line, whatever blanks the items hold
    listing_options  parameters that make it do so: "files_with_matches only_matching"
    value            the output is a value in `$(…)`
    json             the output is JSON, and so a value in `$(…)`
    from_words       whether a call only prints, and needs no fork as a stage of a pipeline; it
                     receives the call's first word, or None if that is missing or not constant
    write_error      status and message when the output cannot be written; {} is the reason
    """

    __module__ = "keysh"
    __slots__ = (
        "from_words",
        "listing_options",
        "prints_json",
        "prints_lines",
        "prints_value",
        "write_error",
    )

    def __init__(
        self,
        *,
        lines: bool = False,
        listing_options: str = "",
        value: bool = False,
        json: bool = False,
        from_words: Callable[[str | None], bool] | None = None,
        write_error: tuple[int, str] = (1, "write error: {}"),
    ) -> None:
        self.prints_lines, self.prints_value, self.prints_json = lines, value, json
        self.from_words = from_words
        self.listing_options = frozenset(listing_options.split())
        self.write_error = write_error


class Refusals:
    """How a command refuses arguments, where that is not the coreutils' way.

    usage_status          status for wrong options and operands
    usage_hint            line below the message; {} is the command's name
    invalid_values        message for a parameter's bad value: {"lines": "invalid number of lines"};
                          the value replaces {}, or follows
    extra_operand_error   message for an operand too many; status 1 and no hint
    missing_operand_error  message for a missing operand; status 1 and no hint
    unknown_option_error  message for an unknown option, which replaces {}
    """

    __module__ = "keysh"
    __slots__ = (
        "extra_operand_error", "invalid_values", "missing_operand_error", "unknown_option_error",
        "usage_hint", "usage_status",
    )  # fmt: skip

    def __init__(
        self,
        *,
        usage_status: int = 1,
        usage_hint: str = USAGE_HINT,
        invalid_values: Mapping[str, str] | None = None,
        extra_operand_error: str = "",
        missing_operand_error: str = "",
        unknown_option_error: str = "",
    ) -> None:
        self.usage_status, self.usage_hint = usage_status, usage_hint
        self.invalid_values: Mapping[str, str] = invalid_values or {}
        self.extra_operand_error = extra_operand_error
        self.missing_operand_error = missing_operand_error
        self.unknown_option_error = unknown_option_error


class OptionStyle:
    """How a command reads its words, where that is not the usual way.

    binds_by_key          whether `key=value` binds a parameter; False for `env`
    has_help              whether `--help` prints the help, and `--version` the version of a command
                          of keysh's own; False for `echo`
    options_first         whether options end at the first operand
    takes_code            whether a dash before anything but a letter begins an operand:
                          `jq "-(.a)"`
    unabbreviated         long options that the real tool lacks, "by-size by-time": never shortened,
                          so that the tool's own abbreviations stay unambiguous
    legacy_form           turns an obsolete first word, `tail +5`, into today's; it receives the
                          word and the number of words, and returns "" for any other word
    section_flags         flags that change the meaning of the operands after them, "args
                          jsonargs"; each is recorded with the number of operands before it
    no_glob_match_option  the parameter, as `force` of rm, that lets a glob without a match stand
                          for no operand at all
    """

    __module__ = "keysh"
    __slots__ = (
        "binds_by_key", "has_help", "legacy_form", "no_glob_match_option", "options_first",
        "section_flags", "takes_code", "unabbreviated",
    )  # fmt: skip

    def __init__(
        self,
        *,
        binds_by_key: bool = True,
        has_help: bool = True,
        options_first: bool = False,
        takes_code: bool = False,
        unabbreviated: str = "",
        legacy_form: Callable[[str, int], str] | None = None,
        section_flags: str = "",
        no_glob_match_option: str = "",
    ) -> None:
        self.binds_by_key, self.has_help = binds_by_key, has_help
        self.options_first, self.takes_code = options_first, takes_code
        self.unabbreviated = frozenset(unabbreviated.split())
        self.legacy_form = legacy_form
        self.section_flags = frozenset(section_flags.split())
        self.no_glob_match_option = no_glob_match_option


DEFAULT_OUTPUT, DEFAULT_REFUSALS, DEFAULT_STYLE = OutputStyle(), Refusals(), OptionStyle()


class Command:
    """A declared command: its parameters by each spelling, its help, and its style.

    name        its name
    summary     the first line of its help
    help        what `--help` prints below the line of usage
    parameters  in the order of the signature
    function    what runs: it receives the call, then the arguments
    output      what callers know about its output
    refusals    how it refuses arguments
    style       how it reads its words
    """

    __module__ = "keysh"
    __slots__ = (
        "by_full_name", "by_key", "by_letter", "by_long", "compatible", "expands_words", "function",
        "has_version", "help", "is_generator", "is_pulled_singly", "is_raw", "is_unbound",
        "judged_lists", "name", "number_option", "operands", "options_first", "output",
        "parameters", "positional_count", "refusals", "required_options", "rest", "runs_command",
        "style", "summary", "takes_numbers", "whole",
    )  # fmt: skip
    is_group = False  # whether it is a CommandGroup

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        parameters: list[CommandParameter],
        output: OutputStyle = DEFAULT_OUTPUT,
        refusals: Refusals = DEFAULT_REFUSALS,
        style: OptionStyle = DEFAULT_STYLE,
    ) -> None:
        self.name, self.function, self.parameters = name, function, parameters
        self.output, self.refusals, self.style = output, refusals, style
        self.operands = [p for p in parameters if p.role in ("text", "operand")]
        self.positional_count = sum(p.role == "text" for p in parameters)
        self.rest = next((p for p in parameters if p.role == "rest"), None)
        self.judged_lists = [p for p in parameters if p.type.judges_list]
        self.required_options = [p for p in parameters if p.role == "option" and p.is_required]
        self.by_key = {p.key: p for p in parameters if p.has_name and style.binds_by_key}
        self.by_long: dict[str, CommandParameter] = {}  # `--lines`, which may be shortened
        # `--no-quiet` and `--operand`, which may not; with the value each gives a flag.
        self.by_full_name: dict[str, tuple[CommandParameter, bool]] = {}
        self.by_letter: dict[str, CommandParameter] = {}
        self.number_option: CommandParameter | None = None  # the option that `-NUM` sets
        self.takes_numbers = any(
            p.type.name in ("int", "float") and p.role != "option" for p in parameters
        )
        # A rest of raw words is a command to run: this command's options precede it. Without
        # options no word is ours to read.
        self.runs_command = self.rest is not None and self.rest.type is RAW
        self.is_raw = self.runs_command and len(parameters) == 1
        self.options_first = self.runs_command or style.options_first
        self.compatible = ""  # the program and version that it follows
        self.has_version = False  # whether `--version` prints keysh's version
        # A host's command gets raw words as a program would: globs expanded, all as text.
        self.expands_words = False
        self.summary = self.help = ""
        self.is_generator = False  # yields its output
        self.is_unbound = False  # a method that is declared in a class, and needs its object
        self.is_pulled_singly = False  # a host's generator: it is resumed only for what is read
        self.whole: Callable[..., Work | None] | None = None  # see @command

    def is_listing(self, words: list[str]) -> bool:
        """Whether it prints one item a line when called with these words."""
        return self.output.prints_lines or any(self._is_listing_option(word) for word in words)

    def _is_listing_option(self, word: str) -> bool:
        """Whether a word contains a listing option."""
        if word[:2] == "--":
            found = self.by_long.get(word[2:])
            return found is not None and found.name in self.output.listing_options
        letters = word[1:] if word[:1] == "-" else ""
        options = (self.by_letter.get(letter) for letter in letters)
        return any(
            option is not None and option.name in self.output.listing_options for option in options
        )

    def json_schema(self) -> dict[str, Any]:
        """Return the parameters as a JSON Schema object, draft 2020-12."""
        properties: dict[str, Any] = {}
        definitions: dict[str, Any] = {}
        required: list[str] = []
        for parameter in self.parameters:
            schema = parameter.type.schema()
            lift_definitions(schema, definitions)
            if parameter.role == "rest":
                schema = {"type": "array", "items": schema}
                if parameter.minimum:
                    schema["minItems"] = parameter.minimum
            if parameter.help:
                schema["description"] = parameter.help
            if (default := parameter.plain_default) is not ABSENT:
                schema["default"] = default
            properties[parameter.key] = schema
            if parameter.is_required and not parameter.replacing_options:
                required.append(parameter.key)
        return {
            "$schema": JSON_SCHEMA_DIALECT,
            "title": self.name,
            "description": self.summary,
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
            **({"$defs": definitions} if definitions else {}),
        }

    def bound_to(self, method: Callable[..., Any]) -> Command:
        """Return the command of an object's method, which its class has declared."""
        bound = Command.__new__(Command)
        for name in Command.__slots__:
            setattr(bound, name, getattr(self, name))
        for_target: Any = getattr(self.function, "for_target", None)
        bound.function = method if for_target is None else for_target(method)
        bound.is_unbound = False
        return bound


def lift_definitions(schema: Any, definitions: dict[str, Any]) -> None:
    """Move the definitions of a schema, and of those within, to those of the whole."""
    if isinstance(schema, dict):
        definitions |= schema.pop("$defs", {})
    for part in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(part, dict | list):
            lift_definitions(part, definitions)
