"""A `Result` as Python's prompt and notebooks show it: its status, and how its output begins."""

from __future__ import annotations

from html import escape

from keysh.text.table import html_table, readable_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    class ShownResult(Protocol):
        """What is shown of a `Result`."""

        code: int
        limit: Any
        error: BaseException | None

        @property
        def stdout(self) -> str: ...
        @property
        def stderr(self) -> str: ...
        @property
        def data(self) -> Any: ...


MAX_REPR_CHARACTERS = 200  # of each output
MAX_HTML_CHARACTERS = 20_000  # of each output
ERROR_STYLE = "color:#b00020"


def result_text(result: ShownResult) -> str:
    """Return a result in one line: `<Result 2 stdout='a\\n' stderr='…'>`."""
    parts = [f"Result {result.code}"]
    if result.limit is not None:
        parts.append(f"limit={str(result.limit)!r}")
    for name in ("stdout", "stderr"):
        text = getattr(result, name)
        if text:
            parts.append(f"{name}={shortened_repr(text)}")
    if result.error is not None:
        parts.append(f"error={type(result.error).__name__}")
    return f"<{' '.join(parts)}>"


def shortened_repr(text: str) -> str:
    """Return a text in quotes, and how much of it is left out."""
    rest = len(text) - MAX_REPR_CHARACTERS
    return repr(text) if rest <= 0 else f"{text[:MAX_REPR_CHARACTERS]!r}… {rest:,} more"


def result_html(result: ShownResult) -> str:
    """Return a result for a notebook: records as a table, other output as text."""
    pieces = [records_table(result) or preformatted_text(result.stdout, "")]
    pieces.append(preformatted_text(result.stderr, ERROR_STYLE))
    notes = [f"status {result.code}"] if result.code else []
    if result.limit is not None:
        notes.append(f"limit: {result.limit}")
    if notes:
        pieces.append(f'<div style="{ERROR_STYLE}">{escape(", ".join(notes))}</div>')
    return "".join(pieces)


def preformatted_text(text: str, style: str) -> str:
    """Return a text as HTML; what is more than a notebook should hold is left out, and counted."""
    if not text:
        return ""
    rest = len(text) - MAX_HTML_CHARACTERS
    shown = escape(readable_text(text[:MAX_HTML_CHARACTERS]))
    more = f"\n… {rest:,} more characters" if rest > 0 else ""
    attribute = f' style="{style}"' if style else ""
    return f"<pre{attribute}>{shown}{more}</pre>"


def records_table(result: ShownResult) -> str:
    """Return the table of output that is a list of records, or a record a line; else nothing."""
    if result.stdout.lstrip()[:1] not in ("[", "{"):
        return ""
    try:
        rows = result.data
    except ValueError:
        return ""
    is_table = isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows)
    if not is_table:
        return ""
    return html_table(rows)
