"""Open the output files of responses, and write header and ETag files."""

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
    from keysh.vfs.api import Access
    from keysh.vfs.stream import Stream

STANDARD_OUTPUT = "-"
MAX_NUMBERED_FILES = 100  # name.1, name.2 …
FILE_NAME_PATTERN = re.compile(
    r"""filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))""", re.IGNORECASE
)


class AnswerFiles:
    """The options about output files. `header_file` is that of -D; empty for none."""

    __slots__ = (
        "_has_headers", "_prints_warnings", "_sh", "directory", "etag_file", "header_file",
        "keeps_existing", "makes_directories", "removes_on_error", "resume_at", "sets_time",
        "uses_server_name",
    )  # fmt: skip

    def __init__(self, sh: Call, *, prints_warnings: bool) -> None:
        self._sh, self._prints_warnings = sh, prints_warnings
        self.directory = self.header_file = ""
        self.makes_directories = self.uses_server_name = self._has_headers = False
        self.keeps_existing = self.removes_on_error = self.sets_time = False
        self.etag_file = ""  # of --etag-save
        self.resume_at: str | None = None  # a number of bytes, or `-` for the size of the file

    def path(self, name: str) -> str:
        """Return the path of a file in the output directory."""
        return join(self.directory, name) if self.directory else name

    def resume_offset(self, name: str) -> int:
        """Return how many bytes of the response to skip, for -C."""
        if self.resume_at is None:
            return 0
        if self.resume_at != STANDARD_OUTPUT:
            return int(self.resume_at)
        try:
            return self._sh.fs.stat(self._sh.path(self.path(name)), follow=True).size
        except OSError:
            return 0

    def open_output(self, name: str, server_name: str, *, appends: bool) -> tuple[Stream, str]:
        """Open the output file for a response; return it and its path.

        -J uses the server's name for it and never overwrites a file; --no-clobber adds a number.
        """
        access: Access = "a" if appends else "w"
        if self.uses_server_name and server_name:
            name, access = server_name, "x"
        try:
            if self.makes_directories:
                make_parents(self._sh, self._sh.path(self.path(name)))
            if self.keeps_existing and access == "w":
                return self._open_numbered(self.path(name))
            return self._sh.open(self.path(name), access), self.path(name)
        except OSError as error:
            raise self.write_failure(name, error) from None

    def _open_numbered(self, path: str) -> tuple[Stream, str]:
        """Create a file, with a number added to its name if it exists."""
        for number in range(MAX_NUMBERED_FILES + 1):
            candidate = f"{path}.{number}" if number else path
            try:
                return self._sh.open(candidate, "x"), candidate
            except FileExistsError:
                continue
        raise failure(errno.EEXIST, path)

    def write_headers(self, data: bytes) -> None:
        """Write the headers of a response to the file of -D."""
        try:
            with self._sh.open(self.header_file, "a" if self._has_headers else "w") as stream:
                stream.write(data)
        except OSError as error:
            raise self.write_failure(self.header_file, error) from None
        self._has_headers = True

    def write_file(self, name: str, text: str) -> None:
        """Write text to a file."""
        try:
            with self._sh.open(name, "w") as stream:
                stream.write(bytes_of_text(text))
        except OSError as error:
            raise self.write_failure(name, error) from None

    def write_failure(self, name: str, error: OSError) -> TransferError:
        """Warn that a file cannot be written and return the error to raise."""
        if self._prints_warnings:
            self._sh.complain(
                f"Warning: Failed to write the file {message_name(name)}: {os_error_text(error)}"
            )
        return TransferError(WRITE_ERROR, "Failure writing output to destination")


def disposition_file_name(disposition: str) -> str:
    """Return the file name in a Content-Disposition header, without directories."""
    match = FILE_NAME_PATTERN.search(disposition)
    if match is None:
        return ""
    name = match[1].replace("\\", "/") if match[1] is not None else match[2]
    name = name.replace("\\", "/").rpartition("/")[2]
    return "" if name in (".", "..") or any(char < " " for char in name) else name
