"""Scripts so simple that whole chunks of lines can be worked on at once."""

from __future__ import annotations

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
    Work: TypeAlias = Callable[[str, Tick], str]


def chunk_edits(script: SedScript, is_silent: bool) -> list[Work] | None:
    """What makes the output of a chunk of whole lines, step by step, where the script is one of

    s/x/y/   s/x/y/g   y/a/b/   several of these   /x/d   /x/!d   and with -n   /x/p   /x/!p
    """
    steps = script.steps
    is_silent = is_silent or script.is_silent
    if len(steps) == 1 and steps[0].first is not None:
        work = selection_edit(steps[0], is_silent)
        return None if work is None else [work]
    if is_silent or any(step.first is not None or step.is_negated for step in steps):
        return None
    works = [change_edit(step, step is steps[-1]) for step in steps]
    known = [work for work in works if work is not None]
    return known if known and len(known) == len(steps) else None


def selection_edit(step: Step, is_silent: bool) -> Work | None:
    """`/x/d`, or with -n `/x/p`."""
    first = step.first
    if first is None or first.regex is None or step.second is not None:
        return None
    if step.name != ("p" if is_silent else "d"):
        return None
    regex, keeps = first.regex, is_silent != step.is_negated
    return lambda text, tick: select_lines(regex, text, tick, keeps=keeps)


def change_edit(step: Step, is_last: bool) -> Work | None:
    """`s/x/y/g`, `s/x/y/`, `y/a/b/`; what makes lines of its own can only be the last step."""
    if step.name == "y":
        table = step.table
        is_safe = ord("\n") not in table and (is_last or "\n" not in table.values())
        return (lambda text, tick: text.translate(table)) if is_safe else None
    what = step.substitution
    if what is None or what.regex is None or what.path or what.prints or what.number != 1:
        return None
    regex, replacement = what.regex, what.replacement
    makes_lines = any(isinstance(piece, str) and "\n" in piece for piece in replacement.pieces)
    if replacement.changes_case or replacement.groups > regex.groups:
        return None
    if makes_lines and not is_last:
        return None
    return lambda text, tick: replace_in_chunk(what, regex, text, tick)


def replace_in_chunk(what: SedSubstitution, regex: Regex, text: str, tick: Tick) -> str:
    """A chunk with its matches replaced; of each line only the first, unless `g` says all."""
    plain, literal = what.replacement.plain, regex.literal
    body = text.removesuffix("\n")  # behind the last newline there is no line
    end = text[len(body) :]
    if plain is not None and literal and "\n" not in literal:
        if what.is_global:
            return text.replace(literal, plain)
        if literal not in text:
            return text
        return "\n".join([line.replace(literal, plain, 1) for line in body.split("\n")]) + end
    if plain is not None and regex.pattern == "^":
        return plain + body.replace("\n", "\n" + plain) + end
    if plain is not None and regex.pattern == "$":
        return body.replace("\n", plain + "\n") + plain + end
    takes_rest = not (what.is_global or regex.matches_at_most_once)
    native = regex.native(text, by_line=True, to_end=takes_rest)
    if native is None:
        lines = body.split("\n")
        changed = (substitute_matches(what, regex, line, tick) for line in lines)
        made = [line if new is None else new for line, new in zip(lines, changed, strict=True)]
        return "\n".join(made) + end
    if plain is not None and (
        regex.matches_at_most_once or (what.is_global and not regex.is_nullable)
    ):
        return native.sub(plain.replace("\\", "\\\\"), body) + end
    rest = regex.groups + 1 if takes_rest else 0
    return replace_matches(what.replacement, native.finditer(body), rest, body, tick) + end


def replace_matches(
    replacement: SedReplacement, matches: Iterator[re.Match[str]], rest: int, text: str, tick: Tick
) -> str:
    """A text with what stands in for the matches, but for empty ones where another one ends.

    A group of this number, if it is not 0, has what follows the match to the end of the line.
    """
    plain, pieces, at, last = replacement.plain, [], 0, -1
    for count, found in enumerate(matches, 1):
        if count % MATCHES_PER_TICK == 0:
            tick()
        start, end = found.span()
        if start == last and (rest or start == end):
            continue
        last = end
        if rest:
            end = found.start(rest)
        pieces.append(text[at:start])
        pieces.append(
            native_replacement(replacement, found, text[start:end]) if plain is None else plain
        )
        at = end
    pieces.append(text[at:])
    return "".join(pieces)
