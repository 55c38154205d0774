"""Files that sed edits."""

from __future__ import annotations

from keysh.commands.sed.limit import PANIC
from keysh.commands.sed.outputs import Output, writing
from keysh.runtime.call import why
from keysh.runtime.replacement import Replacement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call


class Edit:
    """One file while it is edited."""

    __slots__ = ("_name", "_new", "_sh", "_suffix", "output", "write")

    def __init__(self, sh: Call, name: str, suffix: str, end: str) -> None:
        self._sh, self._name, self._suffix = sh, name, suffix
        found = sh.fs.stat(sh.path(name), follow=True)
        if not found.is_file:
            raise sh.fail(f"couldn't edit {name}: not a regular file", PANIC)
        self._new = Replacement(sh, name, found.mode & 0o7777, "sed")
        shown = self._new.name if "/" in name else f"./{self._new.name}"
        try:
            self._new.open()
        except OSError as error:
            says = f"couldn't open temporary file {shown}: {why(error)}"
            raise sh.fail(says, PANIC) from None
        self.output, self.write = Output(end), writing(sh, shown, self._new.stream)

    def finish(self) -> None:
        """Put the new file where the old one is, which may be kept under another name."""
        try:
            self._new.finish(self.backup() if self._suffix else "")
        except OSError as error:
            raise self._sh.fail(f"cannot rename {self._name}: {why(error)}", PANIC) from None

    def abandon(self) -> None:
        """Leave the old file as it is."""
        self._new.abandon()

    def backup(self) -> str:
        """Where the old file goes: the suffix behind its name, or its name for each `*` of it."""
        folder, slash, last = self._name.rpartition("/")
        made = self._suffix.replace("*", last) if "*" in self._suffix else last + self._suffix
        return made if "/" in made else f"{folder}{slash}{made}"
