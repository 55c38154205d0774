"""Words before expansion: the text that is certain, and the arguments for the binder."""

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
DEFAULT_IFS = " \t\n"  # IFS, if nothing assigns it
PATTERN_CHARACTERS = "*?[]\\"
OPERATOR_EXPANSIONS = (ast.Expand, ast.Replace, ast.Slice)
POSSIBLY_EMPTY_NODES = (ast.Variable, *OPERATOR_EXPANSIONS)  # empty if the variable is
# These are never empty and never begin with a dash.
NEVER_EMPTY_NODES = (ast.Tilde, ast.ProcessSubstitution, ast.Length)


def assigned_text(word: ast.Word) -> str | None:
    """Return the text of a constant word after `=`, where pattern characters are literal."""
    texts: list[str] = []
    for part in word.parts:
        if not isinstance(part, Text | Quoted | Glob):
            return None
        texts.append(part.value)
    return "".join(texts)


def assigned_kind(value: ast.Value | None, *, is_append: bool = False) -> tuple[str, str]:
    """Return the kind and text of an assigned value, as in `Assignment`."""
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
    """Return the kind and text of one word of a loop's head."""
    if not isinstance(word, Word) or any(part.__class__ is Glob for part in word.parts):
        return "unknown", ""
    kind, text = assigned_kind(word)
    is_quoted = isinstance(word.parts[0], ast.DoubleQuoted)
    return ("unknown", "") if kind == "joined" and not is_quoted else (kind, text)


def literal_text(parts: Sequence[Node]) -> str:
    """Return the literal text of a word, with a gap for each expansion."""
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
    """Whether a word is `"$*"` or `"${xs[*]}"`, which a character of IFS joins."""
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


def has_pattern(text: str) -> bool:
    """Whether a text has an unescaped `*` or `?`, which sh would take for a pattern.

    Brackets alone are hardly ever meant as one, and sh passes them as written if no file matches.
    """
    if "\\" in text:
        pieces = text.split("\\")
        text = pieces[0] + "".join(piece[1:] for piece in pieces[1:])
    return "*" in text or "?" in text


def has_separator(text: str, separators: str) -> bool:
    """Whether sh would split a text at these separators."""
    return any(char in text for char in separators)


def command_name(command: ast.Simple | None) -> str:
    """Return a command's name; empty if it is uncertain."""
    if command is None or not isinstance(command.arguments[0], ast.Word):
        return ""
    parts = command.arguments[0].parts
    return parts[0].value if len(parts) == 1 and isinstance(parts[0], ast.Text) else ""


# ---------------------------------------------------------------- what the binder may know


def binder_arguments(arguments: Sequence[ast.Argument], source: Source) -> list[object]:
    """Return arguments for `bind`; constant words as their text."""
    bound: list[object] = []
    for argument in arguments:
        if isinstance(argument, Word):
            text = constant_text(argument)
            bound.append(uncertain_argument(argument) if text is None else text)
        elif isinstance(argument, ast.Named):
            bound.append(named_argument(argument, source))
        else:
            bound.append(UNKNOWN_WORDS)
    return bound


def operand_argument(shown: str) -> NamedArgument:
    """Return an argument that is certainly an operand: no command has a parameter named ""."""
    return NamedArgument("", UNKNOWN, shown)


def uncertain_argument(word: ast.Word) -> object:
    """Return the argument of a word with an expansion."""
    parts = word.parts
    if any(part.__class__ is Glob for part in parts):
        return glob_argument(parts)
    if any(makes_many_words(part) for part in parts):
        return UNKNOWN_WORDS
    if all(isinstance(part, POSSIBLY_EMPTY_NODES) for part in parts):
        return UNKNOWN_WORDS  # no word at all if all of them are empty
    return operand_argument("<unknown>") if is_surely_operand(parts[0]) else UNKNOWN


def glob_argument(parts: Sequence[ast.Part]) -> object:
    """Return a glob with a constant pattern, or any number of words."""
    texts: list[str] = []
    for part in parts:
        if not isinstance(part, Text | Glob | Quoted):
            return UNKNOWN_WORDS
        if isinstance(part, Quoted) and any(char in part.value for char in PATTERN_CHARACTERS):
            return UNKNOWN_WORDS
        texts.append(part.value)
    return GlobArgument("".join(texts), lambda: [UNKNOWN_WORDS])


def makes_many_words(part: ast.Part) -> bool:
    """Whether a part can turn one word into several or none."""
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
    """Whether a word that begins with a part is never empty and never an option."""
    if isinstance(part, Text | Quoted):
        return part.value[:1] not in ("", "-")
    if isinstance(part, ast.DoubleQuoted):
        return bool(part.parts) and is_surely_operand(part.parts[0])
    return isinstance(part, NEVER_EMPTY_NODES)


def named_argument(argument: ast.Named, source: Source) -> object:
    """Return the argument of `key=value`."""
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
    """Return a literal list or record, whose elements may be unknown; else UNKNOWN."""
    if isinstance(value, ast.List):
        elements = [element for element in value.elements if not isinstance(element, ast.Spread)]
        is_whole = len(elements) == len(value.elements)
        return [literal_element(element) for element in elements] if is_whole else UNKNOWN
    if isinstance(value, ast.Record):
        record: dict[str, object] = {}
        for pair in value.pairs:
            key = constant_text(pair.key) if isinstance(pair, ast.Pair) else None
            if key is None or isinstance(pair, ast.Spread):
                return UNKNOWN
            record[key] = literal_element(pair.value)
        return record
    return UNKNOWN


def literal_element(value: ast.Value) -> object:
    """Return an element of a literal: its text, None for `null`, or UNKNOWN."""
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
