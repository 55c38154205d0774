"""ItemText: items of a scatter in place of a text, for a shell in a worker process.

The worker prints a line of JSON for each item that has ended; so the host knows what was done when
a worker dies.
"""

from __future__ import annotations

import base64
import json

from keysh.diagnostics.exceptions import ImageError
from keysh.interp.scatter.engine import TaskEnding
from keysh.shell.images.typed_values import value_from_json, value_to_json
from keysh.shell.isolation.frames import FrameError
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.interp.scatter.options import ScatterOptions


class ItemText(str):
    """Names items that a worker is to run."""

    __slots__ = ("request",)

    request: dict[str, Any]  # what the worker gets


def item_text(
    words: Sequence[object],
    items: Sequence[tuple[int, object]],
    options: ScatterOptions,
    seconds: float,
) -> ItemText:
    """Return the text for items; those that would begin after some seconds are not run."""
    text = ItemText(f"# {len(items)} items")
    text.request = {
        "words": [value_to_json(word) for word in words],
        "items": [[index, value_to_json(item)] for index, item in items],
        "seed": options.seed, "timeout": options.seconds, "return": options.return_,
        "seconds": seconds,
    }  # fmt: skip
    return text


def line_of_ending(ending: TaskEnding) -> str:
    """Return the line that a worker prints for an item."""
    data = [] if ending.data is ABSENT else [value_to_json(ending.data)]
    files = {
        path: base64.b64encode(content).decode() for path, content in (ending.files or {}).items()
    }
    record = [
        ending.code, ending.out, ending.err, data, ending.seconds, ending.was_cancelled, files,
    ]  # fmt: skip
    return json.dumps(record) + "\n"


def ending_of_line(line: str, worker: object) -> TaskEnding:
    """Return the ending that a worker has printed; FrameError if it is none."""
    try:
        match json.loads(line):
            case [
                int() as code, str() as out, str() as err, list() as data,
                float() | int() as seconds, bool() as was_cancelled, dict() as files,
            ] if 0 <= code <= 255 and len(data) <= 1:  # fmt: skip
                value = value_from_json(data[0]) if data else ABSENT
                return TaskEnding(
                    code, out, err, data=value, seconds=float(seconds), worker=worker,
                    was_cancelled=was_cancelled,
                    files={
                        str(path): base64.b64decode(content, validate=True)
                        for path, content in files.items()
                    },
                )  # fmt: skip
    except (ValueError, TypeError, KeyError, RecursionError, ImageError):
        pass
    raise FrameError("the ending of an item that is none")
