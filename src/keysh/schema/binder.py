"""Binding: a command's arguments, as the parser made them, become its parameters.

The same function binds a running command and, before anything runs, the constant arguments of a
script: what is wrong is a Misuse that knows which argument it is about. Of arguments that are not
known yet (UNKNOWN) nothing is claimed, nor of what they could change.
"""

from __future__ import annotations

from keysh.schema.arguments import (
    UNKNOWN,
    UNKNOWN_WORDS,
    ConstantArguments,
    GlobArgument,
    NamedArgument,
    UnknownArgument,
    option_text,
    raw_text,
    words_for_function,
)
from keysh.schema.bound import BoundArguments
from keysh.schema.command import ABSENT, HELP_OPTION, VERSION_OPTION
from keysh.schema.types import UnfitValue
from keysh.values import text_of, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from keysh.schema.command import Command, CommandParameter

DIGITS = "0123456789"


class InvalidArguments(Exception):
    """Arguments that a command does not take.

    `code` is the checker's, `index` the argument's (-1 for one that is missing), `message` what the
    command says, without its name. `is_value` says that only a value is wrong: GNU's commands then
    do not point to their help. `status` is the command's for such a value, where it has one.
    """

    def __init__(
        self, code: str, index: int, message: str, fix: str = "", *, is_value: bool = False,
        status: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.code, self.index, self.message, self.fix = code, index, message, fix
        self.is_value, self.status = is_value, status


def bind(command: Command, arguments: Sequence[object]) -> BoundArguments:
    """Bind arguments to a command's parameters; raises Misuse. What comes may come again."""
    if not isinstance(arguments, ConstantArguments):
        return bind_afresh(command, arguments)
    of, bound = arguments.cached_binding
    if of is not command or not isinstance(bound, BoundArguments):
        bound = bind_afresh(command, arguments)
        if not bound.is_immutable():
            return bound
        arguments.cached_binding = command, bound
    return bound


def bind_afresh(command: Command, arguments: Sequence[object]) -> BoundArguments:
    """Bind arguments of which nothing is known yet; raises Misuse."""
    if command.style.legacy_form is not None:
        arguments = without_legacy_form(command.style.legacy_form, arguments)
    binder = Binder(command, arguments)
    bound = binder.bound
    if command.is_raw:
        word = arguments[0] if len(arguments) == 1 else ""
        bound.asks_help = command.style.has_help and word == "--help"
        bound.asks_version = command.has_version and word == "--version"
        if bound.asks_help or bound.asks_version:
            return bound
        bound.positional.extend(
            words_for_function(arguments) if command.expands_words else arguments
        )
        return bound
    binder.read_arguments()
    if not (bound.asks_help or bound.asks_version):
        binder.bind_operands()
    return bound


class Binder:
    """One binding: options are taken out from the left, then the operands find their places.

    The methods that read an option take its index and answer that of the next argument to read.
    """

    __slots__ = ("are_options_over", "arguments", "bound", "command", "operands")

    def __init__(self, command: Command, arguments: Sequence[object]) -> None:
        self.command, self.arguments, self.bound = command, arguments, BoundArguments()
        self.operands: list[tuple[int, Any]] = []
        self.are_options_over = False

    def read_arguments(self) -> None:
        """Take the options out; what remains are operands, each with its index."""
        arguments, operands, by_letter = self.arguments, self.operands, self.command.by_letter
        i, count = 0, len(arguments)
        while i < count and not self.are_options_over:
            argument: Any = arguments[i]
            text = argument if argument.__class__ is str else option_text(argument)
            if text[:1] == "-" and text != "-":
                i = (
                    self.read_letters(i, text)
                    if text[1] in by_letter
                    else self.read_option(i, text)
                )
            elif argument.__class__ is NamedArgument and self.bind_named(i, argument):
                i += 1
            elif argument.__class__ is UnknownArgument:
                self.bound.is_partial = True
                return
            else:
                operands.append((i, argument))
                i += 1
                self.are_options_over = self.command.options_first
        operands.extend(enumerate(arguments[i:], i))

    # ------------------------------------------------------------ options

    def read_option(self, i: int, text: str) -> int:
        """An argument with a dash and more that is no known letter."""
        command = self.command
        if text[1] == "-":
            if text != "--":
                return self.read_long_option(i, text)
            self.are_options_over = True
            if command.runs_command:  # who reads options behind operands must know
                self.bound.options_in_order.append(("--", True))
            return i + 1
        is_number = command.takes_numbers and (text[1] in DIGITS or text[1] == ".")  # `seq -5`
        if is_number or (command.style.takes_code and not text[1].isalpha()):  # `jq "-(.a)"`
            self.operands.append((i, text))
            return i + 1
        return self.read_letters(i, text)

    def read_letters(self, i: int, text: str) -> int:
        """`-abc`, `-kvalue`, `-k value`, `-5a`, `-a5`."""
        by_letter, number, end = self.command.by_letter, self.command.number_option, 1
        for at in range(1, len(text)):
            if at < end:  # a digit of a number
                continue
            parameter = by_letter.get(text[at])
            if parameter is None and number is not None and text[at] in DIGITS:
                end = number_end(text, at, number)
                self.set_option(number, self.convert_value(number, text[at:end], i))
                continue
            if parameter is None:
                fix = nearest_fix(text[1:], self.command.by_long, "--") if len(text) > 2 else ""
                raise self.unknown_option(i, text, f"invalid option -- '{text[at]}'", fix)
            if parameter is HELP_OPTION or parameter is VERSION_OPTION:
                return self.ask_information(parameter)
            if parameter.is_flag:
                self.set_option(parameter, not parameter.is_negated)
            elif at + 1 < len(text):
                self.give_attached_value(i, parameter, text[at + 1 :])
                break
            elif parameter.value_is_optional:
                self.set_option(parameter, True)
            else:
                return self.give_next_argument(
                    i, parameter, f"option requires an argument -- '{text[at]}'"
                )
        return i + 1

    def read_long_option(self, i: int, text: str) -> int:
        """`--name`, `--name=value`, `--name value`, `--no-name`."""
        word, equals, value = text[2:].partition("=")
        name, parameter, flag = self.find_long_option(i, word, text)
        if parameter.is_flag or not flag:
            if equals and value not in ("true", "false"):
                raise InvalidArguments("E303", i, f"option '--{name}' doesn't allow an argument")
            if parameter is HELP_OPTION or parameter is VERSION_OPTION:
                return self.ask_information(parameter)
            self.set_option(parameter, flag != (value == "false"))
        elif equals:
            self.give_attached_value(i, parameter, value)
        elif parameter.value_is_optional:
            self.set_option(parameter, True)
        else:
            return self.give_next_argument(i, parameter, f"option '--{name}' requires an argument")
        return i + 1

    def find_long_option(self, i: int, word: str, text: str) -> tuple[str, CommandParameter, bool]:
        """What a long option means: its whole name, its parameter, and what it makes of a flag.

        It may be shortened as far as it stays clear. `text` is what a refusal shows, value and all.
        """
        by_long, added = self.command.by_long, self.command.style.unabbreviated
        parameter = by_long.get(word)
        if parameter is not None:
            return word, parameter, not parameter.is_negated
        if word in self.command.by_full_name:
            return word, *self.command.by_full_name[word]
        fitting = [long for long in by_long if long.startswith(word) and long not in added]
        if not fitting:
            fix = nearest_fix(word, by_long, "--")
            raise self.unknown_option(i, text, f"unrecognized option '{text}'", fix)
        parameter = by_long[fitting[0]]
        others = [long for long in fitting if by_long[long] is not parameter]
        if others:
            options = " ".join(f"'--{long}'" for long in (fitting[0], *others))
            raise InvalidArguments(
                "E302", i, f"option '{text}' is ambiguous; possibilities: {options}"
            )
        return fitting[0], parameter, not parameter.is_negated

    def unknown_option(self, i: int, text: str, says: str, fix: str) -> InvalidArguments:
        """The refusal of an option that there is not, in the command's own words if it has some."""
        return InvalidArguments(
            "E302", i, self.command.refusals.unknown_option_error.replace("{}", text) or says, fix
        )

    def ask_information(self, parameter: CommandParameter) -> int:
        """`--help` and `--version`: nothing behind them counts."""
        self.bound.asks_help, self.bound.asks_version = (
            parameter is HELP_OPTION,
            parameter is VERSION_OPTION,
        )
        return len(self.arguments)

    def give_attached_value(self, i: int, parameter: CommandParameter, value: str) -> None:
        """A value in the same word as its option."""
        if self.arguments[i].__class__ is GlobArgument and not parameter.type.keeps_globs:
            must, fix = parameter.type.requirement, "quotes for the text itself"
            raise InvalidArguments("E303", i, f"{parameter.key} must be {must}, but is a glob", fix)
        self.set_option(parameter, self.convert_value(parameter, value, i))

    def give_next_argument(self, i: int, parameter: CommandParameter, missing: str) -> int:
        """The argument behind an option is its value, whatever it looks like."""
        if parameter.type.is_pair:
            return self.give_pair(i, parameter, missing)
        i += 1
        if i >= len(self.arguments):
            raise InvalidArguments("E303", i - 1, missing)
        value: Any = self.arguments[i]
        if value.__class__ is not str:
            if value is UNKNOWN_WORDS:
                self.bound.is_partial = True
                return len(self.arguments)
            is_glob = value.__class__ is GlobArgument
            value = self.single_path(i, parameter, value) if is_glob else self.plain_value(i, value)
        self.set_option(parameter, self.convert_value(parameter, value, i))
        return i + 1

    def give_pair(self, i: int, parameter: CommandParameter, missing: str) -> int:
        """The two arguments behind an option are its value."""
        words = self.arguments[i + 1 : i + 3]
        if UNKNOWN_WORDS in words:
            self.bound.is_partial = True
            return len(self.arguments)
        if len(words) < 2:
            raise InvalidArguments("E303", i, missing)
        plain = [self.plain_value(at, word) for at, word in enumerate(words, i + 1)]
        if UNKNOWN not in plain:
            self.set_option(parameter, self.convert_value(parameter, [plain], i))
        return i + 3

    def single_path(self, i: int, parameter: CommandParameter, glob: GlobArgument) -> object:
        """A glob as an option's value: the pattern, or the one path it stands for."""
        if parameter.type.keeps_globs:
            return glob.text
        paths = glob.expand()
        if len(paths) != 1:
            says = f"{parameter.key} must be one value, but '{glob.text}' is {len(paths)} paths"
            raise InvalidArguments("E303", i, says)
        return UNKNOWN if paths[0] is UNKNOWN_WORDS else paths[0]

    def bind_named(self, i: int, argument: NamedArgument) -> bool:
        """`key=value` binds where there is such a parameter, and no operand without a name is due.

        With dashes only a value that is no text comes here. Behind a divider all operands are data.
        """
        key = argument.key
        if key[:1] == "-":
            parameter: CommandParameter | None = self.find_long_option(i, key[2:], key)[1]
        else:
            parameter = self.command.by_key.get(key)
        is_plain = key[:1] != "-"
        if parameter is None or (
            is_plain and (self.is_positional_due() or self.has_section_flag())
        ):
            return False
        self.set_option(parameter, self.convert_value(parameter, argument.value, i))
        return True

    def is_positional_due(self) -> bool:
        """Whether an operand without a name is still to come, so that a word must be that."""
        command = self.command
        texts = command.positional_count
        for parameter in command.operands[:texts]:
            texts -= any(name in self.bound.options for name in parameter.replacing_options)
        return len(self.operands) < texts

    def has_section_flag(self) -> bool:
        """Whether a divider has been given."""
        return any(
            name in self.command.style.section_flags for name, _ in self.bound.options_in_order
        )

    def set_option(self, parameter: CommandParameter, value: Any) -> None:
        """Set an option; one that takes a list grows, another counts as last given."""
        name = parameter.name
        bound = self.bound
        bound.options_in_order.append(
            (
                name,
                self.count_section_operands()
                if name in self.command.style.section_flags
                else value,
            )
        )
        if parameter.type.is_list and isinstance(value, list):
            before = bound.options.get(name) or []
            value = before + value if isinstance(before, list) else before  # one is unknown
        bound.options[name] = value
        self.are_options_over |= parameter.ends_options

    def count_section_operands(self) -> int:
        """How many operands stand before a divider, but for those of a place of their own."""
        places = sum(
            self.bound.options.keys().isdisjoint(parameter.replacing_options)
            for parameter in self.command.operands
        )
        operands: list[tuple[int, Any]] = self.operands[:places]
        for index, argument in self.operands[places:]:
            is_glob = argument.__class__ is GlobArgument
            operands += [(index, one) for one in (argument.expand() if is_glob else (argument,))]
        self.operands[:] = operands
        return max(len(operands) - places, 0)

    # ------------------------------------------------------------ operands

    def bind_operands(self) -> None:
        """Give operands to the parameters that have a place, in order; the rest takes what is left.

        With unknown arguments only what stands before them is judged, and nothing where one of
        them could be an option that moves the operands.
        """
        command, bound = self.command, self.bound
        if bound.is_partial and any(p.replacing_options for p in command.operands):
            return
        options, positional, at = bound.options, bound.positional, 0
        for parameter in command.operands:
            if parameter.name in options:  # given by name
                positional.append(options.pop(parameter.name))
                continue
            if parameter.replacing_options and not options.keys().isdisjoint(
                parameter.replacing_options
            ):
                positional.append(None)
                continue
            if not parameter.type.keeps_globs:
                self.expand_globs(at)
            if at < len(self.operands):
                index, value = self.operands[at]
                if value is UNKNOWN_WORDS:
                    bound.is_partial = True
                    return
                positional.append(
                    self.convert_value(parameter, self.plain_value(index, value), index)
                )
                at += 1
            elif parameter.default is not ABSENT:
                positional.append(parameter.default)
            elif bound.is_partial:
                return
            else:
                self.refuse_missing(parameter)
        self.bind_rest(at)

    def bind_rest(self, at: int) -> None:
        """Operands that no parameter of their own waits for."""
        command, bound, positional = self.command, self.bound, self.bound.positional
        rest = command.rest
        if rest is None:
            self.expand_globs(at)
            if at < len(self.operands):
                self.refuse_extra(*self.operands[at])
            return
        if command.runs_command:
            words = [word for _, word in self.operands[at:]]
            positional.extend(words_for_function(words) if command.expands_words else words)
        else:
            takes_text, is_expanded = rest.type.accepts_any_text, not rest.type.keeps_globs
            is_forgiven = command.style.no_glob_match_option and bound.options.get(
                command.style.no_glob_match_option
            )
            for index, argument in self.operands[at:]:
                if takes_text and argument.__class__ is str:  # files, by the thousand
                    positional.append(argument)
                    continue
                values: Sequence[object] = (argument,)
                if is_expanded and argument.__class__ is GlobArgument:
                    values = argument.paths() if is_forgiven else argument.expand()
                for value in values:
                    if value is UNKNOWN_WORDS:
                        bound.is_partial = True
                    else:
                        positional.append(
                            self.convert_value(rest, self.plain_value(index, value), index)
                        )
        if rest.minimum and len(positional) < len(command.operands) + rest.minimum:
            self.refuse_missing(rest)

    def expand_globs(self, at: int) -> None:
        """Replace a glob that is due as an operand by its paths, of which there may be none."""
        operands = self.operands
        while at < len(operands) and operands[at][1].__class__ is GlobArgument:
            index, glob = operands[at]
            operands[at : at + 1] = [(index, path) for path in glob.expand()]

    def refuse_missing(self, parameter: CommandParameter) -> None:
        """Refuse a call that lacks an operand, if what is unknown cannot be it."""
        if not self.bound.is_partial:
            after = f" after '{raw_text(self.operands[-1][1])}'" if self.operands else ""
            raise InvalidArguments("E304", -1, f"missing operand{after}", f"give {parameter.key}")

    def refuse_extra(self, index: int, value: object) -> None:
        """Refuse an operand that no parameter waits for."""
        if value is UNKNOWN_WORDS:
            self.bound.is_partial = True
            return
        unbound = [word.key for _, word in self.operands if word.__class__ is NamedArgument]
        fixes = [nearest_fix(key, self.command.by_key, "", "=") for key in unbound]
        says = self.command.refusals.extra_operand_error
        message = says or f"extra operand '{raw_text(value)}'"
        fix = next(filter(None, fixes), "")
        raise InvalidArguments("E305", index, message, fix, is_value=bool(says), status=bool(says))

    # ------------------------------------------------------------ values

    def plain_value(self, index: int, argument: Any) -> object:
        """An argument where no name counts and no glob is expanded: a value, or its text."""
        if argument.__class__ is NamedArgument:
            if isinstance(argument.value, list | dict):
                kind = type_name(argument.value)
                fix = nearest_fix(argument.key, self.command.by_key, "", "=")
                says = f"{argument.key} is no parameter here, so it cannot hold a {kind}"
                raise InvalidArguments("E201", index, says, fix)
            return UNKNOWN if argument.value is UNKNOWN else argument.text
        return argument.text if argument.__class__ is GlobArgument else argument

    def convert_value(self, parameter: CommandParameter, value: object, index: int) -> Any:
        """A value as the parameter's type takes it."""
        try:
            return parameter.type.accept(value)
        except UnfitValue as unfit:
            words = self.command.refusals.invalid_values.get(parameter.name)
            if words is None or isinstance(value, list | dict):
                message = unfit.message_for(parameter.key)
            elif "{}" in words:
                message = words.replace("{fault}", unfit.fault).replace("{}", text_of(unfit.value))
            else:
                message = f"{words}: '{text_of(unfit.value)}'"
            message += unfit.reason
            status = unfit.status
        raise InvalidArguments("E303", index, message, is_value=True, status=status)


def without_legacy_form(
    old: Callable[[str, int], str], arguments: Sequence[object]
) -> Sequence[object]:
    """The arguments, the first of which may be of a form that is out of use."""
    word = arguments[0] if arguments else ""
    new = old(word, len(arguments)) if word.__class__ is str and word else ""
    return [new, *arguments[1:]] if new else arguments


def number_end(text: str, at: int, number: CommandParameter) -> int:
    """Where a number ends that stands among letters; a list of numbers takes the whole word."""
    if number.type.is_list:
        return len(text)
    return len(text) - len(text[at:].lstrip(DIGITS))


def nearest_fix(word: str, known: Iterable[str], before: str, after: str = "") -> str:
    """The fix that offers the name that was probably meant; empty where none is close."""
    from keysh.diagnostics.suggestions import closest_names  # noqa: PLC0415 - only where a name is unknown

    found = closest_names(word, known)
    return f"did you mean `{before}{found[0]}{after}`?" if found else ""
