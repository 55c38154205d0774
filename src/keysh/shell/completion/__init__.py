"""Completion: what the word before a place in a text can become.

text --scanned--> Spot: the word, and what stands there --> Candidates, each with its help

Prompts and editors show them; nothing here knows of either. What a script assigns or defines in the
text itself is not looked at, only what the shell has.
"""

from __future__ import annotations

from keysh.shell.completion.candidate import Candidate as Candidate
from keysh.shell.completion.commands import argument_candidates, command_candidates
from keysh.shell.completion.paths import path_candidates
from keysh.shell.completion.spot import CompletionSpot, spot_at_end
from keysh.shell.completion.variables import key_candidates, variable_candidates
from keysh.syntax.roles import ARGUMENT_ROLE, COMMAND_ROLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State

MAX_CANDIDATES = 1000  # candidates that anyone would look through


def complete(state: State, text: str, at: int) -> list[Candidate]:
    """The candidates, the likelier ones first."""
    found = spot_at_end(text[:at])
    return [] if found is None else candidates_at(state, found)[:MAX_CANDIDATES]


def candidates_at(state: State, found: CompletionSpot) -> list[Candidate]:
    """What fits a spot."""
    if found.variable is not None:
        return variable_candidates(state, found)
    if found.path is not None:
        return key_candidates(state, found)
    if found.role == COMMAND_ROLE and "/" not in found.word.text:
        return command_candidates(state, found)
    if found.role == ARGUMENT_ROLE:
        return argument_candidates(state, found)
    return path_candidates(state, found.word)
