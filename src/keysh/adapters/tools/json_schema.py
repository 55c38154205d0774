"""JSON Schema, as far as a value can be judged by it before it is sent.

What is not understood is left to the server: other documents, `not`, conditions, formats. A schema
comes from a server that may be hostile, so that references are followed when a value is judged, not
before, and all work is counted.
"""

from __future__ import annotations

from keysh.adapters.tools.schema_bounds import (
    TYPE_WORDS,
    bound_of_scalar,
    has_type,
    is_same,
    number_in,
    type_of,
)
from keysh.diagnostics.display import shorten, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

MAX_REFERENCE_CHAIN, MAX_REFERENCE_CHARACTERS = 32, 1000
MAX_SCHEMA_DEPTH = 40
MAX_KEYWORDS = 1000  # of one schema
# Schemas, and the keywords, names and words in them, that one question looks at: whether a value
# fits, what a tool takes, which types a value has.
MAX_JUDGED_PARTS, MAX_PROPERTY_PARTS, MAX_TYPE_PARTS = 100_000, 10_000, 5000
MAX_LISTED_WORDS, MAX_WORD_CHARACTERS = 20, 60  # of an enumeration, in a message

KEYWORD_TYPES = (
    ("properties", "object"), ("items", "array"), ("maxLength", "string"), ("pattern", "string"),
    ("minimum", "number"), ("maximum", "number"),
)  # fmt: skip
ALTERNATIVES = ("anyOf", "oneOf")


class UnjudgedSchema(Exception):
    """A schema takes more work than a value is worth: the server judges it."""


class SchemaFault:
    """What is wrong with a value: at a path within it, which must be something else."""

    __slots__ = ("must", "path", "value")

    def __init__(self, path: str, must: str, value: object) -> None:
        self.path, self.must, self.value = path, must, value


class SchemaWork:
    """The number of parts of a schema that may be looked at for one question."""

    __slots__ = ("_left",)

    def __init__(self, parts: int) -> None:
        self._left = parts

    def take(self, depth: int, *listings: object) -> None:
        """Count a schema at a depth, with what it lists; raise UnjudgedSchema if it is too much."""
        self._left -= 1 + sum(len(one) for one in listings if isinstance(one, list | dict))
        if self._left < 0 or depth > MAX_SCHEMA_DEPTH:
            raise UnjudgedSchema


class JsonSchema:
    """A schema, and the document that its references lead into. Neither changes."""

    __slots__ = ("_known_properties", "_known_types", "_targets", "root", "schema")

    def __init__(
        self, schema: object, root: object = None, targets: dict[str, object] | None = None
    ) -> None:
        self.schema = schema
        self.root = schema if root is None else root
        self._targets = {} if targets is None else targets  # of references, for the whole document
        self._known_types: frozenset[str] | None = None
        self._known_properties: dict[str, JsonSchema] | None = None

    def at(self, schema: object) -> JsonSchema:
        """Return a part of this schema."""
        return JsonSchema(schema, self.root, self._targets)

    def keywords(self) -> Mapping[str, Any]:
        """Return the keywords, with references followed; none for what cannot be judged."""
        schema = self.schema
        for _ in range(MAX_REFERENCE_CHAIN):
            if not isinstance(schema, dict) or len(schema) > MAX_KEYWORDS:
                return {}
            reference = schema.get("$ref")
            if not isinstance(reference, str):
                return schema
            beside = {name: value for name, value in schema.items() if name != "$ref"}
            if reference not in self._targets:
                self._targets[reference] = self._target(reference)
            schema = self._targets[reference]
            if beside and isinstance(schema, dict) and len(schema) <= MAX_KEYWORDS:
                schema = {**schema, **beside}
        return {}

    def _target(self, reference: str) -> object:
        """Return what a reference leads to, within the document."""
        if not reference.startswith("#") or len(reference) > MAX_REFERENCE_CHARACTERS:
            return None
        target = self.root
        for step in reference[1:].split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            if isinstance(target, dict) and key in target:
                target = target[key]
            elif isinstance(target, list) and key.isdecimal() and int(key) < len(target):
                target = target[int(key)]
            else:
                return None
        return target

    def members(self, keyword: str) -> Iterator[JsonSchema]:
        """Yield the schemas of `allOf` and the like."""
        parts = self.keywords().get(keyword)
        if isinstance(parts, list):
            for part in parts:
                yield self.at(part)

    def types(self) -> frozenset[str]:
        """Return the types of its values; none for any."""
        if self._known_types is None:
            try:
                self._known_types = self._types_within(SchemaWork(MAX_TYPE_PARTS), 0)
            except UnjudgedSchema:
                self._known_types = frozenset()
        return self._known_types

    def _types_within(self, work: SchemaWork, depth: int) -> frozenset[str]:
        keywords = self.keywords()
        stated = keywords.get("type")
        work.take(depth, keywords, stated, None if stated else keywords.get("enum"))
        found = {stated} if isinstance(stated, str) else set()
        if isinstance(stated, list):
            found = {one for one in stated if isinstance(one, str)}
        if not found and isinstance(words := keywords.get("enum"), list):
            found = {type_of(word) for word in words}
        if not found and "const" in keywords:
            found = {type_of(keywords["const"])}
        if not found:
            found = self._implied_types(work, depth + 1)
        if found and keywords.get("nullable") is True:  # OpenAPI 3.0
            found.add("null")
        return frozenset(found & TYPE_WORDS.keys())

    def _implied_types(self, work: SchemaWork, depth: int) -> set[str]:
        for keyword in ALTERNATIVES:
            parts = [part._types_within(work, depth) for part in self.members(keyword)]
            if parts:
                return set().union(*parts) if all(parts) else set()
        for part in self.members("allOf"):
            if found := part._types_within(work, depth):
                return set(found)
        keywords = self.keywords()
        return next(({kind} for keyword, kind in KEYWORD_TYPES if keyword in keywords), set())

    def words(self) -> list[object]:
        """Return the values of an enumeration, if it has one."""
        keywords = self.keywords()
        if isinstance(words := keywords.get("enum"), list):
            return words
        return [keywords["const"]] if "const" in keywords else []

    def properties(self) -> dict[str, JsonSchema]:
        """Return the properties of a record, with those of `allOf`."""
        if self._known_properties is None:
            found: dict[str, JsonSchema] = {}
            for schema, stated in self._statements("properties"):
                if isinstance(stated, dict):
                    found |= {name: schema.at(part) for name, part in stated.items()}
            self._known_properties = found
        return self._known_properties

    def required_names(self) -> set[str]:
        """Return the names of the properties that a record must have."""
        found: set[str] = set()
        for _, stated in self._statements("required"):
            if isinstance(stated, list):
                found |= {name for name in stated if isinstance(name, str)}
        return found

    def _statements(self, keyword: str) -> list[tuple[JsonSchema, object]]:
        """Return what a schema and those of its `allOf` state, inner ones first; all or nothing."""
        found: list[tuple[JsonSchema, object]] = []
        work = SchemaWork(MAX_PROPERTY_PARTS)

        def add(schema: JsonSchema, depth: int) -> None:
            keywords = schema.keywords()
            stated = keywords.get(keyword)
            work.take(depth, keywords, stated)
            for part in schema.members("allOf"):
                add(part, depth + 1)
            found.append((schema, stated))

        try:
            add(self, 0)
        except UnjudgedSchema:
            return []
        return found

    def items(self) -> JsonSchema:
        """Return the schema of the items of a list."""
        return self.at(self.keywords().get("items"))

    def requirement(self) -> str:
        """Return what a value must be, for messages: "a whole number from 1 to 10"."""
        words = self.words()
        if words:
            listed = [shown_word(text_of_word(word)) for word in words[:MAX_LISTED_WORDS]]
            return f"one of {', '.join(listed)}{', …' if len(words) > len(listed) else ''}"
        types = self.types() - {"null"}
        shown = " or ".join(text for kind, text in TYPE_WORDS.items() if kind in types)
        return f"{shown or 'a value'}{self._bounds()}"

    def _bounds(self) -> str:
        keywords = self.keywords()
        least, most = number_in(keywords, "minimum"), number_in(keywords, "maximum")
        if least is not None and most is not None:
            return f" from {least} to {most}"
        if least is not None:
            return f" of at least {least}"
        return "" if most is None else f" of at most {most}"

    def fault_in(self, value: object) -> SchemaFault | None:
        """Return what is wrong with a value; None if nothing is, or if it takes too much work."""
        try:
            return Judgement().fault(self, value, "", 0)
        except UnjudgedSchema:
            return None


class Judgement:
    """The judgement of one value, with the work that it may take."""

    __slots__ = ("_work",)

    def __init__(self) -> None:
        self._work = SchemaWork(MAX_JUDGED_PARTS)

    def fault(self, schema: JsonSchema, value: object, path: str, depth: int) -> SchemaFault | None:
        """Return the first fault of a value."""
        if schema.schema is False:
            return SchemaFault(path, "absent", value)
        keywords = schema.keywords()
        listings = (keywords.get(name) for name in ("enum", "required", "type"))
        self._work.take(depth, keywords, *listings)
        if value is None and keywords.get("nullable") is True:
            return None
        stated = keywords.get("type")
        if stated is not None and not any(
            has_type(value, one) for one in (stated if isinstance(stated, list) else [stated])
        ):
            return SchemaFault(path, schema.requirement(), value)
        words = schema.words()
        if words and not any(is_same(value, word) for word in words):
            return SchemaFault(path, schema.requirement(), value)
        must = bound_of_scalar(keywords, value)
        if must:
            return SchemaFault(path, must, value)
        return self._fault_inside(schema, keywords, value, path, depth + 1) or self._fault_of_parts(
            schema, keywords, value, path, depth + 1
        )

    def _fault_inside(
        self, schema: JsonSchema, keywords: Mapping[str, Any], value: object, path: str, depth: int
    ) -> SchemaFault | None:
        """Return the first fault among the items of a list, or the properties of a record."""
        if isinstance(value, list):
            if isinstance(keywords.get("items"), dict | bool):
                items = schema.items()
                for index, item in enumerate(value):
                    if fault := self.fault(items, item, f"{path}[{index}]", depth):
                        return fault
            return None
        if not isinstance(value, dict):
            return None
        stated = keywords.get("properties")
        properties = stated if isinstance(stated, dict) else {}
        for name in keywords.get("required") or ():
            if isinstance(name, str) and name not in value:
                return SchemaFault(path, f"a record with {shown_word(name)}", value)
        for name, item in value.items():
            if name in properties:
                if fault := self.fault(schema.at(properties[name]), item, f"{path}.{name}", depth):
                    return fault
            elif (
                keywords.get("additionalProperties") is False
                and "patternProperties" not in keywords
            ):
                return SchemaFault(path, f"a record without {name}", value)
        return None

    def _fault_of_parts(
        self, schema: JsonSchema, keywords: Mapping[str, Any], value: object, path: str, depth: int
    ) -> SchemaFault | None:
        for part in schema.members("allOf"):
            if fault := self.fault(part, value, path, depth):
                return fault
        for keyword in ALTERNATIVES:
            faults = [self.fault(part, value, path, depth) for part in schema.members(keyword)]
            if faults and all(faults):
                deepest = max(filter(None, faults), key=lambda fault: len(fault.path))
                is_inside = len(deepest.path) > len(path)
                return deepest if is_inside else SchemaFault(path, schema.requirement(), value)
        return None


def shown_word(text: str) -> str:
    """Return a word of a server as a message has it."""
    return visible(shorten(text, MAX_WORD_CHARACTERS))


def text_of_word(word: object) -> str:
    """Return a value of an enumeration as a script writes it."""
    from keysh.values import text_of  # noqa: PLC0415 - for messages and completion

    return "null" if word is None else text_of(word)
