"""Failures of a transfer, with curl's numbers."""

from __future__ import annotations

PROTOCOL, URL, RESOLVE, CONNECT, WEIRD = 1, 3, 6, 7, 8
PARTIAL, HTTP, WRITE, READ, TIMEOUT, RANGE, TLS = 18, 22, 23, 26, 28, 33, 35
REDIRECTS, EMPTY, SEND, RECEIVE, CERTIFICATE, BAD_ENCODING, TOO_LARGE = 47, 52, 55, 56, 60, 61, 63
REFUSED = 126  # by the host, which no number of curl's says


class TransferError(Exception):
    """A transfer has failed: the message, and the status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message
