"""Word splitting: keysh does not split; it reports E204 where sh would. All of that is here."""

from __future__ import annotations

from keysh.diagnostics.display import shorten
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.syntax import ast
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node

PATTERN_CHARACTERS = "*?["
DEFAULT_IFS = " \t\n"


def refuse_unsplit(state: State, text: str, node: Node) -> None:
    """Raise E204 if an unquoted expansion contains a separator or a pattern character."""
    refuse_separated(text, field_separators(state), node)
    if any(char in text for char in PATTERN_CHARACTERS):
        shown = f"${node.name}" if isinstance(node, ast.Variable) else "${…}"
        fix = f'write `"{shown}"` for one word, or `$(compgen -G "{shown}")` for the files'
        raise split_refusal(text, "a pattern", fix, node)


def refuse_lines(state: State, text: str, node: Node) -> None:
    """Raise E204 if an unquoted expansion among arguments holds a newline at which sh would split.

    A blank there is most often part of a name, but lines are several things.
    """
    if "\n" in text and "\n" in field_separators(state):
        shown = f"${node.name}" if isinstance(node, ast.Variable) else "${…}"
        raise RuntimeDiagnostic(
            "E204", "an argument is made of text that holds a newline", f"`{shorten(text)}`",
            f'write `"{shown}"` for one word, or `...$(lines "{shown}")` for one a line',
        ).with_location(node)  # fmt: skip


def field_separators(state: State) -> str:
    """Return the characters at which sh splits; the default ones where IFS is unset."""
    separators = state.variables.get("IFS", DEFAULT_IFS)
    return separators if separators.__class__ is str else text_of(separators)


def refuse_separated(text: str, separators: str, node: Node) -> None:
    """Raise E204 if the text contains a separator."""
    separator = next((char for char in text if char in separators), "")
    if not separator:
        return
    if separator.isspace():
        raise split_refusal(text, "a blank", split_fix(node), node)
    fix = 'write `IFS=… read -r -a parts <<< …`, then `"${parts[@]}"`, or quotes for one word'
    raise split_refusal(text, f"`{separator}`, a character of `IFS`", fix, node)


def split_fix(node: Node) -> str:
    """Return how to write an expansion for one word, and how for several."""
    if isinstance(node, ast.Variable):
        return f'write `"${node.name}"` for one word, or `$(words ${node.name})` for several'
    if isinstance(node, ast.Substitution):
        return 'write `"$(…)"` for one word, `$(words "$(…)")` or `$(lines "$(…)")` for several'
    return 'write `"${…}"` for one word, or `$(words "${…}")` for several'


def split_refusal(text: str, content: str, fix: str, node: Node) -> RuntimeDiagnostic:
    """Return E204 for text that would be several words in sh, because of its `content`."""
    fact = f"a list of words is made of text that holds {content}"
    return RuntimeDiagnostic("E204", fact, f"`{shorten(text)}`", fix).with_location(node)


def words_of_lines(
    state: State, text: str, node: Node, is_listing: bool, joins: bool
) -> list[object]:
    """Return the words of an unquoted `$(…)`: its non-empty lines.

    A line that sh would split is one word only if the command declares that it prints one item per
    line, or if joining the words with blanks gives the same text again.
    """
    if not text:
        return []
    lines = [line for line in text.split("\n") if line] if "\n" in text else [text]
    if is_listing:
        return list(lines)
    separators = field_separators(state)
    if separators == DEFAULT_IFS:
        for line in lines:
            if (" " in line or "\t" in line) and not (joins and is_single_spaced(line)):
                raise split_refusal(line, "a blank", split_fix(node), node)
        return list(lines)
    for line in lines:
        refuse_separated(line, separators, node)
    if len(lines) > 1 and "\n" not in separators:
        content = "a newline, which is no character of `IFS`"
        raise split_refusal(text, content, split_fix(node), node)
    return list(lines)


def is_single_spaced(line: str) -> bool:
    """Whether splitting a line and joining it with blanks gives the same line."""
    return " ".join(line.split()) == line and not any(char in line for char in PATTERN_CHARACTERS)
