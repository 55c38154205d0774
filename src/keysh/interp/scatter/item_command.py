"""The command of a scatter: found once, and given each item as its words.

scatter check web1 web2                         check web1
{"host": "web1", "port": 80}                    check host=web1 port=80
["web1", 80]                                    check web1 80
"""

from __future__ import annotations

from keysh.diagnostics.suggestions import closest_names
from keysh.interp.engine.command_lookup import resolve
from keysh.interp.engine.dispatch import program_arguments
from keysh.interp.run.function import ShellFunction
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.schema.arguments import NamedArgument
from keysh.schema.binder import InvalidArguments, bind
from keysh.schema.command import Command
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from keysh.interp.state.state import State


class UnfitItem(Exception):
    """An item cannot be the arguments of the command."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ItemCommand:
    """A command, with the words that come before each item's. `is_known`: it was found."""

    __slots__ = ("_declared", "_first_words", "_is_program", "_unbound_words", "is_known", "name")

    def __init__(self, state: State, words: Sequence[object]) -> None:
        self.name = text_of(words[0])
        self._first_words = list(words[1:])
        meaning = resolve(state, self.name)
        self.is_known = meaning is not None
        declared = getattr(meaning, "command", None)  # of a function, and of a tool's file
        self._declared = meaning if isinstance(meaning, Command) else declared
        self._unbound_words = 0  # of the first words: the name of a member
        if self._declared is not None and self._declared.is_group:
            self._declared = self._member(state, self._declared)
        self._is_program = not isinstance(meaning, Command | ShellFunction) and declared is None

    def words_for(self, item: object) -> list[object]:
        """Return the command with an item; raise UnfitItem if they do not go together."""
        arguments = [*self._first_words, *self._arguments(item)]
        try:
            if self._declared is not None:
                bind(self._declared, arguments[self._unbound_words :])
            return [self.name, *(program_arguments(arguments) if self._is_program else arguments)]
        except InvalidArguments as error:
            raise UnfitItem(error.message) from None
        except RuntimeDiagnostic as problem:  # a list within a list, for a program
            raise UnfitItem(problem.fact) from None

    def _member(self, state: State, group: Any) -> Command | None:
        """Return the member of a group that the first words name, if they do."""
        if not self._first_words:
            return None
        self._unbound_words = 1
        members: Mapping[str, Command] = group.load(state)
        return members.get(text_of(self._first_words[0]))

    def _arguments(self, item: object) -> Sequence[object]:
        if isinstance(item, list):
            return item
        if not isinstance(item, dict):
            return [item]
        if self._declared is None:
            raise UnfitItem(f"{self.name} declares no parameters, so it takes no record")
        binds_by_key = self._declared.style.binds_by_key
        # One that is raw gets the words as they are: in a worker it calls that of the host.
        for key in item if binds_by_key and not self._declared.is_raw else ():
            if key not in self._declared.by_key:  # there it would be a text
                near = closest_names(key, self._declared.by_key, 1)
                hint = f"; did you mean `{near[0]}`?" if near else ""
                raise UnfitItem(f"no parameter is called {key!r:.60}{hint}")
        dashes = "" if binds_by_key else "--"
        return [
            NamedArgument(dashes + key, value, f"{dashes}{key}={text_of(value)}")
            for key, value in item.items()
        ]
