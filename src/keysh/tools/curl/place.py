"""Place: where answers go: which file, in which directory, behind what is there; their headers."""

from __future__ import annotations

import errno
import re

from keysh.gnu.directories import make_parents
from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import message_name
from keysh.tools.curl.failure import WRITE_ERROR, TransferError
from keysh.vfs.api import failure
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Access, Stream

STANDARD_OUTPUT = "-"
MAX_NUMBERED_FILES = 100  # behind names of files that are there
FILE_NAME_PATTERN = re.compile(
    r"""filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))""", re.IGNORECASE
)


class AnswerFiles:
    """What the options say of all answers. `heads` is the file of -D, empty for none."""

    __slots__ = (
        "_has_headers", "_sh", "_prints_warnings", "removes_on_error", "directory", "header_file", "uses_server_name",
        "makes_directories", "resume_at", "keeps_existing", "etag_file", "sets_time",
    )  # fmt: skip

    def __init__(self, sh: Call, *, warns: bool) -> None:
        self._sh, self._prints_warnings = sh, warns
        self.directory = self.header_file = ""
        self.makes_directories = self.uses_server_name = self._has_headers = False
        self.keeps_existing = self.removes_on_error = self.sets_time = (
            False  # of --no-clobber, and so on
        )
        self.etag_file = ""  # the file of --etag-save
        self.resume_at: str | None = None  # `-` for behind what is there, or a number

    def path(self, name: str) -> str:
        """A file's path."""
        return join(self.directory, name) if self.directory else name

    def resume_offset(self, name: str) -> int:
        """How many bytes of the answer are not wanted."""
        if self.resume_at is None:
            return 0
        if self.resume_at != STANDARD_OUTPUT:
            return int(self.resume_at)
        try:
            return self._sh.fs.stat(self._sh.path(self.path(name)), follow=True).size
        except OSError:
            return 0

    def open_output(self, name: str, named: str, *, is_behind: bool) -> tuple[Stream, str]:
        """The file of an answer and its path.

        -J names it as the server does, but never over another; --no-clobber by a number more.
        """
        access: Access = "a" if is_behind else "w"
        if self.uses_server_name and named:
            name, access = named, "x"
        try:
            if self.makes_directories:
                make_parents(self._sh, self._sh.path(self.path(name)))
            if self.keeps_existing and access == "w":
                return self._open_numbered(self.path(name))
            return self._sh.open(self.path(name), access), self.path(name)
        except OSError as error:
            raise self.write_failure(name, error) from None

    def _open_numbered(self, path: str) -> tuple[Stream, str]:
        """A new file, with a number behind its name where there is one already."""
        for number in range(MAX_NUMBERED_FILES + 1):
            tried = f"{path}.{number}" if number else path
            try:
                return self._sh.open(tried, "x"), tried
            except FileExistsError:
                continue
        raise failure(errno.EEXIST, path)

    def write_headers(self, data: bytes) -> None:
        """Put the headers of an answer into the file of -D."""
        try:
            with self._sh.open(self.header_file, "a" if self._has_headers else "w") as stream:
                stream.write(data)
        except OSError as error:
            raise self.write_failure(self.header_file, error) from None
        self._has_headers = True

    def write_file(self, name: str, text: str) -> None:
        """Write a small file."""
        try:
            with self._sh.open(name, "w") as stream:
                stream.write(bytes_of_text(text))
        except OSError as error:
            raise self.write_failure(name, error) from None

    def write_failure(self, name: str, error: OSError) -> TransferError:
        """What is told of a file that cannot be written."""
        if self._prints_warnings:
            says = (
                f"Warning: Failed to write the file {message_name(name)}: {os_error_text(error)}\n"
            )
            self._sh.err.write(says)
        return TransferError(WRITE_ERROR, "Failure writing output to destination")


def disposition_file_name(disposition: str) -> str:
    """The file that a server names, without any directory."""
    found = FILE_NAME_PATTERN.search(disposition)
    if found is None:
        return ""
    name = found[1].replace("\\", "/") if found[1] is not None else found[2]
    name = name.replace("\\", "/").rpartition("/")[2]
    return "" if name in (".", "..") or any(char < " " for char in name) else name
