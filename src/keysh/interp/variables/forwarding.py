"""Forwarding of named arguments: `g "$@"` calls `g` as the function itself was called.

A function sees `key=value` as text. The text remembers its argument, and `"$@"` passes that
argument on to a command.
"""

from __future__ import annotations

from keysh.schema.arguments import GlobArgument, NamedArgument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class ForwardedText(str):
    """The text of a named argument, with the argument."""

    __slots__ = ("argument",)
    argument: NamedArgument


def function_arguments(words: Iterable[object]) -> list[object]:
    """Return words as `$1` and `$@` hold them; globs are expanded."""
    arguments: list[object] = []
    for word in words:
        if word.__class__ is NamedArgument:
            text = ForwardedText(word)
            text.argument = word
            arguments.append(text)
        elif word.__class__ is GlobArgument:
            arguments.extend(word.expand())
        else:
            arguments.append(word)
    return arguments


def forwarded_arguments(items: Iterable[object]) -> list[object]:
    """Return the arguments that `"$@"` passes to a command."""
    return [item.argument if item.__class__ is ForwardedText else item for item in items]


def plain_text(item: object) -> object:
    """Return an argument as plain text."""
    return str(item) if item.__class__ is ForwardedText else item
