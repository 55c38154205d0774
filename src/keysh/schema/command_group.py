"""Command groups: a command whose first word names another, such as `weather forecast city=Berlin`.

The members may be known only when they are first needed, as the tools of a server are. `load` brings
them; what binds words, checks a script or completes a word then goes on with the member.
"""

from __future__ import annotations

import re

from keysh.schema.arguments import NamedArgument, UnknownArgument, raw_text
from keysh.schema.command import Command, OutputStyle
from keysh.schema.invalid_arguments import InvalidArguments, nearest_fix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

NAMED_WORD = re.compile(r"(-{0,2})([A-Za-z_][\w.-]*)=", re.ASCII)
NOT_IN_KEY = re.compile(r"\W", re.ASCII)
HELP_WORDS = ("--help", "-h")
MEMBER_OUTPUT = OutputStyle(value=True)


class CommandGroup(Command):
    """A command with members. What a member returns is a value in `$(…)`.

    `load` returns the members by name. It gets the state of the shell, and raises an exception that
    commands may raise if there are none.
    """

    __slots__ = ("load",)
    is_group = True

    def __init__(self, name: str, summary: str, load: Callable[[Any], Mapping[str, Command]]) -> None:
        super().__init__(name, call_member, [], MEMBER_OUTPUT)
        self.summary, self.help, self.load = summary, summary, load
        self.expands_words = True


def call_member(sh: Any, member: Command, /, *values: Any, **options: Any) -> object:
    """Call a member of a group with bound arguments."""
    return member.function(sh, *values, **options)


def asks_group_help(arguments: Sequence[object]) -> bool:
    """Whether the words after a group's name ask for its help; no word at all does."""
    return not arguments or (len(arguments) == 1 and raw_text(arguments[0]) in HELP_WORDS)


def select_member(
    members: Mapping[str, Command], arguments: Sequence[object]
) -> tuple[Command, list[object]] | None:
    """Return the member that the first word names, and its words; None if that is unknown.

    Raise InvalidArguments for a name that no member has, and for `key=value` without a parameter.
    """
    first = arguments[0]
    if isinstance(first, UnknownArgument):
        return None
    name = raw_text(first)
    member = members.get(name)
    if member is None:
        fix = nearest_fix(name, members, "")
        raise InvalidArguments("E303", 0, f"there is no tool '{name}'", fix, is_value=True)
    words: list[object] = []
    are_options_over = False
    for index, word in enumerate(arguments[1:], 1):
        if not are_options_over:
            word = named_word(member, index, word)
            are_options_over = word == "--"
        words.append(word)
    return member, words


def named_word(member: Command, index: int, word: object) -> object:
    """Return `key=value` as the argument of that parameter, and any other word as it is.

    In the bash dialect such a word is text, and `start-date=` is text everywhere.
    """
    if isinstance(word, NamedArgument):
        written = word.key
        if word.appends or not written:
            return word
        value, text = word.value, word.text
    elif isinstance(word, str) and (match := NAMED_WORD.match(word)) is not None:
        written, value, text = match[1] + match[2], word[match.end() :], word
    else:
        return word
    dashes = written[: len(written) - len(written.lstrip("-"))]
    key = NOT_IN_KEY.sub("_", written[len(dashes) :])
    if key not in member.by_key:
        if dashes:
            return word  # which the binder refuses as an option
        fix = nearest_fix(key, member.by_key, "", "=")
        message = f"'{member.name}' has no parameter '{written}'"
        raise InvalidArguments("E302", index, message, fix or f"'--' before an operand '{text}'")
    return NamedArgument(key, value, text)


def shifted_error(error: InvalidArguments) -> InvalidArguments:
    """Return an error of a member's words as one of the group's, which have the name before them."""
    if error.index >= 0:
        error.index += 1
    return error


