"""Arguments as a command's binder receives them: text, values, and the kinds that are more."""

from __future__ import annotations

from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeAlias

    # What a command prints of a text that is all its input, and its status; None for a text that
    # it works on the long way. It gets the text and `tick`.
    Work: TypeAlias = Callable[[str, Callable[[], object]], "tuple[str, int] | None"]


class NamedArgument:
    """`key=value` or `--key=value`: it binds where the command has such a parameter.

    Elsewhere it is its text. `key` is as written, dashes included.
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
    """Words that are the same at every run, and what is known of a command that was called so."""

    __slots__ = ("_rest", "cached_binding", "work")

    def __init__(self, words: Iterable[object]) -> None:
        super().__init__(words)
        self.cached_binding: tuple[object, object] = (None, None)  # the command, and what it gets
        self.work: tuple[object, Work | None] = (None, None)  # the command, and how it works
        self._rest: ConstantArguments | None = None

    def rest(self) -> ConstantArguments:
        """The words behind the first."""
        if self._rest is None:
            self._rest = ConstantArguments(self[1:])
        return self._rest


class GlobArgument:
    """A word with living pattern characters: its text, and the paths it stands for.

    `expand` raises where nothing matches and the script has not asked for anything else; `paths`
    answers what there is, which may be nothing.
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
    """What stands for arguments that are not known before the script runs.

    An unknown word may be an operand, an option, or `--`; so nothing behind it can be judged,
    unless it is an option's value or stands behind `--`. It fits every type.
    """

    __slots__ = ("label",)

    def __init__(self, shown: str) -> None:
        self.label = shown

    def __repr__(self) -> str:
        return self.label


UNKNOWN = UnknownArgument("<unknown>")  # exactly one word, as "$x"; or a value, as in `key=$x`
UNKNOWN_WORDS = UnknownArgument("<unknown words>")  # any number of words, as $x, "$@", a glob


def raw_text(word: object) -> str:
    """A raw word as it stands in the script."""
    return word.text if isinstance(word, NamedArgument | GlobArgument) else text_of(word)


def raw_texts(words: Iterable[object]) -> list[str]:
    """The texts of raw words, for a command that reads its globs itself."""
    return [raw_text(word) for word in words]


def texts_and_globs(words: Iterable[object]) -> list[str | GlobArgument]:
    """The texts of raw words, each glob as it is: for a command that asks for patterns here and
    for paths there.
    """
    return [word if isinstance(word, GlobArgument) else raw_text(word) for word in words]


def option_text(argument: Any) -> str:
    """The text of an argument that is no plain word, where it can be an option's; else nothing.

    A negative number is one: `x=-5; head $x` is `head -5`.
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
    """The texts of raw words, each glob replaced by its paths."""
    texts: list[str] = []
    for word in words:
        texts.extend(raw_texts(word.expand() if isinstance(word, GlobArgument) else (word,)))
    return texts


def words_for_function(words: Sequence[object]) -> list[object]:
    """The words as a function sees them: named ones as text, globs as paths, values as they are."""
    made: list[object] = []
    for word in words:
        if word.__class__ is NamedArgument:
            made.append(word.text)
        elif word.__class__ is GlobArgument:
            made.extend(word.expand())
        else:
            made.append(word)
    return made
