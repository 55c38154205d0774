"""What a host has changed in a state between two runs, taken over to another one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def with_changes_of(
    record: dict[str, Any], base: dict[str, Any], mine: dict[str, Any]
) -> dict[str, Any]:
    """Return a state's record with all that differs between `base` and `mine`.

    Variables, functions and whatever else has names are compared one by one.
    """
    return {key: merged_part(record.get(key), base.get(key), part) for key, part in mine.items()}


def merged_part(theirs: Any, base: Any, mine: Any) -> Any:
    """Return one part of a record: what was changed here, or else what is stored."""
    if mine == base:
        return theirs
    if not (is_named(theirs) and is_named(base) and is_named(mine)):
        return mine
    return as_before(mine, changed_names(by_name(theirs), by_name(base), by_name(mine)))


def is_named(part: Any) -> bool:
    """Whether a part consists of things with names: a record, or records with the key `name`."""
    return isinstance(part, dict) or (
        isinstance(part, list) and all(isinstance(item, dict) and "name" in item for item in part)
    )


def by_name(part: Any) -> dict[str, Any]:
    return part if isinstance(part, dict) else {item["name"]: item for item in part}


def as_before(part: Any, named: dict[str, Any]) -> Any:
    """Return things with names in the form of a part."""
    return named if isinstance(part, dict) else list(named.values())


def changed_names(
    theirs: dict[str, Any], base: dict[str, Any], mine: dict[str, Any]
) -> dict[str, Any]:
    """Return `theirs` with the changes from `base` to `mine`."""
    removed = base.keys() - mine.keys()
    changed = {
        name: value for name, value in mine.items() if name not in base or base[name] != value
    }
    kept = {name: value for name, value in theirs.items() if name not in removed}
    return {**kept, **changed}
