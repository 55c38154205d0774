"""Word order: options and operands that stand in any order where the order matters.

    tar -cf a.tar -C here x -C there y      zip a.zip x -x '*.o' -q

Such a command declares `*words: Raw`: what stands before its first operand is bound as always, and
the words from there on are read here, by the same declaration. An operand has no name. What is a
glob stays one, so that the command may take it for the pattern that an option before it asks for.
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


# Choices: an option's value that is one of a few words, each of which may be shortened.


def choice_of(option: str, text: str, words: Mapping[str, T]) -> T:
    """What the word means, or GNU's complaint with the list of words; synonyms share a line."""
    if text in words:
        return words[text]
    fitting = [meaning for word, meaning in words.items() if word.startswith(text)]
    if fitting and all(meaning == fitting[0] for meaning in fitting):
        return fitting[0]
    fault = "ambiguous" if fitting else "invalid"
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
    """The options by their parameters' names, and the operands, in the order they were given."""
    is_over = ("--", True) in sh.given
    yield from [option for option in sh.given if option[0] != "--"]
    at = 0
    while at < len(words):
        given = words[at]
        word = given if given.__class__ is str else option_text(given)
        if is_over or word[:1] != "-" or word == "-":
            yield "", given
            at += 1
            continue
        count = 1
        try:
            bound = bind(command, [given])
        except InvalidArguments:
            count = 2  # it may want the next word as its value
            bound = bind(command, words[at : at + count])
        if bound.asks_version:  # which a call begins with, or nothing asks for it
            raise UsageFailure(f"unrecognized option '{word}'")
        if bound.asks_help:
            yield "help", True
        is_over = ("--", True) in bound.options_in_order
        yield from [option for option in bound.options_in_order if option[0] != "--"]
        at += count
