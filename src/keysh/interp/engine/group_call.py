"""Call a member of a command group, which the first word names."""

from __future__ import annotations

from keysh.interp.state.call import CommandFailure
from keysh.interp.state.state_of_call import state_of
from keysh.schema.binder import bind
from keysh.schema.command_group import asks_group_help, select_member, shifted_error
from keysh.schema.invalid_arguments import InvalidArguments
from keysh.schema.render import group_help_text, help_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.schema.command import Command


def call_group(group: Any, call: Call, arguments: Sequence[object]) -> object:
    """Bind the words to the member that the first of them names, and call it."""
    members = group.load(state_of(call))
    if asks_group_help(arguments):
        return group_help_text(group, members).removesuffix("\n")
    selected = select_member(members, arguments)
    assert selected is not None  # a word is known when it is called
    member, words = selected
    try:
        bound = bind(member, words)
    except InvalidArguments as error:
        raise shifted_error(error) from None
    if bound.asks_help:
        return help_text(member).removesuffix("\n")
    call.given = bound.options_in_order.copy()
    answer: object = group.function(call, member, *bound.positional, **bound.fresh_options())
    return answer


def known_members(state: State, group: Any) -> Mapping[str, Command] | None:
    """Return the members of a group before a call; None if they cannot be had, which the call says."""
    try:
        members: Mapping[str, Command] = group.load(state)
    except CommandFailure:
        return None
    return members
