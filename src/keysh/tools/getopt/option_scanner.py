"""Read words as the C library's getopt_long(3) does, with its messages."""

from __future__ import annotations

from collections import deque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

LETTERS_PER_TICK = 1024
NO_VALUE, NEEDED_VALUE, OPTIONAL_VALUE = "", ":", "::"


class ScannedOption:
    """An option with its value, or an operand in its place (`name` is "")."""

    __slots__ = ("name", "value")

    def __init__(self, name: str, value: str | None) -> None:
        self.name, self.value = name, value


class OptionScanner:
    """Options among words.

    short     what the letters take, such as {"a": "", "b": ":"}
    long      what the names take
    ordering  "+" ends at the first operand, "-" keeps operands in their place, "" moves them
              behind the options, to `operands`
    is_alternative  a long option may begin with one dash
    """

    __slots__ = (
        "_is_alternative", "_long", "_ordering", "_short", "_tick", "_words",
        "complaints", "operands",
    )  # fmt: skip

    def __init__(
        self,
        words: Sequence[str],
        short: Mapping[str, str],
        long: Mapping[str, str],
        tick: Callable[[], None],
        *,
        ordering: str = "",
        is_alternative: bool = False,
    ) -> None:
        self._words, self._short, self._long = deque(words), short, long
        self._tick = tick
        self._ordering, self._is_alternative = ordering, is_alternative
        self.operands: list[str] = []
        self.complaints: list[str] = []

    def options(self) -> Iterator[ScannedOption]:
        """Yield the options; afterwards `operands` has the rest, `complaints` what is wrong."""
        words = self._words
        while words:
            self._tick()
            word = words.popleft()
            if word == "--":
                break
            if word[:1] != "-" or word == "-":
                if self._ordering == "+":
                    words.appendleft(word)
                    break
                if self._ordering == "-":
                    yield ScannedOption("", word)
                else:
                    self.operands.append(word)
            elif word[:2] == "--":
                yield from self._long_option(word[2:], "--")
            elif self._is_alternative and self._is_long(word):
                yield from self._long_option(word[1:], "-")
            else:
                yield from self._letters(word[1:])
        self.operands += words

    def _is_long(self, word: str) -> bool:
        """Whether `-word` is a long option rather than letters, in the alternative mode."""
        name = word[1:].partition("=")[0]
        return bool(self._names_for(name)) or word[1] not in self._short

    def _names_for(self, name: str) -> list[str]:
        """Return the long names that a name may stand for."""
        if name in self._long:
            return [name]
        return [known for known in self._long if known.startswith(name)]

    def _long_option(self, text: str, dashes: str) -> Iterator[ScannedOption]:
        name, has_value, value = text.partition("=")
        names = self._names_for(name)
        if not names:
            self.complaints.append(f"unrecognized option '{dashes}{name}'")
            return
        if len(names) > 1:
            listed = " ".join(f"'{dashes}{known}'" for known in names)
            self.complaints.append(f"option '{dashes}{text}' is ambiguous; possibilities: {listed}")
            return
        found, takes = names[0], self._long[names[0]]
        if has_value and takes == NO_VALUE:
            self.complaints.append(f"option '{dashes}{found}' doesn't allow an argument")
        elif has_value or takes == NO_VALUE:
            yield ScannedOption(f"--{found}", value if has_value else None)
        elif takes == OPTIONAL_VALUE:
            yield ScannedOption(f"--{found}", "")
        elif self._words:
            yield ScannedOption(f"--{found}", self._words.popleft())
        else:
            self.complaints.append(f"option '{dashes}{found}' requires an argument")

    def _letters(self, letters: str) -> Iterator[ScannedOption]:
        for index, letter in enumerate(letters, 1):
            if index % LETTERS_PER_TICK == 0:
                self._tick()
            takes = self._short.get(letter)
            if takes is None:
                self.complaints.append(f"invalid option -- '{letter}'")
            elif takes == NO_VALUE:
                yield ScannedOption(f"-{letter}", None)
            elif index < len(letters) or takes == OPTIONAL_VALUE:
                yield ScannedOption(f"-{letter}", letters[index:])
                return
            elif self._words:
                yield ScannedOption(f"-{letter}", self._words.popleft())
                return
            else:
                self.complaints.append(f"option requires an argument -- '{letter}'")


def short_options(text: str, tick: Callable[[], None]) -> dict[str, str]:
    """Parse `ab:c::` into what each letter takes."""
    options: dict[str, str] = {}
    index = 0
    next_tick = LETTERS_PER_TICK
    while index < len(text):
        if index >= next_tick:
            tick()
            next_tick = index + LETTERS_PER_TICK
        letter = text[index]
        rest = text[index + 1 : index + 3]
        takes = OPTIONAL_VALUE if rest == "::" else NEEDED_VALUE if rest[:1] == ":" else NO_VALUE
        index += 1 + len(takes)
        if letter not in ":;-":
            options[letter] = takes
    return options


def long_options(text: str) -> dict[str, str]:
    """Parse `all,file:,color::` into what each name takes."""
    options: dict[str, str] = {}
    for name in text.replace(",", " ").split():
        bare = name.rstrip(":")
        options[bare] = name[len(bare) :][:2]
    return options
