"""Completion: what the word before an offset can become. Enter at `complete`.

text -- scanned --> CompletionSpot: the word and its role --> Candidates, each with its help

The prompt and editors call it; it knows neither. It offers what the shell has, and not what the
text itself assigns or defines.
"""

from __future__ import annotations

from keysh.shell.completion.candidate import Candidate as Candidate
from keysh.shell.completion.command_names import argument_candidates, command_candidates
from keysh.shell.completion.path_names import path_candidates
from keysh.shell.completion.spot import CompletionSpot, spot_at_end
from keysh.shell.completion.variable_names import key_candidates, variable_candidates
from keysh.syntax.word_roles import ARGUMENT_ROLE, COMMAND_ROLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State
    from keysh.syntax.lexer.cursor import Tick

MAX_CANDIDATES = 1000  # more are of no use
MAX_TEXT_CHARACTERS = 1 << 19  # before the offset; they are read within a second


def complete(state: State, text: str, at: int, tick: Tick | None = None) -> list[Candidate]:
    """Return the candidates, likelier ones first; none for an overlong text.

    `tick` may end the reading of a long text.
    """
    if at > MAX_TEXT_CHARACTERS:
        return []
    found = spot_at_end(text[:at], state.dialect, tick)
    return [] if found is None else candidates_at(state, found)[:MAX_CANDIDATES]


def candidates_at(state: State, spot: CompletionSpot) -> list[Candidate]:
    """Return the candidates for a spot."""
    if spot.variable is not None:
        return variable_candidates(state, spot)
    if spot.path is not None:
        return key_candidates(state, spot)
    if spot.role == COMMAND_ROLE and "/" not in spot.word.text:
        return command_candidates(state, spot)
    if spot.role == ARGUMENT_ROLE:
        return argument_candidates(state, spot)
    return path_candidates(state, spot.word)
