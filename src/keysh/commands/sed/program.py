"""Scripts as a parameter: read before anything runs, and kept by their text."""

from __future__ import annotations

from keysh.commands.sed.reader import Reader
from keysh.commands.sed.script import MissingLabel, Piece, Script, ScriptError
from keysh.schema.types import ParameterType, Unfit

MOST_KEPT = 64
KNOWN: dict[
    tuple[tuple[tuple[str, str], ...], bool, bool, bool], Script
] = {}  # the last used stand last


class BadScript(Unfit):
    """A script that is none; sed's own words say why."""

    def says(self, what: str) -> str:
        return self.must


class ProgramType(ParameterType):
    """A script. Its expressions may be basic or extended, as an option says that comes later."""

    __slots__ = ()

    def parse(self, text: str) -> str:
        try:
            script_of([Piece(text)], False)
        except MissingLabel:
            return text  # told when the script runs: its status is another
        except ScriptError as error:
            try:
                script_of([Piece(text)], True)
            except ScriptError:
                raise BadScript(str(error), text) from None
        return text


PROGRAM = ProgramType("Program", "a script of sed", wants_globs=True)


def script_of(
    pieces: list[Piece], is_extended: bool, is_posix: bool = False, is_sandboxed: bool = False
) -> Script:
    """The script of some pieces; raises ScriptError."""
    texts = tuple((piece.text, piece.path) for piece in pieces)
    key = (texts, is_extended, is_posix, is_sandboxed)
    found = KNOWN.pop(key, None)
    if found is None:
        found = Reader(pieces, is_extended, is_posix, is_sandboxed).read()
    KNOWN[key] = found
    if len(KNOWN) > MOST_KEPT:
        KNOWN.pop(next(iter(KNOWN)), None)
    return found
