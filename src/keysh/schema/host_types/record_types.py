"""Parameter types of records: `dict[str, T]`, and classes with fields such as dataclasses.

A word is a JSON object, or `key=value` pairs with commas between them: `width=3,height=4`.
"""

from __future__ import annotations

from keysh.diagnostics.suggestions import closest_names
from keysh.schema.parameter_type import ParameterType, UnfitValue
from keysh.schema.types import RECORD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def record_of_text(text: str, requirement: str) -> dict[str, Any]:
    """Return the record that a word means; raise UnfitValue."""
    if text.lstrip()[:1] == "{":
        record: dict[str, Any] = RECORD.parse(text)
        return record
    record = {}
    for pair in text.split(",") if text else ():
        key, equals, value = pair.partition("=")
        if not key or not equals or key in record:
            raise UnfitValue(requirement, text)
        record[key] = value
    return record


class MappingType(ParameterType):
    """`dict[str, T]`."""

    __slots__ = ("inner",)

    def __init__(self, inner: ParameterType) -> None:
        self.inner = inner
        super().__init__(f"record of {inner.name}", "a record, as key=value,key=value or as JSON")

    def parse(self, text: str) -> Any:
        return self._accept_values(record_of_text(text, self.requirement), text)

    def take(self, value: object) -> Any:
        if not isinstance(value, dict):
            raise UnfitValue(self.requirement, value)
        return self._accept_values(value, value)

    def _accept_values(self, record: dict[str, Any], shown: object) -> dict[str, Any]:
        values = {}
        for key, value in record.items():
            try:
                values[key] = self.inner.accept(value)
            except UnfitValue as unfit:
                raise UnfitValue(f"a record whose {key} is {unfit.must}", shown) from None
        return values

    def schema(self) -> dict[str, Any]:
        inner = self.inner.schema()
        return {"type": "object", **({"additionalProperties": inner} if inner else {})}

    def plain_value(self, value: Any) -> object:
        return {key: self.inner.plain_value(one) for key, one in value.items()}


class RecordField:
    """A field of a class: its type, and whether a record may lack it."""

    __slots__ = ("is_optional", "type")

    def __init__(self, type: ParameterType, *, is_optional: bool) -> None:
        self.type, self.is_optional = type, is_optional


class FieldsType(ParameterType):
    """A class with fields: a dataclass, a named tuple or a `TypedDict`."""

    __slots__ = ("cls", "fields")

    def __init__(self, cls: Any, fields: Mapping[str, RecordField]) -> None:
        self.cls, self.fields = cls, fields
        example = ",".join(f"{name}=…" for name in fields)
        super().__init__(cls.__name__, f"a {cls.__name__}, as {example} or as JSON")

    def parse(self, text: str) -> Any:
        return self._make_object(record_of_text(text, self.requirement), text)

    def take(self, value: object) -> Any:
        if self.cls.__base__ is not dict and isinstance(value, self.cls):
            return value
        if not isinstance(value, dict):
            raise UnfitValue(self.requirement, value)
        return self._make_object(value, value)

    def _make_object(self, record: dict[str, Any], shown: object) -> Any:
        name, values = self.cls.__name__, {}
        for key, value in record.items():
            if key not in self.fields:
                near = closest_names(key, self.fields, 1)
                hint = f" (did you mean {near[0]}?)" if near else ""
                raise UnfitValue(f"a {name}, which has no {key}{hint}", shown)
            try:
                values[key] = self.fields[key].type.accept(value)
            except UnfitValue as unfit:
                raise UnfitValue(f"a {name} whose {key} is {unfit.must}", shown) from None
        for key, field in self.fields.items():
            if key not in values and not field.is_optional:
                raise UnfitValue(f"a {name} with {key}", shown)
        try:
            return self.cls(**values)
        except Exception as error:  # noqa: BLE001 - `__post_init__` of a host may raise anything
            reason = str(error) if isinstance(error, ValueError) else type(error).__name__
            raise UnfitValue(f"a {name} ({reason})", shown) from None

    def schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {name: field.type.schema() for name, field in self.fields.items()},
            "required": [name for name, field in self.fields.items() if not field.is_optional],
            "additionalProperties": False,
        }

    def plain_value(self, value: Any) -> object:
        has_keys = isinstance(value, dict)
        return {
            name: field.type.plain_value(value[name] if has_keys else getattr(value, name))
            for name, field in self.fields.items()
            if not has_keys or name in value
        }
