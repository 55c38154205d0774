"""Call the user's hook functions between two commands, and find the init file."""

from __future__ import annotations

from keysh.diagnostics.exceptions import ScriptError
from keysh.interp.engine.thread_handoff import run_registered
from keysh.interp.run.budget import Budget
from keysh.interp.run.control_flow import ControlFlow, LimitReached
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.state.call import os_error_text
from keysh.interp.streams.descriptors import NO_INPUT
from keysh.interp.streams.streams import Writer
from keysh.values import text_of
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from keysh.interp.run.cancel import Cancel
    from keysh.interp.state.state import State
    from keysh.shell.shell import Shell


def call_hook(state: State, words: Sequence[object], cancel: Cancel | None = None) -> int:
    """Run a command in a state; return its status."""
    session = state.session
    budget = state.budget = Budget(session.limits)
    if cancel is not None:
        cancel.begin(budget)
    try:
        return run_registered(session, state, lambda: session.services.run_words(state, words))
    except LimitReached as limit:
        return limit.status
    except ControlFlow:
        return 1  # `exit` in a hook ends the hook only
    finally:
        if cancel is not None:
            cancel.end(budget)


def hook_output(state: State, words: Sequence[object], max_characters: int, seconds: float) -> str:
    """Run a command in a fork; return its output, empty if it fails or takes too long."""
    pieces: list[str] = []
    child = state.fork()
    child.set_streams(NO_INPUT, Writer(pieces.append), Writer(discard_text))
    child.budget = Budget(state.session.limits, seconds)
    try:
        status = run_registered(
            state.session, child, lambda: state.session.services.run_words(child, words)
        )
    except ControlFlow:
        return ""
    return "".join(pieces)[:max_characters] if status == 0 else ""


def expanded_text(state: State, text: str, max_characters: int, seconds: float) -> str:
    """Expand a text in a fork as the body of a heredoc is; unchanged if that fails."""
    if not ("$" in text or "`" in text or "\\" in text):
        return text
    child = state.fork()
    child.set_streams(NO_INPUT, Writer(discard_text), Writer(discard_text))
    child.budget = Budget(state.session.limits, seconds)
    try:
        expand = state.compiler.expanded_text(text, state)
        expanded = run_registered(state.session, child, lambda: text_of(expand(child)))
    except (ControlFlow, RuntimeDiagnostic, ScriptError):
        return text
    return expanded[:max_characters]


def discard_text(text: str) -> None:
    """Discard the errors of a prompt hook, which would disturb the screen."""


def init_path(shell: Shell, complain: Callable[[str], object]) -> str:
    """Return `$KEYSH_INIT`, or the init file in the user's configuration; empty if none."""
    variables = shell.state.variables
    named = text_of(variables.get("KEYSH_INIT"))
    config = text_of(variables.get("XDG_CONFIG_HOME"))
    home = text_of(variables.get("HOME"))
    path = named or (f"{config or f'{home}/.config'}/keysh/init.ksh" if config or home else "")
    if not path:
        return ""
    path = join(shell.cwd, path)
    try:
        with shell.fs.open(path) as stream:
            stream.read(1)
    except OSError as error:
        if named or not isinstance(error, FileNotFoundError | NotADirectoryError):
            complain(f"keysh: {path}: {os_error_text(error)}\n")
        return ""
    return path
