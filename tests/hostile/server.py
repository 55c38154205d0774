"""A server of HTTP on the loopback that lies, floods, packs bombs or says nothing.

python server.py        prints its port, and serves until its parent has gone
"""

from __future__ import annotations

import contextlib
import gzip
import itertools
import os
import socketserver
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator

BOMB_BYTES = 48 << 20  # more than a script may unpack
END = b"\r\n"
OK = b"HTTP/1.1 200 OK" + END
CHUNKED = OK + b"Transfer-Encoding: chunked" + END
PIECE = b"x" * (1 << 16)
PAUSE_SECONDS = 0.01  # between two bytes of what comes slowly


def answer(*fields: str, body: bytes = b"", status: str = "200 OK") -> bytes:
    """Return a response with its length."""
    lines = [f"HTTP/1.1 {status}", *fields, f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body


def packed(encoding: str, body: bytes) -> bytes:
    return answer(f"Content-Encoding: {encoding}", body=body)


def endless(first: bytes, piece: bytes) -> Iterator[bytes]:
    yield first
    yield from itertools.repeat(piece)


def slow(text: bytes) -> Iterator[bytes]:
    for byte in text:
        time.sleep(PAUSE_SECONDS)
        yield bytes([byte])


def raw_deflate(size: int) -> bytes:
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    return engine.compress(bytes(size)) + engine.flush()


def packed_for_ever() -> Iterator[bytes]:
    engine = zlib.compressobj(9, zlib.DEFLATED, 31)
    yield CHUNKED + b"Content-Encoding: gzip" + END + END
    while True:
        if piece := engine.compress(bytes(1 << 20)):
            yield b"%x\r\n%b\r\n" % (len(piece), piece)


ANSWERS: dict[str, Callable[[], Iterable[bytes]]] = {
    "bomb": lambda: [packed("gzip", gzip.compress(bytes(BOMB_BYTES)))],
    "bomb-deflate": lambda: [packed("deflate", zlib.compress(bytes(BOMB_BYTES)))],
    "bomb-bare": lambda: [packed("deflate", raw_deflate(BOMB_BYTES))],
    "bomb-twice": lambda: [packed("gzip", gzip.compress(gzip.compress(bytes(BOMB_BYTES))))],
    "bomb-endless": packed_for_ever,
    "small": lambda: [packed("gzip", gzip.compress(bytes(9 << 20)))],
    "encodings": lambda: [packed("gzip, gzip, br, zstd", gzip.compress(b"x"))],
    "unpacked": lambda: [packed("gzip", b"not packed at all")],
    "cut": lambda: [packed("gzip", gzip.compress(bytes(99_999))[:50])],
    "body": lambda: endless(OK + END, PIECE),
    "body-line": lambda: endless(CHUNKED + END, b"10000\r\n" + PIECE + END),
    "body-slow": lambda: slow(answer(body=b"x" * 1000)),
    "chunk-huge": lambda: endless(CHUNKED + END + b"7fffffffffffffff\r\n", PIECE),
    "chunk-digits": lambda: [CHUNKED + END + b"9" * 5000 + END],
    "chunk-negative": lambda: [CHUNKED + END + b"-1\r\nx\r\n"],
    "chunk-extension": lambda: endless(CHUNKED + END + b"1;", PIECE),
    "chunk-tiny": lambda: endless(CHUNKED + END, b"1\r\nx\r\n" * 1000),
    "chunk-trailer": lambda: endless(CHUNKED + END + b"0\r\n", b"A: b\r\n"),
    "length-digits": lambda: [OK + b"Content-Length: " + b"9" * 5000 + END + END + b"x"],
    "length-huge": lambda: endless(OK + b"Content-Length: 9223372036854775807" + END + END, PIECE),
    "length-negative": lambda: [OK + b"Content-Length: -5" + END + END + b"x"],
    "length-two": lambda: [OK + b"Content-Length: 1" + END + b"Content-Length: 2" + END + END],
    "header": lambda: endless(OK + b"A: ", PIECE),
    "headers": lambda: endless(OK, b"A: b\r\n" * 1000),
    "header-null": lambda: [OK + b"A: \0\xff\xfe" + END + b"Content-Length: 0" + END + END],
    "status": lambda: endless(b"HTTP/1.1 200 ", PIECE),
    "status-digits": lambda: [b"HTTP/1.1 " + b"9" * 5000 + b" OK\r\n\r\n"],
    "continue": lambda: endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
    "silence": lambda: slow(b""),
    "noise": lambda: endless(b"", bytes(range(256)) * 256),
    "redirect": lambda: [answer("Location: /redirect", status="302 Found")],
    "redirect-file": lambda: [answer("Location: file:///etc/passwd", status="302 Found")],
    "redirect-inside": lambda: [
        answer("Location: http://169.254.169.254/latest/", status="302 Found")
    ],
    "redirect-long": lambda: [answer(f"Location: /{'a' * 60_000}", status="302 Found")],
    "redirect-line": lambda: [answer("Location: /a%0d%0aX: y", status="302 Found")],
    "name-out": lambda: [
        answer('Content-Disposition: attachment; filename="../../outside/new"', body=b"evil")
    ],
    "name-absolute": lambda: [
        answer('Content-Disposition: attachment; filename="/evil-new"', body=b"evil")
    ],
    "name-long": lambda: [
        answer(f'Content-Disposition: attachment; filename="{"a" * 50_000}"', body=b"evil")
    ],
    "name-pattern": lambda: [answer("Content-Disposition: " + 'a="\\' * 15_000, body=b"evil")],
    "cookies": lambda: [answer(*[f"Set-Cookie: c{n}={'v' * 50}" for n in range(900)], body=b"x")],
    "cookie-long": lambda: [answer(f"Set-Cookie: a={'b' * 60_000}; Expires={'9' * 5000}")],
    "cookie-age": lambda: [answer(f"Set-Cookie: a=b; Max-Age={'9' * 5000}", body=b"x")],
    "retry": lambda: [answer("Retry-After: 99999999999", status="503 Busy")],
    "retry-digits": lambda: [answer(f"Retry-After: {'9' * 5000}", status="503 Busy")],
    "range": lambda: [
        answer(f"Content-Range: bytes {'9' * 5000}-0/*", body=b"x", status="206 Partial")
    ],
    "date": lambda: [answer(f"Last-Modified: {'9' * 5000}", f"ETag: {'e' * 60_000}", body=b"x")],
}  # fmt: skip


class Handler(socketserver.BaseRequestHandler):
    """Gives the answer that the path names, again and again on one connection."""

    def handle(self) -> None:
        waiting = b""
        with contextlib.suppress(OSError):
            while True:
                while END + END not in waiting:
                    data = self.request.recv(1 << 16)
                    if not data:
                        return
                    waiting = waiting[-1 << 20 :] + data
                head, _, waiting = waiting.partition(END + END)
                path = head.split(b" ")[1].decode("latin-1").lstrip("/")
                make = ANSWERS.get(path, lambda: [answer(status="404 No")])
                for piece in make():
                    self.request.sendall(piece)
                if path in ("silence", "length-huge", "length-negative"):
                    while self.request.recv(1 << 16):
                        pass
                    return


class Server(socketserver.ThreadingTCPServer):
    """A thread for each connection; nothing is waited for at the end."""

    daemon_threads, allow_reuse_address = True, True
    request_queue_size = 128

    def handle_error(self, *_: object) -> None:
        """Say nothing: a client may leave at any time."""


def main() -> None:
    parent = os.getppid()
    with Server(("127.0.0.1", 0), Handler) as server:
        print(server.server_address[1], flush=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        while os.getppid() == parent:
            time.sleep(0.2)


if __name__ == "__main__":
    sys.exit(main())
