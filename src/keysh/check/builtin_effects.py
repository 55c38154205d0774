"""Effects of the shell's own commands on the checker's facts: the names they assign or redefine,
the code they run, and where they may stand.
"""

from __future__ import annotations

from keysh.check.static_words import assigned_kind, assigned_text
from keysh.diagnostics.dialect import KEYSH
from keysh.syntax import ast
from keysh.syntax.bash_differences import ALWAYS_ON, NEVER_ON, ON_BY_DEFAULT, option_refusal
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from keysh.check.walk_state import WalkState

    Words: TypeAlias = Sequence[ast.Argument]

# Commands of keysh alone, whose arguments nobody expects sh to split.
KEYSH_ONLY_COMMANDS = (
    "fromjson", "fromjsonl", "keys", "lines", "push", "spawn", "tojson", "typeof", "values",
    "words",
)  # fmt: skip
COMMAND_PREFIXES = ("command", "builtin", "-p", "--")  # before the name of a command
FIXED_SET_LETTERS = {"B": "braceexpand", "k": "keyword", "t": "onecmd"}  # of `set`
VALUE_OPTION_LETTERS = {  # letters whose value is the next word
    "read": "dinNptu", "mapfile": "dnOsucC", "readarray": "dnOsucC", "wait": "",
}  # fmt: skip


def argument_text(argument: ast.Argument) -> str | None:
    """Return a constant argument's text, else None."""
    return constant_text(argument) if isinstance(argument, ast.Word) else None


def assigned_name(text: str) -> str:
    """Return the variable in `x`, `x=1`, `x+=1` or `x[0]`; else ""."""
    name = text
    for mark in ("=", "[", "+"):
        name = name.partition(mark)[0]
    return name if name.isidentifier() else ""


def assign_by_word(walk: WalkState, text: str | None, start: int, kind: str = "unknown") -> None:
    """Note that a word names a variable that is assigned; if it is unknown, any may be."""
    if text is None:
        walk.facts.note_unknown_assignment()
    elif name := assigned_name(text):
        walk.facts.add_assignment(name, kind, walk.scope, start)


# ---------------------------------------------------------------- variables


def effects_of_read(walk: WalkState, name: str, words: Words) -> None:
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
            assign_by_word(walk, text, word.start, kind)


def assigned_word_text(argument: ast.Argument) -> str | None:
    """Return an argument's text, in which brackets are a subscript, else None."""
    if isinstance(argument, ast.Word):
        return assigned_text(argument)
    return argument.key if isinstance(argument, ast.Named) else None


def effects_of_declare(walk: WalkState, name: str, words: Words) -> None:
    """`local a b=1`, `declare -a xs`, `export A=1`."""
    if name == "local" and not walk.function_depth:
        report_misplaced(walk, name, "a function", "assign the variable without it")
    is_array = is_number = False
    for word in words:
        if isinstance(word, ast.Named):
            if is_number:
                walk.facts.integer_variables.add(word.key)
            note_declaration(walk, name, word)
            continue
        text = assigned_word_text(word)
        if text is not None and is_number:
            walk.facts.integer_variables.add(assigned_name(text))
        if text is not None and text[:1] in ("-", "+"):
            is_array = is_array or (text[0] == "-" and "a" in text)
            is_number = is_number or "i" in text
            if "n" in text and name != "export":  # a reference to another variable
                walk.facts.note_unknown_assignment()
        elif text is not None and not is_array:
            # Without a value the variable is only declared.
            assign_by_word(walk, text, word.start, "unknown" if "=" in text else "declared")
        else:
            assign_by_word(walk, text, word.start, "array")


def note_declaration(walk: WalkState, name: str, word: ast.Named) -> None:
    """`local x=value`."""
    kind, text = "unknown", ""
    if isinstance(word.value, ast.Array):
        kind = "array"
    elif word.value is not None and name == "local":
        kind, text = assigned_kind(word.value, is_append=word.append)
    if word.key.isidentifier():
        words = [] if word.value is None else [word.value]
        walk.facts.add_assignment(word.key, kind, walk.scope, word.start, text, words)


def effects_of_printf(walk: WalkState, name: str, words: Words) -> None:
    """`printf -v x …`."""
    first = assigned_word_text(words[0]) if words else ""
    if first == "-v" and len(words) > 1:
        assign_by_word(walk, assigned_word_text(words[1]), words[1].start)
    elif first is not None and first[:2] == "-v":
        assign_by_word(walk, first[2:], words[0].start)


def effects_of_getopts(walk: WalkState, name: str, words: Words) -> None:
    """`getopts ab: option`."""
    if len(words) > 1:
        assign_by_word(walk, assigned_word_text(words[1]), words[1].start)


def effects_of_let(walk: WalkState, name: str, words: Words) -> None:
    """`let i++ n=i*2`: any name in it may be assigned."""
    for word in words:
        text = assigned_word_text(word)
        if text is None:
            walk.facts.note_unknown_assignment()
            continue
        spaced = "".join(char if char.isalnum() or char == "_" else " " for char in text)
        for assigned in spaced.split():
            assign_by_word(walk, assigned, word.start)
    for word in words:
        if isinstance(word, ast.Named):
            assign_by_word(walk, word.key, word.start)


def effects_of_push(walk: WalkState, name: str, words: Words) -> None:
    """`push xs value`."""
    if words:
        assign_by_word(walk, assigned_word_text(words[0]), words[0].start)


def effects_of_unset(walk: WalkState, name: str, words: Words) -> None:
    """`unset x`, `unset -f f`."""
    is_function = bool(words) and argument_text(words[0]) == "-f"
    for word in words:
        text = assigned_word_text(word)
        if text is None:
            walk.facts.note_unknown_assignment()
        elif is_function:
            walk.facts.redefined_names.add(text)
        else:
            assign_by_word(walk, text, word.start)


def effects_of_test(walk: WalkState, name: str, words: Words) -> None:
    """`[ -z "$x" ]`: the script expects that a variable may be empty."""
    for i in range(len(words) - 1):
        if argument_text(words[i]) in ("-z", "-n", "-v"):
            word = words[i + 1]
            if isinstance(word, ast.Word):
                walk.facts.possibly_unset.update(variables_in_word(word))


def variables_in_word(word: ast.Word) -> list[str]:
    """Return the variables in a word, and the one that its text names."""
    names = [constant_text(word) or ""]
    for part in word.parts:
        inner = part.parts if isinstance(part, ast.DoubleQuoted) else (part,)
        names += [one.name for one in inner if isinstance(one, ast.Variable)]
    return names


# ---------------------------------------------------------------- what commands mean


def effects_of_eval(walk: WalkState, name: str, words: Words) -> None:
    """`eval …`, `source FILE`: the code is unknown."""
    walk.facts.hides_commands = walk.facts.hides_variables = True


def effects_of_trap(walk: WalkState, name: str, words: Words) -> None:
    """`trap '…' EXIT` runs code that is unknown."""
    if words and argument_text(words[0]) not in ("", "-"):
        walk.facts.hides_variables = True


def effects_of_alias(walk: WalkState, name: str, words: Words) -> None:
    """`alias name=…`: the alias may assign variables."""
    walk.facts.hides_variables = walk.facts.hides_variables or bool(words)
    for word in words:
        text = assigned_word_text(word)
        if text is None:
            walk.facts.hides_commands = True
        else:
            walk.facts.redefined_names.add(text.partition("=")[0])


def effects_of_type(walk: WalkState, name: str, words: Words) -> None:
    """`command -v x`, `type x`: the script expects that a command may be missing."""
    walk.facts.probed_commands.update(filter(None, map(argument_text, words)))


def effects_of_command(walk: WalkState, name: str, words: Words) -> None:
    """`command x …`: as `x …`, but never a function."""
    # Not by recursion: there may be any number of them, `command builtin command x`.
    skipped = 0
    while skipped < len(words) and argument_text(words[skipped]) in COMMAND_PREFIXES:
        skipped += 1
    words = words[skipped:]
    inner = argument_text(words[0]) if words else None
    if inner is None:
        if words:
            walk.facts.hides_variables = True
    elif inner[:1] == "-":
        effects_of_type(walk, name, words)
    elif inner in BUILTIN_EFFECTS:
        BUILTIN_EFFECTS[inner](walk, inner, words[1:])


def effects_of_set(walk: WalkState, name: str, words: Words) -> None:
    """`set -f` turns globbing off; `set +B` and `set -o posix` have no effect."""
    before: str | None = ""
    for word in words:
        text = argument_text(word)
        if text == "--":
            break
        if text is None or text == "noglob" or (text[:1] == "-" and "f" in text):
            walk.facts.has_noglob = True
        if text is not None and text[:1] in ("-", "+"):
            for letter in text[1:]:
                warn_of_fixed_option(
                    walk, word, FIXED_SET_LETTERS.get(letter), is_on=text[0] == "-"
                )
        elif before in ("-o", "+o"):
            warn_of_fixed_option(walk, word, text, is_on=before == "-o")
        before = text


def effects_of_shopt(walk: WalkState, name: str, words: Words) -> None:
    """`shopt -u` of a fixed option, `shopt -q` of one that is on by default."""
    texts = [argument_text(word) for word in words]
    letters = "".join(text[1:] for text in texts if text is not None and text[:1] == "-")
    for word, text in zip(words, texts, strict=True):
        if "u" in letters or "s" in letters:
            warn_of_fixed_option(walk, word, text, is_on="s" in letters)
        elif (
            text in ON_BY_DEFAULT
            and walk.report.dialect is KEYSH
            and text not in walk.facts.changed_options
        ):
            walk.report.add("W308", word.start, word.end, "this option is on by default",
                             f"`{text}`", ON_BY_DEFAULT[text])  # fmt: skip
    if "u" in letters or "s" in letters:
        walk.facts.changed_options.update(filter(None, texts))


def warn_of_fixed_option(
    walk: WalkState, word: ast.Argument, name: str | None, *, is_on: bool
) -> None:
    """Report W308 for an option that cannot be turned on or off."""
    fixes = NEVER_ON if is_on else ALWAYS_ON
    if name in fixes and option_refusal(name, is_on, walk.report.dialect):
        fact = f"this option is always {'off' if is_on else 'on'}"
        walk.report.add("W308", word.start, word.end, fact, f"`{name}`", fixes[name])


# ---------------------------------------------------------------- where a command may stand


def effects_of_exit(walk: WalkState, name: str, words: Words) -> None:
    """`exit`, `return`, `exec`: the commands after them may never run."""
    if name == "return" and not walk.function_depth and not hides_errors(walk.command):
        report_misplaced(walk, name, "a function or a sourced script", "write `exit`", is_soft=True)
    walk.has_left = walk.has_left or name != "exec" or bool(words)


def effects_of_break(walk: WalkState, name: str, words: Words) -> None:
    """`break`, `continue`; a function may be called from a loop."""
    if not walk.loop_depth and not walk.function_depth:
        fix = "write `exit` to end the script" if name == "break" else "remove it"
        report_misplaced(walk, name, "a loop", fix)


def hides_errors(command: ast.Simple | None) -> bool:
    """Whether a command redirects its messages: `(return 0 2>/dev/null)` asks who runs the file."""
    redirects = command.redirects if command is not None else ()
    return any(one.fd == 2 or one.operator in ("&>", "&>>", ">&") for one in redirects)  # type: ignore[union-attr]


def report_misplaced(
    walk: WalkState, name: str, needed: str, fix: str, *, is_soft: bool = False
) -> None:
    """Report a command that has no meaning here."""
    word = walk.command.arguments[0] if walk.command else None
    if word is not None and name not in walk.facts.functions:
        walk.report.add(
            "E306", word.start, word.end, f"`{name}` is outside of {needed}", fix=fix,
            is_soft=is_soft,
        )  # fmt: skip


BUILTIN_EFFECTS: Mapping[str, Callable[[WalkState, str, Words], None]] = {
    **dict.fromkeys(("read", "mapfile", "readarray", "wait"), effects_of_read),
    **dict.fromkeys(("local", "declare", "typeset", "export", "readonly"), effects_of_declare),
    **dict.fromkeys(("test", "["), effects_of_test),
    **dict.fromkeys(("eval", "source", ".", "enable"), effects_of_eval),
    **dict.fromkeys(("command", "builtin"), effects_of_command),
    **dict.fromkeys(("type", "which", "hash"), effects_of_type),
    **dict.fromkeys(("exit", "return", "exec"), effects_of_exit),
    **dict.fromkeys(("break", "continue"), effects_of_break),
    "printf": effects_of_printf,
    "getopts": effects_of_getopts,
    "let": effects_of_let,
    "push": effects_of_push,
    "unset": effects_of_unset,
    "trap": effects_of_trap,
    "alias": effects_of_alias,
    "set": effects_of_set,
    "shopt": effects_of_shopt,
}
