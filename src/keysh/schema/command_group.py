"""Command groups: a command whose first word names another, such as `weather forecast city=Berlin`.

The members may be known only when they are first needed, as the tools of a server are. `load`
brings them; what binds words, checks a script or completes a word then goes on with the member.
"""

from __future__ import annotations

import re

from keysh.schema.arguments import (
    InvalidArguments,
    NamedArgument,
    UnknownArgument,
    nearest_fix,
    raw_text,
)
from keysh.schema.binder import bind
from keysh.schema.command import Command, OutputStyle
from keysh.schema.render import group_help_text, help_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

NAMED_WORD = re.compile(r"([A-Za-z_][\w.-]*)=", re.ASCII)
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

    @property
    def __keysh__(self) -> CommandGroup:
        """Its declaration, as a function has one: a group is added to a shell as it is."""
        return self

    def __init__(
        self, name: str, summary: str, load: Callable[[Any], Mapping[str, Command]]
    ) -> None:
        super().__init__(name, call_member, [], MEMBER_OUTPUT)
        self.summary, self.help, self.load = summary, summary, load
        self.expands_words = True


def call_member(sh: Any, member: Command, /, *values: Any, **options: Any) -> object:
    """Call a member of a group with bound arguments."""
    return member.function(sh, *values, **options)


def call_group(
    group: CommandGroup, call: Any, state: Any, arguments: Sequence[object], *, are_texts: bool
) -> object:
    """Bind the words to the member that the first of them names, and call it."""
    members = group.load(state)
    if asks_group_help(arguments):
        return group_help_text(group, members).removesuffix("\n")
    selected = select_member(members, arguments, are_texts=are_texts)
    assert selected is not None  # a word is known when it is called
    member, words = selected
    try:
        bound = bind(member, words)
    except InvalidArguments as error:
        raise shifted_error(error) from None
    if bound.asks_help:
        return help_text(member).removesuffix("\n")
    call.given = bound.options_in_order.copy()
    return group.function(call, member, *bound.positional, **bound.fresh_options())


def asks_group_help(arguments: Sequence[object]) -> bool:
    """Whether the words after a group's name ask for its help; no word at all does."""
    return not arguments or (len(arguments) == 1 and raw_text(arguments[0]) in HELP_WORDS)


def select_member(
    members: Mapping[str, Command], arguments: Sequence[object], *, are_texts: bool
) -> tuple[Command, list[object]] | None:
    """Return the member that the first word names, and its words; None if that is unknown.

    `are_texts`: as in the bash dialect `key=value` is a text, wherever it comes from. Raise
    InvalidArguments for a name that no member has, and for `key=value` without a parameter.
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
            word = named_word(member, index, word, are_texts)
            are_options_over = word == "--"
        words.append(word)
    return member, words


def named_word(member: Command, index: int, word: object, are_texts: bool) -> object:
    """Return `key=value` as the argument of that parameter, and any other word as it is."""
    if isinstance(word, NamedArgument):
        if word.appends or not word.key or word.key[0] == "-" or word.key in member.by_key:
            return word
        raise unknown_parameter(member, index, word.key)
    if not isinstance(word, str) or (match := NAMED_WORD.match(word)) is None:
        return word
    written, key = match[1], NOT_IN_KEY.sub("_", match[1])
    if are_texts and key in member.by_key:
        return NamedArgument(key, word[match.end() :], word)
    if are_texts or (key != written and key in member.by_key):
        raise unknown_parameter(member, index, written)
    return word


def unknown_parameter(member: Command, index: int, written: str) -> InvalidArguments:
    """Return the error for `key=value` without a parameter of that name."""
    key = NOT_IN_KEY.sub("_", written)
    fix = f"write `{key}=`" if key in member.by_key else nearest_fix(key, member.by_key, "", "=")
    message = f"'{member.name}' has no parameter '{written}'"
    return InvalidArguments("E302", index, message, fix or "write `--` before an operand")


def shifted_error(error: InvalidArguments) -> InvalidArguments:
    """Return an error of a member's words as one of the group's, which begin with the name."""
    if error.index >= 0:
        error.index += 1
    return error
