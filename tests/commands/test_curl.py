"""curl: transfers from a local server compared with the real curl, and the network policy."""

from __future__ import annotations

import gzip
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path

import pytest

from commands.archive_copies import cases
from commands.command_runner import Answer, run_gnu, run_keysh
from keysh import Cancel, Limits, LocalFS, Network, Shell
from keysh.cli.setup import machine_programs
from keysh.gnu.progress import Progress
from keysh.interp.run.network import host_matches, is_public, network_of, parse_host
from keysh.tools.curl.address import UrlAddress
from keysh.tools.curl.cookies import COOKIE_FILE_HEADING, CookieJar
from keysh.tools.curl.form import semicolon_fields
from keysh.tools.curl.routes import Routes
from keysh.tools.curl.transfer import decode_content
from real_tools import need

REDIRECTS = {
    "/r1": "/r2", "/r2": "/echo", "/loop": "/loop", "/nowhere": "foo://x/",
    "/inside": "http://10.0.0.1/", "/other": "http://localhost:{port}/echo",
    "/closed": "http://127.0.0.1:1/", "/rel": "a b/../echo?x=1",
}  # fmt: skip


class Handler(BaseHTTPRequestHandler):
    """Echoes requests, except for some paths with special meanings."""

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.partition("?")[0]
        if path in REDIRECTS:
            code = int(self.path.partition("?")[2] or 302)
            self.send(
                code, b"moved\n", Location=REDIRECTS[path].format(port=self.server.server_port)
            )
        elif path == "/404":
            self.send(404, b"nope\n")
        elif path == "/short":
            self.send(200, b"part\n", length=50)
        elif path == "/bytes":
            self.send(200, bytes(range(256)))
        elif path == "/set":
            self.send_response(302)
            for cookie in (
                "a=1; Path=/",
                "b=2; path=/echo; HttpOnly",
                "c=3; domain=example.com",
                "d=4; Max-Age=0",
                "a=5; path=/",
                "s=6; secure",
                "t=7; domain=com",
            ):
                self.send_header("Set-Cookie", cookie)
            self.send_header("Location", "/echo")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif path == "/busy":  # twice for each client
            asked = self.server.asked  # type: ignore[attr-defined]
            asked.append(self.path)
            is_busy = asked.count(self.path) < 3
            self.send(503 if is_busy else 200, b"not now" if is_busy else b"at last")
        elif path == "/named":
            name = self.path.partition("?")[2]
            self.send(200, b"n", **{"Content-Disposition": f'attachment; filename="{name}"'})
        elif path in ("/gzip", "/deflate", "/strange"):
            packed = zlib.compress(b"x" * 999) if path == "/deflate" else gzip.compress(b"y" * 999)
            self.send(200, packed, **{"Content-Encoding": path[1:]})
        elif path == "/part" and self.headers["Range"]:
            begin, end = self.headers["Range"].removeprefix("bytes=").split("-")
            if int(begin) > 255:
                self.send(416, b"no")
            else:
                whole = bytes(range(256))[int(begin) : int(end or 255) + 1]
                reported = f"bytes {begin}-{end or 255}/256" if self.path == "/part" else ""
                self.send(206, whole, **({"Content-Range": reported} if reported else {}))
        elif path == "/tagged":
            self.send(
                200, b"t", ETag='W/"abc"', **{"Last-Modified": "Sun, 09 Sep 2001 01:46:40 GMT"}
            )
        elif path == "/empty":
            self.send(200, b"")
        elif path == "/chunks":
            self.send(200, b"", length=None)
            self.wfile.write(b"endless " * 10)
        elif path == "/garbage":
            self.wfile.write(b"this is no HTTP\r\n\r\n")
        elif path == "/hang":
            self.server.hung.wait(20)  # type: ignore[attr-defined]
        elif path == "/stall":
            self.send(200, b"first", length=50)
            self.server.hung.wait(20)  # type: ignore[attr-defined]
        elif path != "/nothing":
            text = f"{self.command} {self.path}\n{self.headers}".encode()
            self.send(200, text + body + b"\n", **{"Content-Type": "text/plain"})

    def send(self, code: int, body: bytes, length: int | None = -1, **headers: str) -> None:
        self.send_response(code)
        if length is not None:
            self.send_header("Content-Length", str(len(body) if length < 0 else length))
        for key, value in headers.items():
            self.send_header(key, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
            self.wfile.flush()

    def __getattr__(self, name: str) -> Callable[[], None]:
        if name.startswith("do_"):  # every method is answered
            return self.answer
        raise AttributeError(name)

    def date_time_string(self, timestamp: float | None = None) -> str:
        return "today"

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def serving(tls: ssl.SSLContext | None = None) -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.hung = threading.Event()  # type: ignore[attr-defined]
    server.asked = []  # type: ignore[attr-defined]
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.hung.set()  # type: ignore[attr-defined]
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving() as server:
        yield server.server_port


OPEN = Network(["127.0.0.1:*", "nowhere.invalid", "a.test:*"], ["*"])
FILES = {
    "lines": b"a=1\r\nb c\n", "empty": b"", "all": bytes(range(256)), "begun": bytes(range(9)),
    "heads.txt": b"A: 1\r\nB:2\n\nC;\n", "tagfile": b'"abc"\n', "all.old": b"o",
    "names": b'machine other login no\nmachine 127.0.0.1 login me\n\tpassword "w d"\n'
             b"default login x\n",
    "config": b'# one\nurl = "http://127.0.0.1:PORT/echo"\n-H "A: 1"\n'
              b'header "B: \\"2\\""\ndata = x\n',
    "config2": b"url=http://127.0.0.1:PORT/echo\nnext\nurl: http://127.0.0.1:PORT/empty\nhead\n",
    "pic.png": b"p", 'q"uote': b"q",
    "jar": b"# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tkept\tyes\n"
           b"#HttpOnly_127.0.0.1\tFALSE\t/echo\tFALSE\t9999999999\tlong\tv\n"
           b"127.0.0.1\tFALSE\t/no\tFALSE\t0\tno\t1\n"
           b".0.0.1\tTRUE\t/\tFALSE\t0\tno\t1\n127.0.0.1\tFALSE\t/\tFALSE\t5\told\t1\n",
}  # fmt: skip


def run(
    folder: Path, script: str, network: Network | bool | None = OPEN, stdin: bytes = b""
) -> Answer:
    with Shell({"/": LocalFS(folder)}, limits=Limits(seconds=20), network=network) as shell:
        result = shell.run(script, stdin=stdin)
        assert result.error is None
        return Answer(result.code, result.stdout_bytes, result.stderr)


def settled(answer: Answer) -> Answer:
    """Return an answer with times and form boundaries replaced by constants."""
    err = re.sub(r"after \d+ ms", "after 0 ms", answer.err)
    return answer._replace(err=err, out=re.sub(rb"-{24}[0-9a-f]{16}", b"BOUNDARY", answer.out))


CALLS = [
    "U/echo", "-i U/echo", "-I U/echo", "-d x U/echo", "-d a=1 -d b=2 U/echo", "-d @lines U/echo",
    "--data-binary @lines U/echo", "--data-raw @lines U/echo", "--data-binary @all U/echo",
    "--data-urlencode 'c=d e&é' --data-urlencode '=x y' --data-urlencode p@lines -d q U/echo",
    "--data-urlencode @lines --data-urlencode 'a b' U/echo", "-d '' U/echo", "-d @- U/echo",
    "--json '{\"a\":1}' U/echo", "--json 1 --json 2 -H 'Content-Type: x' U/echo",
    "-G -d a=1 --data-urlencode 'b=c d' U/echo", "-G -d a=1 'U/echo?c=3'", "-X PUT -d x U/echo",
    "-X DELETE U/echo", "-H 'A: 1' -H 'B:2' -H 'Accept:' -H 'C;' -H 'nonsense' U/echo",
    "-H 'accept: q' -H 'host: 127.0.0.1' U/echo", "-u me:word U/echo", "-u 'mé:' U/echo",
    "http://me:p%20w@127.0.0.1:PORT/echo", "127.0.0.1:PORT/echo", "HTTP://127.0.0.1:PORT",
    "'U/echo?q=1#part'", "U/a/./b/../c", "'U?x'", "-f U/404", "-i U/404", "--fail-with-body U/404",
    "-f U/echo", "U/r1", "-L U/r1", "-iL U/r1", "-IL U/r1", "-L -d x U/r1", "-L -d x 'U/r1?307'",
    "-L -X POST -d x U/r1", "-L -d x 'U/r1?303'", "-L -u me:word U/r1", "-L U/loop",
    "-L --max-redirs 3 U/loop", "-L --max-redirs 0 U/r1", "-L U/nowhere", "-L U/closed", "-L U/rel",
    "U/short", "U/bytes", "U/empty", "U/chunks", "U/garbage", "U/nothing", "-o out U/bytes",
    "-o out U/empty", "-o out -f U/404", "-o d/out U/echo", "-o a U/echo -o b U/404 U/empty",
    "-O U/bytes", "-O 'U/x/echo?q'", "-o - U/echo", "--max-filesize 5 U/echo",
    "U/echo U/404 U/closed",
    "http://127.0.0.1:1/", "http://nowhere.invalid/", "foo://127.0.0.1/", "'U/a b'", "U:x/",
    "http://127.0.0.1:99999/", "-s U/short", "-s http://127.0.0.1:1/", "-sS http://127.0.0.1:1/",
    "-L U/r1 -o /dev/null -w '%{http_code} %{num_redirects} %{size_download} %{content_type}\\n'",
    "U/r1 -o out -w '%{redirect_url}|%{url_effective}|%{method}|%{scheme}|%{url}|%% %x %\\n\\t\\q'",
    "-f U/404 -w '%{exitcode} %{errormsg} %{response_code} %{num_headers} %{remote_ip}'",
    "http://127.0.0.1:1/ -w '%{http_code} %{exitcode}'", "U/echo -w '%{nonsense}'",
    "-w @lines U/empty",
    "-d x -w '%{size_upload} %{http_version} %{remote_port}' -o out U/echo",
]  # fmt: skip

MORE_CALLS = r"""
-F a=1 -F 'b= two;type=text/x' U/echo|-F f=@lines -F 'g=@pic.png;type=x/y;filename="n m"' U/echo
-F 'a"b=<lines' -F 'h=@q"uote' U/echo|-F f=@missing U/echo|--form-string 'a=@b;c' U/echo
-F f=@- U/echo|-L -F a=1 'U/r1?307'|-F a=b -H 'A: 1' U/echo|-H Expect: -T lines U/echo
-H Expect: -T lines U/|-H Expect: -T pic.png http://127.0.0.1:PORT
-H Expect: -T all -X POST U/echo|-H Expect: -T empty U/echo|-r 0-4 U/echo|-r 2-4 U/part
-r 250- -i U/part|-e http://x/ U/echo|-L -e 'http://x/;auto' U/r1|-L -e ';auto' U/r1|-b a=1 U/echo
-b a=1 -b 'c=2; d=3' U/echo|-b jar U/echo|-b jar U/no/x|-b jar -b e=5 U/echo|-b missing -L U/set
-b missing U/set U/echo|-L -c new U/set|-L -b jar -c - U/set|-L U/set|-D heads U/echo|-D - U/empty
-D heads -L U/r1|-D heads -i U/echo U/empty|-O -J 'U/named?x'|-OJ 'U/named?../../up'
-OJ 'U/named?d%5Ce'|-OJ U/bytes|--create-dirs -o n/m/x U/bytes|-o n/m/x U/bytes
--create-dirs --output-dir k -O U/bytes|--output-dir k -o x U/bytes|--compressed U/gzip
--compressed U/deflate|U/gzip|--compressed -w '%{size_download}' U/gzip|--compressed U/bytes
-C - -o begun U/part|-C 250 U/part|-C 250 'U/part?unsaid'|-C - -o new U/part|-C - -o begun U/bytes
-C - -o all U/part|--url U/echo U/empty|'U/{echo,404}'|-o 'x_#1_#2' 'U/[1-3]{a,b}'
'U/[a-c]' -w '%{url_effective} '|'U/[01-10:4]'|'U/x[1-'|'U/x{a'|'U/x}'|'U/x[a-9]'|'U/x[5-1]'
'U/x]'|'U/{}'|'U/x{a{b}}'|'U/\[1\]'
-H @heads.txt -H 'D: 4' U/echo|-H @missing U/echo|--data-ascii x U/echo|--url-query 'a=b c' U/echo
--url-query a=b --url-query +c%20d 'U/echo?z'|--url-query a=b -G -d x U/echo|--url-query q U/404
--oauth2-bearer tok U/echo|--oauth2-bearer tok -u a:b U/echo|--netrc-file names U/echo
--netrc-file names -u a:b U/echo|--netrc-file missing U/echo|--netrc-optional U/echo|-n -L U/r1
-L --post302 -d x U/r1|-L --post301 -d x 'U/r1?301'|-L --post303 -d x 'U/r1?303'
-L --post302 -X PUT -d x U/r1|-L --max-redirs -1 U/r1|-z 'Jan 1 2020 UTC' U/echo
-z '-Jan 1 2020' U/echo|-z all.old U/echo|-z nonsense U/echo|-b jar -j U/echo
--etag-save tag U/tagged|--etag-compare tagfile -o out U/echo|-R -o out U/tagged
--no-clobber -o begun U/bytes
--no-clobber -o new U/bytes|--remove-on-error -o out U/short|-o out U/short
--remote-name-all U/bytes U/empty
-o a --remote-name-all U/echo U/bytes|--fail-early -f U/404 U/echo|-f U/404 U/echo
--next -A z U/echo|U/echo --next -A z -d x U/echo|-d x U/echo --next -sI U/empty
-o a U/echo --next -so b U/bytes
-d x --next -A z -H 'A: 1' U/echo|-K config U/echo|-K config|-K config2
--proto =https U/echo|--proto =http,https U/echo|--proto -http U/echo
--proto-default http 127.0.0.1:PORT/echo|-L --proto-redir =https U/r1|--path-as-is U/a/../b
--request-target /other U/echo|--request-target '*' -X OPTIONS U/|-4 U/echo
--http1.1 --tlsv1.2 U/echo
-q --no-progress-meter --no-keepalive --tcp-nodelay --limit-rate 1G U/echo|--ssl-reqd -N -# U/empty
--resolve a.test:PORT:127.0.0.1 http://a.test:PORT/echo
--connect-to ::127.0.0.1:PORT http://a.test/echo
--resolve nonsense U/echo
-o out -w '%{filename_effective} %{num_connects} %{urlnum} %{referer}.' U/echo
-e http://x/ -o out -w '%{referer} %{local_ip} %{size_header} %{size_request} %{certs}' U/echo
-w '%{size_request} %{size_header}' -o out -d xyz -L 'U/r1?307'|-o out -w '%{header_json}' U/tagged
-o out -w '%header{content-type} %header{NONE} %header{X' U/echo
-w '%{onerror}bad %{exitcode}' U/empty
-f -w '%{onerror}bad %{exitcode}' U/404|-w '%{stderr}err%{stdout}out' U/empty
-w '%{http_connect}' U/empty
-w '%{urlnum} ' U/empty U/empty|-w '%{proxy_ssl_verify_result} %{ssl_verify_result}' U/empty
"""


@pytest.mark.parametrize("call", [*CALLS, *cases(MORE_CALLS)])
def test_calls_match_the_real_curl(tmp_path: Path, port: int, call: str) -> None:
    need("curl", "bash")
    words = re.sub(r"\bU(?=[/?:])", f"http://127.0.0.1:{port}", call.replace("PORT", str(port)))
    silent = "" if call.startswith("-s") else "-sS "
    script = f"curl -A agent {silent}{words}"
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
        for name, content in FILES.items():
            (folder / name).write_bytes(content.replace(b"PORT", b"%d" % port))
        os.utime(folder / "all.old", (10**9, 10**9))
    mine = settled(run(here, script, stdin=b"in put\n"))
    real = settled(run_gnu("bash", "-c", script, cwd=there, stdin=b"in put\n"))
    assert mine == real
    assert contents(here) == contents(there)


def contents(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    made = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
    made.update({f"{path.name} is old": b"" for path in files if path.stat().st_mtime < 1.1e9})
    return made


# ---------------------------------------------------------------- the policy


@pytest.mark.parametrize(
    ("network", "words", "says"),
    [
        (None, "U/echo", "the network is closed to scripts here\nfix: "),
        (False, "U/echo", "the network is closed to scripts here\nfix: "),
        (Network(), "U/echo", "127.0.0.1:PORT is not among the hosts that may be reached"),
        (Network(["127.0.0.1"]), "U/echo", "127.0.0.1:PORT is not among the hosts"),
        (Network(["127.0.0.1:*"]), "-d x U/echo", "POST is not among the methods that may be used"),
        (Network(["127.0.0.1:*"]), "-X post U/echo", "post is not among the methods"),
        (Network(["localhost:*"]), "http://localhost:PORT/", "localhost is "),
        (Network(["*:*"]), "U/echo", "127.0.0.1 is 127.0.0.1, which is not a public address"),
        (Network(["*:*"]), "http://2130706433:PORT/", "2130706433 is 127.0.0.1, which is not"),
        (Network(["*:*"]), "http://0:PORT/", "0 is 0.0.0.0, which is not a public address"),
        (Network(["*:*"]), "http://[::1]:PORT/", "::1 is ::1, which is not a public address"),
        (Network(["*:*"]), "http://[::ffff:127.0.0.1]:PORT/", "::ffff:127.0.0.1 is ::ffff:127"),
        (Network(["*:*"]), "http://169.254.169.254/latest", "169.254.169.254 is 169.254.169.254"),
        (Network(["127.0.0.1:*"]), "-L U/other", "localhost:PORT is not among the hosts"),
        (Network(["127.0.0.1:*", "*"]), "-L U/inside", "10.0.0.1 is 10.0.0.1, which is not a"),
        (Network(["127.0.0.1:*"]), "-H 'Host: other' U/echo", "other:PORT is not among the hosts"),
    ],
)  # fmt: skip
def test_the_policy_refuses(
    tmp_path: Path, port: int, network: Network | bool | None, words: str, says: str
) -> None:
    words = words.replace("PORT", str(port)).replace("U/", f"http://127.0.0.1:{port}/")
    answer = run(tmp_path, f"curl -s {words}", network)
    assert (answer.status, answer.out) == (126, b"")
    assert answer.err.startswith(f"curl: {says.replace('PORT', str(port))}")


def test_connection_uses_the_judged_address(
    tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that resolves differently each time is resolved only once."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def changing(host: str, *arguments: object, **options: object) -> object:
        asked.append(host)
        return real("127.0.0.1" if len(asked) % 2 else "127.0.0.2", *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", changing)
    network = Network(["changing.test:*"], addresses=["127.0.0.1"])
    url = f"http://changing.test:{port}/echo"
    assert run(tmp_path, f"curl -sS {url}", network).status == 0
    answer = run(tmp_path, f"curl -sS {url}", network)
    assert answer.err == "curl: changing.test is 127.0.0.2, which is not a public address\n"
    assert asked == ["changing.test"] * 2


def test_secrets_are_not_sent_to_another_server(tmp_path: Path, port: int) -> None:
    network = Network(["127.0.0.1:*", "localhost:*"], addresses=["::1"])
    options = "-u me:word -H 'Cookie: c' -H 'X-Mine: 1' -L"
    answer = run(tmp_path, f"curl -sS {options} http://127.0.0.1:{port}/other", network)
    assert answer.status == 0
    assert b"X-Mine: 1" in answer.out
    assert b"Authorization" not in answer.out
    assert b"Cookie" not in answer.out
    answer = run(tmp_path, f"curl -sS {options} http://127.0.0.1:{port}/r1", network)
    assert b"Authorization: Basic" in answer.out
    assert b"Cookie: c" in answer.out


@pytest.mark.parametrize(
    ("address", "is_open"),
    [
        ("8.8.8.8", True), ("2606:4700::1111", True), ("::ffff:8.8.8.8", True),
        ("64:ff9b::808:808", True), ("127.0.0.1", False), ("10.1.2.3", False), ("0.0.0.0", False),
        ("192.168.0.1", False), ("172.16.0.1", False), ("169.254.1.1", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False), ("240.0.0.1", False), ("255.255.255.255", False), ("::1", False),
        ("::", False), ("fe80::1", False), ("fc00::1", False), ("ff02::1", False),
        ("fec0::1", False),
        ("::ffff:10.0.0.1", False), ("64:ff9b::7f00:1", False), ("2002:7f00:1::", False),
        ("2002:a00:1::1", False), ("2001:0:808:808::80ff:fffe", False),
    ],
)  # fmt: skip
def test_public_addresses(address: str, is_open: bool) -> None:
    assert Network(["*"]).allows(address) is is_open
    assert network_of(True).allows(address)  # type: ignore[union-attr]


def test_listed_addresses() -> None:
    network = Network(["*", "[::1]:80", "10.9.9.9"], addresses=["10.0.0.0/16", "fd00::/8"])
    allowed = ["10.0.3.4", "fd12::1", "::1", "10.9.9.9", "::ffff:10.0.3.4"]
    assert [one for one in allowed if not network.allows(one)] == []
    assert not network.allows("10.1.0.1")
    assert not is_public(ip_address("10.0.0.1"))


@pytest.mark.parametrize(
    ("host", "pattern", "is_one"),
    [
        ("a.org", "a.org", True), ("A.org.", "a.org", True), ("b.a.org", "*.a.org", True),
        ("a.org", "*.a.org", False), ("xa.org", "*.a.org", False), ("b.a.org", "a.org", False),
        ("any", "*", True),
    ],
)  # fmt: skip
def test_hosts(host: str, pattern: str, is_one: bool) -> None:
    assert host_matches(host, pattern) is is_one


@pytest.mark.parametrize("entry", ["", "a*.org", "*.*", "a:0", "a:99999", "a:x", ":80", "*a"])
def test_invalid_host_entry_is_an_error(entry: str) -> None:
    with pytest.raises(ValueError, match="must be"):
        Network([entry])
    with pytest.raises(ValueError, match="must be"):
        parse_host(entry)


def test_invalid_network_is_an_error() -> None:
    with pytest.raises(TypeError):
        Network("a.org")
    with pytest.raises(TypeError):
        Shell(network="a.org").run("true")  # type: ignore[arg-type]


# ---------------------------------------------------------------- limits


@pytest.mark.parametrize("path", ["hang", "stall"])
def test_transfer_time_is_limited(tmp_path: Path, port: int, path: str) -> None:
    url = f"http://127.0.0.1:{port}/{path}"
    # On a slow machine the time may be up before the connection is made.
    says = re.compile(
        r"curl: \(28\) (Operation timed out after \d+ milliseconds with [05] bytes received|"
        r"Connection timed out after \d+ milliseconds)\n"
    )
    for options, network in (
        ("-m 0.1", OPEN),
        ("-m 10", Network(["127.0.0.1:*"], seconds=0.1)),
    ):
        answer = run(tmp_path, f"curl -sS {options} {url}", network)
        assert answer.status == 28
        assert says.fullmatch(answer.err)


def test_end_of_the_run_ends_the_transfer(port: int) -> None:
    with Shell(network=OPEN, limits=Limits(seconds=20)) as shell:
        url = f"http://127.0.0.1:{port}/hang"
        assert shell.run(f"curl -s {url}", timeout=0.05).code == 124
        cancel = Cancel()
        job = shell.start(
            f"echo begun; curl -s {url}", cancel=cancel, on_output=lambda *_: cancel.cancel()
        )
        assert job.wait().code == 130


def test_response_size_is_limited(tmp_path: Path, port: int) -> None:
    network = Network(["127.0.0.1:*"], most=20)
    answer = run(tmp_path, f"curl -sS http://127.0.0.1:{port}/chunks", network)
    assert (answer.status, answer.err) == (
        63, "curl: (63) Exceeded the maximum allowed file size (20)\n",
    )  # fmt: skip
    answer = run(tmp_path, f"curl -sS http://127.0.0.1:{port}/bytes", network)
    assert (answer.status, answer.out) == (63, b"")


def test_closed_reader_ends_the_transfer(tmp_path: Path, port: int) -> None:
    answer = run(
        tmp_path, f"curl -sS http://127.0.0.1:{port}/echo | head -n 1; echo ${{PIPESTATUS[0]}}"
    )
    assert answer.out.startswith(b"GET /echo\n")
    assert answer.err == ""


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("-k U/", "keysh:1:6: E302 curl: option '--insecure' is refused: certificates are always"),
        (
            "-H 'Transfer-Encoding: chunked' U/",
            "curl: the header Transfer-Encoding is computed and cannot be set\n",
        ),
        ("-I -d x U/", "curl: You can only select one HTTP request method!\n"),
        ("", "curl: no URL specified!\n"),
    ],
)
def test_invalid_calls(tmp_path: Path, port: int, words: str, says: str) -> None:
    answer = run(tmp_path, f"curl {words.replace('U', f'http://127.0.0.1:{port}')}")
    assert answer.status == 2
    assert answer.err.startswith(says)


@pytest.mark.parametrize(
    ("path", "title"),
    [("", "127.0.0.1"), ("/", "127.0.0.1"), ("/a/echo", "echo"), ("/echo?key=word", "echo"),
     ("/echo/?a/word", "echo")],
)  # fmt: skip
def test_progress_bar_shows_no_secret(
    tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch, path: str, title: str
) -> None:
    titles = []
    begin = Progress.of

    def noted(progress: Progress, name: str, total: Callable[[], int | None]) -> Progress:
        titles.append(name)
        return begin(progress, name, total)

    monkeypatch.setattr(Progress, "of", noted)
    url = f"http://me:word@127.0.0.1:{port}{path}"
    assert run(tmp_path, f"curl -o out '{url}'").status == 0
    assert titles == [title]


def test_failed_transfer_is_retried(tmp_path: Path, port: int) -> None:
    url = f"http://127.0.0.1:{port}"
    calls = "--retry 3 --retry-delay 0.01 -o out -w '%{http_code}'"
    answer = run(tmp_path, f"curl -f {calls} '{url}/busy?{tmp_path}'")
    assert (answer.status, answer.out) == (0, b"200")
    assert answer.err.count("Warning: Problem: HTTP error. Will retry in 0.01 seconds.") == 2
    assert "3 retries left.\n" in answer.err
    assert (tmp_path / "out").read_bytes() == b"at last"
    refused = run(tmp_path, f"curl -s {calls} http://127.0.0.1:1/")
    assert (refused.status, refused.err) == (7, "")
    again = run(tmp_path, f"curl -S {calls} --retry-connrefused http://127.0.0.1:1/")
    assert again.err.count("connection refused. Will retry") == 3
    assert run(tmp_path, f"curl -S {calls} --retry-all-errors -f {url}/404").err.count("404") == 4
    closed = run(tmp_path, f"curl {calls} --retry-all-errors {url}/echo", Network(["x"]))
    assert (closed.status, "retry" in closed.err) == (126, False)


def test_headers_are_shown_on_request(tmp_path: Path, port: int) -> None:
    answer = run(tmp_path, f"curl -sv -H 'A: \x1b[1m' http://127.0.0.1:{port}/empty")
    assert answer.err.startswith(f"> GET /empty HTTP/1.1\n> Host: 127.0.0.1:{port}\n> User-Agent:")
    assert "\n> A: " in answer.err
    assert "\x1b" not in answer.err
    assert "\n> \n< HTTP/1.0 200 OK\n< Server: " in answer.err


def test_upload_sends_no_expect_header(tmp_path: Path, port: int) -> None:
    (tmp_path / "f").write_bytes(b"x" * 9)
    url = f"http://127.0.0.1:{port}"
    out = run(tmp_path, f"curl -T f {url}/echo; curl -sT - {url}/echo", stdin=b"piped").out
    assert b"Expect" not in out
    assert out.endswith(b"Content-Length: 5\n\npiped\n")
    assert run(tmp_path, f"curl -s -F a=1 -d b=2 {url}/echo").status == 2
    reading = Network(["127.0.0.1:*"])
    for words in ("-T f", "-F a=@f"):
        reported = run(tmp_path, f"curl -s {words} {url}/echo", reading)
        assert reported.status == 126
        assert "is not among the methods that may be used" in reported.err


def test_no_option_bypasses_the_policy(tmp_path: Path, port: int) -> None:
    url = f"http://127.0.0.1:{port}/echo"
    (tmp_path / "f").write_text("insecure\n")
    for words in ("-x http://127.0.0.1:1", "-K f", "-k", "--unix-socket s", "--cacert f", "--ntlm",
                  "http://x --next -k"):  # fmt: skip
        answer = run(tmp_path, f"curl {words} {url}")
        assert (answer.status, answer.out) == (2, b"")
        assert " is refused: " in answer.err
    named = Network(["a.test:*", "127.0.0.1:*"])
    for words in (
        f"--resolve a.test:{port}:127.0.0.1",
        f"--connect-to ::127.0.0.1:{port}",
        f"--resolve '*:{port}:127.0.0.1'",
        f"--connect-to a.test:{port}:127.0.0.1:",
    ):
        calls = f"curl -sS {words} http://a.test:{port}/echo"
        assert run(tmp_path, calls, named).out.startswith(b"GET /echo\nHost: a.test:")
        closed = run(tmp_path, calls, Network(["a.test:*"], addresses=["127.0.0.1"]))
        assert (closed.status, closed.out) == (126, b"")
        assert closed.err.startswith(f"curl: 127.0.0.1:{port} is not among the hosts")
    only = Network(["127.0.0.1:*"])
    answer = run(tmp_path, f"curl -s 'http://{{127.0.0.1,localhost}}:{port}/empty'", only)
    assert (answer.status, answer.err[:16]) == (126, "curl: localhost:")


def test_cookies_are_sent_only_to_their_servers(tmp_path: Path, port: int) -> None:
    both = Network(["127.0.0.1:*", "localhost:*"], addresses=["127.0.0.1", "::1"])
    (tmp_path / "jar").write_bytes(FILES["jar"])
    answer = run(tmp_path, f"curl -s -L -b a=1 -b jar http://127.0.0.1:{port}/other", both)
    assert b"Host: localhost" in answer.out
    assert b"Cookie" not in answer.out


def jar_after(header: str, url: str) -> str:
    """Return the cookies sent back after a Set-Cookie header."""
    jar = CookieJar(10**18)
    jar.accept_header(header, UrlAddress(url))
    return jar.file_text().removeprefix(COOKIE_FILE_HEADING)


@pytest.mark.parametrize(
    ("header", "kept"),
    [
        ("a=b; domain=example.org", ".example.org\tTRUE\t/p\tFALSE\t0\ta\tb\n"),
        ("a=; Domain=.www.example.org; path=x", ".www.example.org\tTRUE\t/p\tFALSE\t0\ta\t\n"),
        ("a=b; domain=org", ""), ("a=b; domain=evil.org", ""), ("a=b; domain=e.org", ""),
        ("a=b; domain=x.www.example.org", ""), ("nothing", ""), ("=b", ""), ("a=\x01", ""),
        ("a=b; secure", ""), ("a=b; Max-Age=-1", ""), ("a=b; Max-Age=0", ""),
        ("a=b; max-age=5; expires=Thu, 01 Jan 1970 00:00:00 GMT",
         "www.example.org\tFALSE\t/p\tFALSE\t1000000005\ta\tb\n"),
        ("a=b; expires=Wed, 09-Nov-2033 23:12:40 GMT",
         "www.example.org\tFALSE\t/p\tFALSE\t2015190760\ta\tb\n"),
        ("a=b; expires=Thu, 01 Jan 1970 00:00:00 GMT", ""), ("a" * 5000 + "=b", ""),
        ("a=b; path=/q/; HttpOnly", "#HttpOnly_www.example.org\tFALSE\t/q\tFALSE\t0\ta\tb\n"),
    ],
)  # fmt: skip
def test_cookie_is_kept_only_for_permitted_domains(header: str, kept: str) -> None:
    assert jar_after(header, "http://www.example.org/p/x?q") == kept


def test_decompressed_size_is_limited(tmp_path: Path, port: int) -> None:
    url = f"http://127.0.0.1:{port}"
    small = Network(["127.0.0.1:*"], most=500)
    answer = run(tmp_path, f"curl -s --compressed -o out {url}/gzip", small)
    assert (answer.status, answer.out) == (63, b"")
    assert run(tmp_path, f"curl -s --compressed {url}/strange").status == 61
    assert run(tmp_path, f"curl -s {url}/strange").out.startswith(b"\x1f\x8b")


def test_what_a_body_decompresses_to_counts_as_unpacked(tmp_path: Path, port: int) -> None:
    url = f"http://127.0.0.1:{port}"
    limits = Limits(unpacked=2500)
    with Shell({"/": LocalFS(tmp_path)}, limits=limits, network=OPEN) as shell:
        get = f"curl -s -o /dev/null {url}"
        # Without --compressed nothing is unpacked, and a body that is not packed counts nothing.
        result = shell.run(f"{get}/gzip; {get}/gzip --compressed; {get}/bytes --compressed")
        assert result.code == 0
        result = shell.run(f"for i in 1 2 3; do {get}/deflate --compressed; echo $i; done")
        assert (result.limit.kind, result.stdout) == ("unpacked", "1\n2\n")


@pytest.mark.parametrize("size", [65535, 65536, 65539, 65700, 1 << 17])
@pytest.mark.parametrize("form", [15, 31, -15])  # for zlib: zlib's own header, gzip's, none
def test_compressed_response_is_complete(size: int, form: int) -> None:
    engine = zlib.compressobj(9, zlib.DEFLATED, form)
    packed = engine.compress(bytes(size)) + engine.flush()
    for step in (1, 7, len(packed)):
        parts = [packed[at : at + step] for at in range(0, len(packed), step)]
        encoding = "gzip" if form == 31 else "deflate"
        assert b"".join(decode_content(parts, encoding)) == bytes(size)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("a;b=c", ["a", "b=c"]), ("", [""]), ("a;", ["a", ""]), (";;", ["", "", ""]),
        ('"a;b";c="d;e"', ['"a;b"', 'c="d;e"']), ('a;b"c;d', ["a", 'b"c', "d"]),
        (";" * 50_000, [""] * 50_001), ('"' * 50_001, ['"' * 50_001]),
    ],
)  # fmt: skip
def test_form_part_fields_are_separated_by_semicolons(text: str, fields: list[str]) -> None:
    assert semicolon_fields(text) == fields


def test_url_pattern_is_not_a_file_glob(tmp_path: Path, port: int) -> None:
    (tmp_path / "x").write_text("")
    for words in (f"http://127.0.0.1:{port}/x?a=*", f"-s http://127.0.0.1:{port}/x?a=* -S"):
        assert run(tmp_path, f"curl {words}").out.startswith(b"GET /x?a=*\n")


def test_options_come_from_standard_input_and_files(tmp_path: Path, port: int) -> None:
    (tmp_path / "one").write_text('config two\nheader = "A: 1"\n')
    (tmp_path / "two").write_text(f"# the URL\nurl: http://127.0.0.1:{port}/echo\n")
    assert b"A: 1" in run(tmp_path, "curl -sS -K -", stdin=b"--config one").out
    (tmp_path / "two").write_text("config one\n")
    assert run(tmp_path, "curl -sS -K one").status == 2
    (tmp_path / "two").write_text("\nnonsense\n")
    assert run(tmp_path, "curl -sS -K one").err.startswith("curl: two:2: unrecognized option")


def test_numbers_are_limited(tmp_path: Path, port: int) -> None:
    long, url = "9" * 5000, f"http://127.0.0.1:{port}"
    assert run(tmp_path, f"curl -s -C {long} {url}/bytes").status == 2
    assert run(tmp_path, f"curl -s '{url}/[1-{long}]'").status == 3
    (tmp_path / "far").write_text(f"127.0.0.1\tFALSE\t/\tFALSE\t{long}\ta\tb\n")
    assert b"Cookie: a=b" in run(tmp_path, f"curl -s -b far {url}/echo").out


def test_server_chosen_name_never_overwrites_a_file(tmp_path: Path, port: int) -> None:
    (tmp_path / "there").write_bytes(b"mine")
    answer = run(tmp_path, f"curl -s -OJ 'http://127.0.0.1:{port}/named?there'")
    assert answer.status == 23
    assert (tmp_path / "there").read_bytes() == b"mine"


def test_urls_are_expanded_unless_globbing_is_off(tmp_path: Path, port: int) -> None:
    url = f"'http://127.0.0.1:{port}/[1-2]'"
    assert run(tmp_path, f"curl -sS {url}").out.count(b"GET /") == 2
    assert run(tmp_path, f"curl -sSg {url}").out.startswith(b"GET /[1-2]\n")
    reported = run(tmp_path, "curl -sS 'http://127.0.0.1:1/[1-9999999]{a,b}'")
    assert (reported.status, reported.out) == (3, b"")


@pytest.mark.parametrize("header", ["A: b\rC: d", "A: \0"])
def test_header_injection_is_refused(tmp_path: Path, port: int, header: str) -> None:
    with Shell(network=OPEN, limits=Limits(seconds=20)) as shell:
        shell.vars["h"] = header
        result = shell.run(f'curl -sS -H "$h" http://127.0.0.1:{port}/echo')
        assert (result.code, result.stdout) == (43, "")


def test_json_record_round_trips(port: int) -> None:
    with Shell(network=OPEN, limits=Limits(seconds=20)) as shell:
        script = f'x={{a: [1, 2]}}; curl -s --json "$x" http://127.0.0.1:{port}/ | tail -n 1'
        assert json.loads(shell.run(script).stdout) == {"a": [1, 2]}


def test_missing_extra_has_a_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("keysh.tools.curl.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "httpcore", None)
    answer = run(tmp_path, "curl http://127.0.0.1/")
    assert answer == Answer(
        2, b"", "curl: httpcore is not installed\nfix: pip install 'keysh[http]'\n"
    )


def test_program_prefers_the_real_curl(tmp_path: Path) -> None:
    (tmp_path / "curl").write_text("#!/bin/sh\n")
    (tmp_path / "sqlite3").write_text("#!/bin/sh\n")
    (tmp_path / "curl").chmod(0o755)
    assert machine_programs(f":/nowhere:{tmp_path}") == {"curl"}
    assert machine_programs("") == frozenset()


def test_command_has_no_network_by_default() -> None:
    assert run_keysh("curl", "http://127.0.0.1/").err == "curl: works only inside a shell\n"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need("openssl")
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=here", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(path),
         "-out", f"{path}.crt"],
        check=True, capture_output=True,
    )  # fmt: skip
    path.write_bytes(path.read_bytes() + Path(f"{path}.crt").read_bytes())
    return path


def test_certificates_are_checked(tmp_path: Path, certificate: Path) -> None:
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_side.load_cert_chain(certificate)
    trusting = ssl.create_default_context(cafile=str(certificate))
    with serving(server_side) as server:
        url = f"https://127.0.0.1:{server.server_port}/bytes"
        answer = run(tmp_path, f"curl -sS {url}")
        assert (answer.status, answer.out) == (60, b"")
        assert answer.err == "curl: (60) SSL certificate problem: self-signed certificate\n"
        answer = run(tmp_path, f"curl -sS {url}", Network(["127.0.0.1:*"], tls=trusting))
        assert answer == Answer(0, bytes(range(256)), "")
        plain = f"http://127.0.0.1:{server.server_port}/"
        assert run(tmp_path, f"curl -s {plain}").status in (52, 56)


@pytest.mark.parametrize("port", ["9" * 5000, "²"])
def test_route_with_a_bad_port(port: str) -> None:
    entry = f"a.test:{port}:127.0.0.1"
    assert Routes().add_resolve_entries([entry]) == entry
    assert Routes().add_resolve_entries([f"-a.test:{port}"]) == ""
    entry = f"a.test:1:b.test:{port}"
    assert Routes().add_connect_to_entries([entry]) == entry
