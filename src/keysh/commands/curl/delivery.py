"""Delivery: one URL got, and its answer written where it belongs."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from contextlib import closing

from keysh.commands.curl.address import Address
from keysh.commands.curl.connection import Clock
from keysh.commands.curl.failure import HTTP, REFUSED, URL, WRITE, TransferError
from keysh.commands.curl.report import report
from keysh.commands.curl.transfer import Transfer
from keysh.runtime.call import shown, why
from keysh.runtime.own import state_of
from keysh.runtime.progress import Progress
from keysh.text.lines import encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.commands.curl.request import Request
    from keysh.runtime.call import Call
    from keysh.runtime.network import Network
    from keysh.vfs.api import Stream

STANDARD = "-"
NUMERIC_HOST = re.compile(r"\[[0-9a-fA-F:.%]+\]")  # the brackets of an IPv6 address


class Delivery:
    """One URL. `target` is a file, - for standard output, or True for one named by the URL."""

    __slots__ = (
        "_decoder", "_file", "_sh", "_shows_heads", "_target", "_tells", "_transfer", "_url",
        "_warns", "message", "status",
    )  # fmt: skip

    def __init__(
        self, sh: Call, url: str, target: str | bool, *, tells: bool, warns: bool, shows_heads: bool
    ) -> None:
        self._sh, self._url, self._target = sh, url, target
        self._tells, self._warns, self._shows_heads = tells, warns, shows_heads
        self._decoder = getincrementaldecoder("utf-8")("surrogateescape")
        self._file: Stream | None = None
        self._transfer: Transfer | None = None
        self.status, self.message = 0, ""

    def run(
        self, request: Request, network: Network, seconds: float, query: str, *, globs: bool
    ) -> Iterator[str]:
        """What goes to standard output; `status` tells how it has ended."""
        try:
            if globs and any(char in "[]{}" for char in NUMERIC_HOST.sub("", self._url)):
                raise TransferError(URL, "URLs are not expanded here; -g takes one as it is")
            address = Address(self._url)
            if query:
                address = address.with_query(query)
            if self._target is True:
                self._target = last_part(address)
            transfer = Transfer(request, network, Clock(state_of(self._sh).budget, seconds))
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

    def reported(self, form: str) -> str:
        """What -w asks for."""
        text, unknown = report(form, self._transfer, self._url, self.status, self.message)
        for name in unknown:
            self._sh.err.write(f"curl: unknown --write-out variable: '{name}'\n")
        return text

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
                    yield from self._put(self._heads(transfer) + part)
        except TransferError as error:
            if error.status != HTTP or self._file is not None:
                yield from self._put(self._heads(transfer))
            raise
        yield from self._put(self._heads(transfer))
        if self._target != STANDARD and self._file is None:
            self._open()
        if rest := self._decoder.decode(b"", True):
            yield rest

    def _heads(self, transfer: Transfer) -> bytes:
        """The headers that have come since the last time, where they are shown."""
        found = b"".join(transfer.heads) if self._shows_heads else b""
        transfer.heads.clear()
        return found

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
            raise self._unwritable(error) from None

    def _open(self) -> Stream:
        try:
            self._file = self._sh.open(str(self._target), "w")
        except OSError as error:
            raise self._unwritable(error) from None
        return self._file

    def _unwritable(self, error: OSError) -> TransferError:
        if self._warns:
            name = shown(str(self._target))
            self._sh.err.write(f"Warning: Failed to write the file {name}: {why(error)}\n")
        return TransferError(WRITE, "Failure writing output to destination")


def last_part(address: Address) -> str:
    """The name of the file that a URL ends with."""
    name = address.target.partition("?")[0].rpartition("/")[2]
    if not name:
        raise TransferError(WRITE, "Remote file name has no length")
    return encoded(name).decode("utf-8", "surrogateescape")
