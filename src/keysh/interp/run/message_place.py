"""The place that stands in front of a message, found when the message is written."""

from __future__ import annotations

from keysh.diagnostics.display import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Protocol

    from keysh.diagnostics.dialect import Dialect
    from keysh.interp.run.site import Site

    class MessageSession(Protocol):
        """The part of a session that decides how messages begin."""

        @property
        def is_interactive(self) -> bool: ...
        @property
        def script_files(self) -> Container[str]: ...

    class MessageState(Protocol):
        """The part of a state that says where a message comes from."""

        dialect: Dialect
        name: str
        site: Site | None
        evaluating_site: Site | None

        @property
        def session(self) -> MessageSession: ...


# The source names of texts that a command evaluates: their messages name the place of the command.
EVALUATED_TEXTS = frozenset(("declare", "eval", "mapfile", "trap"))


def running_site(state: MessageState) -> Site | None:
    """Return the command that runs; inside `eval` or a trap, the one that evaluates the text."""
    site = state.site
    if site is not None and site.source.name in EVALUATED_TEXTS and state.evaluating_site:
        return state.evaluating_site
    return site


def message_place(state: MessageState, site: Site | None, *, is_of_tool: bool) -> str:
    """Return what stands in front of a message of the shell, a builtin or a tool.

    In a script file that is its place. Elsewhere sh names itself in front of its own messages, with
    the line unless there is a prompt, and a tool is a program, which knows of no place. The bash
    dialect does the same in a script file, where it gives the name of the file.
    """
    name, line = (state.name, 1) if site is None else (site.source.name, site.line)
    if name in EVALUATED_TEXTS:  # an EXIT trap before which nothing could have printed a message
        name = state.name
    is_in_file = name in state.session.script_files
    if is_in_file and not state.dialect.is_lenient:
        return place_in_file(name, line)
    if is_of_tool:
        return ""
    if is_in_file:
        return f"{visible(name)}: line {line}: "
    if site is None or state.session.is_interactive:
        return f"{visible(state.name)}: "
    return f"{visible(state.name)}: line {line}: "


def place_in_file(name: str, line: int) -> str:
    """Return a place in a script file, as messages begin with it."""
    return f"{visible(name)}:{line}: "
