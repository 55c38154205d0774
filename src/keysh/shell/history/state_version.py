"""StateVersion: the state of a shell at one moment, between two runs or inside one."""

from __future__ import annotations

from keysh.interp.run.options import ASKS_HOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State


class StateVersion:
    """A twin of a state, which nothing changes.

    Values are shared until the state changes one; jobs and descriptors are not in it.
    """

    __slots__ = ("_random", "twin")

    def __init__(self, state: State) -> None:
        self.twin = twin = state.fork_concurrent()
        twin.traps = state.traps.copy()  # a subshell has fewer
        random = state.own_random
        self._random = None if random is None else random.getstate()

    def restore(self, state: State) -> None:
        """Give a state all that this version holds."""
        source = self.twin
        state.variables, state.attributes = source.variables.copy(), source.attributes.copy()
        state.owned = set()
        state.functions, state.aliases = source.functions.copy(), source.aliases.copy()
        state.traps = source.traps.copy()
        state.flags = source.flags & ~ASKS_HOST | state.flags & ASKS_HOST
        state.dialect, state.arguments = source.dialect, source.arguments
        state.name, state.source_name = source.name, source.source_name
        state.status, state.last_words = source.status, source.last_words
        state.getopts_position, state.seconds_from = source.getopts_position, source.seconds_from
        state.cwd, state.directories = source.cwd, source.directories
        state.umask, state.has_set_umask = source.umask, source.has_set_umask
        state.ulimits = source.ulimits
        hashed = source.hashed_files
        state.hashed_files = None if hashed is None else hashed.copy()
        if self._random is None:
            state.own_random = None
            return
        from random import Random  # noqa: PLC0415 - few scripts seed it

        state.own_random = Random()
        state.own_random.setstate(self._random)
