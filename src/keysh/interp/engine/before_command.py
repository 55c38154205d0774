"""Before a command: pending signals, the DEBUG trap, `set -x`, and the host's permission."""

from __future__ import annotations

from keysh.interp.engine.traps import run_debug_trap
from keysh.interp.run.control_flow import STATUS_NOT_EXECUTABLE
from keysh.interp.run.options import ASKS_HOST, NOEXEC, SIGNAL_PENDING, XTRACE
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from keysh.interp.run.site import Site
    from keysh.interp.state.state import State


def admit_command(
    state: State, words: Sequence[object], site: Site, shown: str | None = None
) -> bool:
    """Run traps, trace and ask the host before a command; return whether it may run.

    The trace shows `shown` if passed, else the words; an empty `shown` means no trace here.
    """
    if state.flags & NOEXEC:
        state.status = 0
        return False
    if state.flags & SIGNAL_PENDING:
        from keysh.interp.engine.signal_delivery import run_pending_traps  # noqa: PLC0415 - few scripts send signals

        run_pending_traps(state)
    run_debug_trap(state, site)
    if state.flags & XTRACE:
        from keysh.interp.engine.xtrace import trace, trace_words  # noqa: PLC0415 - only for traces

        if shown is None:
            trace_words(state, words, site)
        elif shown:
            trace(state, shown, site)
    if state.flags & ASKS_HOST and words:
        return ask_host(state, words, site)
    return True


def ask_host(state: State, words: Sequence[object], site: Site | None = None) -> bool:
    """Ask the host whether a command may run; if not, report its reason and set the status.

    A command that another one runs, as `env` does, has no site: the host gets the outer one's.
    An audit begins a span for the command; `perform_admitted` ends it.
    """
    session = state.session
    if site is None:
        site = session.asked_site
    session.asked_site = site
    trail, permissions = session.trail, session.permissions
    if (permissions is None and trail is None) or not state.flags & ASKS_HOST:
        return True
    name = path = text_of(words[0])
    if state.hashed_files is not None and "/" not in name:  # `hash -p /bin/rm name`
        from keysh.interp.engine.command_lookup import hashed_files  # noqa: PLC0415 - few scripts use it

        hashed = hashed_files(state).get(name)
        path = name if hashed is None else hashed.path
    if "/" in path:
        from keysh.interp.state.tool_file import tool_at  # noqa: PLC0415 - few names are paths
        from keysh.vfs.paths import join  # noqa: PLC0415 - few names are paths

        tool = tool_at(state, join(state.cwd, path))
        if tool is not None:  # a command that the host refuses has no other name
            name = tool.name
    arguments = list(words[1:])
    if not state.dialect.has_literals:
        from keysh.schema.arguments import words_as_text  # noqa: PLC0415 - only where a host is asked

        arguments = words_as_text(arguments)
    span = state.span
    if trail is not None:
        trail.begin_command(state, name, arguments, site)
    if permissions is None:
        return True
    refusal = permissions.judge_command(state, words, name, arguments, site)
    if not refusal:
        return True
    state.complain(f"{name}: {refusal}")
    state.status = STATUS_NOT_EXECUTABLE
    if trail is not None:
        trail.end_command(state, span, None, STATUS_NOT_EXECUTABLE)
    return False


def perform_admitted(state: State, span: int, perform: Callable[[], int]) -> int:
    """Perform a command that was admitted; an audit learns how it ends.

    `span` is the one from before its admission.
    """
    trail = state.session.trail
    return perform() if trail is None else trail.perform(state, span, perform)


def judged_texts(words: Sequence[object]) -> list[str]:
    """Return the words of a command as rules see them: with the paths that its patterns match.

    The command gets these paths too, whatever other jobs create meanwhile.
    """
    from keysh.schema.arguments import GlobArgument, NamedArgument  # noqa: PLC0415 - only where a host is asked

    texts: list[str] = []
    for word in words:
        if isinstance(word, GlobArgument):
            paths = list(word.paths())
            if paths:
                word.paths = word.expand = paths.copy
            texts += map(text_of, paths or [word.text])
        else:
            texts.append(word.text if isinstance(word, NamedArgument) else text_of(word))
    return texts
