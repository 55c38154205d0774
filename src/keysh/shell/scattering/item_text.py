"""ItemText: an item of a scatter in place of a text, for a shell in a worker process."""

from __future__ import annotations

from keysh.diagnostics.exceptions import ImageError
from keysh.shell.images.typed_values import value_from_json, value_to_json
from keysh.shell.isolation.frames import FrameError
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class ItemText(str):
    """Names an item that a worker is to run; afterwards `data` is the value that it has printed."""

    __slots__ = ("data", "request")

    request: dict[str, Any]  # what the worker gets
    data: Any

    def take(self, answer: dict[str, Any]) -> None:
        """Take the value from the answer of a worker; FrameError if it is none."""
        if "data" in answer:
            try:
                self.data = value_from_json(answer["data"])
            except (ValueError, TypeError, KeyError, ImageError):
                raise FrameError("data that are no value") from None


def item_text(words: Sequence[object], index: int, item: object, seed: int | None) -> ItemText:
    """Return the text for an item of a command."""
    text = ItemText(f"# item {index}")
    text.request = {
        "words": [value_to_json(word) for word in words], "index": index,
        "item": value_to_json(item), "seed": seed,
    }  # fmt: skip
    text.data = ABSENT
    return text
