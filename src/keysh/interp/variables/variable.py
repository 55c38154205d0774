"""Variables: attribute bits, initial values and the errors of forbidden operations."""

from __future__ import annotations

from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.values import ABSENT, ARRAYS, CONTAINERS, text_of, type_name, type_with_article

# ARRAY marks a variable that holds an array of sh, to whose first element `a=x` assigns.
EXPORTED, READONLY, INTEGER, LOWER, UPPER, REFERENCE, COMPUTED, DECLARED, ARRAY = (
    1 << at for at in range(9)
)
ATTRIBUTE_NAMES = {
    "exported": EXPORTED, "readonly": READONLY, "integer": INTEGER, "lower": LOWER, "upper": UPPER,
    "reference": REFERENCE, "computed": COMPUTED, "declared": DECLARED, "array": ARRAY,
}  # fmt: skip
# With one of these an assignment does more than store a value.
SPECIAL_ASSIGNMENT = READONLY | INTEGER | LOWER | UPPER | REFERENCE | COMPUTED | DECLARED | ARRAY

PROCESSOR, SYSTEM_TYPE = "x86_64", "linux-gnu"  # of the machine that scripts see, see machine.py
# What every shell starts with, unless its environment says otherwise; UID is an arbitrary user.
INITIAL_VARIABLES = {
    "PATH": "/usr/bin:/bin", "IFS": " \t\n", "OPTIND": 1, "OPTERR": 1, "PS4": "+ ",
    "PPID": 1, "UID": 1000, "EUID": 1000, "HOSTNAME": "localhost", "SHELL": "/bin/bash",
    "TERM": "dumb",
    "OSTYPE": SYSTEM_TYPE, "HOSTTYPE": PROCESSOR, "MACHTYPE": f"{PROCESSOR}-pc-{SYSTEM_TYPE}",
}  # fmt: skip


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class NameReference(str):
    """The value of a name reference, made by `declare -n`: the path it refers to."""

    __slots__ = ()


class AllKey(str):
    """The `@` or `*` of a path in the bash dialect: a key of a record, no index of a list."""

    __slots__ = ()


def is_array(value: object) -> bool:
    """Whether a value is a bash array, which is never exported."""
    return isinstance(value, ARRAYS)


def first_element(value: Any) -> Any:
    """Return the first element of an array, which is its value to sh; ABSENT if it has none."""
    if isinstance(value, dict):
        return value.get("0", ABSENT)
    return ABSENT if (position := value.position_of(0)) is None else value[position]


def first_key(value: object) -> object:
    """Return the key of the first element of an array."""
    return "0" if isinstance(value, dict) else 0


def refuse_export(name: str, value: object) -> None:
    """Raise E201 for a list or record, which cannot be exported."""
    if isinstance(value, CONTAINERS) and not is_array(value):
        raise RuntimeDiagnostic("E201", f"a {type_name(value)} cannot be exported", name,
                      f'{name}="$(tojson ${name})"')  # fmt: skip


def unbound_variable(name: str) -> RuntimeDiagnostic:
    """Return the error for an unset variable under `set -u`, which ends the run."""
    fix = f"give it a value, or ${{{name}:-}} for an empty one"
    return RuntimeDiagnostic("E209", "unset variable", name, fix, is_final=True)


def readonly_variable(name: str) -> RuntimeDiagnostic:
    """Return the error for an assignment to a readonly variable."""
    return RuntimeDiagnostic("E211", "readonly variable", name)


def missing_subscript(name: str, value: object) -> RuntimeDiagnostic:
    """Return the error for a bash array that is read without a subscript."""
    first = "0" if isinstance(value, list) else "key"
    fixes = f'${{{name}[{first}]}}, "${{{name}[@]}}" or $(tojson ${name})'
    return RuntimeDiagnostic("E311", "an array is read without a subscript", f"${name}", fixes)


def single_element_problem(mark: str) -> RuntimeDiagnostic:
    """Return E203 for `[@]` where one element is meant."""
    return RuntimeDiagnostic(
        "E203", "a single element is needed here", f"[{mark}]", "a key, or a number"
    )


def missing_element(value: Any, key: object, path: str) -> RuntimeDiagnostic:
    """Return E203 for a subscript without an element."""
    text = text_of(key)
    whole = f"{path}[{text}]"
    if isinstance(value, dict):
        from difflib import get_close_matches  # noqa: PLC0415 - only for an error

        near = get_close_matches(text, list(value), 1)
        fix = f"{path}[{near[0]}]" if near else f"${{{whole}:-default}}, or set {whole} first"
        return RuntimeDiagnostic("E203", "a key is missing", whole, fix)
    if isinstance(value, list):
        count = f"the list has {len(value)} element{'s' * (len(value) != 1)}"
        return RuntimeDiagnostic(
            "E203", "an index is out of range", whole, f"{count}; ${{{whole}:-default}}"
        )
    if isinstance(value, str):
        fix = f"${{{path}[{text}:{text}+1]}} for a character, or ${path} for the text"
        return RuntimeDiagnostic("E203", "a text has no elements", whole, fix)
    if value is None:
        return RuntimeDiagnostic(
            "E203", "the variable is not set", path, f"{path}=[] or {path}={{}}"
        )
    return RuntimeDiagnostic(
        "E203", f"{type_with_article(value)} has no elements", whole, f"${path}"
    )
