"""A rule: what it is about, what it decides, and its examples."""

from __future__ import annotations

from urllib.parse import unquote

from keysh.rules.compared_names import folded_name, has_pattern, name_test
from keysh.rules.host_pattern import RuleHost
from keysh.rules.path_pattern import PathPattern, steps_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from keysh.rules.decision import Action, Decision

    Words = Sequence[str | None]

ANY_WORDS = "..."  # any number of arguments, also none


class Rule:
    """A rule. `title` names it in messages; `subject` says to what acts it applies."""

    __slots__ = ("decision", "match", "not_match", "reason", "subject", "title")

    def __init__(
        self,
        title: str,
        subject: Subject,
        decision: Decision,
        reason: str = "",
        match: Sequence[str] = (),
        not_match: Sequence[str] = (),
    ) -> None:
        self.title, self.subject, self.decision, self.reason = title, subject, decision, reason
        self.match, self.not_match = tuple(match), tuple(not_match)

    def __repr__(self) -> str:
        return f"<Rule {self.title} {self.decision}>"


# ---------------------------------------------------------------- commands


class CommandSubject:
    """Commands by their name and arguments.

    A name without a slash means the command in any directory.
    """

    __slots__ = (
        "_arguments", "_is_folded", "_is_open", "_names", "_prefix", "first", "names",
    )  # fmt: skip

    def __init__(
        self, names: Sequence[str], arguments: Sequence[str] | None, *, is_folded: bool
    ) -> None:
        self._is_folded = is_folded
        self._names = [(name_test(name, is_folded=is_folded), "/" in name) for name in names]
        # For the index: each name without a pattern and without a directory, and the first
        # argument if it is one word.
        self.names = [
            folded_name(name) for name in names if not has_pattern(name) and "/" not in name
        ]
        if len(self.names) < len(names):
            self.names = []
        self.first = ""
        if arguments and arguments[0] != ANY_WORDS and not has_pattern(arguments[0]):
            self.first = arguments[0]
        self._arguments: list[Callable[[str], bool] | None] | None = None
        if arguments is not None:
            self._arguments = [
                None if one == ANY_WORDS else name_test(one, is_folded=False) for one in arguments
            ]
        # The tests of a list in which `...` stands at most at the end; whether it does.
        tests = self._arguments or []
        self._is_open = bool(tests) and tests[-1] is None
        prefix = tests[:-1] if self._is_open else tests
        self._prefix: list[Callable[[str], bool]] | None = [
            test for test in prefix if test is not None
        ]
        if None in prefix:
            self._prefix = None

    def has_name(self, name: str) -> bool:
        """Whether a command of this name may be meant."""
        if self._is_folded:
            name = folded_name(name)
            if self.names:
                return name.rpartition("/")[2] in self.names
        base = name.rpartition("/")[2]
        return any(test(name if has_slash else base) for test, has_slash in self._names)

    def matches(self, words: Words) -> bool | None:
        """Whether a command is meant; None if that depends on words that are not known."""
        if words[0] is None:
            return None
        if not self.has_name(words[0]):
            return False
        tests = self._arguments
        if tests is None:
            return True
        if self._prefix is not None and None not in words:  # half the time of the general way
            count = len(self._prefix)
            if len(words) <= count or (not self._is_open and len(words) > count + 1):
                return False
            return all(test(words[at] or "") for at, test in enumerate(self._prefix, 1))
        return arguments_match(tests, words[1:])


def arguments_match(tests: Sequence[Callable[[str], bool] | None], words: Words) -> bool | None:
    """Whether arguments match; None if it depends on a word that is not known.

    A word that is not known may become any number of words.
    """
    count = len(tests)
    certain, possible = reached_by_nothing(tests, {0}), reached_by_nothing(tests, {0})
    for word in words:
        if word is None:
            certain = {at for at in certain if at < count and tests[at] is None}
            possible = set(range(min(possible), count + 1))
        else:
            certain = reached_by_word(tests, certain, word)
            possible = reached_by_word(tests, possible, word)
            if not possible:
                return False
        certain = reached_by_nothing(tests, certain)
    if count in certain:
        return True
    return None if count in possible else False


def reached_by_word(
    tests: Sequence[Callable[[str], bool] | None], places: set[int], word: str
) -> set[int]:
    """Return the places in a rule's arguments that one more word leads to."""
    following: set[int] = set()
    for at in places:
        if at < len(tests):
            test = tests[at]
            if test is None:
                following.add(at)
            elif test(word):
                following.add(at + 1)
    return reached_by_nothing(tests, following)


def reached_by_nothing(tests: Sequence[Callable[[str], bool] | None], places: set[int]) -> set[int]:
    """Return the places, and those behind each `...` that matches no word."""
    for at in sorted(places):
        while at < len(tests) and tests[at] is None:
            at += 1
            places.add(at)
    return places


# ---------------------------------------------------------------- files, requests, variables


class PathSubject:
    """Files by their resolved paths, and what is done with them."""

    __slots__ = ("actions", "patterns")

    def __init__(self, paths: Sequence[str], actions: Sequence[Action], *, is_folded: bool) -> None:
        self.patterns = [PathPattern(path, is_folded=is_folded) for path in paths]
        self.actions = frozenset(actions)

    def matches(self, action: Action, path: str) -> bool:
        """Whether something that is done with a path is meant."""
        if action not in self.actions:
            return False
        names = steps_of(path)
        folded = [folded_name(name) for name in names]
        return any(one.matches(folded if one.is_folded else names) for one in self.patterns)


class HostSubject:
    """Requests by method, host and path.

    A server may read a path in several ways: as it is, with `%61` as `a`, without `//` and `..`.
    A rule that allows must match all of them, and one that asks or denies any of them.
    """

    __slots__ = ("_is_folded", "_methods", "_paths", "hosts")

    def __init__(
        self,
        hosts: Sequence[str],
        methods: Sequence[str],
        paths: Sequence[str],
        *,
        is_folded: bool,
    ) -> None:
        self._is_folded = is_folded
        self.hosts = [RuleHost(host, is_folded=is_folded) for host in hosts]
        self._methods = frozenset(method.upper() for method in methods)
        self._paths = [PathPattern(path, is_folded=is_folded) for path in paths]

    def matches(self, method: str, host: str, port: int, path: str) -> bool:
        """Whether a request is meant."""
        return (
            (not self._methods or method.upper() in self._methods)
            and any(one.matches(host, port) for one in self.hosts)
            and self._has_path(path)
        )

    def matches_address(self, method: str, address: str, port: int, path: str) -> bool:
        """Whether a request is meant because its host has an address that the rule names."""
        return (
            (not self._methods or method.upper() in self._methods)
            and any(one.is_address and one.matches(address, port) for one in self.hosts)
            and self._has_path(path)
        )

    def _has_path(self, path: str) -> bool:
        if not self._paths:
            return True
        found = [
            any(one.matches(names) for one in self._paths)
            for names in readings_of(path, is_folded=self._is_folded)
        ]
        return any(found) if self._is_folded else all(found)


def readings_of(url_path: str, *, is_folded: bool) -> list[list[str]]:
    """Return the names of a path of a URL, for each way in which a server may read it."""
    path = url_path.partition("?")[0].partition("#")[0]
    decoded = unquote(path)
    twice = unquote(decoded)
    readings = []
    for text in dict.fromkeys((path, decoded, twice)):
        names = steps_of(text)
        kept: list[str] = []
        for name in steps_of(text.replace("\\", "/")):
            step = name.partition(";")[0]  # Java's servers cut off `;parameters`
            if step == "..":
                kept[-1:] = []
            elif step not in (".", ""):
                kept.append(step)
        readings += [names] if names == kept else [names, kept]
    return [[folded_name(name) for name in names] for names in readings] if is_folded else readings


class EnvSubject:
    """Variables of the environment by their names."""

    __slots__ = ("_tests",)

    def __init__(self, names: Sequence[str]) -> None:
        self._tests = [name_test(name, is_folded=False) for name in names]

    def matches(self, name: str) -> bool:
        """Whether a variable is meant."""
        return any(test(name) for test in self._tests)


Subject = CommandSubject | PathSubject | HostSubject | EnvSubject
