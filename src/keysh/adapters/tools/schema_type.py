"""The type of a parameter that a JSON Schema describes: what a word means, and whether it fits."""

from __future__ import annotations

from keysh.adapters.tools.json_schema import text_of_word
from keysh.schema.parameter_type import ParameterType, UnfitValue
from keysh.values import text_of, value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.adapters.tools.json_schema import JsonSchema, SchemaFault

MAX_WORD_DEPTH = 10  # of lists and records in which words are read
MAX_NAMED_FIELDS = 10  # of a record, in a message
MAX_OFFERED_WORDS = 200  # of an enumeration, by completion
JSON_STARTS = '[{"'


class UnfitPart(UnfitValue):
    """A value of which some part does not fit: `filter.age must be a number, but is 'x'`."""

    def __init__(self, fault: SchemaFault) -> None:
        super().__init__(fault.must, fault.value)
        self.path = fault.path

    def message_for(self, name: str) -> str:
        """Return the message; of a record that lacks a field it says which ones are there."""
        if isinstance(self.value, dict) and self.must.startswith("a record"):
            names = ", ".join(list(self.value)[:MAX_NAMED_FIELDS]) or "nothing"
            return f"{name}{self.path} must be {self.must}, but has {names}"
        return super().message_for(f"{name}{self.path}")


class SchemaType(ParameterType):
    """A type of JSON Schema. A word is what the schema makes of it: `5` a number, or a text."""

    __slots__ = ("_schema", "_types")

    def __init__(self, schema: JsonSchema) -> None:
        self._types = schema.types()
        kinds = sorted(self._types - {"null"})
        super().__init__(" or ".join(kinds) or "any", schema.requirement())
        self._schema = schema
        self.is_list = kinds == ["array"]
        self.accepts_any_text = False

    def parse(self, text: str) -> Any:
        return self._judged(value_of_word(text, self._schema, self._types), text)

    def take(self, value: object) -> Any:
        is_scalar = not isinstance(value, list | dict)
        if is_scalar and self.is_list and value is not None:
            return self._judged([value], value)
        if is_scalar and value is not None and self._types and self._types <= {"string", "null"}:
            return self.parse(text_of(value))
        return self._judged(value_with_words(value, self._schema, MAX_WORD_DEPTH), value)

    def _judged(self, value: object, written: object) -> object:
        """Return a value that fits; raise UnfitValue, which shows a scalar as it was written."""
        fault = self._schema.fault_in(value)
        if fault is not None:
            if not fault.path and fault.value is value:
                fault.value = written
            raise UnfitPart(fault)
        return value

    def schema(self) -> dict[str, Any]:
        return dict(self._schema.keywords())

    def candidates(self) -> list[str]:
        if self._types == {"boolean"}:
            return ["true", "false"]
        words = self._schema.words() or (self._schema.items().words() if self.is_list else [])
        texts = [text_of_word(word) for word in words[:MAX_OFFERED_WORDS]]
        return [text for text in texts if text.isprintable()]


def value_with_words(value: object, schema: JsonSchema, depth: int) -> object:
    """Return a list or record whose words mean what the schema makes of them: `[1, 2]`."""
    if isinstance(value, str):
        return value_of_word(value, schema, schema.types())
    if isinstance(value, list) and depth:
        items = schema.items()
        return [value_with_words(item, items, depth - 1) for item in value]
    if isinstance(value, dict) and depth:
        fields = schema.properties()
        return {
            name: value_with_words(item, fields[name], depth - 1) if name in fields else item
            for name, item in value.items()
        }
    return value


def value_of_word(text: str, schema: JsonSchema, types: frozenset[str]) -> object:
    """Return the value that a word means; the word itself if it can be a text, or nothing else."""
    if types == {"string"}:
        return text
    if text == "null" and "null" in types:
        return None
    for word in schema.words():
        if not isinstance(word, str) and text_of_word(word) == text:
            return word
    value = json_value(text)
    if isinstance(value, list | dict):
        kind = "array" if isinstance(value, list) else "object"
        if not types or kind in types:
            return value
    if "array" in types and "string" not in types:
        items = schema.items()
        return [value_of_word(text, items, items.types())]
    if isinstance(value, bool):
        return value if not types or "boolean" in types else text
    if value is None or isinstance(value, str | list | dict):
        return text
    return value if not types or types & {"integer", "number"} else text


def json_value(text: str) -> object:
    """Return the value of a word in JSON; None if it is none, and for a number such as `007`."""
    if not text or not (text[0] in JSON_STARTS or text[0] in "-0123456789tf"):
        return None
    try:
        return value_of_json(text)
    except ValueError:
        return None
