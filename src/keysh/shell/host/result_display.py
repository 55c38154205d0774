"""A `Result` as Python's prompt and notebooks show it: its status, and how its output begins."""

from __future__ import annotations

from html import escape

from keysh.values import text_of

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
MAX_HTML_ROWS = 100
MAX_HTML_COLUMNS = 30
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


def readable_text(text: str) -> str:
    """Return a text that can be encoded: bytes that are no UTF-8 become a replacement character."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


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
    columns = list(dict.fromkeys(key for row in rows[:MAX_HTML_ROWS] for key in row))
    shown, hidden = columns[:MAX_HTML_COLUMNS], columns[MAX_HTML_COLUMNS:]
    head = "".join(f"<th>{escape(readable_text(str(key)))}</th>" for key in shown)
    body = "".join(
        f"<tr>{''.join(cell_html(row, key) for key in shown)}</tr>" for row in rows[:MAX_HTML_ROWS]
    )
    notes = [f"{len(rows) - MAX_HTML_ROWS:,} more rows"] if len(rows) > MAX_HTML_ROWS else []
    notes += [f"{len(hidden)} more columns"] if hidden else []
    more = f"<div>… {', '.join(notes)}</div>" if notes else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def cell_html(row: dict[str, Any], key: str) -> str:
    """Return a cell; a missing key leaves it empty."""
    text = readable_text(text_of(row.get(key)))
    rest = len(text) - MAX_REPR_CHARACTERS
    return f"<td>{escape(text if rest <= 0 else f'{text[:MAX_REPR_CHARACTERS]}…')}</td>"
