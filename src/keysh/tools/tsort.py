"""tsort - topological sort."""

from __future__ import annotations

import re

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OutputStyle, command
from keysh.text.gnu_quoting import locale_quoted_text, message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

BLANKS = re.compile("[ \t\n]+")


@command(compatible="GNU coreutils 9.1", output=OutputStyle(lines=True))
def tsort(sh: Call, *files: Path) -> Iterator[str]:
    """Sort items so that each precedes those that depend on it.

    files ...  the file to read, - for standard input: pairs of words, of which the
               first must precede the second
    """
    if len(files) > 1:
        raise UsageFailure(f"extra operand {locale_quoted_text(files[1])}")
    for source in sh.inputs(files):
        words = [word for line in source.lines() for word in BLANKS.split(line) if word]
        if len(words) % 2:
            raise sh.fail(f"{message_name(source.name)}: input contains an odd number of tokens")
        yield from ItemGraph(sh, words, source.name).sorted_items()


class ItemGraph:
    """The items, the number of unprinted predecessors of each, and its successors."""

    __slots__ = ("_name", "_predecessor_counts", "_sh", "_successors")

    def __init__(self, sh: Call, words: list[str], name: str) -> None:
        self._sh, self._name = sh, name
        self._predecessor_counts = dict.fromkeys(sorted(words), 0)
        self._successors: dict[str, list[str]] = {word: [] for word in self._predecessor_counts}
        for first, second in zip(words[::2], words[1::2], strict=True):
            if first != second:
                self._predecessor_counts[second] += 1
                self._successors[first].append(second)

    def sorted_items(self) -> Iterator[str]:
        """Yield the items in order; loops are reported and broken."""
        while self._predecessor_counts:
            ready = [word for word, count in self._predecessor_counts.items() if not count]
            if not ready:
                self._sh.warn(f"{message_name(self._name)}: input contains a loop:")
                self._break_loop()
            for word in ready:
                self._sh.tick()
                yield f"{word}\n"
                del self._predecessor_counts[word]
                # As in GNU, the last relation given comes first.
                for other in reversed(self._successors[word]):
                    self._predecessor_counts[other] -= 1
                    if not self._predecessor_counts[other]:
                        ready.append(other)

    def _break_loop(self) -> None:
        """Report a loop and remove the relation that closes it.

        Like GNU, go through the items repeatedly; an item that must precede the last one found is
        the next one, until an item is found again.
        """
        waiting = [word for word, count in self._predecessor_counts.items() if count]
        chain: dict[str, str] = {}  # each item found, and its successor
        word, remaining = waiting[0], waiting[1:]
        while True:
            for candidate in remaining:
                self._sh.tick()
                if word not in self._successors[candidate]:
                    continue
                if candidate in chain:
                    self._report_loop(chain, word, candidate)
                    return
                chain[candidate] = word
                word = candidate
            remaining = waiting

    def _report_loop(self, chain: dict[str, str], first: str, last: str) -> None:
        """Print a loop from `first` to `last` and remove the relation between them."""
        word = first
        while True:
            self._sh.note(word)
            if word == last:
                break
            word = chain[word]
        successors = self._successors[last]
        del successors[len(successors) - 1 - successors[::-1].index(first)]
        self._predecessor_counts[first] -= 1
