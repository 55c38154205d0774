"""Collect options from the command line and from config files, in sets.

curl -d x URL1 --next -I URL2       two sets, each with its own options and URLs
"""

from __future__ import annotations

from keysh.gnu.input_files import InputFile
from keysh.gnu.option_values import ordered_words
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

MAX_CONFIG_DEPTH = 10  # nested config files
CONFIG_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class OptionSet:
    """One set: its URLs, its options in order, and the value of each."""

    __slots__ = ("_values", "occurrences", "urls")

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.occurrences: list[tuple[str, Any]] = []
        self._values: dict[str, Any] = {}

    def add(self, name: str, value: Any) -> None:
        """Add an option, or a URL if there is no name."""
        if name in ("", "url"):
            self.urls += value if isinstance(value, list) else [value]
            return
        self.occurrences.append((name, value))
        if isinstance(value, list):
            value = [*self._values.get(name, []), *value]
        self._values[name] = value

    def get(self, name: str, default: Any = None) -> Any:
        """Return the last value of an option, or all values of one that may be repeated."""
        return self._values.get(name, default)


def option_sets(sh: Call, declared: Command, words: Sequence[str]) -> list[OptionSet]:
    """Return the sets of options on the command line."""
    sets = [OptionSet()]
    for name, value in expand_config_files(sh, declared, ordered_words(sh, declared, words), 0):
        if name != "next":
            sets[-1].add(name, value)
        elif sets[-1].urls:
            sets.append(OptionSet())
    return [option_set for option_set in sets if option_set.urls]


def expand_config_files(
    sh: Call, declared: Command, options: Iterable[tuple[str, Any]], depth: int
) -> Iterator[tuple[str, Any]]:
    """Yield options, with each -K replaced by the options in its file."""
    for name, value in options:
        if name != "config":
            yield name, value
            continue
        if depth == MAX_CONFIG_DEPTH:
            raise sh.fail(f"-K: config files nest more than {MAX_CONFIG_DEPTH} deep", 2)
        try:
            with InputFile(sh, value) as reader:
                lines = [line.rstrip("\n") for line in reader.lines()]
        except OSError as error:
            raise sh.fail(
                f"cannot read config from {message_name(value)}: {os_error_text(error)}", READ_ERROR
            ) from None
        for line_number, line in enumerate(lines, 1):
            try:
                binding = bind(declared, words) if (words := config_words(line)) else None
            except InvalidArguments as error:
                message = f"{message_name(value)}:{line_number}: {error.message}"
                raise UsageFailure(message, status=error.status) from None
            if binding is not None:
                yield from expand_config_files(sh, declared, binding.options_in_order, depth + 1)


def config_words(line: str) -> list[str]:
    """Split a line of a config file: `name`, `name value` or `name = "value"`."""
    text = line.strip()
    if not text or text[0] == "#":
        return []
    end = next((i for i, char in enumerate(text) if char in " \t=:"), len(text))
    name, value = text[:end], text[end:].lstrip(" \t")
    if value[:1] in ("=", ":"):
        value = value[1:].lstrip(" \t")
    option = name if name.startswith("-") else f"--{name}"
    if not value:
        return [option]
    return [option, unquote_config_value(value) if value[0] == '"' else value]


def unquote_config_value(text: str) -> str:
    """Return the text between quotes, with escapes replaced."""
    value = ""
    i = 1
    while i < len(text) and text[i] != '"':
        if text[i] == "\\" and i + 1 < len(text):
            i += 1
            value += CONFIG_ESCAPES.get(text[i], text[i])
        else:
            value += text[i]
        i += 1
    return value
