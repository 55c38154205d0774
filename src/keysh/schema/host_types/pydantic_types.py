"""Parameters that pydantic validates, where the host has imported it: models, and conditions.

keysh never imports pydantic; the module comes from the host.
"""

from __future__ import annotations

from keysh.schema.parameter_type import UnfitValue, WrapperType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.schema.parameter_type import ParameterType


class PydanticType(WrapperType):
    """A type whose values pydantic validates after keysh has read them."""

    __slots__ = ("_adapter",)

    def __init__(self, inner: ParameterType, annotation: Any, pydantic: Any, name: str) -> None:
        super().__init__(inner)
        self._adapter = pydantic.TypeAdapter(annotation)
        self.name = name

    def parse(self, text: str) -> Any:
        return self._validated_value(self.inner.parse(text), text)

    def take(self, value: object) -> Any:
        is_plain = value is None or isinstance(value, str | int | float | list | dict)
        return self._validated_value(self.inner.take(value) if is_plain else value, value)

    def _validated_value(self, value: object, shown: object) -> Any:
        try:
            return self._adapter.validate_python(value)
        except ValueError as invalid:  # pydantic's ValidationError
            first = invalid.errors()[0]  # type: ignore[attr-defined]
            place = ".".join(map(str, first["loc"]))
            fault = f"{place}: {first['msg']}" if place else first["msg"]
            raise UnfitValue(f"{self.requirement} ({fault})", shown) from None

    def schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = self._adapter.json_schema()
        return schema

    def plain_value(self, value: Any) -> object:
        plain: object = self._adapter.dump_python(value, mode="json")
        return plain
