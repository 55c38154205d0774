"""Patterns of paths: `/repo/*.py`, `/repo/.git/**`, `**/.env`.

*  ?  […]   within one name
**          any number of names, also none: `/repo/**` is /repo and all that is in it
"""

from __future__ import annotations

from keysh.rules.compared_names import folded_name, has_pattern, name_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    NameTest = Callable[[str], bool]

ANY_NAMES = "**"


def steps_of(path: str) -> list[str]:
    """Return the names of a path; none for the root."""
    return [step for step in path.split("/") if step]


class PathPattern:
    """The steps of one pattern. `head` are the names that it begins with; `rest` is what follows.

    A step of `rest` is None for `**`.
    """

    __slots__ = ("head", "is_folded", "rest")

    def __init__(self, text: str, *, is_folded: bool) -> None:
        steps = steps_of(text)
        if "." in steps or ".." in steps:
            raise ValueError(f"a path in a rule must be without . and .., but is {text!r}")
        if not (text.startswith("/") or steps[:1] == [ANY_NAMES]):
            raise ValueError(
                f"a path in a rule must begin with / or **/, but is {text!r}; write **/{text}"
            )
        self.is_folded = is_folded
        count = next((at for at, step in enumerate(steps) if has_pattern(step)), len(steps))
        self.head = tuple(folded_name(step) if is_folded else step for step in steps[:count])
        self.rest: tuple[NameTest | None, ...] = tuple(
            None if step == ANY_NAMES else name_test(step, is_folded=is_folded)
            for step in steps[count:]
        )

    def matches(self, names: Sequence[str]) -> bool:
        """Whether the pattern matches a path of these names, folded if it is."""
        count = len(self.head)
        return tuple(names[:count]) == self.head and matches_rest(self.rest, names[count:])


def matches_rest(tests: Sequence[NameTest | None], names: Sequence[str]) -> bool:
    """Whether steps of a pattern match all names. The time grows with both, never faster."""
    if not tests:
        return not names
    if tests == (None,):
        return True
    reached = with_empty_matches(tests, {0})
    for name in names:
        following: set[int] = set()
        for at in reached:
            if at == len(tests):
                continue
            test = tests[at]
            if test is None:
                following.add(at)
            elif test(name):
                following.add(at + 1)
        if not following:
            return False
        reached = with_empty_matches(tests, following)
    return len(tests) in reached


def with_empty_matches(tests: Sequence[NameTest | None], places: set[int]) -> set[int]:
    """Return the places that are reached, also those behind a `**` that matches no name."""
    for at in sorted(places):
        while at < len(tests) and tests[at] is None:
            at += 1
            places.add(at)
    return places
