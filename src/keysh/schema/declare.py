"""`@command`: a function's signature and docstring become a Command.

The signature gives names, types, defaults and positions; the docstring is the help that a user
reads, and gives the letters. Where they disagree the declaration is refused.
"""

from __future__ import annotations

from keysh.diagnostics.errors import KeyshError
from keysh.schema.annotations import UnknownType, type_of_annotation
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
from keysh.schema.parameter_type import OptionalType, OptionalValueType, WrapperType
from keysh.schema.types import RAW, UnfitValue
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeVar, overload

    from keysh.schema.docstring import HelpRow

    Function = TypeVar("Function", bound=Callable[..., Any])

VARIADIC_CODE_FLAG, KEYWORDS_CODE_FLAG, GENERATOR_CODE_FLAG = (
    0x04,
    0x08,
    0x20,
)  # flags of a code object: *args, **kwargs, yields
# Where keysh's own commands are declared.
KEYSH_MODULE_PREFIXES = ("keysh.tools.", "keysh.builtins.", "keysh.gnu.", "keysh.interp.")


class DeclarationError(KeyshError):
    """A command's signature and docstring do not agree; the message says where."""


if TYPE_CHECKING:

    @overload
    def command(function: Function, /) -> Function: ...
    @overload
    def command(
        function: None = None,
        /,
        *,
        name: str = ...,
        output: OutputStyle = ...,
        refusals: Refusals = ...,
        style: OptionStyle = ...,
        says: Callable[[Sequence[object]], str | None] | None = ...,
    ) -> Callable[[Function], Function]: ...


def command(
    function: Any = None,
    /,
    *,
    name: str = "",
    output: OutputStyle = DEFAULT_OUTPUT,
    refusals: Refusals = DEFAULT_REFUSALS,
    style: OptionStyle = DEFAULT_STYLE,
    says: Callable[[Sequence[object]], str | None] | None = None,
) -> Any:
    """Declare a command; the function stays what it is and carries its declaration.

    name      the command's name, where that is not the function's
    output    what callers know about its output
    refusals  how it refuses arguments
    style     how it reads its words
    says      the output for given words, where it depends on nothing else, so that no call is
              needed; None for "call it"
    """

    def declare(function: Any) -> Any:
        declared = command_from_function(function, name, output, refusals, style)
        declared.says = says
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
        function.__keysh__ = declared
        return function

    return declare if function is None else declare(function)


def command_of(function: object) -> Command:
    """The declaration that a function carries."""
    made = getattr(function, "__keysh__", None)
    if not isinstance(made, Command):
        raise DeclarationError(f"{function!r} is no command; declare it with @command")
    return made


def command_from_function(
    function: Any,
    name: str = "",
    output: OutputStyle = DEFAULT_OUTPUT,
    refusals: Refusals = DEFAULT_REFUSALS,
    style: OptionStyle = DEFAULT_STYLE,
) -> Command:
    """The command that a function's signature and docstring describe."""
    if not hasattr(function, "__code__"):
        raise DeclarationError(f"{function!r} is no function with a signature")
    name = name or function.__name__.rstrip("_")
    if not function.__doc__:
        raise DeclarationError(f"{name} has no docstring, so it has no help")
    parameters = signature_parameters(function, name)
    made = Command(name, function, parameters, output, refusals, style)
    returns = str(function.__annotations__.get("return"))
    made.is_generator = bool(function.__code__.co_flags & GENERATOR_CODE_FLAG) or (
        returns.startswith("Iterator[") and "|" not in returns
    )
    lines = dedented_lines(function.__doc__)
    made.summary, made.help = lines[0], "\n".join(lines)
    apply_help_rows(made, help_rows(lines))
    is_own = is_declared_by_keysh(function)
    made.is_pulled_singly = not is_own
    made.has_version = is_own and style.has_help and "version" not in made.by_key
    if made.has_version and not made.is_raw:
        made.by_long["version"] = VERSION_OPTION
    return made


# ---------------------------------------------------------------- the signature


def signature_parameters(function: Any, name: str) -> list[CommandParameter]:
    """A function's parameters, without the first: that is the call."""
    code = function.__code__
    count, only, names = code.co_argcount, code.co_kwonlyargcount, code.co_varnames
    rest = count + only
    if code.co_flags & KEYWORDS_CODE_FLAG:
        keywords = names[rest + bool(code.co_flags & VARIADIC_CODE_FLAG)]
        raise DeclarationError(f"{name}: `**{keywords}` cannot be declared")
    if not count:
        raise DeclarationError(f"{name}: the first parameter must be the call")
    defaults = function.__defaults__ or ()
    given = dict(zip(names[count - len(defaults) : count], defaults, strict=True))
    given.update(function.__kwdefaults__ or {})
    parameters = []
    for i in range(1, rest):
        place = "option" if i >= count else "text" if i < code.co_posonlyargcount else "operand"
        parameters.append(signature_parameter(function, name, names[i], place, given))
    if code.co_flags & VARIADIC_CODE_FLAG:
        parameters.insert(
            count - 1, signature_parameter(function, name, names[rest], "rest", given)
        )
    return parameters


def signature_parameter(
    function: Any, command: str, name: str, place: str, defaults: dict[str, object]
) -> CommandParameter:
    """One parameter with its type and default."""
    annotation = function.__annotations__.get(name)
    if annotation is None:
        raise DeclarationError(f"{command}: {name} has no type")
    try:
        kind = type_of_annotation(annotation, function.__globals__)
    except UnknownType as unknown:
        raise DeclarationError(f"{command}: {name} has no parameter type: {unknown}") from None
    made = CommandParameter(name, kind, defaults.get(name, ABSENT), place)
    complaint = type_complaint(made)
    if complaint:
        raise DeclarationError(f"{command}: {name} {complaint}")
    return made


def type_complaint(parameter: CommandParameter) -> str:
    """What is wrong with a parameter's type at its place, or with its default."""
    kind, default, place = parameter.type, parameter.default, parameter.role
    if RAW in (kind, getattr(kind, "inner", None)):
        is_rest = kind is RAW and place == "rest"
        return "" if is_rest else "is Raw, which only `*words: Raw` can be"
    if place == "rest":
        is_one = not isinstance(kind, WrapperType)
        return "" if is_one else "takes any number of operands; its type is that of one"
    if isinstance(kind, OptionalValueType) and (place != "option" or default is not False):
        return "has a type with `| bool`, so it must be an option that is False by default"
    if default is ABSENT:
        return "is an option, so it needs a default" if place == "option" else ""
    try:
        fits = kind.take(default) == default
    except UnfitValue:
        fits = False
    if fits:
        return ""
    if default is None:
        return "is None by default, so its type needs `| None`"
    return f"is {default!r} by default, but must be {kind.requirement}"


# ---------------------------------------------------------------- the docstring


def apply_help_rows(made: Command, found: list[HelpRow]) -> None:
    """Give each parameter its names and words; refuse what is missing or said twice."""
    waiting = {p.key: p for p in made.parameters}
    if len(waiting) < len(made.parameters):
        raise DeclarationError(f"{made.name}: two parameters differ in a `_` at the end only")
    pairs: list[tuple[CommandParameter, HelpRow]] = []
    for row in found:
        parameter = row_parameter(row, waiting)
        if parameter is None and is_information_row(made, row):
            continue
        if parameter is None:
            raise DeclarationError(
                f"{made.name}: the docstring describes `{row.head}`, the signature has "
                f"{joined_names(waiting)} left to describe"
            )
        if complaint := row_complaint(row, parameter):
            raise DeclarationError(f"{made.name}: {complaint}")
        parameter.help = row.text
        register_names(made, parameter, row)
        pairs.append((parameter, row))
    if waiting:
        raise DeclarationError(
            f"{made.name}: the signature has {joined_names(waiting)}, the docstring does not"
        )
    for parameter, row in pairs:  # a note may name an option that is described further down
        apply_notes(made, parameter, row)
    if not made.is_raw:
        made.by_long.setdefault("help", HELP_OPTION)


def row_parameter(row: HelpRow, waiting: dict[str, CommandParameter]) -> CommandParameter | None:
    """The parameter a row is about: its first word names it, `--no-flag` a flag."""
    key = row.words[0].lstrip("-").replace("-", "_") if row.words else ""
    found = waiting.pop(key, None)
    if found is None and row.is_option and key.startswith("no_"):
        found = waiting.pop(key[3:], None)
        if found is not None:
            found.is_negated = True
    return found


def is_information_row(made: Command, row: HelpRow) -> bool:
    """Whether a row gives letters to what is declared by itself: `-h, --help`, `-V, --version`."""
    asking = INFORMATION_OPTIONS.get(row.words[0]) if row.words else None
    if asking is None or (asking is VERSION_OPTION and not is_declared_by_keysh(made.function)):
        return False
    register_letters(made, asking, row)
    return True


def is_declared_by_keysh(function: Callable[..., Any]) -> bool:
    """Whether keysh declares it, and no host."""
    return (function.__module__ or "").startswith(KEYSH_MODULE_PREFIXES)


def row_complaint(row: HelpRow, parameter: CommandParameter) -> str:
    """Where a row and the signature say different things about a parameter, if they do."""
    name, place, default = parameter.name, parameter.role, parameter.default
    if (row.is_option and not parameter.has_name) or (not row.is_option and place == "option"):
        has = "an option" if place == "option" else "an operand without a name"
        return f"the docstring shows `{row.head}`, in the signature {name} is {has}"
    if row.is_repeated != (place == "rest"):
        count = "any number of" if place == "rest" else "one"
        return f"the docstring shows `{row.head}`, the signature takes {count} {name}"
    if not row.is_option:
        return ""
    shown = "optional" if row.value_is_optional else "needed" if row.metavar else "none"
    means = "none" if parameter.is_flag else "optional" if parameter.value_is_optional else "needed"
    if shown != means:
        return (
            f"the docstring shows `{row.head}`, the type of {name} means {VALUE_COMPLAINTS[means]}"
        )
    if parameter.is_flag and default in (True, False) and default is not parameter.is_negated:
        return f"the docstring shows `{row.head}`, but {name} is {default} by default"
    return ""


VALUE_COMPLAINTS = {
    "none": "that no value follows",
    "needed": "that a value follows: ` VALUE`",
    "optional": "that its value may be left out: `[=VALUE]`",
}


def register_names(made: Command, parameter: CommandParameter, row: HelpRow) -> None:
    """File a parameter under the letters and words it is given by."""
    parameter.letters = row.letters
    register_letters(made, parameter, row)
    if row.is_option:
        parameter.long_names = tuple(word[2:] for word in row.words)
    for word in parameter.long_names:
        if made.by_long.setdefault(word, parameter) is not parameter:
            raise DeclarationError(f"{made.name}: --{word} is given to two parameters")
    if parameter.has_name:
        word = parameter.key.replace("_", "-")
        made.by_full_name[word] = (parameter, True)
        if parameter.is_flag or parameter.value_is_optional:
            made.by_full_name[f"no-{word}"] = (parameter, False)


def register_letters(made: Command, parameter: CommandParameter, row: HelpRow) -> None:
    """File a parameter under the letters of its row."""
    for letter in row.letters:
        if made.by_letter.setdefault(letter, parameter) is not parameter:
            raise DeclarationError(f"{made.name}: -{letter} is given to two parameters")


def apply_notes(made: Command, parameter: CommandParameter, row: HelpRow) -> None:
    """Follow a row's notes: (also -NUM), (at least 1), (not with -e, -f), (the last one)."""
    parameter.ends_options = row.note_after("the last one") is not None
    if row.note_after("also -NUM") is not None:
        if made.number_option is not None:
            raise DeclarationError(f"{made.name}: -NUM is given to two parameters")
        made.number_option = parameter
    least = row.note_after("at least ")
    if least is not None and least.isdecimal() and parameter.role == "rest":
        parameter.minimum = int(least)
    for name in (row.note_after("not with ") or "").replace(",", " ").split():
        option = made.by_letter.get(name[1:]) or made.by_long.get(name[2:])
        if option is None or not isinstance(parameter.type, OptionalType):
            raise DeclarationError(
                f"{made.name}: {parameter.key} is left out with {name}, so that must be an option, "
                "and the type needs `| None`"
            )
        parameter.replacing_options = (*parameter.replacing_options, option.name)


def joined_names(names: Iterable[str]) -> str:
    """Names in a message."""
    return ", ".join(names) or "none"
