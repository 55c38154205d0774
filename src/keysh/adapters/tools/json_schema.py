"""JSON Schema, as far as a value can be judged by it before it is sent.

What is not understood is left to the server: other documents, `not`, conditions, formats. A schema
comes from a server that may be hostile, so that references are followed when a value is judged, not
before, and all work is counted.
"""

from __future__ import annotations

from keysh.text.regex.regex import RegexError, RegexLimit, regex_of
from keysh.values import Numeral

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

MAX_REFERENCE_CHAIN = 32
MAX_SCHEMA_DEPTH = 40
MAX_JUDGED_SCHEMAS = 5000  # for one value
MAX_PATTERN_CHARACTERS = 500
MAX_LISTED_WORDS = 20  # of an enumeration, in a message

TYPE_WORDS = {
    "string": "text", "integer": "a whole number", "number": "a number",
    "boolean": "true or false", "array": "a list", "object": "a record", "null": "null",
}  # fmt: skip
KEYWORD_TYPES = (
    ("properties", "object"), ("items", "array"), ("maxLength", "string"), ("pattern", "string"),
    ("minimum", "number"), ("maximum", "number"),
)  # fmt: skip
ALTERNATIVES = ("anyOf", "oneOf")


class UnjudgedValue(Exception):
    """A schema takes more work than a value is worth: the server judges it."""


class SchemaFault:
    """What is wrong with a value: at a path within it, which must be something else."""

    __slots__ = ("must", "path", "value")

    def __init__(self, path: str, must: str, value: object) -> None:
        self.path, self.must, self.value = path, must, value


class SchemaWork:
    """The number of schemas that may be looked at for one question."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = MAX_JUDGED_SCHEMAS

    def take(self, depth: int) -> bool:
        """Whether one more may be looked at, which is at a depth."""
        self._left -= 1
        return self._left >= 0 and depth <= MAX_SCHEMA_DEPTH


class JsonSchema:
    """A schema, and the document that its references lead into."""

    __slots__ = ("root", "schema")

    def __init__(self, schema: object, root: object = None) -> None:
        self.schema = schema
        self.root = schema if root is None else root

    def at(self, schema: object) -> JsonSchema:
        """Return a part of this schema."""
        return JsonSchema(schema, self.root)

    def keywords(self) -> Mapping[str, Any]:
        """Return the keywords, with references followed; none for what cannot be judged."""
        schema = self.schema
        for _ in range(MAX_REFERENCE_CHAIN):
            if not isinstance(schema, dict):
                return {}
            reference = schema.get("$ref")
            if not isinstance(reference, str):
                return schema
            beside = {name: value for name, value in schema.items() if name != "$ref"}
            schema = self._target(reference)
            if beside and isinstance(schema, dict):
                schema = {**schema, **beside}
        return {}

    def _target(self, reference: str) -> object:
        """Return what a reference leads to, within the document."""
        if not reference.startswith("#"):
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

    def types(self, work: SchemaWork | None = None, depth: int = 0) -> frozenset[str]:
        """Return the types of its values; none for any."""
        work = work or SchemaWork()
        if not work.take(depth):
            return frozenset()
        keywords = self.keywords()
        stated = keywords.get("type")
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
            parts = [part.types(work, depth) for part in self.members(keyword)]
            if parts:
                return set().union(*parts) if all(parts) else set()
        for part in self.members("allOf"):
            if found := part.types(work, depth):
                return set(found)
        keywords = self.keywords()
        return next(({kind} for keyword, kind in KEYWORD_TYPES if keyword in keywords), set())

    def words(self) -> list[object]:
        """Return the values of an enumeration, if it has one."""
        keywords = self.keywords()
        if isinstance(words := keywords.get("enum"), list):
            return words
        return [keywords["const"]] if "const" in keywords else []

    def properties(self, work: SchemaWork | None = None, depth: int = 0) -> dict[str, JsonSchema]:
        """Return the properties of a record, with those of `allOf`."""
        found: dict[str, JsonSchema] = {}
        work = work or SchemaWork()
        if not work.take(depth):
            return found
        for part in self.members("allOf"):
            found |= part.properties(work, depth + 1)
        stated = self.keywords().get("properties")
        if isinstance(stated, dict):
            found |= {name: self.at(part) for name, part in stated.items()}
        return found

    def required_names(self, work: SchemaWork | None = None, depth: int = 0) -> set[str]:
        """Return the names of the properties that a record must have."""
        found: set[str] = set()
        work = work or SchemaWork()
        if not work.take(depth):
            return found
        for part in self.members("allOf"):
            found |= part.required_names(work, depth + 1)
        stated = self.keywords().get("required")
        if isinstance(stated, list):
            found |= {name for name in stated if isinstance(name, str)}
        return found

    def items(self) -> JsonSchema:
        """Return the schema of the items of a list."""
        return self.at(self.keywords().get("items"))

    def requirement(self) -> str:
        """Return what a value must be, for messages: "a whole number from 1 to 10"."""
        words = self.words()
        if words:
            listed = [text_of_word(word) for word in words[:MAX_LISTED_WORDS]]
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
        except UnjudgedValue:
            return None


class Judgement:
    """The judgement of one value, with the work that it may take."""

    __slots__ = ("_work",)

    def __init__(self) -> None:
        self._work = SchemaWork()

    def fault(self, schema: JsonSchema, value: object, path: str, depth: int) -> SchemaFault | None:
        """Return the first fault of a value."""
        if not self._work.take(depth):
            raise UnjudgedValue
        if schema.schema is False:
            return SchemaFault(path, "absent", value)
        keywords = schema.keywords()
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
                for index, item in enumerate(value):
                    if fault := self.fault(schema.items(), item, f"{path}[{index}]", depth):
                        return fault
            return None
        if not isinstance(value, dict):
            return None
        stated = keywords.get("properties")
        properties = stated if isinstance(stated, dict) else {}
        for name in keywords.get("required") or ():
            if isinstance(name, str) and name not in value:
                return SchemaFault(path, f"a record with {name}", value)
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


def bound_of_scalar(keywords: Mapping[str, Any], value: object) -> str:
    """Return what a number, text or list must be, if its bounds do not hold; else ""."""
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float | Numeral):
        return bound_of_number(keywords, float(value.text) if isinstance(value, Numeral) else value)
    if isinstance(value, str):
        return bound_of_size(keywords, len(value), "text", "Length", "characters") or (
            ""
            if matches(keywords.get("pattern"), value)
            else f"text that matches {keywords['pattern']}"
        )
    if isinstance(value, list):
        return bound_of_size(keywords, len(value), "a list", "Items", "items")
    return ""


def bound_of_number(keywords: Mapping[str, Any], value: float) -> str:
    """Return what a number must be, if its bounds do not hold; else ""."""
    least, most = number_in(keywords, "minimum"), number_in(keywords, "maximum")
    if least is not None and value < least:
        return f"at least {least}"
    if most is not None and value > most:
        return f"at most {most}"
    above, below = number_in(keywords, "exclusiveMinimum"), number_in(keywords, "exclusiveMaximum")
    if above is not None and value <= above:
        return f"more than {above}"
    if below is not None and value >= below:
        return f"less than {below}"
    step = number_in(keywords, "multipleOf")
    if step and isinstance(value, int) and isinstance(step, int) and value % step:
        return f"a multiple of {step}"
    return ""


def bound_of_size(keywords: Mapping[str, Any], size: int, kind: str, suffix: str, unit: str) -> str:
    """Return how long a text or list must be, if its bounds do not hold; else ""."""
    least, most = number_in(keywords, f"min{suffix}"), number_in(keywords, f"max{suffix}")
    if least is not None and size < least:
        return f"{kind} of at least {least} {unit}"
    return f"{kind} of at most {most} {unit}" if most is not None and size > most else ""


def number_in(keywords: Mapping[str, Any], name: str) -> float | None:
    """Return the number of a keyword, if it has one."""
    value = keywords.get(name)
    if isinstance(value, Numeral):
        return float(value.text)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and value == value else None


def matches(pattern: object, text: str) -> bool:
    """Whether a text matches a pattern; one that cannot be used matches all."""
    if not isinstance(pattern, str) or len(pattern) > MAX_PATTERN_CHARACTERS:
        return True
    try:
        return regex_of(pattern, "perl").is_in(text)
    except (RegexError, RegexLimit):
        return True


def has_type(value: object, kind: object) -> bool:
    """Whether a value has a type of JSON Schema; 1.0 is an integer, true is no number."""
    if kind == "number":
        return isinstance(value, int | float | Numeral) and not isinstance(value, bool)
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return kind not in TYPE_WORDS or type_of(value) == kind


def type_of(value: object) -> str:
    """Return the type of a value in the terms of JSON Schema."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float | Numeral):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def is_same(value: object, word: object) -> bool:
    """Whether two values are the same in JSON, where true is not 1."""
    return isinstance(value, bool) is isinstance(word, bool) and value == word


def text_of_word(word: object) -> str:
    """Return a value of an enumeration as a script writes it."""
    from keysh.values import text_of  # noqa: PLC0415 - for messages and completion

    return "null" if word is None else text_of(word)
