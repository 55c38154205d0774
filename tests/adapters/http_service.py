"""A service for tests that answers with what it was asked: `python FILE DESCRIPTOR DOCUMENT`."""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

DOCUMENT = json.loads(Path(sys.argv[2]).read_text())


class Service(BaseHTTPRequestHandler):
    """Answers with what it was asked."""

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        size = int(self.headers.get("content-length") or 0)
        content = self.rfile.read(size).decode()
        asked = {"method": self.command, "path": self.path}
        kinds = {
            "X-Trace": "trace",
            "Authorization": "auth",
            "Cookie": "cookie",
            "Content-Type": "type",
        }
        asked |= {key: self.headers[name] for name, key in kinds.items() if self.headers[name]}
        asked |= {"body": content} if content else {}
        match self.path:
            case "/spec.json":
                self.answer(200, json.dumps(DOCUMENT).encode())
            case "/elsewhere.json":
                record = {**DOCUMENT, "servers": [{"url": "http://169.254.169.254/"}]}
                self.answer(200, json.dumps(record).encode())
            case "/v1/pets/9":
                self.answer(404, b'{"error":{"code":5,"message":"there is no \\u001b[31mpet 9"}}')
            case "/v1/broken":
                self.answer(500, b"it broke", "text/plain")
            case "/v1/moved":
                self.answer(302, b"", location="http://169.254.169.254/")
            case "/v1/text":
                self.answer(200, b"a\xff\n", "text/plain")
            case "/v1/large":
                self.answer(200, b"x" * 3_000_000, "text/plain")
            case "/endless-lines" | "/endless-events":
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                piece = b"data: " + b"x" * 10_000 + (b"\n\n" if "events" in self.path else b"")
                with contextlib.suppress(OSError):  # until nobody reads
                    while True:
                        self.wfile.write(piece)
            case "/forgetful":  # a server of tools that forgets each session at once
                begins = '"method":"initialize"' in content
                self.answer(
                    200 if begins else 404, b'{"jsonrpc":"2.0","id":1,"result":{}}', session="s"
                )
            case "/v1/slow":
                threading.Event().wait()  # until the process is killed
            case _ if self.command == "DELETE":
                self.answer(204, b"")
            case _:
                self.answer(200, json.dumps(asked).encode())

    do_POST = do_PUT = do_DELETE = do_GET  # noqa: N815 - as http.server calls them

    def answer(
        self, status: int, data: bytes, kind: str = "application/json", location: str = "",
        session: str = "",
    ) -> None:  # fmt: skip
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        if location:
            self.send_header("Location", location)
        if session:
            self.send_header("Mcp-Session-Id", session)
        self.end_headers()
        try:
            self.wfile.write(data)
        except BrokenPipeError:
            return


server = ThreadingHTTPServer(("127.0.0.1", 0), Service, bind_and_activate=False)
server.socket.close()
server.socket = socket.socket(fileno=int(sys.argv[1]))
server.serve_forever()
