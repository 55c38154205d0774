"""What Deep Agents gets of files and commands, in its own classes."""

from __future__ import annotations

from base64 import standard_b64encode
from datetime import UTC, datetime

from deepagents.backends import protocol
from deepagents.backends.utils import slice_read_response

from keysh.interp.state.call import CommandFailure, os_error_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.adapters.agent.frameworks.sandbox import FoundFile
    from keysh.adapters.agent.task import FinishedCommand

FILE_ERRORS = (OSError, CommandFailure)
INVALID_PATH: str = protocol.INVALID_PATH
ERROR_CODES = {
    FileNotFoundError: protocol.FILE_NOT_FOUND,
    IsADirectoryError: protocol.IS_DIRECTORY,
    PermissionError: protocol.PERMISSION_DENIED,
}
MAX_BINARY_BYTES = 512_000  # of a file that is read in base64


def read_result(path: str, data: bytes, offset: int, limit: int) -> protocol.ReadResult:
    """Return lines of a text, or all of anything else in base64."""
    try:
        content = data.decode()
    except UnicodeDecodeError:
        if len(data) > MAX_BINARY_BYTES:
            fact = f"Binary file exceeds maximum preview size of {MAX_BINARY_BYTES} bytes"
            return protocol.ReadResult(error=f"File '{path}': {fact}")
        encoded = standard_b64encode(data).decode()
        return protocol.ReadResult(file_data={"content": encoded, "encoding": "base64"})
    return slice_read_response({"content": content, "encoding": "utf-8"}, offset, limit)


def response_of(done: FinishedCommand) -> protocol.ExecuteResponse:
    """Return the result of a command."""
    text = (done.stdout + done.stderr).decode("utf-8", "replace")
    return protocol.ExecuteResponse(text, done.exit_code, truncated=done.lost_bytes > 0)


def file_info(file: FoundFile) -> protocol.FileInfo:
    """Describe a file."""
    modified = datetime.fromtimestamp(file.modified, UTC).isoformat()
    is_directory = file.kind == "d"
    return {"path": file.path, "is_dir": is_directory, "size": file.size, "modified_at": modified}


def error_text(path: str, error: Exception) -> str:
    """Return the message for a file that cannot be used."""
    if isinstance(error, FileNotFoundError):
        return f"File '{path}' not found"
    return f"{path}: {os_error_text(error) if isinstance(error, OSError) else error}"


def error_code(path: str, act: Callable[[], object]) -> str | None:
    """Use a file; return None, or the word that Deep Agents has for the error."""
    if not path.startswith("/"):
        return INVALID_PATH
    try:
        act()
    except FILE_ERRORS as error:
        codes: list[str] = [code for kind, code in ERROR_CODES.items() if isinstance(error, kind)]
        return codes[0] if codes else error_text(path, error)
    return None
