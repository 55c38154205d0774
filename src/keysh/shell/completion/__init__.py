"""Completion: the candidates for the word before the cursor.

text --scan--> CompletionSpot (the word and its context) --> list of Candidate, each with its help

Enter at `complete`, which `Shell.complete` and the prompt call. It knows no editor. It uses the
state of the shell only: names that the text itself assigns or defines are not offered.
"""

from __future__ import annotations

from keysh.shell.completion.candidate import Candidate as Candidate
from keysh.shell.completion.command_names import argument_candidates, command_candidates
from keysh.shell.completion.path_names import path_candidates
from keysh.shell.completion.spot import CompletionSpot, spot_at_end
from keysh.shell.completion.variable_names import key_candidates, variable_candidates
from keysh.syntax.roles import ARGUMENT_ROLE, COMMAND_ROLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State

MAX_CANDIDATES = 1000  # nobody looks through more


def complete(state: State, text: str, at: int) -> list[Candidate]:
    """Return the candidates at an offset of a text, the most likely first."""
    spot = spot_at_end(text[:at])
    return [] if spot is None else candidates_at(state, spot)[:MAX_CANDIDATES]


def candidates_at(state: State, spot: CompletionSpot) -> list[Candidate]:
    """Return the candidates at a spot."""
    if spot.variable is not None:
        return variable_candidates(state, spot)
    if spot.path is not None:
        return key_candidates(state, spot)
    if spot.role == COMMAND_ROLE and "/" not in spot.word.text:
        return command_candidates(state, spot)
    if spot.role == ARGUMENT_ROLE:
        return argument_candidates(state, spot)
    return path_candidates(state, spot.word)
