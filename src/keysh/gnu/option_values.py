"""Options: abbreviated words as values, and options whose order among operands matters.

    tar -cf a.tar -C here x -C there y      zip a.zip x -x '*.o' -q

A command with such options declares `*words: Raw`. Options before its first operand are bound
as usual; the words from there on are parsed here, by the same declaration. Globs are not
expanded, because the command may take them as patterns.
"""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.arguments import GlobArgument, option_text
from keysh.schema.binder import InvalidArguments, bind
from keysh.text.gnu_quoting import locale_quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeVar

    T = TypeVar("T")
    from collections.abc import Iterator, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.schema.command import Command


# The value of an option that is one of a few words, which may be abbreviated.


def choice_of(option: str, text: str, words: Mapping[str, T]) -> T:
    """Return what a word means. For an invalid one, raise UsageFailure with GNU's list."""
    if text in words:
        return words[text]
    meanings = [meaning for word, meaning in words.items() if word.startswith(text)]
    if meanings and all(meaning == meanings[0] for meaning in meanings):
        return meanings[0]
    fault = "ambiguous" if meanings else "invalid"
    lines = [
        f"{fault} argument {locale_quoted_text(text)} for {locale_quoted_text(option)}",
        "Valid arguments are:",
    ]
    shown: list[tuple[T, list[str]]] = []
    for word, meaning in words.items():
        if shown and shown[-1][0] == meaning:
            shown[-1][1].append(f"'{word}'")
        else:
            shown.append((meaning, [f"'{word}'"]))
    lines += ["  - " + ", ".join(names) for _, names in shown]
    raise UsageFailure("\n".join(lines))


def ordered_words(
    sh: Call, command: Command, words: Sequence[str | GlobArgument]
) -> Iterator[tuple[str, Any]]:
    """Yield options by parameter name, and operands with the name "", in order."""
    is_over = ("--", True) in sh.given
    yield from [option for option in sh.given if option[0] != "--"]
    position = 0
    while position < len(words):
        argument = words[position]
        word = argument if argument.__class__ is str else option_text(argument)
        if is_over or word[:1] != "-" or word == "-":
            yield "", argument
            position += 1
            continue
        count = 1
        try:
            bound = bind(command, [argument])
        except InvalidArguments:
            count = 2  # it may need the next word as its value
            bound = bind(command, words[position : position + count])
        if bound.asks_version:  # --version is only valid as the first word
            raise UsageFailure(f"unrecognized option '{word}'")
        if bound.asks_help:
            yield "help", True
        is_over = ("--", True) in bound.options_in_order
        yield from [option for option in bound.options_in_order if option[0] != "--"]
        position += count
