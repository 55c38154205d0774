"""What a program certainly runs in turn: `sudo -u root git push` runs `git push`."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.rules.planned_programs import NestingTooDeep, PlannedScript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def commands_of_program(words: Sequence[str]) -> Iterator[list[str]]:
    """Yield the commands behind a wrapper, after `find -exec` and in `sh -c`, as far as known.

    A word that depends on a run of its own ends a command: what follows is not known. If there are
    too many to follow them all, NestingTooDeep is raised at the end.
    """
    script = PlannedScript("", BASH)
    script.add_command(list(words))
    for program in script.programs[1:]:
        known: list[str] = []
        for word in program.words:
            if word is None:
                break
            known.append(word)
        if known:
            yield known
    if script.is_cut:
        raise NestingTooDeep
