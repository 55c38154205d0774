"""Replace a file: write a new one next to it, then rename it over the old one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

SUFFIX_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


class Replacement:
    """A file's new contents. `name` is that of the temporary file, in the same directory, with
    `prefix` and random letters.
    """

    __slots__ = ("_mode", "_old", "_sh", "name", "stream")

    def __init__(self, sh: Call, old: str, mode: int, prefix: str) -> None:
        self._sh, self._old, self._mode = sh, old, mode
        folder, slash, _ = old.rpartition("/")
        self.name = f"{folder}{slash}{prefix}{''.join(sh.random.choices(SUFFIX_LETTERS, k=6))}"

    def open(self) -> None:
        """Create the temporary file; `stream` writes to it."""
        self.stream = self._sh.open(self.name, "x", 0o600)

    def finish(self, backup: str) -> None:
        """Rename the temporary file over the old one, which is kept as `kept_as` if given."""
        fs, path = self._sh.fs, self._sh.path
        self.stream.close()
        try:
            fs.set_mode(path(self.name), self._mode)
            if backup:
                fs.rename(path(self._old), path(backup))
            fs.rename(path(self.name), path(self._old))
        except OSError:
            self.abandon()
            raise

    def abandon(self) -> None:
        """Remove the temporary file."""
        self.stream.close()
        self._sh.fs.remove(self._sh.path(self.name))
