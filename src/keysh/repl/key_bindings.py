"""The key bindings, in addition to those of prompt_toolkit for emacs and vi."""

from __future__ import annotations

from itertools import islice

from prompt_toolkit.buffer import CompletionState
from prompt_toolkit.completion import CompleteEvent, get_common_complete_suffix
from prompt_toolkit.filters import (
    completion_is_selected,
    emacs_mode,
    has_completions,
    is_searching,
    vi_navigation_mode,
)
from prompt_toolkit.key_binding import KeyBindings

from keysh.syntax.draft import Draft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.key_binding import KeyPressEvent

    from keysh.diagnostics.dialect import Dialect

    class EditorActions(Protocol):
        """Actions of the editor that are not in its buffer."""

        help: str

        @property
        def dialect(self) -> Dialect:
            """The language that is typed."""

        def toggle_help(self, buffer: Buffer) -> None:
            """Show or hide the help of the command at the cursor."""

        def edit(self, buffer: Buffer) -> None:
            """Edit the text in the user's editor."""


MAX_MENU_CANDIDATES = 10_000  # in a menu


def key_bindings(editor: EditorActions) -> KeyBindings:
    """Return the key bindings of an editor."""
    keys = KeyBindings()

    @keys.add("enter", filter=~is_searching)
    def enter(event: KeyPressEvent) -> None:
        """Accept the candidate, start a continuation line, or run the command."""
        buffer = event.current_buffer
        if has_completions() and completion_is_selected():
            buffer.complete_state = None
        elif Draft(buffer.text, editor.dialect).is_incomplete:
            buffer.newline()
        else:
            editor.help = ""
            buffer.validate_and_handle()

    @keys.add("escape", "enter", filter=emacs_mode)
    def newline(event: KeyPressEvent) -> None:
        """Start a new line even if the command is complete."""
        event.current_buffer.newline()

    @keys.add("tab")
    def complete(event: KeyPressEvent) -> None:
        """Complete the common part and open the menu; in the menu, go to the next candidate."""
        buffer = event.current_buffer
        if buffer.complete_state:
            buffer.complete_next()
        elif is_at_margin(buffer):
            buffer.insert_text("    ")
        else:
            complete_at_once(buffer)

    @keys.add("escape", "?")
    @keys.add("f1")
    def explain(event: KeyPressEvent) -> None:
        """Show the help of the command at the cursor."""
        editor.toggle_help(event.current_buffer)

    @keys.add("?", filter=vi_navigation_mode)
    def explain_in_vi(event: KeyPressEvent) -> None:
        """Show the help of the command at the cursor."""
        editor.toggle_help(event.current_buffer)

    @keys.add("c-x", "c-e")
    @keys.add("v", filter=vi_navigation_mode)
    def edit(event: KeyPressEvent) -> None:
        """Edit the text in the user's editor."""
        editor.edit(event.current_buffer)

    return keys


def complete_at_once(buffer: Buffer) -> None:
    """Insert the common part of the candidates, and offer them in a menu.

    The line changes before the next key is read, so typing ahead acts on the completed line.
    """
    document = buffer.document
    event = CompleteEvent(completion_requested=True)
    candidates = list(
        islice(buffer.completer.get_completions(document, event), MAX_MENU_CANDIDATES)
    )
    if len(candidates) == 1:
        buffer.apply_completion(candidates[0])
        return
    common = get_common_complete_suffix(document, candidates)
    if common:
        buffer.insert_text(common)
    if candidates:
        menu = [one.new_completion_from_position(len(common)) for one in candidates]
        buffer.complete_state = CompletionState(buffer.document, menu)
        buffer.on_completions_changed.fire()


def is_at_margin(buffer: Buffer) -> bool:
    """Whether only blanks precede the cursor, in a line after the first."""
    document = buffer.document
    return document.cursor_position_row > 0 and not document.current_line_before_cursor.strip()
