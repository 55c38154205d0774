"""Commands of the shell itself whose words say more than arguments: names that they assign, text
that they run, where they may stand.
"""

from __future__ import annotations

from keysh.check.static_words import assigned_text, kind_of
from keysh.syntax import ast
from keysh.syntax.bash_differences import ALWAYS_ON, FIRST_ON, NEVER_ON
from keysh.syntax.constants import constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from keysh.check.walk_state import Place

    Words: TypeAlias = Sequence[ast.Argument]

# Commands that no other shell has, so nobody expects sh's splitting of their arguments.
OWN = (
    "fromjson", "fromjsonl", "keys", "lines", "push", "spawn", "tojson", "typeof", "values",
    "words",
)  # fmt: skip
FIXED_LETTERS = {"B": "braceexpand", "k": "keyword", "t": "onecmd"}  # of `set`
VALUE_OPTIONS = {  # letters behind which a word follows that is no variable
    "read": "dinNptu", "mapfile": "dnOsucC", "readarray": "dnOsucC", "wait": "",
}  # fmt: skip


def text_of(argument: ast.Argument) -> str | None:
    """An argument's text where it is certain."""
    return constant(argument) if isinstance(argument, ast.Word) else None


def variable_in(text: str) -> str:
    """The variable that `x`, `x=1`, `x+=1` or `x[0]` names; nothing where none is."""
    name = text
    for mark in ("=", "[", "+"):
        name = name.partition(mark)[0]
    return name if name.isidentifier() else ""


def assign(place: Place, text: str | None, start: int, kind: str = "unknown") -> None:
    """A word names a variable that gets a value; where it is not known, any may."""
    if text is None:
        place.facts.hide()
    elif name := variable_in(text):
        place.facts.assign(name, kind, place.scope, start)


# ---------------------------------------------------------------- variables


def reads(place: Place, name: str, words: Words) -> None:
    """`read -r a b`, `mapfile -t lines`, `wait -p pid`."""
    kind = "unknown" if name in ("read", "wait") else "array"
    skips, taking = False, VALUE_OPTIONS[name]
    for word in words:
        text = written(word)
        if skips:
            skips = False
        elif text is not None and text[:1] == "-" and len(text) > 1:
            skips = text[-1] in taking
            if name == "read" and text[-1] == "a":
                kind = "array"
        else:
            assign(place, text, word.start, kind)


def written(argument: ast.Argument) -> str | None:
    """An argument's text, in which pattern characters are a subscript's."""
    if isinstance(argument, ast.Word):
        return assigned_text(argument)
    return argument.key if isinstance(argument, ast.Named) else None


def declares(place: Place, name: str, words: Words) -> None:
    """`local a b=1`, `declare -a xs`, `export A=1`."""
    if name == "local" and not place.functions:
        misplaced(place, name, "a function", "assign the variable without it")
    is_array = is_number = False
    for word in words:
        if isinstance(word, ast.Named):
            if is_number:
                place.facts.numbers.add(word.key)
            declared(place, name, word)
            continue
        text = written(word)
        if text is not None and is_number:
            place.facts.numbers.add(variable_in(text))
        if text is not None and text[:1] in ("-", "+"):
            is_array = is_array or "a" in text
            is_number = is_number or "i" in text
            if "n" in text and name != "export":  # a reference to any other variable
                place.facts.hide()
        elif text is not None and not is_array:
            # Without a value the variable is only made known.
            assign(place, text, word.start, "unknown" if "=" in text else "declared")
        else:
            assign(place, text, word.start, "array")


def declared(place: Place, name: str, word: ast.Named) -> None:
    """`local x=value`."""
    kind, text = "unknown", ""
    if isinstance(word.value, ast.Array):
        kind = "array"
    elif word.value is not None and name == "local":
        kind, text = kind_of(word.value, is_append=word.append)
    if word.key.isidentifier():
        words = [] if word.value is None else [word.value]
        place.facts.assign(word.key, kind, place.scope, word.start, text, words)


def prints(place: Place, name: str, words: Words) -> None:
    """`printf -v x …`."""
    first = written(words[0]) if words else ""
    if first == "-v" and len(words) > 1:
        assign(place, written(words[1]), words[1].start)
    elif first is not None and first[:2] == "-v":
        assign(place, first[2:], words[0].start)


def gets_options(place: Place, name: str, words: Words) -> None:
    """`getopts ab: option`."""
    if len(words) > 1:
        assign(place, written(words[1]), words[1].start)


def computes(place: Place, name: str, words: Words) -> None:
    """`let i++ n=i*2`: any name in it may be assigned."""
    for word in words:
        text = written(word)
        if text is None:
            place.facts.hide()
            continue
        spaced = "".join(char if char.isalnum() or char == "_" else " " for char in text)
        for found in spaced.split():
            assign(place, found, word.start)
    for word in words:
        if isinstance(word, ast.Named):
            assign(place, word.key, word.start)


def pushes(place: Place, name: str, words: Words) -> None:
    """`push xs value`."""
    if words:
        assign(place, written(words[0]), words[0].start)


def unsets(place: Place, name: str, words: Words) -> None:
    """`unset x`, `unset -f f`."""
    is_function = bool(words) and text_of(words[0]) == "-f"
    for word in words:
        text = written(word)
        if text is None:
            place.facts.hide()
        elif is_function:
            place.facts.redefined.add(text)
        else:
            assign(place, text, word.start)


def tests(place: Place, name: str, words: Words) -> None:
    """`[ -z "$x" ]`: the script knows that a variable may be empty."""
    for i in range(len(words) - 1):
        if text_of(words[i]) in ("-z", "-n", "-v"):
            word = words[i + 1]
            if isinstance(word, ast.Word):
                place.facts.spared.update(variables_of(word))


def variables_of(word: ast.Word) -> list[str]:
    """The variables that stand in a word, and the one that its text names."""
    found = [constant(word) or ""]
    for part in word.parts:
        inner = part.parts if isinstance(part, ast.DoubleQuoted) else (part,)
        found += [one.name for one in inner if isinstance(one, ast.Variable)]
    return found


# ---------------------------------------------------------------- what commands mean


def evaluates(place: Place, name: str, words: Words) -> None:
    """`eval …`, `source FILE`: what runs there is not seen."""
    place.facts.hides_commands = place.facts.hides_variables = True


def traps(place: Place, name: str, words: Words) -> None:
    """`trap '…' EXIT` runs a text, which is not seen."""
    if words and text_of(words[0]) not in ("", "-"):
        place.facts.hides_variables = True


def aliases(place: Place, name: str, words: Words) -> None:
    """`alias name=…`, which may stand for a command that assigns."""
    place.facts.hides_variables = place.facts.hides_variables or bool(words)
    for word in words:
        text = written(word)
        if text is None:
            place.facts.hides_commands = True
        else:
            place.facts.redefined.add(text.partition("=")[0])


def asks(place: Place, name: str, words: Words) -> None:
    """`command -v x`, `type x`: the script knows that there may be no such command."""
    place.facts.asked.update(filter(None, map(text_of, words)))


def wraps(place: Place, name: str, words: Words) -> None:
    """`command x …`: as `x …`, whatever functions there are."""
    inner = text_of(words[0]) if words else None
    if inner is None:
        if words:
            place.facts.hides_variables = True
    elif inner in ("-p", "--"):
        wraps(place, name, words[1:])
    elif inner[:1] == "-":
        asks(place, name, words)
    elif inner in SPECIAL:
        SPECIAL[inner](place, inner, words[1:])


def sets(place: Place, name: str, words: Words) -> None:
    """`set -f` ends globbing; `set +B` and `set -o posix` do nothing."""
    before: str | None = ""
    for word in words:
        text = text_of(word)
        if text == "--":
            break
        if text is None or text == "noglob" or (text[:1] == "-" and "f" in text):
            place.facts.is_without_globs = True
        if text is not None and text[:1] in ("-", "+"):
            for letter in text[1:]:
                turns(place, word, FIXED_LETTERS.get(letter), is_on=text[0] == "-")
        elif before in ("-o", "+o"):
            turns(place, word, text, is_on=before == "-o")
        before = text


def chooses(place: Place, name: str, words: Words) -> None:
    """`shopt -s extglob`; `shopt -u` of what is always on, `shopt -q` of what is at first."""
    texts = [text_of(word) for word in words]
    letters = "".join(text[1:] for text in texts if text is not None and text[:1] == "-")
    if "s" in letters and "extglob" in texts:
        place.facts.has_patterns = True
    for word, text in zip(words, texts, strict=True):
        if "u" in letters or "s" in letters:
            turns(place, word, text, is_on="s" in letters)
        elif text in FIRST_ON and text not in place.facts.chosen:
            place.report.say("W308", word.start, word.end, "this option is on from the start",
                             f"`{text}`", FIRST_ON[text])  # fmt: skip
    if "u" in letters or "s" in letters:
        place.facts.chosen.update(filter(None, texts))


def turns(place: Place, word: ast.Argument, name: str | None, *, is_on: bool) -> None:
    """W308 where an option is turned on or off that cannot be."""
    fixes = NEVER_ON if is_on else ALWAYS_ON
    if name in fixes:
        fact = f"this option is always {'off' if is_on else 'on'}"
        place.report.say("W308", word.start, word.end, fact, f"`{name}`", fixes[name])


# ---------------------------------------------------------------- where a command may stand


def leaves(place: Place, name: str, words: Words) -> None:
    """`exit`, `return`, `exec`: what stands behind them may never be reached."""
    if name == "return" and not place.functions:
        misplaced(place, name, "a function or a sourced script", "write `exit`", is_soft=True)
    place.has_left = place.has_left or name != "exec" or bool(words)


def breaks(place: Place, name: str, words: Words) -> None:
    """`break`, `continue`; a function may be called from a loop."""
    if not place.loops and not place.functions:
        fix = "write `exit` to end the script" if name == "break" else "remove it"
        misplaced(place, name, "a loop", fix)


def misplaced(place: Place, name: str, needed: str, fix: str, *, is_soft: bool = False) -> None:
    """A command that means nothing here."""
    word = place.command.arguments[0] if place.command else None
    if word is not None and name not in place.facts.functions:
        place.report.say(
            "E306", word.start, word.end, f"`{name}` stands outside of {needed}", fix=fix,
            is_soft=is_soft and place.is_soft,
        )  # fmt: skip


SPECIAL: Mapping[str, Callable[[Place, str, Words], None]] = {
    "read": reads, "mapfile": reads, "readarray": reads, "wait": reads, "local": declares,
    "declare": declares, "typeset": declares, "export": declares, "readonly": declares,
    "printf": prints, "getopts": gets_options, "let": computes, "push": pushes, "unset": unsets,
    "test": tests, "[": tests, "eval": evaluates, "source": evaluates, ".": evaluates,
    "enable": evaluates, "trap": traps, "alias": aliases, "command": wraps, "builtin": wraps,
    "type": asks, "which": asks, "hash": asks, "set": sets, "exit": leaves, "return": leaves,
    "exec": leaves, "shopt": chooses, "break": breaks, "continue": breaks,
}  # fmt: skip
