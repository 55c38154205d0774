"""tsort - items in an order in which each comes before those it must precede."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OutputStyle, command
from keysh.text.gnu_quoting import locale_quoted_text, message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(output=OutputStyle(lines=True))
def tsort(sh: Call, *files: Path) -> Iterator[str]:
    """Put items in order. The input is pairs of words: the first must come before the second.

    files ...  the file to read, - for standard input
    """
    if len(files) > 1:
        raise UsageFailure(f"extra operand {locale_quoted_text(files[1])}")
    for source in sh.inputs(files):
        words = source.read().replace("\t", " ").replace("\n", " ").split(" ")
        words = [word for word in words if word]
        if len(words) % 2:
            raise sh.fail(f"{message_name(source.name)}: input contains an odd number of tokens")
        yield from ItemGraph(sh, words, source.name).sorted_items()


class ItemGraph:
    """The items, how many still stand before each, and which come behind it."""

    __slots__ = ("_predecessor_counts", "_successors", "_name", "_sh")

    def __init__(self, sh: Call, words: list[str], name: str) -> None:
        self._sh, self._name = sh, name
        self._predecessor_counts = dict.fromkeys(sorted(words), 0)
        self._successors: dict[str, list[str]] = {word: [] for word in self._predecessor_counts}
        for first, second in zip(words[::2], words[1::2], strict=True):
            if first != second:
                self._predecessor_counts[second] += 1
                self._successors[first].append(second)

    def sorted_items(self) -> Iterator[str]:
        """The items; a loop among them is told of and cut."""
        while self._predecessor_counts:
            ready = [word for word, count in self._predecessor_counts.items() if not count]
            if not ready:
                self._sh.warn(f"{message_name(self._name)}: input contains a loop:")
                self._break_loop()
            for word in ready:
                self._sh.tick()
                yield f"{word}\n"
                del self._predecessor_counts[word]
                # The relation that was told last comes first, as in GNU's.
                for other in reversed(self._successors[word]):
                    self._predecessor_counts[other] -= 1
                    if not self._predecessor_counts[other]:
                        ready.append(other)

    def _break_loop(self) -> None:
        """Tell of a loop and leave out the relation that closes it.

        As in GNU's, the items are gone through in order, again and again, and each that must come
        before the last one found is the next, until one is found again.
        """
        waiting = [word for word, count in self._predecessor_counts.items() if count]
        chain: dict[str, str] = {}  # each item found, and the one that must come behind it
        word, left = waiting[0], waiting[1:]
        while True:
            for other in left:
                self._sh.tick()
                if word not in self._successors[other]:
                    continue
                if other in chain:
                    self._report_loop(chain, word, other)
                    return
                chain[other] = word
                word = other
            left = waiting

    def _report_loop(self, chain: dict[str, str], first: str, last: str) -> None:
        """Print a loop from its first item to its last, which must come before the first."""
        word = first
        while True:
            self._sh.note(word)
            if word == last:
                break
            word = chain[word]
        behind = self._successors[last]
        del behind[len(behind) - 1 - behind[::-1].index(first)]
        self._predecessor_counts[first] -= 1
