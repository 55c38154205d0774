"""Scripts so simple that whole chunks of lines can be worked on at once."""

from __future__ import annotations

from keysh.commands.sed.script import Case
from keysh.commands.sed.substitute import substituted

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.commands.sed.script import Replacement, Script, Step, Substitution
    from keysh.text.regex import Regex

    Tick: TypeAlias = Callable[[], object]
    Work: TypeAlias = Callable[[str, Tick], str]


def works_of(script: Script, is_silent: bool) -> list[Work] | None:
    """What makes the output of a chunk of whole lines, step by step, where the script is one of

    s/x/y/   s/x/y/g   y/a/b/   several of these   /x/d   /x/!d   and with -n   /x/p   /x/!p
    """
    steps = script.steps
    is_silent = is_silent or script.is_silent
    if len(steps) == 1 and steps[0].first is not None:
        work = selection(steps[0], is_silent)
        return None if work is None else [work]
    if is_silent or any(step.first is not None or step.is_negated for step in steps):
        return None
    works = [work for step in steps if (work := change(step)) is not None]
    return works if works and len(works) == len(steps) else None


def selection(step: Step, is_silent: bool) -> Work | None:
    """`/x/d`, or with -n `/x/p`."""
    first = step.first
    if first is None or first.regex is None or step.second is not None:
        return None
    if step.name != ("p" if is_silent else "d"):
        return None
    regex, keeps = first.regex, is_silent != step.is_negated
    return lambda text, tick: selected(regex, text, keeps, tick)


def selected(regex: Regex, text: str, keeps: bool, tick: Tick) -> str:
    """The lines that match, or the others."""
    pieces, at = [], 0
    for start, end in regex.lines(text, tick):
        pieces.append(text[start : end + 1] if keeps else text[at:start])
        at = end + 1
    if not keeps:
        pieces.append(text[at:])
    return "".join(pieces)


def change(step: Step) -> Work | None:
    """`s/x/y/g`, `s/x/y/`, `y/a/b/`."""
    if step.name == "y" and ord("\n") not in step.table:
        table = step.table
        return lambda text, tick: text.translate(table)
    what = step.substitution
    if what is None or what.regex is None or what.path or what.prints or what.number != 1:
        return None
    regex, template = what.regex, template_of(what)
    if template is None or "\n" in template or regex.is_nullable:
        return None
    return lambda text, tick: replaced(what, regex, template, text, tick)


def template_of(what: Substitution) -> str | None:
    """The replacement as `re` takes it; None where letters change their size."""
    if what.replacement.changes_case:
        return None
    return "".join(
        piece.replace("\\", "\\\\") if isinstance(piece, str) else f"\\g<{piece}>"
        for piece in what.replacement.pieces
    )


def replaced(what: Substitution, regex: Regex, template: str, text: str, tick: Tick) -> str:
    """A chunk with its matches replaced; of each line only the first, unless `g` says all."""
    plain, literal = what.replacement.plain, regex.literal
    if what.is_global and plain is not None and literal is not None and "\n" not in literal:
        return text.replace(literal, plain)
    native = regex.native(text, by_line=True, to_end=not what.is_global)
    if native is None:
        lines = text.split("\n")
        return "\n".join(
            [line if (made := substituted(what, regex, line, tick)) is None else made
             for line in lines]
        )  # fmt: skip
    if what.is_global:
        return native.sub(template, text)
    if "\\g<0>" not in template:
        return native.sub(f"{template}\\g<{regex.groups + 1}>", text)
    pieces, at = [], 0  # the whole match is not the whole that `re` has found
    for found in native.finditer(text):
        end = found.start(regex.groups + 1)
        whole = text[found.start() : end]
        pieces += [text[at : found.start()], of_groups(what.replacement, found, whole)]
        at = end
    return "".join([*pieces, text[at:]])


def of_groups(replacement: Replacement, found: re.Match[str], whole: str) -> str:
    return "".join(
        [
            piece if isinstance(piece, str) else (found[piece] or "") if piece else whole
            for piece in replacement.pieces
            if not isinstance(piece, Case)
        ]
    )
