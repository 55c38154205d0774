"""Regular expressions: `test`, `match`, `sub` and their like, matched without ever hanging."""

from __future__ import annotations

from keysh.text.regex.regex import RegexError, RegexLimit, regex_of
from keysh.tools.jq.compile.code import Filter, result_combinations
from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.arithmetic import add
from keysh.tools.jq.values.value import abbreviated_json, error_about, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.text.regex.regex import Regex, RegexMatch
    from keysh.tools.jq.compile.code import Env, Value

MATCHES_PER_TICK = 1024  # matches between two looks at whether the run is to end
REGEX_FLAG_LETTERS = "gimnpslx"


class Searcher:
    """A pattern with its flags, on one text."""

    __slots__ = ("is_global", "regex", "skips_empty", "text", "tick")

    def __init__(self, text: Value, pattern: Value, flags: Value, env: Env) -> None:
        if text.__class__ is not str:
            raise error_about(text, "cannot be matched, as it is not a string")
        if pattern.__class__ is not str:
            raise error_about(pattern, "is not a string")
        if flags is not None and flags.__class__ is not str:
            raise error_about(flags, "is not a string")
        flags = flags or ""
        if flags.strip(REGEX_FLAG_LETTERS):
            raise JqError(f"{flags} is not a valid modifier string")
        self.text, self.tick = text, env[2].tick
        self.is_global, self.skips_empty = "g" in flags, "n" in flags
        inline = ("x" if "x" in flags else "") + ("s" if "p" in flags else "")
        try:
            self.regex: Regex = regex_of(
                f"(?{inline}){pattern}" if inline else pattern,
                "oniguruma",
                ignore_case="i" in flags,
            )
        except RegexError as error:
            raise JqError(f"Regex failure: {error.message}") from None

    def matches(self) -> Iterator[RegexMatch]:
        """The first match, or all of them."""
        at, size, turn = 0, len(self.text), 0
        try:
            while at <= size:
                turn += 1
                if turn % MATCHES_PER_TICK == 0:
                    self.tick()
                match = self.regex.search(self.text, at, self.tick)
                if match is None:
                    return
                at = max(match.end, match.start + (match.end == match.start))
                if not (self.skips_empty and match.end == match.start):
                    yield match
                    if not self.is_global:
                        return
        except RegexLimit as limit:
            raise JqError(limit.message) from None

    def match_object(self, match: RegexMatch) -> dict[str, Value]:
        """A match as `match` tells it."""
        return {
            "offset": match.start,
            "length": match.end - match.start,
            "string": self.text[match.start : match.end],
            "captures": [
                self.capture_object(match, number, name or None)
                for number, name in self.regex.named_groups
            ],
        }

    def capture_object(self, match: RegexMatch, number: int, name: str | None) -> dict[str, Value]:
        """What a group has matched."""
        span = (match.start, match.end) if match.start == match.end else match.span(number)
        if span is None:
            return {"offset": -1, "string": None, "length": 0, "name": name}
        start, end = span
        if start == end:
            return {"offset": start, "string": "", "length": 0, "name": name}
        return {
            "offset": start,
            "length": end - start,
            "string": self.text[start:end],
            "name": name,
        }

    def named_captures(self, match: RegexMatch) -> dict[str, Value]:
        """What the groups with a name have matched."""
        return {name: group_text(match, number) for number, name in self.regex.named_groups if name}


def group_text(match: RegexMatch, number: int) -> str | None:
    """What a group has matched; where the whole is empty, so is each of its groups."""
    return "" if match.start == match.end else match.group(number)


def searchers(arguments: list[Filter], value: Value, env: Env) -> Iterator[Searcher]:
    """A searcher for each combination of pattern and flags: `[pattern, flags]` counts as both."""
    for pattern, *given in result_combinations(arguments, value, env):
        flags = given[0] if given else None
        if not given and pattern.__class__ is not str:
            if pattern.__class__ is not list or not pattern:
                raise JqError(f"{type_name(pattern)} not a string or array")
            pattern, flags = pattern[0], pattern[1] if len(pattern) > 1 else None
        yield Searcher(value, pattern, flags, env)


def substitution_searchers(arguments: list[Filter], value: Value, env: Env) -> Iterator[Searcher]:
    """Searchers of `sub` and its kin: for each pattern, one for each of the flags."""
    for *given, pattern in result_combinations(arguments[::-1], value, env):
        yield Searcher(value, pattern, given[0] if given else None, env)


def global_searchers(arguments: list[Filter], value: Value, env: Env) -> Iterator[Searcher]:
    """Searchers for all matches."""
    for *given, pattern in result_combinations(arguments[::-1], value, env):
        yield Searcher(value, pattern, add("g", given[0] if given else None), env)


def compile_match(arguments: list[Filter]) -> Filter:
    """`match`"""

    def many(value: Value, env: Env) -> Iterator[Value]:
        for searcher in searchers(arguments, value, env):
            yield from map(searcher.match_object, searcher.matches())

    return Filter(many=many)


def compile_test(arguments: list[Filter]) -> Filter:
    """`test`"""

    def many(value: Value, env: Env) -> Iterator[Value]:
        for searcher in searchers(arguments, value, env):
            searcher.is_global = False
            yield next(searcher.matches(), None) is not None

    if all(code.one is not None for code in arguments):
        return Filter(one=lambda value, env: next(many(value, env)))
    return Filter(many=many)


def compile_capture(arguments: list[Filter]) -> Filter:
    """`capture`"""

    def many(value: Value, env: Env) -> Iterator[Value]:
        for searcher in searchers(arguments, value, env):
            yield from map(searcher.named_captures, searcher.matches())

    return Filter(many=many)


def compile_scan(arguments: list[Filter]) -> Filter:
    """`scan`"""

    def many(value: Value, env: Env) -> Iterator[Value]:
        for searcher in global_searchers(arguments, value, env):
            groups = searcher.regex.named_groups
            for match in searcher.matches():
                if groups:
                    yield [group_text(match, number) for number, _ in groups]
                else:
                    yield match.group()

    return Filter(many=many)


def texts_between(searcher: Searcher) -> Iterator[str]:
    """The text between matches."""
    at = 0
    for match in searcher.matches():
        yield searcher.text[at : match.start]
        at = match.end
    yield searcher.text[at:]


def compile_splits(arguments: list[Filter]) -> Filter:
    """`splits`"""

    def many(value: Value, env: Env) -> Iterator[Value]:
        for searcher in global_searchers(arguments, value, env):
            yield from texts_between(searcher)

    return Filter(many=many)


def compile_split(arguments: list[Filter]) -> Filter:
    """`split/2`"""

    def many(value: Value, env: Env) -> Iterator[Value]:
        for searcher in global_searchers(arguments, value, env):
            yield list(texts_between(searcher))

    return Filter(many=many)


def compile_substitution(arguments: list[Filter], *, is_global: bool) -> Filter:
    """`sub`, `gsub`: each result of the replacement makes a text of its own."""
    pattern, replacement, *flags = arguments

    def many(value: Value, env: Env) -> Iterator[Value]:
        for searcher in substitution_searchers([pattern, *flags], value, env):
            searcher.is_global = searcher.is_global or is_global
            made = [""]
            at = 0
            is_changed = False
            for match in searcher.matches():
                gap, at = searcher.text[at : match.start], match.end
                new = list(replacement.many(searcher.named_captures(match), env))
                is_changed = is_changed or bool(new)
                made = extend_texts(made, gap, new)
            rest = searcher.text[at:]
            if is_changed or len(made) > 1:
                yield from (text + rest for text in made)
            else:
                yield value

    return Filter(many=many)


def extend_texts(made: list[str], gap: str, new: list[Value]) -> list[str]:
    """The texts so far, each with what stands between and its own replacement."""
    for text in new:
        if text.__class__ is not str and text is not None:
            before = made[0] + gap
            message = f"string ({abbreviated_json(before)}) and {type_name(text)} ({abbreviated_json(text)}) cannot be added"
            raise JqError(message)
    while len(made) < len(new):
        made.append("")
    return [text + gap + (new[i] or "") if i < len(new) else text for i, text in enumerate(made)]
