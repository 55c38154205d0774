"""Forwarding: what a function has been called with, so that `g "$@"` calls `g` in the same way.

A function sees `key=value` as a text. The text remembers the argument it was, and where `"$@"`
hands it on to a command it is that argument again.
"""

from __future__ import annotations

from keysh.schema.arguments import GlobArgument, NamedArgument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class ForwardedText(str):
    """The text of a named argument."""

    __slots__ = ("argument",)
    argument: NamedArgument


def function_arguments(words: Iterable[object]) -> list[object]:
    """Words as a function has them in `$1` and `$@`; globs are the paths they stand for."""
    made: list[object] = []
    for word in words:
        if word.__class__ is NamedArgument:
            text = ForwardedText(word)
            text.argument = word
            made.append(text)
        elif word.__class__ is GlobArgument:
            made.extend(word.expand())
        else:
            made.append(word)
    return made


def forwarded_arguments(items: Iterable[object]) -> list[object]:
    """What `"$@"` hands on to a command."""
    return [item.argument if item.__class__ is ForwardedText else item for item in items]


def plain_text(item: object) -> object:
    """An argument where it is only read."""
    return str(item) if item.__class__ is ForwardedText else item
