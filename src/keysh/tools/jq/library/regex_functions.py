"""Regular expressions: `test`, `match`, `capture`, `scan`, `split`, `splits`, `sub`, `gsub`."""

from __future__ import annotations

from keysh.text.regex.regex import RegexError, RegexLimit, regex_of
from keysh.tools.jq.compile.code import Filter, result_combinations
from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.arithmetic import add
from keysh.tools.jq.values.value import error_about, error_about_pair, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.text.regex.regex import Regex, RegexMatch
    from keysh.tools.jq.compile.code import Env, Value

MATCHES_PER_TICK = 1024  # matches between two checks of whether the run was cancelled
REGEX_FLAG_LETTERS = "gimnpslx"


class Searcher:
    """Searches one string for a pattern, with its flags."""

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
        """Yield the first match, or all of them with the flag `g`."""
        offset, size, turn = 0, len(self.text), 0
        try:
            while offset <= size:
                turn += 1
                if turn % MATCHES_PER_TICK == 0:
                    self.tick()
                match = self.regex.search(self.text, offset, self.tick)
                if match is None:
                    return
                offset = max(match.end, match.start + (match.end == match.start))
                if not (self.skips_empty and match.end == match.start):
                    yield match
                    if not self.is_global:
                        return
        except RegexLimit as limit:
            raise JqError(limit.message) from None

    def match_object(self, match: RegexMatch) -> dict[str, Value]:
        """Return the object that `match` yields for a match."""
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
        """Return the object that describes the match of a group."""
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
        """Return the strings that the named groups match."""
        return {name: group_text(match, number) for number, name in self.regex.named_groups if name}


def group_text(match: RegexMatch, number: int) -> str | None:
    """Return the string that a group matches; in an empty match, every group is empty."""
    return "" if match.start == match.end else match.group(number)


def searchers(arguments: list[Filter], value: Value, env: Env) -> Iterator[Searcher]:
    """Yield a searcher for each pattern and flags, which may be given as `[pattern, flags]`."""
    for pattern, *options in result_combinations(arguments, value, env):
        flags = options[0] if options else None
        if not options and pattern.__class__ is not str:
            if pattern.__class__ is not list or not pattern:
                raise JqError(f"{type_name(pattern)} not a string or array")
            pattern, flags = pattern[0], pattern[1] if len(pattern) > 1 else None
        yield Searcher(value, pattern, flags, env)


def substitution_searchers(arguments: list[Filter], value: Value, env: Env) -> Iterator[Searcher]:
    """Yield the searchers of `sub` and `gsub`: for each pattern, one for each of the flags."""
    for *flags, pattern in result_combinations(arguments[::-1], value, env):
        yield Searcher(value, pattern, flags[0] if flags else None, env)


def global_searchers(arguments: list[Filter], value: Value, env: Env) -> Iterator[Searcher]:
    """Yield searchers with the flag `g` added."""
    for *flags, pattern in result_combinations(arguments[::-1], value, env):
        yield Searcher(value, pattern, add("g", flags[0] if flags else None, env[2]), env)


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
    """Yield the text before, between and after the matches."""
    offset = 0
    for match in searcher.matches():
        yield searcher.text[offset : match.start]
        offset = match.end
    yield searcher.text[offset:]


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
    """`sub`, `gsub`: yield a string for each result of the replacement."""
    pattern, replacement, *flags = arguments

    def many(value: Value, env: Env) -> Iterator[Value]:
        for searcher in substitution_searchers([pattern, *flags], value, env):
            searcher.is_global = searcher.is_global or is_global
            results = [""]
            offset = 0
            is_changed = False
            for match in searcher.matches():
                gap, offset = searcher.text[offset : match.start], match.end
                replacements = list(replacement.many(searcher.named_captures(match), env))
                is_changed = is_changed or bool(replacements)
                results = extend_texts(results, gap, replacements)
            rest = searcher.text[offset:]
            if is_changed or len(results) > 1:
                yield from (text + rest for text in results)
            else:
                yield value

    return Filter(many=many)


def extend_texts(results: list[str], gap: str, replacements: list[Value]) -> list[str]:
    """Append the text before a match and one of the replacements to each of the results."""
    for text in replacements:
        if text.__class__ is not str and text is not None:
            before = results[0] + gap
            raise error_about_pair(before, text, "cannot be added")
    while len(results) < len(replacements):
        results.append("")
    return [
        text + gap + (replacements[i] or "") if i < len(replacements) else text
        for i, text in enumerate(results)
    ]
