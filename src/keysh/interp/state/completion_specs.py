"""Completion specifications: what `complete` has said about the words of commands."""

from __future__ import annotations

from keysh.text.shell_quoting import single_quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

COMPLETION_OPTIONS = (
    "bashdefault", "default", "dirnames", "filenames", "noquote", "nosort", "nospace", "plusdirs",
)  # fmt: skip
# Kinds of names that have a letter, and those that have none, in the order of `complete -p`.
ACTION_LETTERS = {
    "alias": "a", "builtin": "b", "command": "c", "directory": "d", "export": "e", "file": "f",
    "group": "g", "job": "j", "keyword": "k", "service": "s", "user": "u", "variable": "v",
}  # fmt: skip
OTHER_ACTIONS = (
    "arrayvar", "binding", "disabled", "enabled", "function", "helptopic", "hostname", "running",
    "setopt", "shopt", "signal", "stopped",
)  # fmt: skip
# Texts of a specification by their letters, in the order of `complete -p`.
TEXT_LETTERS = {
    "G": "glob", "W": "words", "P": "prefix", "S": "suffix", "X": "exclude", "C": "run",
    "F": "function",
}  # fmt: skip


class CompletionSpec:
    """How the words of one command are completed: options, kinds of names, texts by letter."""

    __slots__ = ("actions", "options", "texts")

    def __init__(
        self, options: frozenset[str], actions: frozenset[str], texts: Mapping[str, str]
    ) -> None:
        self.options, self.actions, self.texts = options, actions, texts

    def with_options(self, changes: Mapping[str, bool]) -> CompletionSpec:
        """Return the same with options turned on or off."""
        added = {name for name, is_on in changes.items() if is_on}
        options = (self.options - changes.keys()) | added
        return CompletionSpec(options, self.actions, self.texts)

    def command_line(self, name: str) -> str:
        """Return the command that makes this specification for a command, or for `-D`."""
        return " ".join(filter(None, ["complete", self.arguments(), name]))

    def arguments(self) -> str:
        """Return the options of that command."""
        words = [f"-o {one}" for one in COMPLETION_OPTIONS if one in self.options]
        words += [f"-{letter}" for one, letter in ACTION_LETTERS.items() if one in self.actions]
        words += [f"-A {one}" for one in OTHER_ACTIONS if one in self.actions]
        for letter in TEXT_LETTERS:
            if letter in self.texts:
                text = self.texts[letter]
                words.append(f"-{letter} {text if letter == 'F' else single_quoted_text(text)}")
        return " ".join(words)

    def option_line(self, name: str) -> str:
        """Return the command that sets its options, as `compopt` prints it."""
        words = [f"{'-' if one in self.options else '+'}o {one}" for one in COMPLETION_OPTIONS]
        return " ".join(["compopt", *words, name])
