"""A request: which program to run, and what differs from the shell's own settings."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class ProgramRequest:
    """The words, the path of the first one, and settings other than the shell's.

    `env` is the whole environment, `cwd` a directory of the machine, `timeout` is in milliseconds.
    """

    __slots__ = ("cwd", "env", "path", "timeout", "words")

    def __init__(
        self,
        words: list[str],
        path: str,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
    ) -> None:
        self.words, self.path, self.env, self.cwd = words, path, env, cwd
        self.timeout = timeout
