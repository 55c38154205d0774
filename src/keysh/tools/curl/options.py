"""Options: what the words of a call and its files of options say, set by set.

curl -d x URL1 --next -I URL2       two sets, of which each has its own options and URLs
"""

from __future__ import annotations

from keysh.gnu.input_files import GivenFile
from keysh.gnu.options import in_turn
from keysh.interp.state.call import BadCall, why
from keysh.schema.binder import Misuse, bind
from keysh.text.gnu_quoting import shown
from keysh.tools.curl.failure import READ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.schema.command import Command

DEEPEST = 10  # files of options that name each other
ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class Options:
    """One set: its URLs, its options in their order, and the last value of each."""

    __slots__ = ("_values", "given", "urls")

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.given: list[tuple[str, Any]] = []
        self._values: dict[str, Any] = {}

    def add(self, name: str, value: Any) -> None:
        """Take an option, or without a name a URL."""
        if name in ("", "url"):
            self.urls += value if isinstance(value, list) else [value]
            return
        self.given.append((name, value))
        if isinstance(value, list):
            value = [*self._values.get(name, []), *value]
        self._values[name] = value

    def get(self, name: str, default: Any = None) -> Any:
        """An option's value; of one that may be given again, all of them."""
        return self._values.get(name, default)


def sets_in(sh: Call, declared: Command, words: Sequence[str]) -> list[Options]:
    """The sets of options that words make."""
    sets = [Options()]
    for name, value in with_files(sh, declared, in_turn(sh, declared, words), 0):
        if name != "next":
            sets[-1].add(name, value)
        elif sets[-1].urls:
            sets.append(Options())
    return [one for one in sets if one.urls]


def with_files(
    sh: Call, declared: Command, turns: Iterable[tuple[str, Any]], depth: int
) -> Iterator[tuple[str, Any]]:
    """The options, with those of the files of -K in their places."""
    for name, value in turns:
        if name != "config":
            yield name, value
            continue
        if depth == DEEPEST:
            raise sh.fail(f"-K: {DEEPEST} files of options name each other", 2)
        try:
            with GivenFile(sh, value) as reader:
                lines = [line.rstrip("\n") for line in reader.lines()]
        except OSError as error:
            raise sh.fail(f"cannot read config from {shown(value)}: {why(error)}", READ) from None
        for at, line in enumerate(lines, 1):
            try:
                given = bind(declared, words) if (words := words_in(line)) else None
            except Misuse as misuse:
                says = f"{shown(value)}:{at}: {misuse.message}"
                raise BadCall(says, status=misuse.status) from None
            if given is not None:
                yield from with_files(sh, declared, given.given, depth + 1)


def words_in(line: str) -> list[str]:
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
    return [option, unquoted(value) if value[0] == '"' else value]


def unquoted(text: str) -> str:
    """The text between quotes, in which a backslash keeps the next character or is an escape."""
    made = ""
    at = 1
    while at < len(text) and text[at] != '"':
        if text[at] == "\\" and at + 1 < len(text):
            at += 1
            made += ESCAPES.get(text[at], text[at])
        else:
            made += text[at]
        at += 1
    return made
