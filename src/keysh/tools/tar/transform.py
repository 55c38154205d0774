"""Transform member names and link targets by expressions like sed's `s` (--transform)."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.text.regex.regex import RegexError, regex_of
from keysh.text.shell_numbers import is_digits
from keysh.tools.sed.replacement import parse_replacement
from keysh.tools.sed.script import SedSubstitution
from keysh.tools.sed.substitute import substitute_matches
from keysh.tools.tar.safe_names import FATAL_STATUS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.call import Call
    from keysh.text.regex.regex import Regex

# The flags for what an expression changes.
MEMBER_SCOPE, SYMLINK_SCOPE, HARD_LINK_SCOPE = "r", "s", "h"
ALL_SCOPES = MEMBER_SCOPE + SYMLINK_SCOPE + HARD_LINK_SCOPE


class Transform:
    """One expression `s/…/…/`."""

    __slots__ = ("_regex", "_substitution", "scopes")

    def __init__(self, regex: Regex, substitution: SedSubstitution, scopes: frozenset[str]) -> None:
        self._regex, self._substitution, self.scopes = regex, substitution, scopes

    def apply_to(self, sh: Call, name: str) -> str:
        """Return the changed name."""
        result = substitute_matches(self._substitution, self._regex, name, sh.tick)
        return name if result is None else result


def transformed_name(sh: Call, transforms: Sequence[Transform], name: str, scope: str) -> str:
    """Return a name after all expressions for its scope."""
    for transform in transforms:
        if scope in transform.scopes:
            name = transform.apply_to(sh, name)
    return name


def parse_transforms(text: str) -> list[Transform]:
    """Parse expressions separated by `;`; `flags=` sets the scopes of those after it."""
    transforms: list[Transform] = []
    default_scopes = frozenset(ALL_SCOPES)
    position = 0
    while position < len(text):
        if text.startswith("flags=", position):
            end = text.find(";", position)
            end = len(text) if end < 0 else end
            default_scopes = scopes_of(
                default_scopes, text[position + len("flags=") : end], "transform flag"
            )
            position = end + 1
            continue
        if text[position] != "s" or position + 1 == len(text):
            raise transform_error("Invalid transform expression")
        delimiter = text[position + 1]
        pattern, position = read_part(text, position + 2, delimiter)
        replacement, position = read_part(text, position, delimiter)
        end = text.find(";", position)
        end = len(text) if end < 0 else end
        transforms.append(build_transform(pattern, replacement, text[position:end], default_scopes))
        position = end + 1
    return transforms


def read_part(text: str, position: int, mark: str) -> tuple[str, int]:
    """Return the text up to the next unescaped delimiter, and where it ends."""
    start = position
    while position < len(text):
        if text[position] == mark:
            return text[start:position], position + 1
        position += 1 + (text[position] == "\\")
    raise transform_error("Invalid transform expression")


def build_transform(
    pattern: str, replacement: str, flags: str, default_scopes: frozenset[str]
) -> Transform:
    """Build an expression from its three parts."""
    syntax, ignores_case, number, scopes = "basic", False, "", ""
    is_global = False
    for flag in flags:
        if flag == "g":
            is_global = True
        elif flag == "i":
            ignores_case = True
        elif flag == "x":
            syntax = "extended"
        elif is_digits(flag):
            number += flag
        else:
            scopes += flag
    applied_scopes = scopes_of(default_scopes, scopes, "flag in transform expression")
    try:
        regex = regex_of(pattern, syntax, ignore_case=ignores_case)
    except RegexError as error:
        raise transform_error(f"Invalid transform expression: {error.message}") from None
    substitution = SedSubstitution(regex, parse_replacement(replacement))
    if substitution.replacement.groups > regex.groups:
        raise transform_error("Invalid transform replacement: back reference out of range")
    substitution.is_global, substitution.number = is_global, int(number[:9] or 1)
    return Transform(regex, substitution, applied_scopes)


def scopes_of(scopes: frozenset[str], flags: str, kind: str) -> frozenset[str]:
    """Apply flags to scopes: a small letter adds one, a capital removes it."""
    for flag in flags:
        if flag.lower() not in ALL_SCOPES:
            raise transform_error(f"Unknown {kind}: {flag}")
        scopes = scopes | {flag} if flag in ALL_SCOPES else scopes - {flag.lower()}
    return scopes


def transform_error(message: str) -> UsageFailure:
    """Return the usage error for an invalid expression."""
    return UsageFailure(message, status=FATAL_STATUS)
