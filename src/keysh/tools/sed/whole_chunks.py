"""Simple scripts, which edit whole chunks of lines at once."""

from __future__ import annotations

from keysh.text.bounds.slices import MAX_SLICE_CHARACTERS
from keysh.text.regex.native.line_search import select_lines
from keysh.tools.sed.substitute import MATCHES_PER_TICK, native_replacement, substitute_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from keysh.text.regex.regex import Regex
    from keysh.tools.sed.script import SedReplacement, SedScript, SedSubstitution, Step

    Tick: TypeAlias = Callable[[], object]
    ChunkEdit: TypeAlias = Callable[[str, Tick], str]


def chunk_edits(script: SedScript, is_silent: bool) -> list[ChunkEdit] | None:
    """Return the edits that turn a chunk of lines into its output, if the script is one of

    s/x/y/   s/x/y/g   y/a/b/   several of these   /x/d   /x/!d   and with -n   /x/p   /x/!p
    """
    steps = script.steps
    is_silent = is_silent or script.is_silent
    if len(steps) == 1 and steps[0].first is not None:
        edit = selection_edit(steps[0], is_silent)
        return None if edit is None else [edit]
    if is_silent or any(step.first is not None or step.is_negated for step in steps):
        return None
    edits = [change_edit(step, step is steps[-1]) for step in steps]
    complete = [edit for edit in edits if edit is not None]
    return complete if complete and len(complete) == len(steps) else None


def selection_edit(step: Step, is_silent: bool) -> ChunkEdit | None:
    """`/x/d`, or with -n `/x/p`."""
    first = step.first
    if first is None or first.regex is None or step.second is not None:
        return None
    if step.name != ("p" if is_silent else "d"):
        return None
    regex, keeps = first.regex, is_silent != step.is_negated
    return lambda text, tick: select_lines(regex, text, tick, keeps=keeps)


def change_edit(step: Step, is_last: bool) -> ChunkEdit | None:
    """`s/x/y/g`, `s/x/y/`, `y/a/b/`; only the last step may insert newlines."""
    if step.name == "y":
        table = step.table
        is_safe = ord("\n") not in table and (is_last or "\n" not in table.values())
        return (lambda text, tick: text.translate(table)) if is_safe else None
    substitution = step.substitution
    if (
        substitution is None
        or substitution.regex is None
        or substitution.path
        or substitution.prints
        or substitution.number != 1
    ):
        return None
    regex, replacement = substitution.regex, substitution.replacement
    makes_lines = any(isinstance(piece, str) and "\n" in piece for piece in replacement.pieces)
    if replacement.changes_case or replacement.groups > regex.groups:
        return None
    if makes_lines and not is_last:
        return None
    return lambda text, tick: replace_in_chunk(substitution, regex, text, tick)


def replace_in_chunk(substitution: SedSubstitution, regex: Regex, text: str, tick: Tick) -> str:
    """Replace the matches in a chunk: the first of each line, or all with `g`."""
    plain, literal = substitution.replacement.plain, regex.literal
    body = text.removesuffix("\n")  # no line follows the last newline
    last_newline = text[len(body) :]
    if plain is not None and literal and "\n" not in literal:
        if substitution.is_global:
            return text.replace(literal, plain)
        if literal not in text:
            return text
        return (
            "\n".join([line.replace(literal, plain, 1) for line in body.split("\n")]) + last_newline
        )
    if plain is not None and regex.pattern == "^":
        return plain + body.replace("\n", "\n" + plain) + last_newline
    if plain is not None and regex.pattern == "$":
        return body.replace("\n", plain + "\n") + plain + last_newline
    takes_rest = not (substitution.is_global or regex.matches_at_most_once)
    native = regex.native(text, by_line=True, to_end=takes_rest)
    if native is None:
        lines = body.split("\n")
        changed = (substitute_matches(substitution, regex, line, tick) for line in lines)
        edited = [line if new is None else new for line, new in zip(lines, changed, strict=True)]
        return "\n".join(edited) + last_newline
    if plain is not None and (
        regex.matches_at_most_once or (substitution.is_global and not regex.is_nullable)
    ):
        return replace_in_slices(substitution.replacement, native, body, tick) + last_newline
    rest = regex.groups + 1 if takes_rest else 0
    return (
        replace_matches(substitution.replacement, native.finditer(body), rest, body, tick)
        + last_newline
    )


def replace_in_slices(
    replacement: SedReplacement, native: re.Pattern[str], text: str, tick: Tick
) -> str:
    """Replace all matches by a constant: many lines at once, but a long line match by match.

    A line of millions of matches would hold up all other threads.
    """
    template = (replacement.plain or "").replace("\\", "\\\\")
    pieces, start, size = [], 0, len(text)
    while size - start > MAX_SLICE_CHARACTERS:
        tick()
        end = text.rfind("\n", start, start + MAX_SLICE_CHARACTERS)
        if end >= 0:
            pieces.append(native.sub(template, text[start:end]))
        else:
            end = text.find("\n", start)
            line = text[start:] if end < 0 else text[start:end]
            pieces.append(replace_matches(replacement, native.finditer(line), 0, line, tick))
            if end < 0:
                return "\n".join(pieces)
        start = end + 1
    return "\n".join([*pieces, native.sub(template, text[start:] if start else text)])


def replace_matches(
    replacement: SedReplacement, matches: Iterator[re.Match[str]], rest: int, text: str, tick: Tick
) -> str:
    """Replace the matches in a string, except empty ones right after another.

    If `rest` is not 0, it is the number of a group that holds the rest of the line after the match.
    """
    plain, pieces, offset, last = replacement.plain, [], 0, -1
    for count, match in enumerate(matches, 1):
        if count % MATCHES_PER_TICK == 0:
            tick()
        start, end = match.span()
        if start == last and (rest or start == end):
            continue
        last = end
        if rest:
            end = match.start(rest)
        pieces.append(text[offset:start])
        pieces.append(
            native_replacement(replacement, match, text[start:end]) if plain is None else plain
        )
        offset = end
    pieces.append(text[offset:])
    return "".join(pieces)
