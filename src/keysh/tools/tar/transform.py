"""Transform: expressions as of sed's `s`, which change members' names and links' targets."""

from __future__ import annotations

from keysh.interp.state.call import BadCall
from keysh.text.regex.regex import RegexError, regex_of
from keysh.text.shell_numbers import is_digits
from keysh.tools.sed.replacement import replacement
from keysh.tools.sed.script import Substitution
from keysh.tools.sed.substitute import substituted
from keysh.tools.tar.names import FATAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.call import Call
    from keysh.text.regex.regex import Regex

NAMES, SYMLINKS, LINKS = "r", "s", "h"  # what an expression is for, as its flags say
ALL = NAMES + SYMLINKS + LINKS


class Transform:
    """One `s/…/…/`."""

    __slots__ = ("_regex", "_what", "scopes")

    def __init__(self, regex: Regex, what: Substitution, scopes: frozenset[str]) -> None:
        self._regex, self._what, self.scopes = regex, what, scopes

    def applied(self, sh: Call, name: str) -> str:
        """The changed name."""
        made = substituted(self._what, self._regex, name, sh.tick)
        return name if made is None else made


def transformed(sh: Call, transforms: Sequence[Transform], name: str, scope: str) -> str:
    """A name after all expressions that are for its kind."""
    for one in transforms:
        if scope in one.scopes:
            name = one.applied(sh, name)
    return name


def transforms_in(text: str) -> list[Transform]:
    """The expressions of a text, which `;` separates; `flags=` is for those behind it."""
    made: list[Transform] = []
    usual = frozenset(ALL)
    at = 0
    while at < len(text):
        if text.startswith("flags=", at):
            end = text.find(";", at)
            end = len(text) if end < 0 else end
            usual = scopes_of(usual, text[at + len("flags=") : end], "transform flag")
            at = end + 1
            continue
        if text[at] != "s" or at + 1 == len(text):
            raise refused("Invalid transform expression")
        mark = text[at + 1]
        pattern, at = part(text, at + 2, mark)
        by, at = part(text, at, mark)
        end = text.find(";", at)
        end = len(text) if end < 0 else end
        made.append(expression(pattern, by, text[at:end], usual))
        at = end + 1
    return made


def part(text: str, at: int, mark: str) -> tuple[str, int]:
    """What stands before the next delimiter, and where it ends; a backslash hides one."""
    start = at
    while at < len(text):
        if text[at] == mark:
            return text[start:at], at + 1
        at += 1 + (text[at] == "\\")
    raise refused("Invalid transform expression")


def expression(pattern: str, by: str, flags: str, usual: frozenset[str]) -> Transform:
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
        raise refused(f"Invalid transform expression: {error.message}") from None
    what = Substitution(regex, replacement(by))
    if what.replacement.groups > regex.groups:
        raise refused("Invalid transform replacement: back reference out of range")
    what.is_global, what.number = is_global, int(number[:9] or 1)
    return Transform(regex, what, found)


def scopes_of(scopes: frozenset[str], flags: str, what: str) -> frozenset[str]:
    """What an expression is for: a small letter adds, a capital takes away."""
    for flag in flags:
        if flag.lower() not in ALL:
            raise refused(f"Unknown {what}: {flag}")
        scopes = scopes | {flag} if flag in ALL else scopes - {flag.lower()}
    return scopes


def refused(says: str) -> BadCall:
    """The exception for an expression that is none."""
    return BadCall(says, status=FATAL)
