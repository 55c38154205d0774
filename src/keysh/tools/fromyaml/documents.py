"""Documents: the values of a YAML text, made of the events of PyYAML's parser.

    text -> parser of PyYAML -> events -> Builder -> values

No object is made but null, bool, number, text, list and record. An alias is a copy of what it
stands for; what all copies hold is limited, and so is the depth of values.
"""

from __future__ import annotations

import yaml

from keysh.text.yaml_scalar import BOOL, FLOAT, INT, NULL, STRING, scalar_kind, scalar_value
from keysh.values import deep_copy, json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

MAX_NESTING = 200  # lists and records inside each other
MAX_ALIAS_SIZE = 4_000_000  # characters and elements that all aliases stand for

TAG_PREFIX = "tag:yaml.org,2002:"
TAG_KINDS = {TAG_PREFIX + kind: kind for kind in (NULL, BOOL, INT, FLOAT, STRING)}
LIST_TAGS, RECORD_TAGS = (None, "!", f"{TAG_PREFIX}seq"), (None, "!", f"{TAG_PREFIX}map")
MERGE_KEY = "<<"

# The parser of libyaml where PyYAML was built with it, which is some ten times as fast.
LOADER: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


def documents(text: str, tick: Callable[[], None]) -> Iterator[object]:
    """The value of each document; ValueError where the text is no YAML or too much of it."""
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
        raise ValueError(f"line {line}: a byte that is no UTF-8") from None


def mark_position(mark: Any) -> str:
    """Where something stands."""
    return "" if mark is None else f"line {mark.line + 1}, character {mark.column + 1}"


class YamlNode:
    """A list or record that is being read. `weight` and `height` are what an alias of it costs."""

    __slots__ = ("anchor", "height", "is_merging", "key", "merged_records", "value", "weight")

    def __init__(self, value: list[object] | dict[str, object], anchor: str | None) -> None:
        self.value, self.anchor = value, anchor
        self.key: str | None = None  # the key whose value comes next
        self.is_merging = False  # that value is to be merged
        self.merged_records: dict[str, object] = {}
        self.weight = self.height = 1


class DocumentBuilder:
    """Makes the value of one document."""

    __slots__ = ("_anchors", "_alias_size", "_nodes", "value")

    def __init__(self) -> None:
        self.value: object = None
        self._nodes: list[YamlNode] = []
        self._anchors: dict[str, tuple[object, int, int] | None] = {}  # None while it is read
        self._alias_size = 0

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
                raise event_error(event, f"the key {json_of(text)} stands twice")
            node.key = text
            node.is_merging = text == MERGE_KEY and not event.style
            if event.anchor:
                self._anchors[event.anchor] = (text, 1 + len(text), 0)
            return
        if event.tag in (None, "!"):
            kind = STRING if event.style else scalar_kind(text)  # plain text has no style
        elif event.tag in TAG_KINDS:
            kind = TAG_KINDS[event.tag]
        else:
            raise event_error(event, f"the tag {event.tag} makes no value that JSON has")
        try:
            value = scalar_value(text, kind)
        except ValueError as error:
            raise event_error(event, str(error)) from None
        self._add(event, value, event.anchor, 1 + len(text), 0)

    def _open(
        self, event: Any, value: list[object] | dict[str, object], tags: tuple[str | None, ...]
    ) -> None:
        if event.tag not in tags:
            raise event_error(event, f"the tag {event.tag} makes no value that JSON has")
        node = self._nodes[-1] if self._nodes else None
        if node is not None and node.value.__class__ is dict and node.key is None:
            raise event_error(event, "a key must be text, but is a list or record")
        if len(self._nodes) >= MAX_NESTING:
            raise event_error(event, f"values are nested more than {MAX_NESTING} deep")
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
            raise event_error(event, f"nothing is named &{event.anchor}")
        found = self._anchors[event.anchor]
        if found is None:
            raise event_error(event, f"*{event.anchor} stands inside what it stands for")
        value, weight, height = found
        self._alias_size += weight
        if self._alias_size > MAX_ALIAS_SIZE:
            raise event_error(event, f"aliases stand for more than {MAX_ALIAS_SIZE} characters")
        if len(self._nodes) + height > MAX_NESTING:
            raise event_error(event, f"values are nested more than {MAX_NESTING} deep")
        node = self._nodes[-1]  # an alias is never the whole of a document
        if node.value.__class__ is dict and node.key is None:
            raise event_error(event, "a key must be text, but is an alias")
        self._add(event, deep_copy(value), None, weight, height)

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
            node.merged_records = merge_records(event, value)
        else:
            node.value[node.key] = value
            node.weight += len(node.key)
        node.key = None


def merge_records(event: Any, value: object) -> dict[str, object]:
    """What `<<` brings in: a record, or several of which the first goes before the others."""
    found: dict[str, object] = {}
    for record in reversed(value) if isinstance(value, list) else (value,):
        if not isinstance(record, dict):
            raise event_error(event, f"{MERGE_KEY} takes a record or a list of records")
        found |= record
    return found


def event_error(event: Any, message: str) -> ValueError:
    """A complaint about what stands at an event."""
    return ValueError(f"{mark_position(event.start_mark)}: {message}")
