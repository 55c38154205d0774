"""Keys: what they do beyond prompt_toolkit's own, which are those of emacs and vi."""

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

    class Helper(Protocol):
        """What the keys ask for that no buffer can do."""

        help: str

        def toggle_help(self, buffer: Buffer) -> None:
            """Show the help of the command here, or no more."""

        def edit(self, buffer: Buffer) -> None:
            """Write with the user's own editor."""


MOST_CANDIDATES = 10_000  # in a menu


def bindings(editor: Helper) -> KeyBindings:
    """The keys of an editor."""
    keys = KeyBindings()

    @keys.add("enter", filter=~is_searching)
    def enter(event: KeyPressEvent) -> None:
        """Take the candidate; or go on in the next line; or run."""
        buffer = event.current_buffer
        if has_completions() and completion_is_selected():
            buffer.complete_state = None
        elif Draft(buffer.text).is_incomplete:
            buffer.newline()
        else:
            editor.help = ""
            buffer.validate_and_handle()

    @keys.add("escape", "enter", filter=emacs_mode)
    def newline(event: KeyPressEvent) -> None:
        """Go on in the next line in any case."""
        event.current_buffer.newline()

    @keys.add("tab")
    def complete(event: KeyPressEvent) -> None:
        """Complete as far as that is certain, then show the menu; then the next candidate."""
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
        """Show the help of the command here."""
        editor.toggle_help(event.current_buffer)

    @keys.add("?", filter=vi_navigation_mode)
    def explain_in_vi(event: KeyPressEvent) -> None:
        """The same."""
        editor.toggle_help(event.current_buffer)

    @keys.add("c-x", "c-e")
    @keys.add("v", filter=vi_navigation_mode)
    def edit(event: KeyPressEvent) -> None:
        """Write with the user's own editor."""
        editor.edit(event.current_buffer)

    return keys


def complete_at_once(buffer: Buffer) -> None:
    """Insert what is certain, and offer the rest.

    The line has changed before the next key is read: who types ahead runs what is shown.
    """
    document = buffer.document
    event = CompleteEvent(completion_requested=True)
    found = list(islice(buffer.completer.get_completions(document, event), MOST_CANDIDATES))
    if len(found) == 1:
        buffer.apply_completion(found[0])
        return
    common = get_common_complete_suffix(document, found)
    if common:
        buffer.insert_text(common)
    if found:
        offered = [one.new_completion_from_position(len(common)) for one in found]
        buffer.complete_state = CompletionState(buffer.document, offered)
        buffer.on_completions_changed.fire()


def is_at_margin(buffer: Buffer) -> bool:
    """Whether nothing but blanks stands before the cursor in a line behind the first."""
    document = buffer.document
    return document.cursor_position_row > 0 and not document.current_line_before_cursor.strip()
