"""Arguments, as the binder receives them and as it hands them to a command's function.

It receives strings, values, and instances of four classes that carry more. `InvalidArguments` is
raised for what a command does not take.
"""

from __future__ import annotations

from keysh.values import Numeral, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeAlias

    # What a command prints of a text that is all its input, and its status; None for a text that
    # it works on the long way. It gets the text and `tick`.
    Work: TypeAlias = Callable[[str, Callable[[], object]], "tuple[str, int] | None"]

IMMUTABLE_TYPES = (str, int, float, bool, type(None))


class NamedArgument:
    """`key=value` or `--key=value`: binds to a parameter of that name, or else is its text.

    `key` is as written, dashes included.
    """

    __slots__ = ("appends", "key", "text", "value")

    def __init__(self, key: str, value: object, text: str, *, appends: bool = False) -> None:
        self.key, self.value, self.text = key, value, text
        self.appends = appends  # written with `+=`

    def __repr__(self) -> str:
        return f"<{self.text}>"

    def __str__(self) -> str:
        return self.text


class ConstantArguments(list[object]):
    """Constant words, with the binding that their first call found."""

    __slots__ = ("_rest", "cached_binding", "work")

    def __init__(self, words: Iterable[object]) -> None:
        super().__init__(words)
        self.cached_binding: tuple[object, object] = (None, None)  # the command, its BoundArguments
        self.work: tuple[object, Work | None] = (None, None)  # the command, and how it works
        self._rest: ConstantArguments | None = None

    def rest(self) -> ConstantArguments:
        """Return the words after the first."""
        if self._rest is None:
            self._rest = ConstantArguments(self[1:])
        return self._rest


class GlobArgument:
    """A word with unquoted pattern characters: its text, and the paths that match.

    `expand` raises an error if nothing matches, unless an option of the shell says otherwise;
    `paths` returns the matches, which may be none.
    """

    __slots__ = ("expand", "paths", "text")

    def __init__(
        self,
        text: str,
        expand: Callable[[], Sequence[object]],
        paths: Callable[[], Sequence[object]] | None = None,
    ) -> None:
        self.text, self.expand, self.paths = text, expand, paths or expand

    def __repr__(self) -> str:
        return f"<glob {self.text}>"

    def __str__(self) -> str:
        return self.text


class UnknownArgument:
    """Stands for arguments that are unknown before the script runs; it fits every type.

    An unknown word may be an operand, an option or `--`. So nothing after it can be judged,
    unless it is an option's value or follows `--`.
    """

    __slots__ = ("label",)

    def __init__(self, label: str) -> None:
        self.label = label

    def __repr__(self) -> str:
        return self.label


UNKNOWN = UnknownArgument("<unknown>")  # one word, "$x"; or the value in `key=$x`
UNKNOWN_WORDS = UnknownArgument("<unknown words>")  # any number of words: $x, "$@", a glob


def raw_text(word: object) -> str:
    """Return a raw word as written in the script."""
    return word.text if isinstance(word, NamedArgument | GlobArgument) else text_of(word)


def raw_texts(words: Iterable[object]) -> list[str]:
    """Return raw words as written, for a command that matches patterns itself."""
    return [raw_text(word) for word in words]


def option_words(given: Iterable[tuple[str, object]]) -> list[str]:
    """Return a call's options as words for a program that has the same long options."""
    words = []
    for name, value in given:
        option = f"--{name.replace('_', '-')}"
        if name != "--" and value is not False:
            each_value = value if isinstance(value, list) else [value]
            words += [option if one is True else f"{option}={one}" for one in each_value]
    return words


def texts_and_globs(words: Iterable[object]) -> list[str | GlobArgument]:
    """Return raw words as written, but globs as they are."""
    return [word if isinstance(word, GlobArgument) else raw_text(word) for word in words]


def option_text(argument: Any) -> str:
    """Return the text of an argument that may be an option, else "".

    A negative number may: `x=-5; head $x` is `head -5`.
    """
    if argument.__class__ is NamedArgument:
        is_option = argument.key[:1] == "-" and not isinstance(
            argument.value, list | dict | UnknownArgument
        )
        return argument.text if is_option else ""
    if argument.__class__ is GlobArgument:
        return argument.text
    return text_of(argument) if isinstance(argument, int | float | str) else ""


def expanded_texts(words: Iterable[object]) -> list[str]:
    """Return raw words as written, each glob replaced by its paths."""
    texts: list[str] = []
    for word in words:
        texts.extend(raw_texts(word.expand() if isinstance(word, GlobArgument) else (word,)))
    return texts


def words_for_function(words: Sequence[object]) -> list[object]:
    """Return words as a function receives them: named ones as strings, globs as paths."""
    received: list[object] = []
    for word in words:
        if word.__class__ is NamedArgument:
            received.append(word.text)
        elif word.__class__ is GlobArgument:
            received.extend(word.expand())
        else:
            received.append(word)
    return received


def words_as_text(words: Sequence[object]) -> list[object]:
    """Return words with numbers as their text: a word of the bash dialect has no type."""
    return [
        text_of(word) if isinstance(word, int | float | Numeral) else word  # a bool is an int
        for word in words_for_function(words)
    ]


class BoundArguments:
    """What a command's function receives after the call itself.

    options_in_order  every option as it was given, repetitions included
    asks_help         the words ask for help (or `asks_version`): nothing is called
    is_partial        some words are unknown, so the rest was not bound: nothing is called
    """

    __slots__ = (
        "asks_help", "asks_version", "is_partial", "options", "options_in_order", "positional",
    )  # fmt: skip

    def __init__(self) -> None:
        self.positional: list[Any] = []
        self.options: dict[str, Any] = {}
        self.options_in_order: list[tuple[str, Any]] = []
        self.asks_help = self.asks_version = self.is_partial = False

    def is_immutable(self) -> bool:
        """Whether the same object may serve every call; lists of options are copied for each."""
        options = self.options.values()
        values = [item for value in options if value.__class__ is list for item in value]
        values += [value for value in options if value.__class__ is not list]
        return all(isinstance(value, IMMUTABLE_TYPES) for value in (*self.positional, *values))

    def fresh_options(self) -> dict[str, Any]:
        """Return the options for one more call, which may change its lists."""
        options = self.options
        for value in options.values():
            if value.__class__ is list:
                break
        else:
            return options
        return {
            name: value.copy() if value.__class__ is list else value
            for name, value in options.items()
        }


class InvalidArguments(Exception):
    """Arguments that a command does not take.

    code      the checker's code
    index     the argument's index; -1 for a missing one
    message   the command's message, without its name
    is_value  only a value is wrong: GNU's commands then print no hint at their help
    status    the command's exit status, if it differs from that of other usage errors
    """

    def __init__(
        self, code: str, index: int, message: str, fix: str = "", *, is_value: bool = False,
        status: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.code, self.index, self.message, self.fix = code, index, message, fix
        self.is_value, self.status = is_value, status


def nearest_fix(word: str, known: Iterable[str], before: str, after: str = "") -> str:
    """Return the fix that offers the nearest known name; empty if none is near."""
    from keysh.diagnostics.suggestions import closest_names  # noqa: PLC0415 - only on errors

    names = closest_names(word, known)
    return f"did you mean `{before}{names[0]}{after}`?" if names else ""
