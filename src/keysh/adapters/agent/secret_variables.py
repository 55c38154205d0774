"""The environment of a session, without what looks like a secret.

It is a name that is looked at, not a value: a secret by another name is not found.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SECRETS = ("*_TOKEN", "*_KEY", "*SECRET*", "*PASSWORD*")


def without_secrets(
    env: Mapping[str, str], *, keep: Iterable[str] = (), patterns: Iterable[str] = SECRETS
) -> dict[str, str]:
    """The variables without those whose names fit a pattern, but for those to keep."""
    kept = frozenset(keep)
    return {
        name: value
        for name, value in env.items()
        if name in kept or not any(fnmatchcase(name.upper(), pattern) for pattern in patterns)
    }
