"""What a program certainly runs in turn: `sudo -u root git push` runs `git push`."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.rules.planned_programs import wrapped_programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def commands_of_program(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield the commands behind a wrapper, after `find -exec` and in `sh -c`, as far as known.

    A word that depends on a run of its own ends a command: what follows is not known.
    """
    for program in wrapped_programs(words, BASH):
        known: list[str] = []
        for word in program.words:
            if word is None:
                break
            known.append(word)
        if known:
            yield known
