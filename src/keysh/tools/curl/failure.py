"""The exit statuses of curl, by libcurl's names without CURLE_."""

from __future__ import annotations

UNSUPPORTED_PROTOCOL, URL_MALFORMAT, COULDNT_RESOLVE_HOST, COULDNT_CONNECT, WEIRD_SERVER_REPLY = (
    1,
    3,
    6,
    7,
    8,
)
(
    PARTIAL_FILE,
    HTTP_RETURNED_ERROR,
    WRITE_ERROR,
    READ_ERROR,
    OPERATION_TIMEDOUT,
    RANGE_ERROR,
    SSL_CONNECT_ERROR,
) = 18, 22, 23, 26, 28, 33, 35
(
    TOO_MANY_REDIRECTS,
    GOT_NOTHING,
    SEND_ERROR,
    RECV_ERROR,
    PEER_FAILED_VERIFICATION,
    BAD_CONTENT_ENCODING,
    FILESIZE_EXCEEDED,
) = 47, 52, 55, 56, 60, 61, 63
REFUSED_BY_HOST = 126  # by the host's policy; curl has no such status


class TransferError(Exception):
    """A transfer has failed, with a message and an exit status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message
