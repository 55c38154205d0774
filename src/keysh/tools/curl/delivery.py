"""Transfer one URL and write its response to a file or to standard output."""

from __future__ import annotations

from contextlib import closing

from keysh.gnu.progress import Progress
from keysh.text.chunks import Decoder, bytes_of_text, text_of_bytes
from keysh.text.dates.date_parser import parse_date
from keysh.text.dates.time_zone import UTC_ZONE
from keysh.tools.curl.address import UrlAddress
from keysh.tools.curl.connection import TransferClock
from keysh.tools.curl.failure import (
    HTTP_RETURNED_ERROR,
    RANGE_ERROR,
    REFUSED_BY_HOST,
    WRITE_ERROR,
    TransferError,
)
from keysh.tools.curl.output_files import STANDARD_OUTPUT
from keysh.tools.curl.report import transfer_variables, write_out_parts
from keysh.tools.curl.transfer import CurlTransfer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call, Network
    from keysh.tools.curl.output_files import AnswerFiles
    from keysh.tools.curl.request import RequestSettings
    from keysh.tools.curl.transfer import TransferAnswer
    from keysh.vfs.stream import Stream

RANGE_NOT_SATISFIABLE = 416
RANGES_UNSUPPORTED = "HTTP server doesn't seem to support byte ranges. Cannot resume."


class Delivery:
    """One URL. `target` is a file, - for standard output, or True to name it after the URL."""

    __slots__ = (
        "_decoder", "_file", "_outputs", "_prints_errors", "_prints_warnings", "_resume_offset",
        "_sh", "_shows_headers", "_target", "_transfer", "_url", "message", "path", "status",
    )  # fmt: skip

    def __init__(
        self, sh: Call, url: str, target: str | bool, outputs: AnswerFiles, *,
        prints_errors: bool, prints_warnings: bool, shows_headers: bool,
    ) -> None:  # fmt: skip
        self._sh, self._url, self._target, self._outputs = sh, url, target, outputs
        self._prints_errors, self._prints_warnings = prints_errors, prints_warnings
        self._shows_headers = shows_headers
        self._resume_offset = 0  # bytes already in the file
        self._decoder = Decoder()
        self._file: Stream | None = None
        self._transfer: CurlTransfer | None = None
        self.status, self.message = 0, ""
        self.path = ""  # of the output file

    def run(
        self, request: RequestSettings, network: Network, seconds: float, query: str
    ) -> Iterator[str]:
        """Yield what goes to standard output, and set `status`."""
        try:
            address = UrlAddress(
                self._url, default=request.default_scheme, protocols=request.protocols,
                keeps_dots=request.keeps_dots,
            )  # fmt: skip
            if query:
                address = address.with_query(query)
            if self._target is True:
                self._target = remote_file_name(address)
            self._resume_offset = self._outputs.resume_offset(str(self._target))
            if self._resume_offset:
                request.range = f"{self._resume_offset}-"
            clock = TransferClock(self._sh, seconds, request.connect_seconds)
            transfer = CurlTransfer(request, network, clock)
            self._transfer = transfer
            with closing(transfer):
                yield from self._answer_text(transfer, address)
        except TransferError as error:
            self.status, self.message = error.status, error.message
            if error.status == REFUSED_BY_HOST:
                self._sh.complain(f"curl: {error.message}")
            elif self._prints_errors:
                self._sh.complain(f"curl: ({error.status}) {error.message}")
        finally:
            if self._file is not None:
                self._file.close()
                self._finish_file()

    def _finish_file(self) -> None:
        """Remove the output file after a failure, or set its time, as the options say."""
        path = self._sh.path(self.path)
        if self.status and self._outputs.removes_on_error:
            self._sh.fs.remove(path)
        elif self._outputs.sets_time and (modified := self.header("last-modified")):
            moment = parse_date(modified, self._sh.now(), UTC_ZONE)
            if moment is not None:
                self._sh.fs.set_times(path, self._sh.now(), moment)

    def header(self, name: str) -> str:
        """Return a header of the last response; empty if it is missing."""
        answer = self._transfer.answer if self._transfer is not None else None
        fields = answer.fields if answer is not None else []
        return next((value for key, value in fields if key.lower() == name), "")

    @property
    def http_status(self) -> int:
        """The HTTP status of the response; 0 for none."""
        return self._transfer.answer.status if self._transfer is not None else 0

    def write_out_text(self, template: str, number: int, referer: str) -> str:
        """Return the text of -w, after writing its parts for standard error."""
        variables = transfer_variables(self._transfer)
        variables.update(
            url=self._url, exitcode=self.status, errormsg=self.message or None, urlnum=number,
            filename_effective=self.path or None, referer=referer or None,
        )  # fmt: skip
        fields = self._transfer.answer.fields if self._transfer is not None else []
        parts, unknown = write_out_parts(template, variables, fields)
        for name in unknown if self._transfer is not None else ():
            self._sh.complain(f"curl: unknown --write-out variable: '{name}'")
        for text, is_for_errors in parts:
            if is_for_errors:
                self._sh.err.write(text)
        return "".join(text for text, is_for_errors in parts if not is_for_errors)

    def _answer_text(self, transfer: CurlTransfer, address: UrlAddress) -> Iterator[str]:
        """Transfer the response: write it to the file, or yield it."""
        # Output on a terminal needs no progress bar.
        is_shown = self._prints_warnings and (
            self._target != STANDARD_OUTPUT or not self._sh.out.width
        )
        try:
            # Not from the original URL, which may contain a password.
            name = (
                address.path_and_query.partition("?")[0].rstrip("/").rpartition("/")[2]
                or address.host
            )
            with Progress(self._sh).of(name, lambda: transfer.answer.expected_bytes) as progress:
                for part in transfer.run(address):
                    progress.add(len(part), is_drawn=is_shown)
                    if self._resume_offset and self._is_complete(transfer.answer):
                        return
                    yield from self._write_part(self._new_headers(transfer) + part)
        except TransferError as error:
            if error.status != HTTP_RETURNED_ERROR or self._file is not None:
                yield from self._write_part(self._new_headers(transfer))
            raise
        yield from self._write_part(self._new_headers(transfer))
        if self._outputs.etag_file and (tag := self.header("etag")):
            self._outputs.write_file(self._outputs.etag_file, f"{tag}\n")
        if self._target != STANDARD_OUTPUT and self._file is None:
            self._open_file()
        if rest := self._decoder.finish():
            yield rest

    def _is_complete(self, answer: TransferAnswer) -> bool:
        """Return whether the file is complete. Raise an error if the server ignores ranges."""
        if answer.status < 300 and not answer.has_range:
            raise TransferError(RANGE_ERROR, RANGES_UNSUPPORTED)
        return answer.status == RANGE_NOT_SATISFIABLE

    def _new_headers(self, transfer: CurlTransfer) -> bytes:
        """Return the headers received since the last call, if they are printed."""
        headers = b"".join(transfer.header_blocks)
        transfer.header_blocks.clear()
        if headers and self._outputs.header_file and self._outputs.header_file != STANDARD_OUTPUT:
            self._outputs.write_headers(headers)
        return headers if self._shows_headers else b""

    def _write_part(self, data: bytes) -> Iterator[str]:
        """Write data to the file, or yield it."""
        if not data:
            return
        if self._target == STANDARD_OUTPUT:
            if text := self._decoder.decode(data):
                yield text
            return
        try:
            (self._file or self._open_file()).write(data)
        except OSError as error:
            raise self._outputs.write_failure(str(self._target), error) from None

    def _open_file(self) -> Stream:
        server_name = self._transfer.answer.file_name if self._transfer is not None else ""
        name, appends = str(self._target), self._resume_offset > 0
        self._file, self.path = self._outputs.open_output(name, server_name, appends=appends)
        return self._file


def remote_file_name(address: UrlAddress) -> str:
    """Return the file name at the end of a URL."""
    name = address.path_and_query.partition("?")[0].rpartition("/")[2]
    if not name:
        raise TransferError(WRITE_ERROR, "Remote file name has no length")
    return text_of_bytes(bytes_of_text(name))
