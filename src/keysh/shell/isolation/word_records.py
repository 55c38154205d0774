"""Words as records: what a command gets, with the names and patterns that its declaration reads."""

from __future__ import annotations

from keysh.schema.arguments import GlobArgument, NamedArgument
from keysh.shell.images.typed_values import value_from_json, value_to_json
from keysh.shell.isolation.frames import FrameError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_WORDS = 100_000


def record_of_word(word: object, *, is_text: bool = False) -> Any:
    """Return a word as its command's declaration needs it: a name stays one, a pattern too.

    A pattern without matches is an error, unless the command, or a question, takes it as text.
    """
    if isinstance(word, NamedArgument):
        return {"named": [word.key, record_of_value(word.value), word.text, word.appends]}
    if isinstance(word, GlobArgument):
        paths = word.paths() if is_text else word.expand()
        return {"glob": [word.text, [record_of_value(path) for path in paths]]}
    return {"word": value_to_json(word)}


def record_of_value(value: object) -> Any:
    if isinstance(value, GlobArgument):
        return value.text
    return value_to_json(value)


def checked_value(value: Any) -> object:
    """Return a value that a worker has sent; FrameError for none."""
    try:
        return value_from_json(value)
    except Exception:  # noqa: BLE001 - whatever it is, it is no value
        raise FrameError("a value of no kind") from None


def checked_word(word: Any) -> object:
    """Return a word as a command's declaration reads it."""
    match word:
        case {"word": value}:
            return checked_value(value)
        case {"named": [str(key), value, str(text), bool(appends)]}:
            return NamedArgument(key, checked_value(value), text, appends=appends)
        case {"glob": [str(text), list(paths)]}:
            found = [checked_value(path) for path in paths]
            return GlobArgument(text, lambda: found)
    raise FrameError("a word of no kind")


def checked_texts(words: Any) -> list[str]:
    """Return a list of texts; FrameError for anything else."""
    if words.__class__ is not list or len(words) > MAX_WORDS:
        raise FrameError("words that are no list of texts")
    if any(word.__class__ is not str for word in words):
        raise FrameError("a word that is no text")
    return list(words)


def checked_environment(env: Any) -> dict[str, str]:
    """Return the variables of an environment; FrameError for anything else."""
    if env.__class__ is not dict or any(
        value.__class__ is not str or "\0" in value for value in env.values()
    ):
        raise FrameError("an environment that is none")
    return {name: value for name, value in env.items() if name and not {"=", "\0"} & {*name}}
