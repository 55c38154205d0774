"""-regex and -iregex: the whole path against a regular expression, of one of several kinds."""

from __future__ import annotations

from keysh.text.emacs_pattern import extended_of_emacs
from keysh.text.regex import RegexError, regex_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.commands.find.search import Judge, Search

# The kinds by name: Emacs's own way, the same with a dot that is a newline too, basic, or extended.
KINDS = {
    "findutils-default": "default", "ed": "basic", "emacs": "emacs", "gnu-awk": "awk",
    "grep": "basic", "posix-awk": "awk", "awk": "awk", "posix-basic": "basic",
    "posix-egrep": "extended", "egrep": "extended", "posix-extended": "extended",
    "posix-minimal-basic": "basic", "sed": "basic",
}  # fmt: skip


def on_regex(ignore_case: bool) -> Callable[[Search, str], Judge]:
    def make(search: Search, text: str) -> Judge:
        kind = KINDS[search.regex_kind]
        pattern, syntax = text, kind
        if kind in ("default", "emacs"):
            pattern = extended_of_emacs(text, spans_lines=kind == "default")
            syntax = "extended"
        try:
            regex = regex_of(pattern, syntax, ignore_case=ignore_case, whole="line")
        except RegexError as error:
            says = f"failed to compile regular expression '{text}'"
            raise search.sh.fail(f"{says}: {error}") from None
        tick = search.sh.tick
        return lambda found: regex.is_in(found.path, tick)

    return make


def set_kind(search: Search, name: str) -> Judge:
    """-regextype: for the patterns behind it."""
    if name not in KINDS:
        known = ", ".join(f"'{kind}'" for kind in KINDS)
        says = f"Unknown regular expression type '{name}'; valid types are {known}."
        raise search.sh.fail(says)
    search.regex_kind = name
    return lambda found: True


WITH_OPERAND: dict[str, Callable[[Search, str], Judge]] = {
    "-regex": on_regex(False),
    "-iregex": on_regex(True),
    "-regextype": set_kind,
}
