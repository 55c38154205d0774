"""`keysh migrate`: what a script for bash means in keysh's own language, and what to write."""

from __future__ import annotations

from keysh.check.migrate import RANKS, Difference, differences
from keysh.check.migration_edits import edited_text
from keysh.cli.console import complain
from keysh.cli.file_rewrite import rewrite_file
from keysh.diagnostics.dialect import BASH, declared_dialect
from keysh.diagnostics.display import visible
from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source
from keysh.syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.shell.registry import CheckedNames

EXPLANATIONS = {
    "certain": "keysh does something else here, or refuses the script",
    "likely": "keysh does something else if the value is a list of words, or nothing matches",
    "style": "keysh passes one word here; sh does, too, unless it holds a blank or a pattern",
}


def migration_of(source: Source, names: CheckedNames) -> list[Difference] | list[Diagnostic]:
    """Return the differences of a script; its syntax errors if it is none in keysh's language."""
    try:
        return differences(parse(source), names)
    except ScriptError as error:
        return error.diagnostics


def migration_report(source: Source, places: Sequence[Diagnostic]) -> str:
    """Return the report on a script: how it runs as it is, then the places by rank."""
    name = visible(source.name)
    if declared_dialect(source.text, source.name) is BASH:
        lines = [f"{name}: as it is, this file runs in the bash dialect"]
    else:
        lines = [
            f"{name}: with `# keysh: dialect bash` above it, this file runs in the bash dialect"
        ]
    if not places:
        lines.append(f"{name}: in keysh's own language it does the same")
    for rank in RANKS:
        ranked = [place for place in places if rank_of(place) == rank]
        if ranked:
            lines += [f"{rank}, {len(ranked)}: {EXPLANATIONS[rank]}", *map(str, ranked)]
    return "".join(f"{line}\n" for line in lines)


def rank_of(place: Diagnostic) -> str:
    """Return the rank of a difference; a syntax error is certain."""
    return place.rank if isinstance(place, Difference) else "certain"


def write_certain(name: str, source: Source, places: Sequence[Diagnostic]) -> Source:
    """Make the edits of the certain differences in a file; return what it holds then."""
    edited = [place for place in places if isinstance(place, Difference) and place.edits]
    if not edited:
        return source
    text = edited_text(source.text, [edit for place in edited for edit in place.edits])
    after = Source(text, source.name, source.dialect)
    try:
        parse(after)
    except ScriptError:  # better no edit than a wrong one
        complain(f"keysh: migrate: {visible(name)}: not written\n")
        return source
    rewrite_file(name, text)
    places_text = "1 place" if len(edited) == 1 else f"{len(edited)} places"
    complain(f"keysh: migrate: {visible(name)}: {places_text} written\n")
    return after
