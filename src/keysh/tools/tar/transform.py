"""Transform: expressions as of sed's `s`, which change members' names and links' targets."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.text.regex.regex import RegexError, regex_of
from keysh.text.shell_numbers import is_digits
from keysh.tools.sed.replacement import parse_replacement
from keysh.tools.sed.script import SedSubstitution
from keysh.tools.sed.substitute import substitute_matches
from keysh.tools.tar.names import FATAL_STATUS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.call import Call
    from keysh.text.regex.regex import Regex

MEMBER_SCOPE, SYMLINK_SCOPE, HARD_LINK_SCOPE = (
    "r",
    "s",
    "h",
)  # what an expression is for, as its flags say
ALL_SCOPES = MEMBER_SCOPE + SYMLINK_SCOPE + HARD_LINK_SCOPE


class Transform:
    """One `s/…/…/`."""

    __slots__ = ("_regex", "_substitution", "scopes")

    def __init__(self, regex: Regex, what: SedSubstitution, scopes: frozenset[str]) -> None:
        self._regex, self._substitution, self.scopes = regex, what, scopes

    def apply_to(self, sh: Call, name: str) -> str:
        """The changed name."""
        made = substitute_matches(self._substitution, self._regex, name, sh.tick)
        return name if made is None else made


def transformed_name(sh: Call, transforms: Sequence[Transform], name: str, scope: str) -> str:
    """A name after all expressions that are for its kind."""
    for one in transforms:
        if scope in one.scopes:
            name = one.apply_to(sh, name)
    return name


def parse_transforms(text: str) -> list[Transform]:
    """The expressions of a text, which `;` separates; `flags=` is for those behind it."""
    made: list[Transform] = []
    usual = frozenset(ALL_SCOPES)
    at = 0
    while at < len(text):
        if text.startswith("flags=", at):
            end = text.find(";", at)
            end = len(text) if end < 0 else end
            usual = scopes_of(usual, text[at + len("flags=") : end], "transform flag")
            at = end + 1
            continue
        if text[at] != "s" or at + 1 == len(text):
            raise transform_error("Invalid transform expression")
        mark = text[at + 1]
        pattern, at = read_part(text, at + 2, mark)
        by, at = read_part(text, at, mark)
        end = text.find(";", at)
        end = len(text) if end < 0 else end
        made.append(build_transform(pattern, by, text[at:end], usual))
        at = end + 1
    return made


def read_part(text: str, at: int, mark: str) -> tuple[str, int]:
    """What stands before the next delimiter, and where it ends; a backslash hides one."""
    start = at
    while at < len(text):
        if text[at] == mark:
            return text[start:at], at + 1
        at += 1 + (text[at] == "\\")
    raise transform_error("Invalid transform expression")


def build_transform(pattern: str, by: str, flags: str, usual: frozenset[str]) -> Transform:
    """The expression of its three parts."""
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
    found = scopes_of(usual, scopes, "flag in transform expression")
    try:
        regex = regex_of(pattern, syntax, ignore_case=ignores_case)
    except RegexError as error:
        raise transform_error(f"Invalid transform expression: {error.message}") from None
    what = SedSubstitution(regex, parse_replacement(by))
    if what.replacement.groups > regex.groups:
        raise transform_error("Invalid transform replacement: back reference out of range")
    what.is_global, what.number = is_global, int(number[:9] or 1)
    return Transform(regex, what, found)


def scopes_of(scopes: frozenset[str], flags: str, what: str) -> frozenset[str]:
    """What an expression is for: a small letter adds, a capital takes away."""
    for flag in flags:
        if flag.lower() not in ALL_SCOPES:
            raise transform_error(f"Unknown {what}: {flag}")
        scopes = scopes | {flag} if flag in ALL_SCOPES else scopes - {flag.lower()}
    return scopes


def transform_error(says: str) -> UsageFailure:
    """The exception for an expression that is none."""
    return UsageFailure(says, status=FATAL_STATUS)
