"""Replacement: a new file, written beside an old one, which takes its place once it is done."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

SUFFIX_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


class Replacement:
    """What a file is to hold. `name` is that of the new file: in the old one's folder, with a word
    that says whose it is, and letters by chance.
    """

    __slots__ = ("_mode", "_old", "_sh", "name", "stream")

    def __init__(self, sh: Call, old: str, mode: int, prefix: str) -> None:
        self._sh, self._old, self._mode = sh, old, mode
        folder, slash, _ = old.rpartition("/")
        self.name = f"{folder}{slash}{prefix}{''.join(sh.random.choices(SUFFIX_LETTERS, k=6))}"

    def open(self) -> None:
        """Make the new file; `stream` writes into it."""
        self.stream = self._sh.open(self.name, "x", 0o600)

    def finish(self, kept_as: str) -> None:
        """Put the new file where the old one is, which stays under another name if there is one."""
        fs, path = self._sh.fs, self._sh.path
        self.stream.close()
        try:
            fs.set_mode(path(self.name), self._mode)
            if kept_as:
                fs.rename(path(self._old), path(kept_as))
            fs.rename(path(self.name), path(self._old))
        except OSError:
            self.abandon()
            raise

    def abandon(self) -> None:
        """Leave the old file as it is."""
        self.stream.close()
        self._sh.fs.remove(self._sh.path(self.name))
