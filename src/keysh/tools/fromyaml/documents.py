"""Build the values of YAML documents from the events of PyYAML's parser.

    text -> PyYAML's parser -> events -> DocumentBuilder -> values

Only null, booleans, numbers, strings, lists and records are made. An alias is a copy; the depth of
values and the total size of all copies are limited.
"""

from __future__ import annotations

import yaml

from keysh.text.yaml_scalar import BOOL, FLOAT, INT, NULL, STRING, scalar_kind, scalar_value
from keysh.values import deep_copy, json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

MAX_NESTING = 200  # depth of lists and records
MAX_ALIAS_SIZE = 1_000_000  # characters and elements copied by all aliases

TAG_PREFIX = "tag:yaml.org,2002:"
TAG_KINDS = {TAG_PREFIX + kind: kind for kind in (NULL, BOOL, INT, FLOAT, STRING)}
LIST_TAGS, RECORD_TAGS = (None, "!", f"{TAG_PREFIX}seq"), (None, "!", f"{TAG_PREFIX}map")
MERGE_KEY = "<<"

# PyYAML built with libyaml has a parser that is about ten times as fast.
LOADER: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


def documents(text: str, tick: Callable[[], None]) -> Iterator[object]:
    """Yield the value of each document; raises ValueError for invalid or too large input."""
    try:
        builder = DocumentBuilder()
        for event in yaml.parse(text.removeprefix("\ufeff"), Loader=LOADER):
            tick()
            builder.take(event)
            if isinstance(event, yaml.DocumentEndEvent):
                yield builder.value
                builder = DocumentBuilder()
    except yaml.MarkedYAMLError as error:
        around = f", {error.context}" if error.context else ""
        if error.context_mark is not None:
            around += f" that begins at {mark_position(error.context_mark)}"
        where = mark_position(error.problem_mark)
        raise ValueError(f"{where}: {error.problem}{around}" if where else str(error)) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise ValueError(f"line {line}: {error.reason}") from None
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise ValueError(f"line {line}: a byte that is not UTF-8") from None


def mark_position(mark: Any) -> str:
    return "" if mark is None else f"line {mark.line + 1}, character {mark.column + 1}"


class YamlNode:
    """A list or record being read; `weight` and `height` are what an alias of it costs."""

    __slots__ = ("anchor", "height", "is_merging", "key", "merged_records", "value", "weight")

    def __init__(self, value: list[object] | dict[str, object], anchor: str | None) -> None:
        self.value, self.anchor = value, anchor
        self.key: str | None = None  # of the next value
        self.is_merging = False  # whether to merge that value
        self.merged_records: dict[str, object] = {}
        self.weight = self.height = 1


class DocumentBuilder:
    """Builds the value of one document."""

    __slots__ = ("_alias_size", "_anchors", "_nodes", "value")

    def __init__(self) -> None:
        self.value: object = None
        self._nodes: list[YamlNode] = []
        self._anchors: dict[str, tuple[object, int, int] | None] = {}  # None while being read
        self._alias_size = 0

    def take(self, event: Any) -> None:
        """Process the next event."""
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
                raise event_error(event, f"the key {json_of(text)} is repeated")
            node.key = text
            node.is_merging = text == MERGE_KEY and not event.style
            if event.anchor:
                self._anchors[event.anchor] = (text, 1 + len(text), 0)
            return
        if event.tag in (None, "!"):
            kind = STRING if event.style else scalar_kind(text)  # unquoted text has no style
        elif event.tag in TAG_KINDS:
            kind = TAG_KINDS[event.tag]
        else:
            raise event_error(event, f"the tag {event.tag} makes no JSON value")
        try:
            value = scalar_value(text, kind)
        except ValueError as error:
            raise event_error(event, str(error)) from None
        self._add(event, value, event.anchor, 1 + len(text), 0)

    def _open(
        self, event: Any, value: list[object] | dict[str, object], tags: tuple[str | None, ...]
    ) -> None:
        if event.tag not in tags:
            raise event_error(event, f"the tag {event.tag} makes no JSON value")
        node = self._nodes[-1] if self._nodes else None
        if node is not None and node.value.__class__ is dict and node.key is None:
            raise event_error(event, "a key must be a string, but is a list or record")
        if len(self._nodes) >= MAX_NESTING:
            raise event_error(event, f"values are nested more than {MAX_NESTING} levels deep")
        if event.anchor:
            self._anchors[event.anchor] = None
        self._nodes.append(YamlNode(value, event.anchor))

    def _close(self, event: Any) -> None:
        node = self._nodes.pop()
        value = node.value
        if isinstance(value, dict) and node.merged_records:
            value = node.merged_records | value
        self._add(event, value, node.anchor, node.weight, node.height)

    def _alias(self, event: Any) -> None:
        if event.anchor not in self._anchors:
            raise event_error(event, f"no anchor is named &{event.anchor}")
        target = self._anchors[event.anchor]
        if target is None:
            raise event_error(event, f"*{event.anchor} refers to a value that contains it")
        value, weight, height = target
        self._alias_size += weight
        if self._alias_size > MAX_ALIAS_SIZE:
            raise event_error(event, f"aliases expand to more than {MAX_ALIAS_SIZE} characters")
        if len(self._nodes) + height > MAX_NESTING:
            raise event_error(event, f"values are nested more than {MAX_NESTING} levels deep")
        node = self._nodes[-1]  # an alias is never a whole document
        if node.value.__class__ is dict and node.key is None:
            raise event_error(event, "a key must be a string, but is an alias")
        self._add(event, deep_copy(value), None, weight, height)

    def _add(self, event: Any, value: object, anchor: str | None, weight: int, height: int) -> None:
        """Add a value to its list, record or document."""
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
            node.merged_records = merge_records(event, value)
        else:
            node.value[node.key] = value
            node.weight += len(node.key)
        node.key = None


def merge_records(event: Any, value: object) -> dict[str, object]:
    """Return what `<<` adds: a record, or a list of records of which earlier ones win."""
    result: dict[str, object] = {}
    for record in reversed(value) if isinstance(value, list) else (value,):
        if not isinstance(record, dict):
            raise event_error(event, f"{MERGE_KEY} takes a record or a list of records")
        result |= record
    return result


def event_error(event: Any, message: str) -> ValueError:
    """Return an error with the position of an event."""
    return ValueError(f"{mark_position(event.start_mark)}: {message}")
