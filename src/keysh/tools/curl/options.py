"""Options: what the words of a call and its files of options say, set by set.

curl -d x URL1 --next -I URL2       two sets, of which each has its own options and URLs
"""

from __future__ import annotations

from keysh.gnu.input_files import InputFile
from keysh.gnu.options import ordered_words
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.binder import InvalidArguments, bind
from keysh.text.gnu_quoting import message_name
from keysh.tools.curl.failure import READ_ERROR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.schema.command import Command

MAX_CONFIG_DEPTH = 10  # files of options that name each other
CONFIG_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class OptionSet:
    """One set: its URLs, its options in their order, and the last value of each."""

    __slots__ = ("_values", "occurrences", "urls")

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.occurrences: list[tuple[str, Any]] = []
        self._values: dict[str, Any] = {}

    def add(self, name: str, value: Any) -> None:
        """Take an option, or without a name a URL."""
        if name in ("", "url"):
            self.urls += value if isinstance(value, list) else [value]
            return
        self.occurrences.append((name, value))
        if isinstance(value, list):
            value = [*self._values.get(name, []), *value]
        self._values[name] = value

    def get(self, name: str, default: Any = None) -> Any:
        """An option's value; of one that may be given again, all of them."""
        return self._values.get(name, default)


def option_sets(sh: Call, declared: Command, words: Sequence[str]) -> list[OptionSet]:
    """The sets of options that words make."""
    sets = [OptionSet()]
    for name, value in expand_config_files(sh, declared, ordered_words(sh, declared, words), 0):
        if name != "next":
            sets[-1].add(name, value)
        elif sets[-1].urls:
            sets.append(OptionSet())
    return [one for one in sets if one.urls]


def expand_config_files(
    sh: Call, declared: Command, turns: Iterable[tuple[str, Any]], depth: int
) -> Iterator[tuple[str, Any]]:
    """The options, with those of the files of -K in their places."""
    for name, value in turns:
        if name != "config":
            yield name, value
            continue
        if depth == MAX_CONFIG_DEPTH:
            raise sh.fail(f"-K: {MAX_CONFIG_DEPTH} files of options name each other", 2)
        try:
            with InputFile(sh, value) as reader:
                lines = [line.rstrip("\n") for line in reader.lines()]
        except OSError as error:
            raise sh.fail(
                f"cannot read config from {message_name(value)}: {os_error_text(error)}", READ_ERROR
            ) from None
        for at, line in enumerate(lines, 1):
            try:
                given = bind(declared, words) if (words := config_words(line)) else None
            except InvalidArguments as misuse:
                says = f"{message_name(value)}:{at}: {misuse.message}"
                raise UsageFailure(says, status=misuse.status) from None
            if given is not None:
                yield from expand_config_files(sh, declared, given.options_in_order, depth + 1)


def config_words(line: str) -> list[str]:
    """The words of a line of a file of options: `name`, `name value`, `name = "value"`."""
    text = line.strip()
    if not text or text[0] == "#":
        return []
    end = next((at for at, char in enumerate(text) if char in " \t=:"), len(text))
    name, value = text[:end], text[end:].lstrip(" \t")
    if value[:1] in ("=", ":"):
        value = value[1:].lstrip(" \t")
    option = name if name.startswith("-") else f"--{name}"
    if not value:
        return [option]
    return [option, unquote_config_value(value) if value[0] == '"' else value]


def unquote_config_value(text: str) -> str:
    """The text between quotes, in which a backslash keeps the next character or is an escape."""
    made = ""
    at = 1
    while at < len(text) and text[at] != '"':
        if text[at] == "\\" and at + 1 < len(text):
            at += 1
            made += CONFIG_ESCAPES.get(text[at], text[at])
        else:
            made += text[at]
        at += 1
    return made
