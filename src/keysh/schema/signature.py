"""The signature of a function: the parameters of its command, and where it receives the call.

A plain function is read from its code, which costs little. Methods, partial functions, wrapped ones
and callable objects are read by `callables`, with `inspect`.
"""

from __future__ import annotations

from keysh.schema.annotations import UnknownType, type_of_annotation
from keysh.schema.command import CommandParameter
from keysh.schema.parameter_type import DescribedType, OptionalType, OptionalValueType, UnionType
from keysh.schema.types import ANY, BOOL, RAW, UnfitValue
from keysh.values import ABSENT, value_of_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeAlias

    from keysh.schema.parameter_type import ParameterType

    # A parameter's name, role, annotation (or None) and default (or ABSENT).
    ParameterRow: TypeAlias = tuple[str, str, object, object]

# Flags of a code object: `*args`, `**kwargs`.
VARIADIC_CODE_FLAG, KEYWORDS_CODE_FLAG = 0x04, 0x08
CALL_CLASS, CALL_NAME = "Call", "sh"
OBJECT_NAMES = ("self", "cls")  # what methods call the object that they belong to


class SignatureError(Exception):
    """A parameter that no command can have: its name, and what is wrong with it, with the fix."""


class FunctionSignature:
    """What a function says of its command.

    function       what a command calls
    code_flags     of its code: whether it is a generator, or asynchronous
    parameters     those of the command, the call left out
    call_place     the call's index among the positional parameters, or its keyword; None if the
                   function receives no call
    is_own         whether it is keysh's own: it receives the call first, and describes all
    is_unbound     whether it is a method, which needs its object
    hidden_names   the names that a docstring may describe and a call cannot give: of the call, and
                   of what is bound already
    """

    __slots__ = (
        "call_place", "code_flags", "doc", "function", "hidden_names", "is_own", "is_unbound",
        "name", "parameters", "returns",
    )  # fmt: skip

    def __init__(
        self,
        function: Any,
        rows: Sequence[ParameterRow],
        *,
        names: Mapping[str, object],
        name: str,
        doc: str,
        code_flags: int,
        returns: object,
        hidden_names: Sequence[str] = (),
        is_own: bool = False,
        is_unbound: bool = False,
    ) -> None:
        self.function, self.name, self.doc = function, name, doc
        self.code_flags, self.returns, self.is_unbound = code_flags, returns, is_unbound
        self.is_own = is_own
        self.call_place = place = 0 if is_own else call_place(rows, names)
        call_name = "" if place is None else place if isinstance(place, str) else rows[place][0]
        self.hidden_names = (*hidden_names, call_name)
        self.parameters = [
            command_parameter(row, names) for row in rows if row[0] != call_name
        ]  # fmt: skip

    @property
    def receives_call_first(self) -> bool:
        """Whether the function is called as commands are: with the call, then the arguments."""
        return self.call_place == 0 and self.call_place.__class__ is int


def signature_of_code(function: Any) -> FunctionSignature:
    """Return the signature of a plain function; raise SignatureError."""
    rows, owner = code_rows(function), function.__qualname__.rpartition(".")[0]
    is_unbound = (
        bool(owner) and not owner.endswith("<locals>")
        and bool(rows) and rows[0][0] in OBJECT_NAMES and rows[0][2] is None
    )  # fmt: skip
    return FunctionSignature(
        function, rows[is_unbound:], names=function.__globals__,
        name=function.__name__, doc=function.__doc__ or "", code_flags=function.__code__.co_flags,
        returns=function.__annotations__.get("return"), is_unbound=is_unbound,
        is_own=(function.__module__ or "").startswith("keysh."),
    )  # fmt: skip


def code_rows(function: Any) -> list[ParameterRow]:
    """Return the parameters of a plain function; `*files` follows the positional ones."""
    code = function.__code__
    count, only, names = code.co_argcount, code.co_kwonlyargcount, code.co_varnames
    rest = count + only
    if code.co_flags & KEYWORDS_CODE_FLAG:
        refuse_keywords(names[rest + bool(code.co_flags & VARIADIC_CODE_FLAG)])
    positional = function.__defaults__ or ()
    defaults = dict(zip(names[count - len(positional) : count], positional, strict=True))
    defaults.update(function.__kwdefaults__ or {})
    annotations = function.__annotations__
    rows: list[ParameterRow] = []
    for i, name in enumerate(names[:rest]):
        role = "option" if i >= count else "text" if i < code.co_posonlyargcount else "operand"
        rows.append((name, role, annotations.get(name), defaults.get(name, ABSENT)))
    if code.co_flags & VARIADIC_CODE_FLAG:
        rows.insert(count, (names[rest], "rest", annotations.get(names[rest]), ABSENT))
    return rows


def refuse_keywords(name: str) -> None:
    """Raise SignatureError for `**options`, whose names nobody knows."""
    raise SignatureError(f"`**{name}` cannot be declared; name each option, or take a dict")


# ---------------------------------------------------------------- the call


def call_place(rows: Sequence[ParameterRow], names: Mapping[str, object]) -> int | str | None:
    """Return where a function receives the call: the parameter annotated as `Call`.

    Without one it is a first parameter `sh` that is not annotated, or annotated as any object.
    """
    place: int | str | None = None
    for index, (name, role, annotation, _) in enumerate(rows):
        if annotation is None or not is_call_class(annotation, names):
            continue
        if place is not None or role == "rest":
            raise SignatureError(f"{name} is a second call; one parameter receives the call")
        place = name if role == "option" else index
    if place is None and rows and rows[0][:2] in ((CALL_NAME, "operand"), (CALL_NAME, "text")):
        annotation = rows[0][2]
        if annotation in (None, object, "object", "Any", "typing.Any"):
            return 0
    return place


def is_call_class(annotation: object, names: Mapping[str, object]) -> bool:
    """Whether an annotation means `keysh.Call`, also one imported for type checkers alone."""
    if isinstance(annotation, str):
        text = annotation.strip("'\"")
        if text.rpartition(".")[2] != CALL_CLASS:
            return False
        found: Any = names.get(text.partition(".")[0], ABSENT)
        for step in text.split(".")[1:]:
            found = getattr(found, step, ABSENT)
        if found is ABSENT:
            return True
        annotation = found
    names_call = getattr(annotation, "__name__", "") == CALL_CLASS
    return names_call and getattr(annotation, "__module__", "") == "keysh"


# ---------------------------------------------------------------- parameters


def command_parameter(row: ParameterRow, names: Mapping[str, object]) -> CommandParameter:
    """Return a parameter with its type and default."""
    name, role, annotation, default = row
    try:
        if annotation is None:
            type_ = type_of_default(default)
        else:
            type_ = type_of_annotation(annotation, names)
    except UnknownType as unknown:
        raise SignatureError(f"{name} has no parameter type: {unknown}") from None
    except RecursionError:
        raise SignatureError(f"{name} has a type that contains itself; use Json") from None
    text = ""
    if isinstance(type_, DescribedType):
        text, type_ = type_.text, type_.inner
    if isinstance(type_, OptionalValueType) and (role != "option" or default is not False):
        type_ = UnionType((BOOL, type_.inner))  # no option whose value may be left out
    if default is None and not isinstance(type_, OptionalType) and type_ is not ANY:
        type_ = OptionalType(type_)
    type_.judge_when_complete()
    parameter = CommandParameter(name, type_, default, role)
    parameter.help = text
    if not parameter.key or (role == "option" and name.startswith("_")):
        raise SignatureError(f"{name} is no name that a word can give; rename the parameter")
    if complaint := type_complaint(parameter):
        raise SignatureError(f"{name} {complaint}")
    return parameter


def type_of_default(default: object) -> ParameterType:
    """Return the type of a parameter that is not annotated: that of its default, or any."""
    if default is ABSENT or default is None:
        return ANY
    try:
        return type_of_annotation(default.__class__, {})
    except UnknownType:
        return ANY


def type_complaint(parameter: CommandParameter) -> str:
    """Return what is wrong with a parameter's type or default; empty if nothing is."""
    type_, default, role = parameter.type, parameter.default, parameter.role
    if RAW in (type_, getattr(type_, "inner", None)):
        is_rest = type_ is RAW and role == "rest"
        return "" if is_rest else "is Raw, which only `*words: Raw` can be"
    if role == "rest":
        is_one = not (type_.is_list or isinstance(type_, OptionalType | OptionalValueType))
        return "" if is_one else "takes any number of operands; its type is that of one"
    if default is ABSENT or default is None or type_ is ANY:
        return ""
    value = list(default) if type_.is_list and isinstance(default, tuple) else default
    try:
        fits = type_.take(value) == value
        value_of_python(type_.plain_value(value))
    except (UnfitValue, TypeError):
        fits = False
    return "" if fits else f"is {default!r} by default, but must be {type_.requirement}"
