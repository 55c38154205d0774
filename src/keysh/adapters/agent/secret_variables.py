"""Remove secrets from the environment of a session.

Variables are judged by their names, not by their values: a secret under another name stays.
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
    """Return the variables whose names match no pattern or are listed in `keep`."""
    names_to_keep = frozenset(keep)
    return {
        name: value
        for name, value in env.items()
        if name in names_to_keep
        or not any(fnmatchcase(name.upper(), pattern) for pattern in patterns)
    }
