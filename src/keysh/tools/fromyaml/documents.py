"""Documents: the values of a YAML text, made of the events of PyYAML's parser.

    text -> parser of PyYAML -> events -> Builder -> values

No object is made but null, bool, number, text, list and record. An alias is a copy of what it
stands for; what all copies hold is limited, and so is the depth of values.
"""

from __future__ import annotations

import yaml

from keysh.text.yaml_scalar import BOOL, FLOAT, INT, NULL, STRING, kind_of, value_of
from keysh.values import copied, json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

DEEPEST = 200  # lists and records inside each other
MOST_COPIED = 4_000_000  # characters and elements that all aliases stand for

PREFIX = "tag:yaml.org,2002:"
KINDS = {PREFIX + kind: kind for kind in (NULL, BOOL, INT, FLOAT, STRING)}
LIST_TAGS, RECORD_TAGS = (None, "!", f"{PREFIX}seq"), (None, "!", f"{PREFIX}map")
MERGE = "<<"

# The parser of libyaml where PyYAML was built with it, which is some ten times as fast.
LOADER: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


def documents(text: str, tick: Callable[[], None]) -> Iterator[object]:
    """The value of each document; ValueError where the text is no YAML or too much of it."""
    try:
        builder = Builder()
        for event in yaml.parse(text.removeprefix("\ufeff"), Loader=LOADER):
            tick()
            builder.take(event)
            if isinstance(event, yaml.DocumentEndEvent):
                yield builder.value
                builder = Builder()
    except yaml.MarkedYAMLError as error:
        around = f", {error.context}" if error.context else ""
        if error.context_mark is not None:
            around += f" that begins at {place(error.context_mark)}"
        where = place(error.problem_mark)
        raise ValueError(f"{where}: {error.problem}{around}" if where else str(error)) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise ValueError(f"line {line}: {error.reason}") from None
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise ValueError(f"line {line}: a byte that is no UTF-8") from None


def place(mark: Any) -> str:
    """Where something stands."""
    return "" if mark is None else f"line {mark.line + 1}, character {mark.column + 1}"


class Node:
    """A list or record that is being read. `weight` and `height` are what an alias of it costs."""

    __slots__ = ("anchor", "height", "is_merging", "key", "merged", "value", "weight")

    def __init__(self, value: list[object] | dict[str, object], anchor: str | None) -> None:
        self.value, self.anchor = value, anchor
        self.key: str | None = None  # the key whose value comes next
        self.is_merging = False  # that value is to be merged
        self.merged: dict[str, object] = {}
        self.weight = self.height = 1


class Builder:
    """Makes the value of one document."""

    __slots__ = ("_anchors", "_copied", "_nodes", "value")

    def __init__(self) -> None:
        self.value: object = None
        self._nodes: list[Node] = []
        self._anchors: dict[str, tuple[object, int, int] | None] = {}  # None while it is read
        self._copied = 0

    def take(self, event: Any) -> None:
        """Take the next event."""
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.MappingStartEvent):
            self._open(event, {}, RECORD_TAGS)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._open(event, [], LIST_TAGS)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self._close(event)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)

    def _scalar(self, event: Any) -> None:
        node = self._nodes[-1] if self._nodes else None
        text = event.value
        if node is not None and node.value.__class__ is dict and node.key is None:
            if text in node.value:
                raise wrong(event, f"the key {json_of(text)} stands twice")
            node.key = text
            node.is_merging = text == MERGE and not event.style
            if event.anchor:
                self._anchors[event.anchor] = (text, 1 + len(text), 0)
            return
        if event.tag in (None, "!"):
            kind = STRING if event.style else kind_of(text)  # plain text has no style
        elif event.tag in KINDS:
            kind = KINDS[event.tag]
        else:
            raise wrong(event, f"the tag {event.tag} makes no value that JSON has")
        try:
            value = value_of(text, kind)
        except ValueError as error:
            raise wrong(event, str(error)) from None
        self._add(event, value, event.anchor, 1 + len(text), 0)

    def _open(
        self, event: Any, value: list[object] | dict[str, object], tags: tuple[str | None, ...]
    ) -> None:
        if event.tag not in tags:
            raise wrong(event, f"the tag {event.tag} makes no value that JSON has")
        node = self._nodes[-1] if self._nodes else None
        if node is not None and node.value.__class__ is dict and node.key is None:
            raise wrong(event, "a key must be text, but is a list or record")
        if len(self._nodes) >= DEEPEST:
            raise wrong(event, f"values are nested more than {DEEPEST} deep")
        if event.anchor:
            self._anchors[event.anchor] = None
        self._nodes.append(Node(value, event.anchor))

    def _close(self, event: Any) -> None:
        node = self._nodes.pop()
        value = node.value
        if isinstance(value, dict) and node.merged:
            value = node.merged | value
        self._add(event, value, node.anchor, node.weight, node.height)

    def _alias(self, event: Any) -> None:
        if event.anchor not in self._anchors:
            raise wrong(event, f"nothing is named &{event.anchor}")
        found = self._anchors[event.anchor]
        if found is None:
            raise wrong(event, f"*{event.anchor} stands inside what it stands for")
        value, weight, height = found
        self._copied += weight
        if self._copied > MOST_COPIED:
            raise wrong(event, f"aliases stand for more than {MOST_COPIED} characters")
        if len(self._nodes) + height > DEEPEST:
            raise wrong(event, f"values are nested more than {DEEPEST} deep")
        node = self._nodes[-1]  # an alias is never the whole of a document
        if node.value.__class__ is dict and node.key is None:
            raise wrong(event, "a key must be text, but is an alias")
        self._add(event, copied(value), None, weight, height)

    def _add(self, event: Any, value: object, anchor: str | None, weight: int, height: int) -> None:
        """Put a value where it belongs."""
        if anchor:
            self._anchors[anchor] = (value, weight, height)
        if not self._nodes:
            self.value = value
            return
        node = self._nodes[-1]
        node.weight += weight
        node.height = max(node.height, height + 1)
        if isinstance(node.value, list):
            node.value.append(value)
            return
        assert node.key is not None
        if node.is_merging:
            node.merged = merged(event, value)
        else:
            node.value[node.key] = value
            node.weight += len(node.key)
        node.key = None


def merged(event: Any, value: object) -> dict[str, object]:
    """What `<<` brings in: a record, or several of which the first goes before the others."""
    found: dict[str, object] = {}
    for record in reversed(value) if isinstance(value, list) else (value,):
        if not isinstance(record, dict):
            raise wrong(event, f"{MERGE} takes a record or a list of records")
        found |= record
    return found


def wrong(event: Any, message: str) -> ValueError:
    """A complaint about what stands at an event."""
    return ValueError(f"{place(event.start_mark)}: {message}")
