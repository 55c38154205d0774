"""Parameters of declared functions: their errors, and the command that they declare."""

from __future__ import annotations

from keysh.check.static_words import assigned_text, is_bare_null
from keysh.schema.arguments import UNKNOWN
from keysh.schema.function_commands import DeclaredParameter, declared_type, function_command
from keysh.schema.types import UnfitValue
from keysh.syntax import ast
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from keysh.check.report import CheckReport
    from keysh.schema.command import Command


def declared_command(
    name: str, body: Callable[..., object], parameters: Sequence[ast.Parameter]
) -> Command:
    """Return the command that binds a function's arguments; `body` stands for its body."""
    return function_command(name, body, map(declared_parameter, parameters))


def declared_parameter(parameter: ast.Parameter) -> DeclaredParameter:
    """Return a declared function's parameter; its default is unknown before the call."""
    return DeclaredParameter(
        parameter.name,
        parameter.type,
        is_nullable=parameter.nullable,
        is_rest=parameter.rest,
        default=ABSENT if parameter.default is None else None,
    )


def check_parameters(node: ast.Function, report: CheckReport) -> None:
    """Report parameters of a declared function that are duplicate or cannot be given."""
    seen: set[str] = set()
    rest: ast.Parameter | None = None
    for parameter in node.parameters or ():
        name, complaint, fix = parameter.name, "", ""
        if name in seen:
            complaint, fix = "two parameters have the same name", "give one of them another name"
        elif parameter.rest and rest is not None:
            complaint, fix = "there are two rest parameters", "declare only one of them"
        elif parameter.rest and parameter.default is not None:
            complaint = "a rest parameter has no default"
            fix = f"write `*{name}`"
        elif rest is not None and parameter.default is None:
            complaint = f"an option needs a default, and after `*{rest.name}` all are options"
            fix = f"write `{name} = …`, or declare it before `*{rest.name}`"
        if complaint:
            report.add("E307", parameter.start, parameter.end, complaint, f"`{name}`", fix)
        else:
            check_default(parameter, report)
        seen.add(name)
        rest = parameter if parameter.rest else rest


def check_default(parameter: ast.Parameter, report: CheckReport) -> None:
    """Report a default that does not fit the parameter's type."""
    default = parameter.default
    if default is None:
        return
    if parameter.nullable and is_bare_null(default):
        return
    kind = declared_type(DeclaredParameter(parameter.name, parameter.type))
    try:
        kind.accept(default_value(default))
    except UnfitValue as unfit:
        message = unfit.message_for(f"the default of {parameter.name}")
        report.add("E307", default.start, default.end, message)


def default_value(default: ast.Value) -> object:
    """Return a default as far as it is known; types do not look into literals."""
    if isinstance(default, ast.Word):
        text = assigned_text(default)
        return UNKNOWN if text is None else text
    return {} if isinstance(default, ast.Record) else []
