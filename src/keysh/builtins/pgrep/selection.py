"""Find the processes of the shell by name, for pgrep and pkill."""

from __future__ import annotations

from keysh.builtins.ps.process import list_processes
from keysh.gnu.owners import SHELL_USER_NUMBER, user_name
from keysh.interp.state.call import UsageFailure
from keysh.interp.state.state_of_call import state_of
from keysh.text.regex.regex import RegexError, regex_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.builtins.ps.process import ProcessEntry
    from keysh.interp.state.call import Call

USAGE_STATUS = 2


class ProcessSelection:
    """Which processes are wanted."""

    __slots__ = (
        "ignores_case", "is_exact", "is_inverse", "is_newest", "is_oldest", "matches_arguments",
        "parents", "pattern", "users",
    )  # fmt: skip

    def __init__(self, pattern: str | None) -> None:
        self.pattern = pattern
        self.ignores_case = self.is_exact = self.is_inverse = False
        self.is_newest = self.is_oldest = self.matches_arguments = False
        self.parents: str | None = None
        self.users: str | None = None

    def processes(self, sh: Call) -> list[ProcessEntry]:
        """Return the processes."""
        if self.pattern is None and self.parents is None and self.users is None:
            raise UsageFailure("no matching criteria specified")
        try:
            regex = regex_of(self.pattern or "", "extended", ignore_case=self.ignores_case)
        except RegexError as error:
            raise sh.fail(f"{error}", USAGE_STATUS) from None
        parents = None if self.parents is None else self.parents.split(",")
        users = None if self.users is None else self.users.split(",")
        own_names = (user_name(sh), str(SHELL_USER_NUMBER))
        found = []
        for process in list_processes(sh, state_of(sh)):
            text = process.args if self.matches_arguments else process.name
            span = regex.search(text, 0, sh.tick)
            is_match = span is not None and (not self.is_exact or span.span() == (0, len(text)))
            is_match &= parents is None or str(process.parent) in parents
            is_match &= users is None or any(name in users for name in own_names)
            if is_match is not self.is_inverse:
                found.append(process)
        if self.is_newest or self.is_oldest:
            found.sort(key=lambda process: process.start)
            return found[-1:] if self.is_newest else found[:1]
        return found
