"""Rules about requests, and credentials that scripts never see. The servers are on loopback."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import keysh
from keysh.interp.run.network import Network

SECRET = "Bearer t0p-s3cret"


class LoopbackServer:
    """A server that records what it gets; /to?URL redirects."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                owner.requests.append((self.command, self.path, headers))
                self.rfile.read(int(headers.get("content-length", 0)))
                path, _, target = self.path.partition("?")
                self.send_response(307 if path == "/to" else 200)
                if path == "/to":
                    self.send_header("Location", target)
                self.send_header("Content-Length", "3")
                self.end_headers()
                self.wfile.write(b"ok\n")

            do_GET = do_POST = do_DELETE = do_TRACE = answer  # noqa: N815 - as the base class calls them

            def log_message(self, format: str, *words: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    made = LoopbackServer()
    yield made
    made.close()


@pytest.fixture
def other() -> Iterator[LoopbackServer]:
    made = LoopbackServer()
    yield made
    made.close()


def rules_of(*records: dict[str, object]) -> keysh.Rules:
    return keysh.Rules(records)


DENY_DELETE = {"hosts": ["127.0.0.1"], "methods": ["DELETE"], "decision": "deny", "reason": "kept"}
DENY_ADMIN = {"hosts": ["*"], "url_paths": ["/admin/**"], "decision": "deny"}


@pytest.mark.parametrize(
    "words",
    [
        "-X DELETE URL/x",
        "-X delete URL/x",
        "--request DELETE URL",
        "URL/admin/x",
        "URL/admin",
        "URL/a/../admin/x",
        "--path-as-is URL/a/../admin/x",
        "URL//admin//x",
        "URL/%61dmin/x",
        "URL/%2561dmin/x",
        "URL/ADMIN/x",
        "'URL/admin;v=1/x'",
        "'URL/admin/x?a=b'",
        "URL/x%2f..%2fadmin/y",
        "--request-target /admin/x URL/free",
        "-d a=b URL/admin/x",
        "-I URL/admin/x",
        "-L 'URL/to?/admin/x'",
        "-L 'URL/to?URL/admin/x'",
        "URL/free URL/admin/x",
    ],
)
@pytest.mark.parametrize("place", ["shell", "network"])
def test_denied_requests_are_never_sent(server: LoopbackServer, words: str, place: str) -> None:
    rules = rules_of(DENY_DELETE, DENY_ADMIN)
    network = Network(
        rules if place == "network" else ["127.0.0.1:*"],
        None if place == "network" else ["*"], addresses=["127.0.0.1"],
    )  # fmt: skip
    shell = keysh.Shell(rules=rules if place == "shell" else None, network=network)
    url = f"http://127.0.0.1:{server.port}"
    result = shell.run(f"curl {words.replace('URL', url)}")
    assert result.code == 126, result.stderr
    assert "denied by rule" in result.stderr
    assert not [
        one
        for one in server.requests
        if one[0] == "DELETE" or "admin" in one[1].partition("?")[0].lower()
    ]


@pytest.mark.parametrize(
    "words", ["URL/x", "-X POST URL/administer", "'URL/x?/admin/'", "-d a URL/d"]
)
def test_other_requests_pass(server: LoopbackServer, words: str) -> None:
    network = Network(rules_of(DENY_DELETE, DENY_ADMIN), addresses=["127.0.0.1"])
    script = f"curl -s {words}".replace("URL", f"http://127.0.0.1:{server.port}")
    assert keysh.run(script, network=network).stdout == "ok\n"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "0.0.0.0", "0"])
def test_addresses_are_judged_again(server: LoopbackServer, host: str) -> None:
    rules = rules_of({"hosts": ["127.0.0.0/8"], "decision": "deny"})
    network = Network(rules, addresses=["127.0.0.1", "::1", "0.0.0.0"])
    result = keysh.run(f"curl -4 http://{host}:{server.port}/", network=network)
    assert (result.code, server.requests) == (126, [])


@pytest.mark.parametrize(
    ("entry", "decision", "reached"),
    [
        ("10.0.0.0/8", "allow", [("10.1.1.1", 443)]),
        ("10.0.0.0/8:8080", "allow", [("10.1.1.1", 8080)]),
        ("10.0.0.0/8:*", "allow", [("10.1.1.1", 22), ("10.1.1.1", 443), ("10.1.1.1", 8080)]),
        ("[fd00::/8]:22", "allow", [("fd00::1", 22)]),
        ("fd00::/8", "allow", [("fd00::1", 443)]),
        ("10.0.0.0/8", "deny", [("10.1.1.1", 22), ("10.1.1.1", 443), ("10.1.1.1", 8080)]),
        ("10.0.0.0/8:22", "deny", [("10.1.1.1", 22)]),
        ("example.org.", "deny", [("example.org", 443)]),
        ("example.org.:443", "allow", [("example.org", 443)]),
    ],
)
def test_hosts_and_their_ports(entry: str, decision: str, reached: list[tuple[str, int]]) -> None:
    rules = keysh.Rules(
        [{"hosts": [entry], "decision": decision}],
        default={"request": "deny" if decision == "allow" else "allow"},
    )
    asked = [("10.1.1.1", 22), ("10.1.1.1", 443), ("10.1.1.1", 8080), ("fd00::1", 22),
             ("fd00::1", 443), ("example.org", 443)]  # fmt: skip
    decided = [one for one in asked if rules.judge_request("GET", *one, "/").decision == decision]
    assert decided == reached


def test_default_of_requests_is_said(server: LoopbackServer) -> None:
    rules = keysh.Rules(
        [{"hosts": ["127.0.0.1:*"], "url_paths": ["/ok/**"], "decision": "allow"}],
        default={"request": "deny"},
    )
    network = Network(rules, addresses=["127.0.0.1"])
    url = f"http://127.0.0.1:{server.port}"
    assert keysh.run(f"curl -s {url}/ok/x", network=network).code == 0
    for path in ("/x", "/ok/%2e%2e/x", "/ok/../x", "/OK/x"):
        result = keysh.run(f"curl -s --path-as-is {url}{path}", network=network)
        assert result.code == 126
        assert "no rule matches, and the default for request is deny" in result.stderr


def test_rules_ask_about_requests(server: LoopbackServer) -> None:
    asked: list[keysh.AskRequest] = []
    rules = rules_of({"hosts": ["127.0.0.1"], "methods": ["POST"], "decision": "ask"})
    shell = keysh.Shell(
        network=Network(rules, addresses=["127.0.0.1"]),
        on_ask=lambda request: asked.append(request) or "allow",
    )
    url = f"http://127.0.0.1:{server.port}/p"
    assert shell.run(f"curl -s {url}; curl -s -d a=b {url}").stdout == "ok\nok\n"
    assert [(one.action, one.command, one.arguments) for one in asked] == [
        ("request", "POST", [url])
    ]


def test_on_command_sees_requests(server: LoopbackServer) -> None:
    seen: list[object] = []

    def on_command(name: str, arguments: list[object], place: object, action: str) -> object:
        if action == "request":
            seen.append((name, *arguments))
            return "not there"
        return None

    url = f"http://127.0.0.1:{server.port}/x"
    result = keysh.run(f"curl {url}", network=True, on_command=on_command)
    assert (result.code, server.requests) == (126, [])
    assert seen == [("request", "GET", url)]
    assert result.stderr.endswith(f"GET {url}: not there\n")


# ---------------------------------------------------------------- credentials


def with_credentials(server: LoopbackServer, **options: object) -> keysh.Shell:
    network = Network(
        ["127.0.0.1:*", "localhost:*"], ["*"], addresses=["127.0.0.1", "::1"],
        credentials={f"http://127.0.0.1:{server.port}": {"Authorization": SECRET}},
    )  # fmt: skip
    return keysh.Shell(network=network, **options)  # type: ignore[arg-type]


def test_credentials_reach_the_server_and_nobody_else(server: LoopbackServer) -> None:
    events: list[object] = []
    shell = with_credentials(server, on_event=events.append, journal=True)
    url = f"http://127.0.0.1:{server.port}"
    result = shell.run(
        f"set -x; curl -v -i -D /h -o /o  -w '%{{json}} %{{size_request}}' {url}/x; "
        f"curl -v -H 'Authorization: mine' {url}/y; cat /h /o; env; set; declare -p"
    )
    assert [one[2]["authorization"] for one in server.requests] == [SECRET, SECRET]
    seen = result.stdout + result.stderr + repr(events) + repr(shell.vars) + repr(result)
    assert "t0p-s3cret" not in seen + repr(shell._options.network) + str(shell.snapshot())


@pytest.mark.parametrize(
    "words",
    [
        "-L 'HERE/to?ELSE/x'",
        "-L --location-trusted 'HERE/to?ELSE/x'",
        "ELSE/x",
        "--connect-to 127.0.0.1:PORT:127.0.0.1:OTHER HERE/x",
        "-H 'Host: evil' HERE/x",
        "--request-target http://evil/ HERE/x",
        "-X TRACE HERE/x",
        "http://localhost:PORT/x",
    ],
)
def test_credentials_go_nowhere_else(
    server: LoopbackServer, other: LoopbackServer, words: str
) -> None:
    places = {
        "HERE": f"http://127.0.0.1:{server.port}", "ELSE": f"http://127.0.0.1:{other.port}",
        "PORT": str(server.port), "OTHER": str(other.port),
    }  # fmt: skip
    for name, place in places.items():
        words = words.replace(name, place)
    with_credentials(server).run(f"curl -s {words}")
    wrong = [one for one in other.requests if "authorization" in one[2]]
    right = [
        one
        for one in server.requests
        if "authorization" in one[2] and one[1] != f"/to?{places['ELSE']}/x"
    ]
    assert (wrong, right) == ([], [])


@pytest.mark.parametrize(
    ("credentials", "part"),
    [
        ({"*": {"A": "b"}}, "one host"),
        ({"api.x": {"A b": "c"}}, "cannot be sent"),
        ({"api.x": {"A": "b\r\nC: d"}}, "cannot be sent"),
        ({"ftp://x": {"A": "b"}}, "one host"),
    ],
)
def test_wrong_credentials_are_refused(credentials: dict[str, dict[str, str]], part: str) -> None:
    with pytest.raises(ValueError, match=part):
        Network(["api.x"], credentials=credentials)


def test_credentials_are_for_https_unless_it_is_said() -> None:
    network = Network(["api.x"], credentials={"api.x": {"Authorization": SECRET}})
    assert network.credentials_for("https", "API.x", 443) == [("Authorization", SECRET)]
    for place in (("http", "api.x", 80), ("https", "api.x", 8443), ("https", "b.api.x", 443)):
        assert network.credentials_for(*place) == []
    assert "t0p" not in repr(network) + str(network)
