"""Binding: a command's words become the arguments of its function.

`bind` serves a running command and, before the script runs, the checker, which has constant words
only: an UNKNOWN word is never judged, and neither is anything that it could change. A mistake
raises InvalidArguments, which names the word. docs/internals/binding.md shows the steps.
"""

from __future__ import annotations

from keysh.schema.arguments import (
    UNKNOWN_WORDS,
    BoundArguments,
    ConstantArguments,
    GlobArgument,
    NamedArgument,
    UnknownArgument,
    nearest_fix,
    option_text,
    raw_text,
    words_for_function,
)
from keysh.schema.arguments import InvalidArguments as InvalidArguments
from keysh.schema.option_reader import OptionReader
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.schema.command import Command, CommandParameter


def bind(command: Command, arguments: Sequence[object]) -> BoundArguments:
    """Bind words to a command's parameters; constant words are bound once."""
    if not isinstance(arguments, ConstantArguments):
        return bind_afresh(command, arguments)
    bound_command, bound = arguments.cached_binding
    if bound_command is not command or not isinstance(bound, BoundArguments):
        bound = bind_afresh(command, arguments)
        if not bound.is_immutable():
            return bound
        arguments.cached_binding = command, bound
    return bound


def bind_afresh(command: Command, arguments: Sequence[object]) -> BoundArguments:
    """Bind words without looking for an earlier binding."""
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
        words = words_for_function(arguments) if command.expands_words else arguments
        bound.positional.extend(words)
        return bound
    binder.read_arguments()
    if not (bound.asks_help or bound.asks_version):
        binder.bind_operands()
        if command.required_options:
            binder.refuse_missing_options()
        if command.judged_lists:
            binder.judge_lists()
    return bound


class Binder(OptionReader):
    """One binding: options first, then the operands go to their parameters."""

    __slots__ = ()

    def read_arguments(self) -> None:
        """Set the options; collect the operands."""
        arguments, operands, by_letter = self.arguments, self.operands, self.command.by_letter
        i, count = 0, len(arguments)
        while i < count and not self.are_options_over:
            argument: Any = arguments[i]
            text = argument if argument.__class__ is str else option_text(argument)
            if text[:1] == "-" and text != "-":
                is_letter = text[1] in by_letter
                i = self.read_letters(i, text) if is_letter else self.read_option(i, text)
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

    def bind_named(self, i: int, argument: NamedArgument) -> bool:
        """Bind `key=value` to the parameter of that name, if there is one; return whether it did.

        It stays an operand while a positional operand is missing, and after a section flag.
        `--key=value` comes here only with a list, record or unknown value.
        """
        key = argument.key
        if key[:1] == "-":
            parameter: CommandParameter | None = self.find_long_option(i, key[2:], key)[1]
        else:
            parameter = self.command.by_key.get(key)
            if parameter is not None and (self.is_positional_due() or self.has_section_flag()):
                return False
        if parameter is None:
            return False
        self.set_option(i, parameter, self.convert_value(parameter, argument.value, i))
        return True

    def is_positional_due(self) -> bool:
        """Whether a positional operand is still missing, so that any word must be that."""
        command = self.command
        due = command.positional_count
        for parameter in command.operands[:due]:
            due -= any(name in self.bound.options for name in parameter.replacing_options)
        return len(self.operands) < due

    def has_section_flag(self) -> bool:
        """Whether a section flag has been read."""
        section_flags = self.command.style.section_flags
        return any(name in section_flags for name, _ in self.bound.options_in_order)

    def bind_operands(self) -> None:
        """Give operands to the positional parameters in order, and the others to the rest.

        An unknown word ends the binding: what follows it is not judged. If it could be an option
        that replaces an operand, nothing is.
        """
        command, bound = self.command, self.bound
        if bound.is_partial and any(p.replacing_options for p in command.operands):
            return
        options, positional, at = bound.options, bound.positional, 0
        for parameter in command.operands:
            if parameter.name in options:  # given as `key=value`
                positional.append(options.pop(parameter.name))
                continue
            replacing = parameter.replacing_options
            if replacing and not options.keys().isdisjoint(replacing):
                positional.append(None)
                continue
            if not parameter.type.keeps_globs:
                self.expand_globs(at)
            if at < len(self.operands):
                index, value = self.operands[at]
                if value is UNKNOWN_WORDS:
                    bound.is_partial = True
                    return
                value = self.plain_value(index, value)
                positional.append(self.convert_value(parameter, value, index))
                at += 1
            elif parameter.default is not ABSENT:
                positional.append(parameter.default)
            elif bound.is_partial:
                return
            else:
                self.refuse_missing(parameter)
        self.bind_rest(at)

    def bind_rest(self, at: int) -> None:
        """Give the operands from an index on to the rest parameter; without one, refuse them."""
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
            forgiving = command.style.no_glob_match_option
            may_match_nothing = forgiving and bound.options.get(forgiving)
            for index, argument in self.operands[at:]:
                if takes_text and argument.__class__ is str:  # files, by the thousand
                    positional.append(argument)
                    continue
                values: Sequence[object] = (argument,)
                if is_expanded and argument.__class__ is GlobArgument:
                    values = argument.paths() if may_match_nothing else argument.expand()
                for value in values:
                    if value is UNKNOWN_WORDS:
                        bound.is_partial = True
                    else:
                        plain = self.plain_value(index, value)
                        positional.append(self.convert_value(rest, plain, index))
        if rest.minimum and len(positional) < len(command.operands) + rest.minimum:
            self.refuse_missing(rest)

    def judge_lists(self) -> None:
        """Judge lists that words have made, by conditions on the whole: `Field(max_length=2)`."""
        for parameter in self.command.judged_lists:
            values: Any = self.bound.options
            place: Any = parameter.name
            if parameter.role != "option":
                values, place = self.bound.positional, self.command.operands.index(parameter)
                if place >= len(values):  # what follows an unknown word
                    continue
            elif place not in values:
                continue
            if isinstance(values[place], list):
                values[place] = self.convert_value(parameter, values[place], -1)

    def expand_globs(self, at: int) -> None:
        """Replace the globs at an index by their paths, of which there may be none."""
        operands = self.operands
        while at < len(operands) and operands[at][1].__class__ is GlobArgument:
            index, glob = operands[at]
            operands[at : at + 1] = [(index, path) for path in glob.expand()]

    def refuse_missing(self, parameter: CommandParameter) -> None:
        """Raise InvalidArguments for a missing operand, unless an unknown word may stand in."""
        if not self.bound.is_partial:
            if own_message := self.command.refusals.missing_operand_error:
                fix = f"give {parameter.key}"
                raise InvalidArguments("E304", -1, own_message, fix, is_value=True, status=1)
            after = f" after '{raw_text(self.operands[-1][1])}'" if self.operands else ""
            raise InvalidArguments("E304", -1, f"missing operand{after}", f"give {parameter.key}")

    def refuse_missing_options(self) -> None:
        """Raise InvalidArguments if an option without a default is missing."""
        for parameter in () if self.bound.is_partial else self.command.required_options:
            if parameter.name not in self.bound.options:
                option = (*(f"--{word}" for word in parameter.long_names), f"{parameter.key}=")[0]
                fix = f"give {parameter.key}=…"
                raise InvalidArguments("E304", -1, f"missing option '{option}'", fix)

    def refuse_extra(self, index: int, value: object) -> None:
        """Raise InvalidArguments for an operand too many."""
        if value is UNKNOWN_WORDS:
            self.bound.is_partial = True
            return
        keys = [word.key for _, word in self.operands if word.__class__ is NamedArgument]
        fixes = [nearest_fix(key, self.command.by_key, "", "=") for key in keys]
        own_message = self.command.refusals.extra_operand_error
        message = own_message or f"extra operand '{raw_text(value)}'"
        is_value = bool(own_message)
        fix = next(filter(None, fixes), "")
        raise InvalidArguments("E305", index, message, fix, is_value=is_value, status=is_value)


def without_legacy_form(
    legacy_form: Callable[[str, int], str], arguments: Sequence[object]
) -> Sequence[object]:
    """Return the words with an obsolete first word, as in `tail +5`, in today's form."""
    word = arguments[0] if arguments else ""
    new = legacy_form(word, len(arguments)) if word.__class__ is str and word else ""
    return [new, *arguments[1:]] if new else arguments
