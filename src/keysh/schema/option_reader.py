"""Read the options among a command's words: letters, long names, and their values."""

from __future__ import annotations

from keysh.schema.arguments import (
    UNKNOWN,
    UNKNOWN_WORDS,
    BoundArguments,
    GlobArgument,
    InvalidArguments,
    NamedArgument,
    nearest_fix,
)
from keysh.schema.command import HELP_OPTION, VERSION_OPTION
from keysh.schema.types import UnfitValue
from keysh.values import text_of, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.schema.command import Command, CommandParameter

DIGITS = "0123456789"


class OptionReader:
    """Reads single options; `binder.Binder` goes through the words and collects operands.

    A method that reads an option receives its index and returns that of the next word to read.
    """

    __slots__ = ("are_options_over", "arguments", "bound", "command", "operands")

    def __init__(self, command: Command, arguments: Sequence[object]) -> None:
        self.command, self.arguments, self.bound = command, arguments, BoundArguments()
        self.operands: list[tuple[int, Any]] = []
        self.are_options_over = False

    # ------------------------------------------------------------ one option

    def read_option(self, i: int, text: str) -> int:
        """Read a word that begins with a dash and no known letter."""
        command = self.command
        if text[1] == "-":
            if text != "--":
                return self.read_long_option(i, text)
            self.are_options_over = True
            if command.runs_command:  # the command that is run may have options of its own
                self.bound.options_in_order.append(("--", True))
            return i + 1
        is_number = command.takes_numbers and (text[1] in DIGITS or text[1] == ".")  # `seq -5`
        if is_number or (command.style.takes_code and not text[1].isalpha()):  # `jq "-(.a)"`
            self.operands.append((i, text))
            return i + 1
        return self.read_letters(i, text)

    def read_letters(self, i: int, text: str) -> int:
        """Read `-abc`, `-kvalue`, `-k value`, `-5a` or `-a5`."""
        by_letter, number, end = self.command.by_letter, self.command.number_option, 1
        for at in range(1, len(text)):
            if at < end:  # a digit of a number
                continue
            parameter = by_letter.get(text[at])
            if parameter is None and number is not None and text[at] in DIGITS:
                end = number_end(text, at, number)
                self.set_option(i, number, self.convert_value(number, text[at:end], i))
                continue
            if parameter is None:
                fix = nearest_fix(text[1:], self.command.by_long, "--") if len(text) > 2 else ""
                raise self.unknown_option(i, text, f"invalid option -- '{text[at]}'", fix)
            if parameter is HELP_OPTION or parameter is VERSION_OPTION:
                return self.ask_information(parameter)
            if parameter.is_flag:
                self.set_option(i, parameter, not parameter.is_negated)
            elif at + 1 < len(text):
                self.give_attached_value(i, parameter, text[at + 1 :])
                break
            elif parameter.value_is_optional:
                self.set_option(i, parameter, True)
            else:
                missing = f"option requires an argument -- '{text[at]}'"
                return self.give_next_argument(i, parameter, missing)
        return i + 1

    def read_long_option(self, i: int, text: str) -> int:
        """Read `--name`, `--name=value`, `--name value` or `--no-name`."""
        word, equals, value = text[2:].partition("=")
        name, parameter, flag = self.find_long_option(i, word, text)
        if parameter.is_flag or not flag:
            if equals and value not in ("true", "false"):
                raise InvalidArguments("E303", i, f"option '--{name}' doesn't allow an argument")
            if parameter is HELP_OPTION or parameter is VERSION_OPTION:
                return self.ask_information(parameter)
            self.set_option(i, parameter, flag != (value == "false"))
        elif equals:
            self.give_attached_value(i, parameter, value)
        elif parameter.value_is_optional:
            self.set_option(i, parameter, True)
        else:
            return self.give_next_argument(i, parameter, f"option '--{name}' requires an argument")
        return i + 1

    def find_long_option(self, i: int, word: str, text: str) -> tuple[str, CommandParameter, bool]:
        """Return an option's full name, its parameter, and the value that it gives a flag.

        An unambiguous beginning of a name is enough. Messages show `text`, the word with its value.
        """
        by_long, unabbreviated = self.command.by_long, self.command.style.unabbreviated
        parameter = by_long.get(word)
        if parameter is not None:
            return word, parameter, not parameter.is_negated
        if word in self.command.by_full_name:
            return word, *self.command.by_full_name[word]
        fitting = [long for long in by_long if long.startswith(word) and long not in unabbreviated]
        if not fitting:
            fix = nearest_fix(word, by_long, "--")
            raise self.unknown_option(i, text, f"unrecognized option '{text}'", fix)
        parameter = by_long[fitting[0]]
        others = [long for long in fitting if by_long[long] is not parameter]
        if others:
            options = " ".join(f"'--{long}'" for long in (fitting[0], *others))
            message = f"option '{text}' is ambiguous; possibilities: {options}"
            raise InvalidArguments("E302", i, message)
        return fitting[0], parameter, not parameter.is_negated

    def unknown_option(self, i: int, text: str, message: str, fix: str) -> InvalidArguments:
        """Return the error for an unknown option, in the command's own words if it has some."""
        own_message = self.command.refusals.unknown_option_error.replace("{}", text)
        return InvalidArguments("E302", i, own_message or message, fix)

    def ask_information(self, parameter: CommandParameter) -> int:
        """Note `--help` or `--version`; the words after it do not matter."""
        self.bound.asks_help = parameter is HELP_OPTION
        self.bound.asks_version = parameter is VERSION_OPTION
        return len(self.arguments)

    # ------------------------------------------------------------ values of options

    def give_attached_value(self, i: int, parameter: CommandParameter, value: str) -> None:
        """Set an option to a value in the same word."""
        if self.arguments[i].__class__ is GlobArgument and not parameter.type.keeps_globs:
            requirement, fix = parameter.type.requirement, "quotes for the text itself"
            raise InvalidArguments(
                "E303", i, f"{parameter.key} must be {requirement}, but is a glob", fix
            )
        self.set_option(i, parameter, self.convert_value(parameter, value, i))

    def give_next_argument(self, i: int, parameter: CommandParameter, missing: str) -> int:
        """Set an option to the next word, even if that begins with a dash."""
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
        self.set_option(i, parameter, self.convert_value(parameter, value, i))
        return i + 1

    def give_pair(self, i: int, parameter: CommandParameter, missing: str) -> int:
        """Set an option to the next two words."""
        words = self.arguments[i + 1 : i + 3]
        if UNKNOWN_WORDS in words:
            self.bound.is_partial = True
            return len(self.arguments)
        if len(words) < 2:
            raise InvalidArguments("E303", i, missing)
        pair = [self.plain_value(at, word) for at, word in enumerate(words, i + 1)]
        if UNKNOWN not in pair:
            self.set_option(i, parameter, self.convert_value(parameter, [pair], i))
        return i + 3

    def single_path(self, i: int, parameter: CommandParameter, glob: GlobArgument) -> object:
        """Return a glob as an option's value: its pattern, or the one path that matches."""
        if parameter.type.keeps_globs:
            return glob.text
        paths = glob.expand()
        if len(paths) != 1:
            message = f"{parameter.key} must be one value, but '{glob.text}' is {len(paths)} paths"
            raise InvalidArguments("E303", i, message)
        return UNKNOWN if paths[0] is UNKNOWN_WORDS else paths[0]

    def set_option(self, i: int, parameter: CommandParameter, value: Any) -> None:
        """Set an option: a list grows, any other option takes the last value."""
        if parameter.role == "ignored":
            return
        if parameter.role == "refused":
            if value is False:  # `--no-insecure`
                return
            message = f"option '{parameter.name}' is {parameter.help}"
            raise InvalidArguments("E302", i, message, is_value=True)
        name = parameter.name
        bound = self.bound
        is_section = name in self.command.style.section_flags
        given = self.count_section_operands() if is_section else value
        bound.options_in_order.append((name, given))
        if parameter.type.is_list and isinstance(value, list):
            earlier = bound.options.get(name) or []
            value = earlier + value if isinstance(earlier, list) else earlier  # or it is UNKNOWN
        bound.options[name] = value
        self.are_options_over |= parameter.ends_options

    def count_section_operands(self) -> int:
        """Return how many operands of the rest precede a section flag."""
        leading = sum(
            self.bound.options.keys().isdisjoint(parameter.replacing_options)
            for parameter in self.command.operands
        )
        operands: list[tuple[int, Any]] = self.operands[:leading]
        for index, argument in self.operands[leading:]:
            is_glob = argument.__class__ is GlobArgument
            operands += [(index, word) for word in (argument.expand() if is_glob else (argument,))]
        self.operands[:] = operands
        return max(len(operands) - leading, 0)

    # ------------------------------------------------------------ values

    def plain_value(self, index: int, argument: Any) -> object:
        """Return a word whose name does not count and whose glob is not expanded, as a value."""
        if argument.__class__ is NamedArgument:
            if isinstance(argument.value, list | dict):
                kind = type_name(argument.value)
                fix = nearest_fix(argument.key, self.command.by_key, "", "=")
                message = f"{argument.key} is no parameter here, so it cannot hold a {kind}"
                raise InvalidArguments("E201", index, message, fix)
            return UNKNOWN if argument.value is UNKNOWN else argument.text
        return argument.text if argument.__class__ is GlobArgument else argument

    def convert_value(self, parameter: CommandParameter, value: object, index: int) -> Any:
        """Return a value as the parameter's type takes it."""
        try:
            return parameter.type.accept(value)
        except UnfitValue as unfit:
            own_message = self.command.refusals.invalid_values.get(parameter.name)
            if own_message is None or isinstance(value, list | dict):
                message = unfit.message_for(parameter.key)
            elif "{}" in own_message:
                message = own_message.replace("{fault}", unfit.fault)
                message = message.replace("{}", text_of(unfit.value))
            else:
                message = f"{own_message}: '{text_of(unfit.value)}'"
            message += unfit.reason
            status = unfit.status
        raise InvalidArguments("E303", index, message, is_value=True, status=status)


def number_end(text: str, at: int, number: CommandParameter) -> int:
    """Return where a number among letters ends; a list of numbers takes the whole word."""
    if number.type.is_list:
        return len(text)
    return len(text) - len(text[at:].lstrip(DIGITS))
