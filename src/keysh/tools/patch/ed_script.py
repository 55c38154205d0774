"""Scripts for ed, as far as `diff -e` writes them: lines appended, changed, deleted.

2,3c
new
.
1d

A line that is a lone dot is written as two, the text ended, and `s/.//` takes one of them away.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ED_COMMAND = re.compile(
    r"(?:(?P<first>\d{1,15})(?:,(?P<last>\d{1,15}))?)?(?P<letter>[acdi]|s/\.//)[ \t]*\n"
)
TEXT_END = ".\n"  # of a text


class ScriptError(Exception):
    """ed could not go on."""


def is_ed_command(line: str) -> bool:
    """Whether a line is a command; a text does not stand behind two lines."""
    found = ED_COMMAND.fullmatch(line)
    return found is not None and not (found["last"] and found["letter"] in "ai")


def script_at(lines: Sequence[str], at: int) -> tuple[list[str], int]:
    """The commands that begin here, with their texts, and where what follows begins."""
    start = at
    while at < len(lines) and is_ed_command(lines[at]):
        at += 1
        if takes_text(lines[at - 1]):
            at = end_of_text(lines, at) + 1
    at = min(at, len(lines))
    return list(lines[start:at]), at


def takes_text(line: str) -> bool:
    """Whether a text stands behind a command."""
    return not line.lstrip("0123456789,").startswith(("d", "s"))


def end_of_text(lines: Sequence[str], at: int) -> int:
    """Where the dot stands behind a text; behind all lines where there is none."""
    while at < len(lines) and lines[at] != TEXT_END:
        at += 1
    return at


def apply_ed_script(
    lines: Sequence[str], script: Sequence[str], tick: Callable[[], object]
) -> list[str]:
    """What a script makes of lines."""
    made = list(lines)
    current, at = len(made), 0
    while at < len(script):
        tick()
        found = ED_COMMAND.fullmatch(script[at])
        assert found is not None
        at += 1
        first = current if found["first"] is None else int(found["first"])
        last = int(found["last"] or first)
        letter = found["letter"][0]
        least = 0 if letter in "ai" else 1
        if not least <= first <= last <= len(made):
            raise ScriptError
        if letter == "s":
            bare = made[first - 1].removesuffix("\n")
            if not bare:
                raise ScriptError
            made[first - 1], current = f"{bare[1:]}\n", first
            continue
        end = end_of_text(script, at) if letter != "d" else at
        if end == len(script) and letter != "d":
            raise ScriptError
        text = script[at:end]
        if letter != "d":
            at = end + 1
        start = first if letter == "a" else max(first - 1, 0)
        made[start : last if letter in "cd" else start] = text
        # Behind what has been deleted, the next line is the current one, or the last of all.
        current = start + len(text) if text or letter in "ai" else min(start + 1, len(made))
    return made
