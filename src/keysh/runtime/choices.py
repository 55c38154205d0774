"""Choices: an option's value that is one of a few words, each of which may be shortened."""

from __future__ import annotations

from keysh.runtime.call import BadCall
from keysh.runtime.quoting import locale_quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeVar

    T = TypeVar("T")


def chosen(option: str, text: str, words: Mapping[str, T]) -> T:
    """What the word means, or GNU's complaint with the list of words; synonyms share a line."""
    if text in words:
        return words[text]
    fitting = [meaning for word, meaning in words.items() if word.startswith(text)]
    if fitting and all(meaning == fitting[0] for meaning in fitting):
        return fitting[0]
    fault = "ambiguous" if fitting else "invalid"
    lines = [
        f"{fault} argument {locale_quoted(text)} for {locale_quoted(option)}",
        "Valid arguments are:",
    ]
    shown: list[tuple[T, list[str]]] = []
    for word, meaning in words.items():
        if shown and shown[-1][0] == meaning:
            shown[-1][1].append(f"'{word}'")
        else:
            shown.append((meaning, [f"'{word}'"]))
    lines += ["  - " + ", ".join(names) for _, names in shown]
    raise BadCall("\n".join(lines))
