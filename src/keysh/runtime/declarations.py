"""Declarations: variables as the command that would make them, as `declare -p` prints them."""

from __future__ import annotations

from keysh.runtime.variable import EXPORTED, INTEGER, LOWER, READONLY, REFERENCE, UPPER
from keysh.text.shell_words import double_quoted, is_plain, is_special
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LETTERS = (
    (INTEGER, "i"), (REFERENCE, "n"), (READONLY, "r"), (EXPORTED, "x"), (LOWER, "l"), (UPPER, "u"),
)  # fmt: skip


def letters(value: Any, bits: int) -> str:
    """The letters of `declare` for a variable: what its value is, and its attributes."""
    kind = "a" if isinstance(value, list) else "A" if isinstance(value, dict) else ""
    return kind + "".join(letter for bit, letter in LETTERS if bits & bit)


def declaration(name: str, value: Any, bits: int, quote: Callable[[str], str]) -> str:
    """`declare -x name="value"`; `quote` is for a value that is no array."""
    if isinstance(value, list | dict):
        written = f"({assigned(value)})"
    else:
        written = quote(text_of(value))
    return f"declare -{letters(value, bits) or '-'} {name}={written}"


def assigned(value: list[Any] | dict[str, Any]) -> str:
    """What stands in the parentheses of an array."""
    if isinstance(value, dict):
        pairs = [
            f"[{key_text(key)}]={double_quoted(text_of(item))} " for key, item in value.items()
        ]
        return "".join(pairs)
    return " ".join(f"[{at}]={double_quoted(text_of(item))}" for at, item in enumerate(value))


def key_text(key: str) -> str:
    """A key, in quotes where it needs them."""
    stands = key and key != "@" and not is_special(key) and is_plain(key)
    return key if stands else double_quoted(key)
