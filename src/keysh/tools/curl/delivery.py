"""Delivery: one URL got, and its answer written where it belongs."""

from __future__ import annotations

from codecs import getincrementaldecoder
from contextlib import closing

from keysh.gnu.progress import Progress
from keysh.interp.state.state_of_call import state_of
from keysh.text.chunks import encoded, text_of_bytes
from keysh.text.dates.parser import time_of
from keysh.text.dates.time_zone import UTC_ZONE
from keysh.tools.curl.address import Address
from keysh.tools.curl.connection import Clock
from keysh.tools.curl.failure import HTTP, RANGE, REFUSED, WRITE, TransferError
from keysh.tools.curl.place import STANDARD
from keysh.tools.curl.report import known_of, report
from keysh.tools.curl.transfer import Transfer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.run.network import Network
    from keysh.interp.state.call import Call
    from keysh.tools.curl.place import Place
    from keysh.tools.curl.request import Request
    from keysh.tools.curl.transfer import Answer
    from keysh.vfs.api import Stream

NOT_THERE = 416  # the status of a range behind the end
NO_RANGES = "HTTP server doesn't seem to support byte ranges. Cannot resume."


class Delivery:
    """One URL. `target` is a file, - for standard output, or True for one named by the URL."""

    __slots__ = (
        "_decoder", "_file", "_place", "_sh", "_shows_heads", "_start", "_target", "_tells",
        "_transfer", "_url", "_warns", "message", "path", "status",
    )  # fmt: skip

    def __init__(
        self, sh: Call, url: str, target: str | bool, place: Place, *, tells: bool, warns: bool,
        shows_heads: bool,
    ) -> None:  # fmt: skip
        self._sh, self._url, self._target, self._place = sh, url, target, place
        self._tells, self._warns, self._shows_heads = tells, warns, shows_heads
        self._start = 0  # bytes of the answer that are there
        self._decoder = getincrementaldecoder("utf-8")("surrogateescape")
        self._file: Stream | None = None
        self._transfer: Transfer | None = None
        self.status, self.message = 0, ""
        self.path = ""  # of the file that was written

    def run(self, request: Request, network: Network, seconds: float, query: str) -> Iterator[str]:
        """What goes to standard output; `status` tells how it has ended."""
        try:
            address = Address(
                self._url, default=request.default_scheme, protocols=request.protocols,
                keeps_dots=request.keeps_dots,
            )  # fmt: skip
            if query:
                address = address.with_query(query)
            if self._target is True:
                self._target = last_part(address)
            self._start = self._place.start(str(self._target))
            if self._start:
                request.range = f"{self._start}-"
            clock = Clock(state_of(self._sh).budget, seconds, request.connect_seconds)
            transfer = Transfer(request, network, clock)
            self._transfer = transfer
            with closing(transfer):
                yield from self._delivered(transfer, address)
        except TransferError as error:
            self.status, self.message = error.status, error.message
            if error.status == REFUSED:
                self._sh.err.write(f"curl: {error.message}\n")
            elif self._tells:
                self._sh.err.write(f"curl: ({error.status}) {error.message}\n")
        finally:
            if self._file is not None:
                self._file.close()
                self._finish()

    def _finish(self) -> None:
        """What is done to a file when it is closed: it goes where the transfer has failed, -R."""
        path = self._sh.path(self.path)
        if self.status and self._place.cleans:
            self._sh.fs.remove(path)
        elif self._place.takes_time and (told := self.header("last-modified")):
            moment = time_of(told, self._sh.now(), UTC_ZONE)
            if moment is not None:
                self._sh.fs.set_times(path, self._sh.now(), moment)

    def header(self, name: str) -> str:
        """A header of the last answer; empty where it has none."""
        answer = self._transfer.answer if self._transfer is not None else None
        fields = answer.fields if answer is not None else []
        return next((value for key, value in fields if key.lower() == name), "")

    @property
    def code(self) -> int:
        """The status of the answer; 0 for none."""
        return self._transfer.answer.status if self._transfer is not None else 0

    def reported(self, form: str, number: int, referer: str) -> str:
        """What -w asks for; what is for standard error goes there. `number` is the URL's."""
        known = known_of(self._transfer)
        known.update(
            url=self._url, exitcode=self.status, errormsg=self.message or None, urlnum=number,
            filename_effective=self.path or None, referer=referer or None,
        )  # fmt: skip
        fields = self._transfer.answer.fields if self._transfer is not None else []
        parts, unknown = report(form, known, fields)
        for name in unknown if self._transfer is not None else ():
            self._sh.err.write(f"curl: unknown --write-out variable: '{name}'\n")
        for text, is_for_errors in parts:
            if is_for_errors:
                self._sh.err.write(text)
        return "".join(text for text, is_for_errors in parts if not is_for_errors)

    def _delivered(self, transfer: Transfer, address: Address) -> Iterator[str]:
        """The answer, piece by piece; what goes to a file goes there."""
        # What is printed on a terminal shows by itself how far it is.
        is_shown = self._warns and (self._target != STANDARD or not self._sh.out.width)
        try:
            # Not of the URL as it was given: a name and a password may stand in that.
            name = address.target.partition("?")[0].rstrip("/").rpartition("/")[2] or address.host
            with Progress(self._sh).of(name, lambda: transfer.answer.expected) as progress:
                for part in transfer.run(address):
                    if is_shown:
                        progress.add(len(part))
                    if self._start and self._is_whole(transfer.answer):
                        return
                    yield from self._put(self._heads(transfer) + part)
        except TransferError as error:
            if error.status != HTTP or self._file is not None:
                yield from self._put(self._heads(transfer))
            raise
        yield from self._put(self._heads(transfer))
        if self._place.tag and (tag := self.header("etag")):
            self._place.write(self._place.tag, f"{tag}\n")
        if self._target != STANDARD and self._file is None:
            self._open()
        if rest := self._decoder.decode(b"", True):
            yield rest

    def _is_whole(self, answer: Answer) -> bool:
        """Whether there is no more than what is there; TransferError where all comes again."""
        if answer.status < 300 and not answer.has_range:
            raise TransferError(RANGE, NO_RANGES)
        return answer.status == NOT_THERE

    def _heads(self, transfer: Transfer) -> bytes:
        """The headers that have come since the last time, where they are shown."""
        found = b"".join(transfer.heads)
        transfer.heads.clear()
        if found and self._place.heads and self._place.heads != STANDARD:
            self._place.write_heads(found)
        return found if self._shows_heads else b""

    def _put(self, data: bytes) -> Iterator[str]:
        """Write a piece to the file, or give it out."""
        if not data:
            return
        if self._target == STANDARD:
            if text := self._decoder.decode(data):
                yield text
            return
        try:
            (self._file or self._open()).write(data)
        except OSError as error:
            raise self._place.unwritable(str(self._target), error) from None

    def _open(self) -> Stream:
        named = self._transfer.answer.file if self._transfer is not None else ""
        name, is_behind = str(self._target), self._start > 0
        self._file, self.path = self._place.opened(name, named, is_behind=is_behind)
        return self._file


def last_part(address: Address) -> str:
    """The name of the file that a URL ends with."""
    name = address.target.partition("?")[0].rpartition("/")[2]
    if not name:
        raise TransferError(WRITE, "Remote file name has no length")
    return text_of_bytes(encoded(name))
