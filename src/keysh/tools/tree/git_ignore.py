"""Ignoring: the files that .gitignore and its kin leave out, as tree reads them.

What is left out by one file may be kept by a `!` in any other.
"""

from __future__ import annotations

from keysh.interp.streams.streams import reader_of
from keysh.tools.tree.ignore_rules import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.interp.state.call import Call
    from keysh.tools.tree.node import Node

NAME = ".gitignore"


class Ignoring:
    """What all files of a run say together."""

    __slots__ = ("_given", "_ignores_case", "_sh")

    def __init__(self, sh: Call, ignore_case: bool, files: Iterable[str]) -> None:
        """`files` are named by options, and hold everywhere."""
        self._sh, self._ignores_case = sh, ignore_case
        self._given: list[Rules] = []
        for file in files:
            rules = self._read(file, None)
            if rules is None:
                raise sh.fail("Could not load gitignore file")
            self._given.append(rules)

    def rules_in(self, folder: Node) -> Rules | None:
        """What is said in a directory; of an operand, or else in the nearest one around it.

        As with tree, what is said around an operand holds for names only.
        """
        found = self._read(f"{folder.path}/{NAME}", folder.path)
        if found is not None or folder.depth:
            return found
        place = self._sh.fs.resolve(self._sh.path(folder.path))
        while found is None and place not in ("", "/"):
            place = place.rpartition("/")[0]
            found = self._read(f"{place}/{NAME}", None)
        return found

    def _read(self, path: str, place: str | None) -> Rules | None:
        try:
            reader = reader_of(self._sh.open(path))
        except OSError:
            return None
        try:
            return Rules(reader.read(), place, self._ignores_case)
        except OSError:
            return None
        finally:
            reader.close()

    def leaves_out(self, folder: Node, name: str, path: str, is_folder: bool) -> bool:
        """Whether a file in a directory is left out."""
        files = [*rules_above(folder), *self._given]
        steps = [rules.steps_to(path) for rules in files]
        return any(
            rule.fits(name, below, is_folder)
            for rules, below in zip(files, steps, strict=True)
            for rule in rules.leaving
        ) and not any(
            rule.fits(name, below, is_folder)
            for rules, below in zip(files, steps, strict=True)
            for rule in rules.keeping
        )


def rules_above(folder: Node) -> Iterator[Rules]:
    """What is said in a directory and in those around it."""
    node: Node | None = folder
    while node is not None:
        if node.rules is not None:
            yield node.rules
        node = node.above
