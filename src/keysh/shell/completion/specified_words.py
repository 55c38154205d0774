"""Completion of the words of commands for which a script has called `complete`."""

from __future__ import annotations

from keysh.builtins.compgen import completions_of_spec
from keysh.diagnostics.exceptions import ScriptError
from keysh.interp.builtin_operations.generated_completions import CompletedLine
from keysh.interp.engine.thread_handoff import run_registered
from keysh.interp.run.budget import Budget
from keysh.interp.run.control_flow import ControlFlow
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.streams.descriptors import NO_INPUT
from keysh.interp.streams.streams import Writer
from keysh.shell.completion.candidate import Candidate
from keysh.shell.completion.path_names import path_candidates
from keysh.shell.completion.word import TypedWord

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.completion_specs import CompletionSpec
    from keysh.interp.state.state import State
    from keysh.shell.completion.spot import CompletionSpot

MAX_COMPLETION_SECONDS = 1.0  # of a function that completes a word
# With these options a word for which nothing is found becomes a file's name.
FILE_OPTIONS = frozenset(("default", "bashdefault"))


def specified_candidates(
    state: State, spot: CompletionSpot, spec: CompletionSpec
) -> list[Candidate]:
    """Return what a specification finds, in a fork: nothing that it runs changes the shell."""
    words = [TypedWord(one, 0).text for one in (*spot.command, spot.key)]
    words[-1] += spot.word.text
    line = CompletedLine(words[0], words[-1], words)
    child = state.fork()
    child.set_streams(NO_INPUT, Writer(discard_text), Writer(discard_text))
    child.budget = Budget(state.session.limits, MAX_COMPLETION_SECONDS)
    found: list[str] = []

    def find() -> int:
        found.extend(completions_of_spec(child, spec, line, 0))
        return 0

    try:
        run_registered(state.session, child, find)
    except (ControlFlow, RuntimeDiagnostic, ScriptError):
        return []
    if not found and spec.options & FILE_OPTIONS:
        return path_candidates(state, spot.word)
    unique = dict.fromkeys(name.removeprefix(spot.key) for name in found)
    return [Candidate(spot.word.quoted_name(name), spot.word.start, "value") for name in unique]


def discard_text(text: str) -> None:
    """Discard what a completion prints, which would disturb the screen."""
