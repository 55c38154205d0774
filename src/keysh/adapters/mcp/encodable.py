"""Values that JSON can carry: names of files and outputs of commands may have any bytes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def encodable_text(text: str) -> str:
    """Return a text with escapes for what UTF-8 has no bytes for."""
    return text.encode("utf-8", "backslashreplace").decode()


def encodable_value(value: Any) -> Any:
    """Return a JSON value whose texts JSON can carry."""
    if isinstance(value, str):
        return encodable_text(value)
    if isinstance(value, list):
        return [encodable_value(item) for item in value]
    if isinstance(value, dict):
        return {encodable_text(str(key)): encodable_value(item) for key, item in value.items()}
    return value
