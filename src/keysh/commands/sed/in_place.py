"""Files that sed edits: a new file is written, which then takes the place of the old one."""

from __future__ import annotations

from keysh.commands.sed.limit import PANIC
from keysh.commands.sed.outputs import Output, writing
from keysh.runtime.call import why

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


class Edit:
    """One file while it is edited."""

    __slots__ = ("_mode", "_name", "_new", "_sh", "_stream", "_suffix", "output", "write")

    def __init__(self, sh: Call, name: str, suffix: str, end: str) -> None:
        self._sh, self._name, self._suffix = sh, name, suffix
        found = sh.fs.stat(sh.path(name), follow=True)
        if not found.is_file:
            raise sh.fail(f"couldn't edit {name}: not a regular file", PANIC)
        self._mode = found.mode & 0o7777
        folder = name.rpartition("/")[0]
        self._new = (
            f"{folder}{'/' if '/' in name else ''}sed{''.join(sh.random.choices(LETTERS, k=6))}"
        )
        try:
            self._stream = sh.open(self._new, "x", 0o600)
        except OSError as error:
            raise sh.fail(
                f"couldn't open temporary file {self._new}: {why(error)}", PANIC
            ) from None
        self.output, self.write = Output(end), writing(self._stream)

    def finish(self) -> None:
        """Put the new file where the old one is, which may be kept under another name."""
        fs, path = self._sh.fs, self._sh.path
        self._stream.close()
        try:
            fs.set_mode(path(self._new), self._mode)
            if self._suffix:
                fs.rename(path(self._name), path(self.backup()))
            fs.rename(path(self._new), path(self._name))
        except OSError as error:
            self.abandon()
            raise self._sh.fail(f"cannot rename {self._name}: {why(error)}", PANIC) from None

    def abandon(self) -> None:
        """Leave the old file as it is."""
        self._stream.close()
        self._sh.fs.remove(self._sh.path(self._new))

    def backup(self) -> str:
        """Where the old file goes: the suffix behind its name, or its name for each `*` of it."""
        folder, slash, last = self._name.rpartition("/")
        made = self._suffix.replace("*", last) if "*" in self._suffix else last + self._suffix
        return made if "/" in made else f"{folder}{slash}{made}"
