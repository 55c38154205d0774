"""ParameterType, the interface of all parameter types, and the types made from another one.

An annotation's text becomes one of them in annotations.py; the scalars are in types.py.
"""

from __future__ import annotations

from keysh.schema.arguments import UNKNOWN
from keysh.values import text_of, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


class UnfitValue(Exception):
    """A value that does not fit a type.

    must    what the value must be
    status  the command's exit status, if it differs from that of other usage errors
    fault   replaces {fault} in a command's own message
    reason  follows the message
    """

    status, fault, reason = 0, "invalid", ""

    def __init__(self, must: str, value: object) -> None:
        super().__init__(must, value)
        self.must, self.value = must, value

    def message_for(self, name: str) -> str:
        """Return "NAME must be X, but is Y"."""
        return f"{name} must be {self.must}, but is {value_description(self.value)}"


def value_description(value: object) -> str:
    """Return a value as messages show it."""
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, list | dict):
        return f"a {type_name(value)}"
    return text_of(value) if value is not None else "null"


class ParameterType:
    """The type of a parameter: it parses strings, takes values and describes itself.

    requirement       what a value must be, for messages: "a whole number"
    accepts_any_text  whether any string is a value, unchanged
    keeps_globs       whether a glob reaches the command unexpanded
    is_list           whether a value is a list that grows with each use of the option
    judges_list       whether it takes a list once more when all its words are read
    is_pair           whether two words make one value
    """

    __slots__ = (
        "is_list", "is_pair", "judges_list", "requirement", "name", "accepts_any_text",
        "keeps_globs",
    )  # fmt: skip

    def __init__(self, name: str, requirement: str, *, keeps_globs: bool = False) -> None:
        self.name, self.requirement = name, requirement
        self.keeps_globs, self.is_list, self.is_pair = keeps_globs, False, False
        self.judges_list = False
        self.accepts_any_text = self.__class__.parse is ParameterType.parse

    def judge_when_complete(self) -> None:
        """Take a list once more when all its words are read, if it has conditions on the whole."""

    def accept(self, value: object) -> Any:
        """Return an argument as a value of this type; raise UnfitValue."""
        if value.__class__ is str:
            return self.parse(value)
        return value if value is UNKNOWN else self.take(value)

    def parse(self, text: str) -> Any:
        """Return the value that a string means; raise UnfitValue."""
        return text

    def take(self, value: object) -> Any:
        """Return a non-string as a value of this type; raise UnfitValue."""
        if value is None or isinstance(value, list | dict):
            raise UnfitValue(self.requirement, value)
        try:
            return self.parse(text_of(value))
        except UnfitValue as unfit:
            raise UnfitValue(unfit.must, value) from None

    def schema(self) -> dict[str, Any]:
        """Return the type as JSON Schema."""
        return {"type": "string"}

    def candidates(self) -> list[str]:
        """Return the values that completion offers, if they can be listed."""
        return []

    def plain_value(self, value: Any) -> object:
        """Return a value of this type as JSON has it."""
        return value

    def takes_unchanged(self, value: object) -> bool:
        """Whether a value is one of this type as it stands."""
        try:
            taken = self.take(value)
        except UnfitValue:
            return False
        return taken.__class__ is value.__class__ and bool(taken == value)

    def __or__(self, other: object) -> ParameterType:
        if other is None:
            return OptionalType(self)
        return OptionalValueType(self) if other is bool else NotImplemented

    __ror__ = __or__


# ---------------------------------------------------------------- types made from another


class WrapperType(ParameterType):
    """A type made from another one."""

    __slots__ = ("inner",)

    def __init__(self, inner: ParameterType) -> None:
        super().__init__(inner.name, inner.requirement, keeps_globs=inner.keeps_globs)
        self.inner, self.is_list, self.is_pair = inner, inner.is_list, inner.is_pair

    def judge_when_complete(self) -> None:
        self.inner.judge_when_complete()
        self.judges_list = self.inner.judges_list

    def parse(self, text: str) -> Any:
        return self.inner.parse(text)

    def candidates(self) -> list[str]:
        return self.inner.candidates()

    def plain_value(self, value: Any) -> object:
        return None if value is None else self.inner.plain_value(value)


class ManyType(WrapperType):
    """`list[T]`: an option that may be repeated, or a list of values."""

    __slots__ = ()

    def __init__(self, inner: ParameterType) -> None:
        super().__init__(inner)
        self.name, self.is_list = f"list of {inner.name}", True

    def judge_when_complete(self) -> None:
        """Keep the items as they are: each is complete."""

    def parse(self, text: str) -> Any:
        return [self.inner.parse(text)]

    def take(self, value: object) -> Any:
        if isinstance(value, list):
            return [self.inner.accept(one) for one in value]
        return [self.inner.take(value)]

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.inner.schema()}

    def plain_value(self, value: Any) -> object:
        return [self.inner.plain_value(one) for one in value]


class OptionalType(WrapperType):
    """`T | None`."""

    __slots__ = ()

    def take(self, value: object) -> Any:
        return None if value is None else self.inner.take(value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self.inner.schema(), {"type": "null"}]}


class OptionalValueType(WrapperType):
    """`T | bool`: an option with an optional value, True without one: `--color[=WHEN]`."""

    __slots__ = ()

    def take(self, value: object) -> Any:
        return value if value.__class__ is bool else self.inner.take(value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "boolean"}, self.inner.schema()]}

    def plain_value(self, value: Any) -> object:
        return value if value.__class__ is bool else self.inner.plain_value(value)


class DescribedType(WrapperType):
    """`Annotated[T, "text"]`: a type, and what its parameter means."""

    __slots__ = ("text",)

    def __init__(self, inner: ParameterType, text: str) -> None:
        super().__init__(inner)
        self.text = text

    def take(self, value: object) -> Any:
        return self.inner.take(value)

    def schema(self) -> dict[str, Any]:
        return {**self.inner.schema(), "description": self.text}


class UnionType(ParameterType):
    """`A | B`: the first type that fits; one that takes any text comes after those that do not."""

    __slots__ = ("members",)

    def __init__(self, members: Iterable[ParameterType]) -> None:
        self.members = sorted(members, key=lambda one: (one.is_list, one.accepts_any_text))
        names = dict.fromkeys(one.name for one in self.members)
        requirements = dict.fromkeys(one.requirement for one in self.members)
        super().__init__(" or ".join(names), " or ".join(requirements))
        self.keeps_globs = any(one.keeps_globs for one in self.members)

    def parse(self, text: str) -> Any:
        return self._first_fit(text)

    def take(self, value: object) -> Any:
        for one in self.members:
            if one.takes_unchanged(value):
                return value
        return self._first_fit(value)

    def _first_fit(self, value: object) -> Any:
        for one in self.members:
            try:
                return one.accept(value)
            except UnfitValue:
                continue
        raise UnfitValue(self.requirement, value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [one.schema() for one in self.members]}

    def candidates(self) -> list[str]:
        return [word for one in self.members for word in one.candidates()]

    def plain_value(self, value: Any) -> object:
        for one in self.members:
            if one.takes_unchanged(value):
                return one.plain_value(value)
        return value
