"""Read words as the C library's getopt_long(3) does, with its messages."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
        "_is_alternative", "_long", "_ordering", "_short", "_words", "complaints", "operands",
    )  # fmt: skip

    def __init__(
        self,
        words: Sequence[str],
        short: Mapping[str, str],
        long: Mapping[str, str],
        *,
        ordering: str = "",
        is_alternative: bool = False,
    ) -> None:
        self._words, self._short, self._long = list(words), short, long
        self._ordering, self._is_alternative = ordering, is_alternative
        self.operands: list[str] = []
        self.complaints: list[str] = []

    def options(self) -> Iterator[ScannedOption]:
        """Yield the options; afterwards `operands` has the rest, `complaints` what is wrong."""
        words = self._words
        while words:
            word = words.pop(0)
            if word == "--":
                break
            if word[:1] != "-" or word == "-":
                if self._ordering == "+":
                    words.insert(0, word)
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
            yield ScannedOption(f"--{found}", self._words.pop(0))
        else:
            self.complaints.append(f"option '{dashes}{found}' requires an argument")

    def _letters(self, letters: str) -> Iterator[ScannedOption]:
        while letters:
            letter, letters = letters[0], letters[1:]
            takes = self._short.get(letter)
            if takes is None:
                self.complaints.append(f"invalid option -- '{letter}'")
            elif takes == NO_VALUE:
                yield ScannedOption(f"-{letter}", None)
            elif letters or takes == OPTIONAL_VALUE:
                yield ScannedOption(f"-{letter}", letters)
                return
            elif self._words:
                yield ScannedOption(f"-{letter}", self._words.pop(0))
                return
            else:
                self.complaints.append(f"option requires an argument -- '{letter}'")


def short_options(text: str) -> dict[str, str]:
    """Parse `ab:c::` into what each letter takes."""
    options: dict[str, str] = {}
    index = 0
    while index < len(text):
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
