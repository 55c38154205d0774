"""StateVersion: what scripts have made of a state, kept while the state goes on."""

from __future__ import annotations

from operator import is_

from keysh.interp.run.options import ASKS_HOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.interp.state.state import State


class StateVersion:
    """Everything in a state that scripts can change, at one moment; nothing changes it.

    Tables are copied, values are not: the state copies a list or record before it changes it. Jobs,
    descriptors and what the host decides are no part of it.
    """

    __slots__ = (
        "aliases", "arguments", "attributes", "completions", "cwd", "dialect", "directories",
        "flags", "functions", "getopts_position", "has_set_umask", "hashed_files", "last_words",
        "name", "random_seed", "seconds_from", "source_name", "status", "traps", "ulimits", "umask",
        "variables",
    )  # fmt: skip

    def __init__(self, state: State) -> None:
        state.share_values()
        self.variables, self.attributes = state.variables.copy(), state.attributes.copy()
        self.functions, self.aliases = state.functions.copy(), state.aliases.copy()
        self.traps, self.flags = state.traps.copy(), state.flags
        self.dialect, self.arguments = state.dialect, state.arguments
        self.name, self.source_name = state.name, state.source_name
        self.status, self.last_words = state.status, state.last_words
        self.getopts_position, self.seconds_from = state.getopts_position, state.seconds_from
        self.cwd, self.directories = state.cwd, state.directories
        self.umask, self.has_set_umask = state.umask, state.has_set_umask
        self.ulimits = state.ulimits
        hashed = state.hashed_files
        self.hashed_files = None if hashed is None else hashed.copy()
        self.random_seed, self.completions = state.random_seed, state.completions

    def put_into(self, state: State) -> None:
        """Make a state what this one was. What the host decides stays."""
        state.variables, state.attributes = self.variables.copy(), self.attributes.copy()
        state.share_values()
        state.functions, state.aliases = self.functions.copy(), self.aliases.copy()
        state.traps = self.traps.copy()
        state.flags = self.flags & ~ASKS_HOST | state.flags & ASKS_HOST
        state.dialect, state.arguments = self.dialect, self.arguments
        state.name, state.source_name = self.name, self.source_name
        state.status, state.last_words = self.status, self.last_words
        state.getopts_position, state.seconds_from = self.getopts_position, self.seconds_from
        state.cwd, state.directories = self.cwd, self.directories
        state.umask, state.has_set_umask = self.umask, self.has_set_umask
        state.ulimits = self.ulimits
        hashed = self.hashed_files
        state.hashed_files = None if hashed is None else hashed.copy()
        state.random_seed, state.completions = self.random_seed, self.completions

    def is_of(self, state: State) -> bool:
        """Whether a state is still the same, without a look into its values."""
        return (
            has_same_objects(self.variables, state.variables)
            and self.attributes == state.attributes
            and has_same_objects(self.functions, state.functions)
            and self.aliases == state.aliases
            and has_same_objects(self.traps, state.traps)
            and self.flags == state.flags
            and self.dialect is state.dialect
            and self.arguments is state.arguments
            and self.name == state.name
            and self.source_name == state.source_name
            and self.status is state.status
            and self.last_words is state.last_words
            and self.getopts_position == state.getopts_position
            and self.seconds_from == state.seconds_from
            and self.cwd == state.cwd
            and self.directories == state.directories
            and self.umask == state.umask
            and self.has_set_umask == state.has_set_umask
            and self.ulimits is state.ulimits
            and self.hashed_files is None
            and state.hashed_files is None
            and self.random_seed == state.random_seed
            and self.completions is state.completions
        )


def has_same_objects(table: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Whether two tables have the same objects by the same names, in the same order."""
    return (
        len(table) == len(other)
        and all(map(is_, table.values(), other.values()))
        and [*table] == [*other]
    )
