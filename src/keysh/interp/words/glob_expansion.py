"""Glob expansion, subject to the shell's options and `$GLOBIGNORE`.

A pattern comes as pieces (text, live); the characters of a quoted piece are not live.
"""

from __future__ import annotations

from functools import partial

from keysh.diagnostics.exceptions import GlobLimit
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.options import DOTGLOB, NOCASEGLOB, is_option_on
from keysh.interp.words.shell_pattern import shell_pattern
from keysh.text.pattern import pattern_text
from keysh.values import text_of
from keysh.vfs.glob import ALL_AT_ANY_DEPTH, ANY_DEPTH, StepPattern, glob

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.state.state import State
    from keysh.text.pattern import Pattern
    from keysh.vfs.glob import Step


def glob_paths(state: State, text: str, pieces: list[tuple[str, bool]]) -> list[str]:
    """Return the paths that match; the text itself if it turns out to be no pattern."""
    steps = pattern_steps(state, pieces)
    if steps is None:
        return [text]
    try:
        paths = glob(
            state.fs, steps, state.cwd, most_results=state.session.limits.globs, tick=state.tick
        )
        return without_ignored(state, paths) if "GLOBIGNORE" in state.variables else paths
    except GlobLimit as limit:
        raise LimitReached("globs", limit.allowed + 1, limit.allowed) from None


def without_ignored(state: State, paths: list[str]) -> list[str]:
    """Return the paths that match no pattern of `$GLOBIGNORE`, compared component by component.

    As in bash a `*` at the end of a pattern matches slashes, too: `a*` ignores `a/` and `a/f`.
    """
    texts = ignore_patterns(text_of(state.variables["GLOBIGNORE"]))
    patterns = [
        ([shell_pattern(state, step) for step in text.split("/")], text[-1:] == "*")
        for text in texts
    ]
    return [
        path
        for path in paths
        if not any(matches_steps(path, steps, takes_rest) for steps, takes_rest in patterns)
    ]


def matches_steps(path: str, patterns: list[Pattern], takes_rest: bool) -> bool:
    """Whether a path has as many components as patterns, and each matches."""
    steps = path.split("/", len(patterns) - 1 if takes_rest else -1)
    return len(steps) == len(patterns) and all(
        pattern.matches(step) for pattern, step in zip(patterns, steps, strict=True)
    )


def ignore_patterns(text: str) -> list[str]:
    """Split `$GLOBIGNORE` at colons, except those in brackets such as `[[:digit:]]`."""
    patterns, depth = [""], 0
    for char in text:
        depth += (char == "[") - (char == "]" and depth > 0)
        if char == ":" and not depth:
            patterns.append("")
        else:
            patterns[-1] += char
    return [one for one in patterns if one]


def pattern_steps(state: State, pieces: list[tuple[str, bool]]) -> list[Step] | None:
    """Return the components of a pattern; None if none of them is a pattern."""
    steps: list[Step] = []
    is_pattern = False
    for parts in split_steps(pieces):
        if not is_pattern_step(parts):
            steps.append("".join(piece for piece, _ in parts))
            continue
        text = pattern_text(parts)
        is_pattern = True
        shows_all = bool(state.flags & DOTGLOB) or bool(state.variables.get("GLOBIGNORE"))
        if text == "**" and is_option_on(state.flags, "globstar", state.dialect):
            steps.append(ALL_AT_ANY_DEPTH if shows_all else ANY_DEPTH)
            continue
        pattern = shell_pattern(state, text, ignore_case=bool(state.flags & NOCASEGLOB))
        matches = partial(pattern.matches, tick=state.tick)
        hidden: Callable[[str], bool] | None = None
        if shows_all or text.startswith("."):
            hidden = matches
        elif text[1:2] == "(":  # a group, in which there may be a dot
            hidden = partial(pattern.matches_hidden, tick=state.tick)
        steps.append(StepPattern(matches, hidden))
    return steps if is_pattern else None


def is_pattern_step(parts: list[tuple[str, bool]]) -> bool:
    """Whether a component is a pattern; `[` counts only if `]` follows."""
    is_open = False
    for piece, live in parts:
        for char in piece if live else ():
            if char in "*?(" or (char == "]" and is_open):
                return True
            is_open = is_open or char == "["
    return False


def split_steps(pieces: list[tuple[str, bool]]) -> list[list[tuple[str, bool]]]:
    """Split the pieces at slashes, quoted or not, into components."""
    steps: list[list[tuple[str, bool]]] = [[]]
    for text, live in pieces:
        first, *rest = text.split("/")
        steps[-1].append((first, live))
        steps.extend([(part, live)] for part in rest)
    return steps
