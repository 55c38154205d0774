"""Request: which program is to run, and what of it is not the shell's own."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class ProgramRequest:
    """What is to run: words, the file that the first one means, and what is not the shell's own.

    `env` is the whole environment, `cwd` a directory that must be one of the machine; `timeout` is
    in milliseconds.
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
