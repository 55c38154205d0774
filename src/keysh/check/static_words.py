"""Words before they are expanded: which text one surely is, and what the binder may know of it."""

from __future__ import annotations

from keysh.schema.arguments import UNKNOWN, UNKNOWN_WORDS, GlobArgument, NamedArgument
from keysh.syntax import ast
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.diagnostics.source import Source
    from keysh.syntax.node import Node

Text, Quoted, Glob, Word = ast.Text, ast.Quoted, ast.Glob, ast.Word

EXPANSION_GAP = "\0"
DEFAULT_IFS = " \t\n"  # the characters of IFS where nothing sets it
PATTERN_CHARACTERS = "*?[]\\"
OPERATOR_EXPANSIONS = (ast.Expand, ast.Replace, ast.Slice)
POSSIBLY_EMPTY_NODES = (ast.Variable, *OPERATOR_EXPANSIONS)  # empty where the variable is
NEVER_EMPTY_NODES = (
    ast.Tilde,
    ast.ProcessSubstitution,
    ast.Length,
)  # never empty, never begin with a dash


def assigned_text(word: ast.Word) -> str | None:
    """The text of a word behind `=`, where pattern characters are only text."""
    texts: list[str] = []
    for part in word.parts:
        if not isinstance(part, Text | Quoted | Glob):
            return None
        texts.append(part.value)
    return "".join(texts)


def assigned_kind(value: ast.Value | None, *, is_append: bool = False) -> tuple[str, str]:
    """What is certain of an assigned value: its kind, as an `Assignment` has it, and its text."""
    if isinstance(value, ast.Array):
        return "array", ""
    if value is None:
        return "text", ""
    if not isinstance(value, Word):
        return "unknown", ""
    text = assigned_text(value)
    if text is not None:
        return ("added" if is_append else "text"), text
    if is_append:
        return "added", literal_text(value.parts)
    if is_ifs_joined(value):
        return "joined", ""
    text = literal_text(value.parts)
    return ("part", text) if text.strip(EXPANSION_GAP) else ("unknown", "")


def loop_word_kind(word: Node) -> tuple[str, str]:
    """What is certain of one word of a loop's head, as `kind_of` tells it."""
    if not isinstance(word, Word) or any(part.__class__ is Glob for part in word.parts):
        return "unknown", ""
    kind, text = assigned_kind(word)
    is_quoted = isinstance(word.parts[0], ast.DoubleQuoted)
    return ("unknown", "") if kind == "joined" and not is_quoted else (kind, text)


def literal_text(parts: Sequence[Node]) -> str:
    """What the script itself writes into a text, with a gap for what is expanded."""
    texts: list[str] = []
    for part in parts:
        if isinstance(part, Text | Quoted | Glob):
            texts.append(part.value)
        elif isinstance(part, ast.DoubleQuoted):
            texts.append(literal_text(part.parts))
        else:
            texts.append(EXPANSION_GAP)
    return "".join(texts)


def is_ifs_joined(word: ast.Word) -> bool:
    """Whether a word is `"$*"`, `"${xs[*]}"` or a part of one: joined by a character of IFS."""
    parts: Sequence[Node] = word.parts
    if len(parts) == 1 and isinstance(parts[0], ast.DoubleQuoted):
        parts = parts[0].parts
    part = parts[0] if len(parts) == 1 else None
    if isinstance(part, ast.Variable):
        return part.name == "*"
    if not isinstance(part, OPERATOR_EXPANSIONS):
        return False
    marks = [one.mark for one in part.reference.subscripts if isinstance(one, ast.AllSubscript)]
    return part.reference.name == "*" or marks == ["*"]


def bare_variable(word: ast.Word) -> ast.Variable | None:
    """The variable that is the whole of a word, as `$x`."""
    part = word.parts[0] if len(word.parts) == 1 else None
    return part if isinstance(part, ast.Variable) else None


def has_pattern(text: str) -> bool:
    """Whether sh would look for files that a text matches: a pattern character no `\\` escapes."""
    if "\\" in text:
        pieces = text.split("\\")
        text = pieces[0] + "".join(piece[1:] for piece in pieces[1:])
    opened = text.find("[")
    return "*" in text or "?" in text or (opened >= 0 and "]" in text[opened + 2 :])


def has_separator(text: str, separators: str) -> bool:
    """Whether sh would split a text at these."""
    return any(char in text for char in separators)


def command_name(command: ast.Simple | None) -> str:
    """The text of a command's first word; empty where it is not certain."""
    if command is None or not isinstance(command.arguments[0], ast.Word):
        return ""
    parts = command.arguments[0].parts
    return parts[0].value if len(parts) == 1 and isinstance(parts[0], ast.Text) else ""


# ---------------------------------------------------------------- what the binder may know


def binder_arguments(arguments: Sequence[ast.Argument], source: Source) -> list[object]:
    """Arguments as `bind` takes them; a text where it is certain."""
    made: list[object] = []
    for argument in arguments:
        if isinstance(argument, Word):
            text = constant_text(argument)
            made.append(uncertain_argument(argument) if text is None else text)
        elif isinstance(argument, ast.Named):
            made.append(named_argument(argument, source))
        else:
            made.append(UNKNOWN_WORDS)
    return made


def operand_argument(shown: str) -> NamedArgument:
    """A word that is one operand for sure, whatever its text: no command has a parameter ``."""
    return NamedArgument("", UNKNOWN, shown)


def uncertain_argument(word: ast.Word) -> object:
    """A word that something is expanded in."""
    parts = word.parts
    if any(part.__class__ is Glob for part in parts):
        return glob_argument(parts)
    if any(makes_many_words(part) for part in parts):
        return UNKNOWN_WORDS
    if all(isinstance(part, POSSIBLY_EMPTY_NODES) for part in parts):
        return UNKNOWN_WORDS  # nothing at all where all of them are empty
    return operand_argument("<unknown>") if is_surely_operand(parts[0]) else UNKNOWN


def glob_argument(parts: Sequence[ast.Part]) -> object:
    """A glob whose pattern is certain, or any number of words."""
    texts: list[str] = []
    for part in parts:
        if not isinstance(part, Text | Glob | Quoted):
            return UNKNOWN_WORDS
        if isinstance(part, Quoted) and any(char in part.value for char in PATTERN_CHARACTERS):
            return UNKNOWN_WORDS
        texts.append(part.value)
    return GlobArgument("".join(texts), lambda: [UNKNOWN_WORDS])


def makes_many_words(part: ast.Part) -> bool:
    """Whether a part can make one word several, or none."""
    kind = part.__class__
    if isinstance(part, ast.Variable):
        return part.name in "@*"
    if isinstance(part, OPERATOR_EXPANSIONS):
        path = part.reference.subscripts
        return part.reference.name in "@*" or part.indirect or any(
            subscript.__class__ is ast.AllSubscript for subscript in path
        )  # fmt: skip
    if isinstance(part, ast.DoubleQuoted):
        return any(
            makes_many_words(inner) for inner in part.parts if inner.__class__ is not SUBSTITUTION
        )
    return kind in MULTIPLE_WORD_NODES


SUBSTITUTION = ast.Substitution
MULTIPLE_WORD_NODES = (SUBSTITUTION, ast.Brace, ast.BraceRange, ast.NamesOf, ast.ExtendedGlob)


def is_surely_operand(part: ast.Part) -> bool:
    """Whether a word that begins so is never empty and no option."""
    if isinstance(part, Text | Quoted):
        return part.value[:1] not in ("", "-")
    if isinstance(part, ast.DoubleQuoted):
        return bool(part.parts) and is_surely_operand(part.parts[0])
    return isinstance(part, NEVER_EMPTY_NODES)


def named_argument(argument: ast.Named, source: Source) -> object:
    """`key=value`."""
    key, value = argument.key, argument.value
    if argument.append:
        return (
            UNKNOWN
            if key[:1] == "-"
            else operand_argument(source.text[argument.start : argument.end])
        )
    if value is None:
        return NamedArgument(key, "", f"{key}=")
    if isinstance(value, Word):
        if any(part.__class__ in MULTIPLE_WORD_NODES and part.__class__ is not SUBSTITUTION
               for part in value.parts):  # fmt: skip
            return UNKNOWN_WORDS
        text = None if is_bare_null(value) else assigned_text(value)
        if text is not None:
            return NamedArgument(key, text, f"{key}={text}")
    return NamedArgument(key, literal_value(value), source.text[argument.start : argument.end])


def literal_value(value: ast.Value) -> object:
    """A list or record whose elements are known or not; anything else is not known."""
    if isinstance(value, ast.List):
        elements = [element for element in value.elements if not isinstance(element, ast.Spread)]
        is_whole = len(elements) == len(value.elements)
        return [literal_element(element) for element in elements] if is_whole else UNKNOWN
    if isinstance(value, ast.Record):
        made: dict[str, object] = {}
        for pair in value.pairs:
            key = constant_text(pair.key) if isinstance(pair, ast.Pair) else None
            if key is None or isinstance(pair, ast.Spread):
                return UNKNOWN
            made[key] = literal_element(pair.value)
        return made
    return UNKNOWN


def literal_element(value: ast.Value) -> object:
    """An element of a literal; only `null` is more than its text to the types that judge it."""
    if not isinstance(value, Word):
        return literal_value(value)
    text = constant_text(value)
    return None if is_bare_null(value) else UNKNOWN if text is None else text


def is_bare_null(value: ast.Value) -> bool:
    """Whether a value is a bare `null`."""
    if not isinstance(value, Word) or len(value.parts) != 1:
        return False
    part = value.parts[0]
    return isinstance(part, Text) and part.value == "null"
