"""Failures of a transfer, with curl's numbers."""

from __future__ import annotations

PROTOCOL, URL, RESOLVE, CONNECT, WEIRD = 1, 3, 6, 7, 8
PARTIAL, HTTP, WRITE, TIMEOUT, TLS = 18, 22, 23, 28, 35
REDIRECTS, EMPTY, SEND, RECEIVE, CERTIFICATE, TOO_LARGE = 47, 52, 55, 56, 60, 63
REFUSED = 126  # by the host, which no number of curl's says


class TransferError(Exception):
    """A transfer has failed: the message, and the status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message
