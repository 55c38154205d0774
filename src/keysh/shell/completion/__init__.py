"""Completion: what the word before a place in a text can become.

text --scanned--> Spot: the word, and what stands there --> Candidates, each with its help

Prompts and editors show them; nothing here knows of either. What a script assigns or defines in the
text itself is not looked at, only what the shell has.
"""

from __future__ import annotations

from keysh.shell.completion.candidate import Candidate as Candidate
from keysh.shell.completion.commands import arguments, commands
from keysh.shell.completion.paths import paths
from keysh.shell.completion.spot import Spot, spot
from keysh.shell.completion.variables import keys, variables
from keysh.syntax.roles import ARGUMENT, NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State

MOST = 1000  # candidates that anyone would look through


def complete(state: State, text: str, at: int) -> list[Candidate]:
    """The candidates, the likelier ones first."""
    found = spot(text[:at])
    return [] if found is None else candidates(state, found)[:MOST]


def candidates(state: State, found: Spot) -> list[Candidate]:
    """What fits a spot."""
    if found.variable is not None:
        return variables(state, found)
    if found.path is not None:
        return keys(state, found)
    if found.role == NAME and "/" not in found.word.text:
        return commands(state, found)
    if found.role == ARGUMENT:
        return arguments(state, found)
    return paths(state, found.word)
