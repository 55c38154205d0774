"""`@command`: a function's signature and docstring become a Command.

The signature gives the parameters' names, types, defaults and positions. The docstring is the help
that a user reads; it also gives the options' letters. If they disagree, the declaration is refused.
"""

from __future__ import annotations

from keysh.diagnostics.exceptions import KeyshError
from keysh.schema.command import (
    DEFAULT_OUTPUT,
    DEFAULT_REFUSALS,
    DEFAULT_STYLE,
    HELP_OPTION,
    INFORMATION_OPTIONS,
    VERSION_OPTION,
    Command,
    CommandParameter,
)
from keysh.schema.command import OptionStyle as OptionStyle
from keysh.schema.command import OutputStyle as OutputStyle
from keysh.schema.command import Refusals as Refusals
from keysh.schema.docstring import dedented_lines, help_rows
from keysh.schema.parameter_type import OptionalType
from keysh.schema.signature import FunctionSignature, SignatureError, signature_of_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeVar, overload

    from keysh.schema.arguments import Work
    from keysh.schema.docstring import HelpRow

    Function = TypeVar("Function", bound=Callable[..., Any])

GENERATOR_CODE_FLAG = 0x20  # of a code object
# The modules that declare keysh's own commands.
KEYSH_MODULE_PREFIXES = ("keysh.tools.", "keysh.builtins.", "keysh.gnu.", "keysh.interp.")


class DeclarationError(KeyshError):
    """A command's signature and docstring disagree; the message says where."""

    __module__ = "keysh"


if TYPE_CHECKING:

    @overload
    def command(function: Function, /) -> Function: ...
    @overload
    def command(
        function: None = None,
        /,
        *,
        name: str = ...,
        compatible: str = ...,
        output: OutputStyle = ...,
        refusals: Refusals = ...,
        style: OptionStyle = ...,
        whole: Callable[..., Work | None] | None = ...,
        ignored: str = ...,
        refused: str = ...,
        strict: bool = ...,
    ) -> Callable[[Function], Function]: ...


def command(
    function: Any = None,
    /,
    *,
    name: str = "",
    compatible: str = "",
    output: OutputStyle = DEFAULT_OUTPUT,
    refusals: Refusals = DEFAULT_REFUSALS,
    style: OptionStyle = DEFAULT_STYLE,
    whole: Callable[..., Work | None] | None = None,
    ignored: str = "",
    refused: str = "",
    strict: bool = False,
) -> Any:
    """Declare a command; the function is unchanged and carries its declaration.

    What cannot carry one, such as a method of an object, is returned as a `functools.partial`.

    name        the command's name, if it is not the function's
    compatible  the program and version that it follows, "GNU grep 3.8", for `--version`
    output      what callers know about its output
    refusals    how it refuses arguments
    style       how it reads its words
    whole       for a filter: a function with the command's parameters that returns one from a
                complete input to output and status, or None. The output may depend on nothing but
                the input and the arguments. It is called once for a call with constant words.
    ignored     options that it accepts and ignores: "-u; --parallel NUM"
    refused     options that it refuses, two blanks before the reason: "--proxy URL  no proxies"
    strict      whether the docstring must describe each parameter
    """

    def declare(function: Any) -> Any:
        declared = command_from_function(function, name, output, refusals, style, strict=strict)
        declared.whole, declared.compatible = whole, compatible
        if ignored or refused:
            add_unused_options(declared, ignored, refused)
        parameter_names = [parameter.name for parameter in declared.parameters]
        for keys, names in (
            (refusals.invalid_values, parameter_names),
            (output.listing_options, parameter_names),
            (style.unabbreviated, declared.by_long),
            (style.section_flags, parameter_names),
        ):
            for key in keys:
                if key not in names:
                    raise DeclarationError(
                        f"{declared.name}: the decorator names {key}, the signature has "
                        f"{joined_names(names)}"
                    )
        try:
            function.__keysh__ = declared
        except AttributeError:  # a method of an object, or a builtin function
            from functools import partial  # noqa: PLC0415 - few declare one

            function = partial(function)
            function.__keysh__ = declared
        return function

    return declare if function is None else declare(function)


def command_of(function: object) -> Command:
    """Return the declaration that a function carries."""
    declared = getattr(function, "__keysh__", None)
    if not isinstance(declared, Command):
        raise DeclarationError(f"{function!r} is no command; declare it with @command")
    return declared


def command_from_function(
    function: Any,
    name: str = "",
    output: OutputStyle = DEFAULT_OUTPUT,
    refusals: Refusals = DEFAULT_REFUSALS,
    style: OptionStyle = DEFAULT_STYLE,
    *,
    strict: bool = False,
) -> Command:
    """Return the command that a function's signature and docstring describe."""
    try:
        signature = signature_of(function)
    except SignatureError as error:
        raise DeclarationError(f"{name or name_of(function)}: {error}") from None
    name = name or signature.name.rstrip("_")
    command = Command(name, signature.function, signature.parameters, output, refusals, style)
    command.is_unbound = signature.is_unbound
    if not signature.receives_call_first:
        from keysh.schema.callables import HostFunction  # noqa: PLC0415 - keysh's own receive it

        command.function = HostFunction(signature.function, signature.call_place, command)
    returns = str(signature.returns)
    command.is_generator = bool(signature.code_flags & GENERATOR_CODE_FLAG) or (
        returns.startswith("Iterator[") and "|" not in returns
    )
    is_own = is_declared_by_keysh(command.function)
    lines = dedented_lines(signature.doc)
    rows = help_rows(lines)
    if not (signature.is_own or (lines[0] and describes_all(rows, command))):
        from keysh.schema.docstring_styles import complete_help  # noqa: PLC0415 - keysh's own are

        lines, rows = complete_help(lines, rows, command, signature.hidden_names, is_strict=strict)
    command.summary, command.help = lines[0], "\n".join(lines)
    apply_help_rows(command, rows)
    command.is_pulled_singly = not is_own
    command.has_version = is_own and style.has_help and "version" not in command.by_key
    if command.has_version and not command.is_raw:
        command.by_long["version"] = VERSION_OPTION
    return command


def signature_of(function: Any) -> FunctionSignature:
    """Return the signature of anything that can be called; raise SignatureError."""
    if function.__class__ is PLAIN_FUNCTION_CLASS and not hasattr(function, "__wrapped__"):
        return signature_of_code(function)
    from keysh.schema.callables import signature_of_callable  # noqa: PLC0415 - few are no plain functions

    return signature_of_callable(function)


def describes_all(rows: list[HelpRow], command: Command) -> bool:
    """Whether each parameter of a command has a row."""
    described = {word.lstrip("-").replace("-", "_") for row in rows for word in row.words[:1]}
    return described.issuperset(parameter.key for parameter in command.parameters)


def name_of(function: Any) -> str:
    """Return the name of what is declared, for messages."""
    return str(getattr(function, "__name__", type(function).__name__))


PLAIN_FUNCTION_CLASS = name_of.__class__


# ---------------------------------------------------------------- the docstring


def apply_help_rows(command: Command, rows: list[HelpRow]) -> None:
    """Give each parameter its names and help; refuse a row or parameter without its counterpart."""
    undescribed = {p.key: p for p in command.parameters}
    if len(undescribed) < len(command.parameters):
        raise DeclarationError(f"{command.name}: two parameters differ in a `_` at the end only")
    pairs: list[tuple[CommandParameter, HelpRow]] = []
    for row in rows:
        parameter = row_parameter(row, undescribed)
        if parameter is None and is_information_row(command, row):
            continue
        if parameter is None:
            raise DeclarationError(
                f"{command.name}: the docstring describes `{row.head}`, the signature has "
                f"{joined_names(undescribed)} left to describe"
            )
        if complaint := row_complaint(row, parameter):
            raise DeclarationError(f"{command.name}: {complaint}")
        parameter.help = row.text
        register_names(command, parameter, row)
        pairs.append((parameter, row))
    if undescribed:
        raise DeclarationError(
            f"{command.name}: the signature has {joined_names(undescribed)}, the docstring does not"
        )
    for parameter, row in pairs:  # a note may name an option in a later row
        apply_notes(command, parameter, row)
    if not command.is_raw:
        command.by_long.setdefault("help", HELP_OPTION)


def row_parameter(
    row: HelpRow, undescribed: dict[str, CommandParameter]
) -> CommandParameter | None:
    """Take the parameter of a row: its first long name is the parameter's, or `--no-` and that."""
    key = row.words[0].lstrip("-").replace("-", "_") if row.words else ""
    parameter = undescribed.pop(key, None)
    if parameter is None and row.is_option and key.startswith("no_"):
        parameter = undescribed.pop(key[3:], None)
        if parameter is not None:
            parameter.is_negated = True
    return parameter


def is_information_row(command: Command, row: HelpRow) -> bool:
    """Whether a row describes `-h, --help` or `-V, --version`, which no signature has."""
    option = INFORMATION_OPTIONS.get(row.words[0]) if row.words else None
    if option is None or (option is VERSION_OPTION and not is_declared_by_keysh(command.function)):
        return False
    register_letters(command, option, row)
    return True


def is_declared_by_keysh(function: Callable[..., Any]) -> bool:
    """Whether keysh declares the function, and not a host."""
    return (function.__module__ or "").startswith(KEYSH_MODULE_PREFIXES)


def row_complaint(row: HelpRow, parameter: CommandParameter) -> str:
    """Return how a row and the signature disagree; empty if they agree."""
    name, role, default = parameter.name, parameter.role, parameter.default
    if (row.is_option and not parameter.has_name) or (not row.is_option and role == "option"):
        has = "an option" if role == "option" else "an operand without a name"
        return f"the docstring shows `{row.head}`, in the signature {name} is {has}"
    if row.is_repeated != (role == "rest"):
        count = "any number of" if role == "rest" else "one"
        return f"the docstring shows `{row.head}`, the signature takes {count} {name}"
    if not row.is_option:
        return ""
    shown = "optional" if row.value_is_optional else "needed" if row.metavar else "none"
    means = "none" if parameter.is_flag else "optional" if parameter.value_is_optional else "needed"
    if shown != means:
        complaint = VALUE_COMPLAINTS[means]
        return f"the docstring shows `{row.head}`, the type of {name} means {complaint}"
    if parameter.is_flag and default in (True, False) and default is not parameter.is_negated:
        return f"the docstring shows `{row.head}`, but {name} is {default} by default"
    return ""


VALUE_COMPLAINTS = {
    "none": "that no value follows",
    "needed": "that a value follows: ` VALUE`",
    "optional": "that its value may be left out: `[=VALUE]`",
}


def add_unused_options(command: Command, ignored: str, refused: str) -> None:
    """Register the options that the function does not receive, and list them in the help."""
    from keysh.schema.unused_options import (  # noqa: PLC0415 - few commands have any
        help_with_unused,
        unused_options,
    )

    heads: dict[str, list[str]] = {}
    for declaration, role in ((ignored, "ignored"), (refused, "refused")):
        try:
            options = unused_options(declaration, role)
        except ValueError as error:
            raise DeclarationError(f"{command.name}: {role}: {error}") from None
        for row, parameter in options:
            register_names(command, parameter, row)
        heads[role] = [row.head for row, _ in options]
    lines = command.help.split("\n")
    command.help = "\n".join(help_with_unused(lines, heads["ignored"], heads["refused"]))


def register_names(command: Command, parameter: CommandParameter, row: HelpRow) -> None:
    """Register a parameter under its letters, long names and full name."""
    parameter.letters = row.letters
    register_letters(command, parameter, row)
    if row.is_option:
        parameter.long_names = tuple(word[2:] for word in row.words)
    for word in parameter.long_names:
        if command.by_long.setdefault(word, parameter) is not parameter:
            raise DeclarationError(f"{command.name}: --{word} is given to two parameters")
    if parameter.role in ("ignored", "refused") and parameter.is_flag:
        for word in parameter.long_names:
            opposite = word[3:] if word.startswith("no-") else f"no-{word}"
            command.by_full_name[opposite] = (parameter, False)
    if parameter.has_name:
        word = parameter.key.replace("_", "-")
        command.by_full_name[word] = (parameter, True)
        if parameter.is_flag or parameter.value_is_optional:
            command.by_full_name[f"no-{word}"] = (parameter, False)


def register_letters(command: Command, parameter: CommandParameter, row: HelpRow) -> None:
    """Register a parameter under the letters of its row."""
    for letter in row.letters:
        if command.by_letter.setdefault(letter, parameter) is not parameter:
            raise DeclarationError(f"{command.name}: -{letter} is given to two parameters")


def apply_notes(command: Command, parameter: CommandParameter, row: HelpRow) -> None:
    """Apply the notes in a row's text.

    (also -NUM)       `-5` sets this option
    (at least 1)      the rest needs that many operands
    (not with -e)     the option replaces this operand
    (the last one)    words after this option are operands
    """
    parameter.ends_options = row.note_after("the last one") is not None
    if row.note_after("also -NUM") is not None:
        if command.number_option is not None:
            raise DeclarationError(f"{command.name}: -NUM is given to two parameters")
        command.number_option = parameter
    minimum = row.note_after("at least ")
    if minimum is not None and minimum.isdecimal() and parameter.role == "rest":
        parameter.minimum = int(minimum)
    for name in (row.note_after("not with ") or "").replace(",", " ").split():
        option = command.by_letter.get(name[1:]) or command.by_long.get(name[2:])
        if option is None or not isinstance(parameter.type, OptionalType):
            raise DeclarationError(
                f"{command.name}: {parameter.key} is left out with {name}, so that must be an "
                "option, and the type needs `| None`"
            )
        parameter.replacing_options = (*parameter.replacing_options, option.name)


def joined_names(names: Iterable[str]) -> str:
    """Return names for a message."""
    return ", ".join(names) or "none"
