"""Commands of the shell itself whose words say more than arguments: names that they assign, text
that they run, where they may stand.
"""

from __future__ import annotations

from keysh.check.static_words import assigned_kind, assigned_text
from keysh.syntax import ast
from keysh.syntax.bash_differences import ALWAYS_ON, NEVER_ON, ON_BY_DEFAULT
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from keysh.check.walk_state import WalkState

    Words: TypeAlias = Sequence[ast.Argument]

# Commands that no other shell has, so nobody expects sh's splitting of their arguments.
KEYSH_ONLY_COMMANDS = (
    "fromjson", "fromjsonl", "keys", "lines", "push", "spawn", "tojson", "typeof", "values",
    "words",
)  # fmt: skip
FIXED_SET_LETTERS = {"B": "braceexpand", "k": "keyword", "t": "onecmd"}  # of `set`
VALUE_OPTION_LETTERS = {  # letters behind which a word follows that is no variable
    "read": "dinNptu", "mapfile": "dnOsucC", "readarray": "dnOsucC", "wait": "",
}  # fmt: skip


def argument_text(argument: ast.Argument) -> str | None:
    """An argument's text where it is certain."""
    return constant_text(argument) if isinstance(argument, ast.Word) else None


def assigned_name(text: str) -> str:
    """The variable that `x`, `x=1`, `x+=1` or `x[0]` names; nothing where none is."""
    name = text
    for mark in ("=", "[", "+"):
        name = name.partition(mark)[0]
    return name if name.isidentifier() else ""


def assign_by_word(place: WalkState, text: str | None, start: int, kind: str = "unknown") -> None:
    """A word names a variable that gets a value; where it is not known, any may."""
    if text is None:
        place.facts.note_unknown_assignment()
    elif name := assigned_name(text):
        place.facts.add_assignment(name, kind, place.scope, start)


# ---------------------------------------------------------------- variables


def effects_of_read(place: WalkState, name: str, words: Words) -> None:
    """`read -r a b`, `mapfile -t lines`, `wait -p pid`."""
    kind = "unknown" if name in ("read", "wait") else "array"
    skips, taking = False, VALUE_OPTION_LETTERS[name]
    for word in words:
        text = assigned_word_text(word)
        if skips:
            skips = False
        elif text is not None and text[:1] == "-" and len(text) > 1:
            skips = text[-1] in taking
            if name == "read" and text[-1] == "a":
                kind = "array"
        else:
            assign_by_word(place, text, word.start, kind)


def assigned_word_text(argument: ast.Argument) -> str | None:
    """An argument's text, in which pattern characters are a subscript's."""
    if isinstance(argument, ast.Word):
        return assigned_text(argument)
    return argument.key if isinstance(argument, ast.Named) else None


def effects_of_declare(place: WalkState, name: str, words: Words) -> None:
    """`local a b=1`, `declare -a xs`, `export A=1`."""
    if name == "local" and not place.function_depth:
        report_misplaced(place, name, "a function", "assign the variable without it")
    is_array = is_number = False
    for word in words:
        if isinstance(word, ast.Named):
            if is_number:
                place.facts.integer_variables.add(word.key)
            note_declaration(place, name, word)
            continue
        text = assigned_word_text(word)
        if text is not None and is_number:
            place.facts.integer_variables.add(assigned_name(text))
        if text is not None and text[:1] in ("-", "+"):
            is_array = is_array or "a" in text
            is_number = is_number or "i" in text
            if "n" in text and name != "export":  # a reference to any other variable
                place.facts.note_unknown_assignment()
        elif text is not None and not is_array:
            # Without a value the variable is only made known.
            assign_by_word(place, text, word.start, "unknown" if "=" in text else "declared")
        else:
            assign_by_word(place, text, word.start, "array")


def note_declaration(place: WalkState, name: str, word: ast.Named) -> None:
    """`local x=value`."""
    kind, text = "unknown", ""
    if isinstance(word.value, ast.Array):
        kind = "array"
    elif word.value is not None and name == "local":
        kind, text = assigned_kind(word.value, is_append=word.append)
    if word.key.isidentifier():
        words = [] if word.value is None else [word.value]
        place.facts.add_assignment(word.key, kind, place.scope, word.start, text, words)


def effects_of_printf(place: WalkState, name: str, words: Words) -> None:
    """`printf -v x …`."""
    first = assigned_word_text(words[0]) if words else ""
    if first == "-v" and len(words) > 1:
        assign_by_word(place, assigned_word_text(words[1]), words[1].start)
    elif first is not None and first[:2] == "-v":
        assign_by_word(place, first[2:], words[0].start)


def effects_of_getopts(place: WalkState, name: str, words: Words) -> None:
    """`getopts ab: option`."""
    if len(words) > 1:
        assign_by_word(place, assigned_word_text(words[1]), words[1].start)


def effects_of_let(place: WalkState, name: str, words: Words) -> None:
    """`let i++ n=i*2`: any name in it may be assigned."""
    for word in words:
        text = assigned_word_text(word)
        if text is None:
            place.facts.note_unknown_assignment()
            continue
        spaced = "".join(char if char.isalnum() or char == "_" else " " for char in text)
        for found in spaced.split():
            assign_by_word(place, found, word.start)
    for word in words:
        if isinstance(word, ast.Named):
            assign_by_word(place, word.key, word.start)


def effects_of_push(place: WalkState, name: str, words: Words) -> None:
    """`push xs value`."""
    if words:
        assign_by_word(place, assigned_word_text(words[0]), words[0].start)


def effects_of_unset(place: WalkState, name: str, words: Words) -> None:
    """`unset x`, `unset -f f`."""
    is_function = bool(words) and argument_text(words[0]) == "-f"
    for word in words:
        text = assigned_word_text(word)
        if text is None:
            place.facts.note_unknown_assignment()
        elif is_function:
            place.facts.redefined_names.add(text)
        else:
            assign_by_word(place, text, word.start)


def effects_of_test(place: WalkState, name: str, words: Words) -> None:
    """`[ -z "$x" ]`: the script knows that a variable may be empty."""
    for i in range(len(words) - 1):
        if argument_text(words[i]) in ("-z", "-n", "-v"):
            word = words[i + 1]
            if isinstance(word, ast.Word):
                place.facts.possibly_unset.update(variables_in_word(word))


def variables_in_word(word: ast.Word) -> list[str]:
    """The variables that stand in a word, and the one that its text names."""
    found = [constant_text(word) or ""]
    for part in word.parts:
        inner = part.parts if isinstance(part, ast.DoubleQuoted) else (part,)
        found += [one.name for one in inner if isinstance(one, ast.Variable)]
    return found


# ---------------------------------------------------------------- what commands mean


def effects_of_eval(place: WalkState, name: str, words: Words) -> None:
    """`eval …`, `source FILE`: what runs there is not seen."""
    place.facts.hides_commands = place.facts.hides_variables = True


def effects_of_trap(place: WalkState, name: str, words: Words) -> None:
    """`trap '…' EXIT` runs a text, which is not seen."""
    if words and argument_text(words[0]) not in ("", "-"):
        place.facts.hides_variables = True


def effects_of_alias(place: WalkState, name: str, words: Words) -> None:
    """`alias name=…`, which may stand for a command that assigns."""
    place.facts.hides_variables = place.facts.hides_variables or bool(words)
    for word in words:
        text = assigned_word_text(word)
        if text is None:
            place.facts.hides_commands = True
        else:
            place.facts.redefined_names.add(text.partition("=")[0])


def effects_of_type(place: WalkState, name: str, words: Words) -> None:
    """`command -v x`, `type x`: the script knows that there may be no such command."""
    place.facts.probed_commands.update(filter(None, map(argument_text, words)))


def effects_of_command(place: WalkState, name: str, words: Words) -> None:
    """`command x …`: as `x …`, whatever functions there are."""
    inner = argument_text(words[0]) if words else None
    if inner is None:
        if words:
            place.facts.hides_variables = True
    elif inner in ("-p", "--"):
        effects_of_command(place, name, words[1:])
    elif inner[:1] == "-":
        effects_of_type(place, name, words)
    elif inner in BUILTIN_EFFECTS:
        BUILTIN_EFFECTS[inner](place, inner, words[1:])


def effects_of_set(place: WalkState, name: str, words: Words) -> None:
    """`set -f` ends globbing; `set +B` and `set -o posix` do nothing."""
    before: str | None = ""
    for word in words:
        text = argument_text(word)
        if text == "--":
            break
        if text is None or text == "noglob" or (text[:1] == "-" and "f" in text):
            place.facts.has_noglob = True
        if text is not None and text[:1] in ("-", "+"):
            for letter in text[1:]:
                warn_of_fixed_option(
                    place, word, FIXED_SET_LETTERS.get(letter), is_on=text[0] == "-"
                )
        elif before in ("-o", "+o"):
            warn_of_fixed_option(place, word, text, is_on=before == "-o")
        before = text


def effects_of_shopt(place: WalkState, name: str, words: Words) -> None:
    """`shopt -s extglob`; `shopt -u` of what is always on, `shopt -q` of what is at first."""
    texts = [argument_text(word) for word in words]
    letters = "".join(text[1:] for text in texts if text is not None and text[:1] == "-")
    if "s" in letters and "extglob" in texts:
        place.facts.has_extglob = True
    for word, text in zip(words, texts, strict=True):
        if "u" in letters or "s" in letters:
            warn_of_fixed_option(place, word, text, is_on="s" in letters)
        elif text in ON_BY_DEFAULT and text not in place.facts.changed_options:
            place.report.add("W308", word.start, word.end, "this option is on from the start",
                             f"`{text}`", ON_BY_DEFAULT[text])  # fmt: skip
    if "u" in letters or "s" in letters:
        place.facts.changed_options.update(filter(None, texts))


def warn_of_fixed_option(
    place: WalkState, word: ast.Argument, name: str | None, *, is_on: bool
) -> None:
    """W308 where an option is turned on or off that cannot be."""
    fixes = NEVER_ON if is_on else ALWAYS_ON
    if name in fixes:
        fact = f"this option is always {'off' if is_on else 'on'}"
        place.report.add("W308", word.start, word.end, fact, f"`{name}`", fixes[name])


# ---------------------------------------------------------------- where a command may stand


def effects_of_exit(place: WalkState, name: str, words: Words) -> None:
    """`exit`, `return`, `exec`: what stands behind them may never be reached."""
    if name == "return" and not place.function_depth:
        report_misplaced(
            place, name, "a function or a sourced script", "write `exit`", is_soft=True
        )
    place.has_left = place.has_left or name != "exec" or bool(words)


def effects_of_break(place: WalkState, name: str, words: Words) -> None:
    """`break`, `continue`; a function may be called from a loop."""
    if not place.loop_depth and not place.function_depth:
        fix = "write `exit` to end the script" if name == "break" else "remove it"
        report_misplaced(place, name, "a loop", fix)


def report_misplaced(
    place: WalkState, name: str, needed: str, fix: str, *, is_soft: bool = False
) -> None:
    """A command that means nothing here."""
    word = place.command.arguments[0] if place.command else None
    if word is not None and name not in place.facts.functions:
        place.report.add(
            "E306", word.start, word.end, f"`{name}` stands outside of {needed}", fix=fix,
            is_soft=is_soft and place.is_failure_expected,
        )  # fmt: skip


BUILTIN_EFFECTS: Mapping[str, Callable[[WalkState, str, Words], None]] = {
    "read": effects_of_read, "mapfile": effects_of_read, "readarray": effects_of_read, "wait": effects_of_read, "local": effects_of_declare,
    "declare": effects_of_declare, "typeset": effects_of_declare, "export": effects_of_declare, "readonly": effects_of_declare,
    "printf": effects_of_printf, "getopts": effects_of_getopts, "let": effects_of_let, "push": effects_of_push, "unset": effects_of_unset,
    "test": effects_of_test, "[": effects_of_test, "eval": effects_of_eval, "source": effects_of_eval, ".": effects_of_eval,
    "enable": effects_of_eval, "trap": effects_of_trap, "alias": effects_of_alias, "command": effects_of_command, "builtin": effects_of_command,
    "type": effects_of_type, "which": effects_of_type, "hash": effects_of_type, "set": effects_of_set, "exit": effects_of_exit, "return": effects_of_exit,
    "exec": effects_of_exit, "shopt": effects_of_shopt, "break": effects_of_break, "continue": effects_of_break,
}  # fmt: skip
