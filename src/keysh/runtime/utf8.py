"""UTF-8: what must be text holds no stray bytes."""

from __future__ import annotations

from keysh.runtime.problem import Problem


def require_utf8(text: str, fact: str, fix: str) -> None:
    """Problem E202 where a text has bytes that are not UTF-8; the datum is the first of them."""
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        stray = ord(text[error.start])
        # Bytes are kept as U+DC80 to U+DCFF; other surrogates come from `\u` alone.
        shown = f"byte {stray & 0xFF:#04x}" if stray >= 0xDC80 else f"U+{stray:04X}"
        raise Problem("E202", fact, shown, fix) from None
