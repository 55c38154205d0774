"""Place: where answers go: which file, in which directory, behind what is there; their headers."""

from __future__ import annotations

import errno
import re

from keysh.gnu.directories import make_above
from keysh.interp.state.call import why
from keysh.text.chunks import encoded
from keysh.text.gnu_quoting import shown
from keysh.tools.curl.failure import WRITE, TransferError
from keysh.vfs.api import failure
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Access, Stream

STANDARD = "-"
MOST_NUMBERS = 100  # behind names of files that are there
FILE_NAME = re.compile(r"""filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))""", re.IGNORECASE)


class Place:
    """What the options say of all answers. `heads` is the file of -D, empty for none."""

    __slots__ = (
        "_has_heads", "_sh", "_warns", "cleans", "folder", "heads", "is_named_by_server",
        "makes_folders", "resume", "spares", "tag", "takes_time",
    )  # fmt: skip

    def __init__(self, sh: Call, *, warns: bool) -> None:
        self._sh, self._warns = sh, warns
        self.folder = self.heads = ""
        self.makes_folders = self.is_named_by_server = self._has_heads = False
        self.spares = self.cleans = self.takes_time = False  # of --no-clobber, and so on
        self.tag = ""  # the file of --etag-save
        self.resume: str | None = None  # `-` for behind what is there, or a number

    def path(self, name: str) -> str:
        """A file's path."""
        return join(self.folder, name) if self.folder else name

    def start(self, name: str) -> int:
        """How many bytes of the answer are not wanted."""
        if self.resume is None:
            return 0
        if self.resume != STANDARD:
            return int(self.resume)
        try:
            return self._sh.fs.stat(self._sh.path(self.path(name)), follow=True).size
        except OSError:
            return 0

    def opened(self, name: str, named: str, *, is_behind: bool) -> tuple[Stream, str]:
        """The file of an answer and its path.

        -J names it as the server does, but never over another; --no-clobber by a number more.
        """
        access: Access = "a" if is_behind else "w"
        if self.is_named_by_server and named:
            name, access = named, "x"
        try:
            if self.makes_folders:
                make_above(self._sh, self._sh.path(self.path(name)))
            if self.spares and access == "w":
                return self._beside(self.path(name))
            return self._sh.open(self.path(name), access), self.path(name)
        except OSError as error:
            raise self.unwritable(name, error) from None

    def _beside(self, path: str) -> tuple[Stream, str]:
        """A new file, with a number behind its name where there is one already."""
        for number in range(MOST_NUMBERS + 1):
            tried = f"{path}.{number}" if number else path
            try:
                return self._sh.open(tried, "x"), tried
            except FileExistsError:
                continue
        raise failure(errno.EEXIST, path)

    def write_heads(self, data: bytes) -> None:
        """Put the headers of an answer into the file of -D."""
        try:
            with self._sh.open(self.heads, "a" if self._has_heads else "w") as stream:
                stream.write(data)
        except OSError as error:
            raise self.unwritable(self.heads, error) from None
        self._has_heads = True

    def write(self, name: str, text: str) -> None:
        """Write a small file."""
        try:
            with self._sh.open(name, "w") as stream:
                stream.write(encoded(text))
        except OSError as error:
            raise self.unwritable(name, error) from None

    def unwritable(self, name: str, error: OSError) -> TransferError:
        """What is told of a file that cannot be written."""
        if self._warns:
            says = f"Warning: Failed to write the file {shown(name)}: {why(error)}\n"
            self._sh.err.write(says)
        return TransferError(WRITE, "Failure writing output to destination")


def name_in(disposition: str) -> str:
    """The file that a server names, without any directory."""
    found = FILE_NAME.search(disposition)
    if found is None:
        return ""
    name = found[1].replace("\\", "/") if found[1] is not None else found[2]
    name = name.replace("\\", "/").rpartition("/")[2]
    return "" if name in (".", "..") or any(char < " " for char in name) else name
