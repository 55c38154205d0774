"""curl - get and send what URLs name, where the host lets scripts reach it."""

from __future__ import annotations

from contextlib import closing

from keysh.commands.curl.body import Body
from keysh.commands.curl.failure import REFUSED
from keysh.commands.curl.request import FRAMING, Request, header_of
from keysh.runtime.call import shown, why
from keysh.runtime.network import network_of
from keysh.runtime.own import state_of
from keysh.runtime.streams import reader_of
from keysh.schema.bind import Misuse
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from keysh.runtime.call import Call

CLOSED = "the network is closed to scripts here\nfix: the host opens it with Shell(network=…)"


@command(usage=2)
def curl(
    sh: Call,
    *urls: str,
    request: str | None = None,
    header: list[str] | None = None,
    data: list[str] | None = None,
    data_raw: list[str] | None = None,
    data_binary: list[str] | None = None,
    data_urlencode: list[str] | None = None,
    json: list[str] | None = None,
    get: bool = False,
    head: bool = False,
    include: bool = False,
    location: bool = False,
    max_redirs: int = 50,
    output: list[str] | None = None,
    remote_name: bool = False,
    user: str | None = None,
    user_agent: str | None = None,
    fail: bool = False,
    fail_with_body: bool = False,
    silent: bool = False,
    show_error: bool = False,
    write_out: str | None = None,
    max_time: float | None = None,
    max_filesize: int | None = None,
    globoff: bool = False,
    no_buffer: bool = False,
    insecure: bool = False,
) -> Generator[str, None, int]:
    """Get what URLs name, over HTTP and HTTPS, and print it.

    urls ...                 what to get; http:// where a URL says nothing else
    -X, --request METHOD     the method, also of requests that follow a redirect
    -H, --header LINE        a header, `Name: value`; `Name:` takes one of curl's own away
    -d, --data TEXT          send data as a form does, with POST; @file for what a file holds
    --data-raw TEXT          the same, @ being a letter like others
    --data-binary TEXT       the same, a file's newlines being kept
    --data-urlencode TEXT    the same, escaped: text, name=text, @file or name@file
    --json TEXT              send JSON; @file for what a file holds
    -G, --get                put the data behind the URL, with GET
    -I, --head               ask for the headers only, and print them
    -i, --include            print the headers too
    -L, --location           follow redirects, each of which the policy judges
    --max-redirs NUM         follow so many
    -o, --output FILE        write to a file; given again, the next URL's
    -O, --remote-name        write to a file named as the URL's last part
    -u, --user NAME:WORD     name and password, for this server alone
    -A, --user-agent TEXT    what to be called
    -f, --fail               nothing but an error where the server answers with one
    --fail-with-body         its text too
    -s, --silent             no message where a transfer fails, and no bar
    -S, --show-error         with -s, messages all the same
    -w, --write-out FORMAT   print this at the end: %{http_code}, %{size_download} and others
    -m, --max-time NUM       seconds that a transfer may take
    --max-filesize NUM       bytes that an answer may have
    -g, --globoff            brackets and braces in URLs are nothing special
    -N, --no-buffer          ignored: what comes is printed at once
    -k, --insecure           refused: certificates are always checked

    What may be reached is for the host to say: Shell(network=Network(hosts, methods)). Status 126
    is its refusal; others are curl's. On a terminal a bar tells how far a transfer is, once it
    has taken a second.
    """
    del no_buffer
    network = network_of(state_of(sh).session.network)
    if network is None:
        raise sh.fail(CLOSED, REFUSED)
    if not urls:
        raise Misuse("E304", -1, "no URL specified!")
    if insecure:
        raise sh.fail("-k is refused: certificates are always checked", 2)
    try:
        from keysh.commands.curl.delivery import Delivery  # noqa: PLC0415 - from an extra
    except ModuleNotFoundError:
        raise sh.fail("httpcore is not installed\nfix: pip install 'keysh[http]'", 2) from None
    body = Body(sh, warns=not silent)
    if head and body.content is not None and not get:
        raise sh.fail("You can only select one HTTP request method!", 2)
    made = Request(request or ("HEAD" if head else None), None if get else body.content)
    made.is_json, made.follows, made.most_redirects = body.is_json, location, max_redirs
    made.fails, made.keeps_body = fail or fail_with_body, fail_with_body
    made.agent, made.user = user_agent, user if user is None or ":" in user else f"{user}:"
    made.headers = headers_of(sh, header or [])
    made.most = network.most if max_filesize is None else min(network.most, max_filesize)
    query = (body.content or b"").decode("utf-8", "surrogateescape") if get else ""
    seconds = min(network.seconds, max_time or network.seconds)
    form = None if write_out is None else form_of(sh, write_out)
    targets = targets_of(sh)
    status = 0
    for at, url in enumerate(urls):
        target = targets[at] if at < len(targets) else "-"
        tells = show_error or not silent
        one = Delivery(sh, url, target, tells=tells, warns=not silent, shows_heads=include or head)
        yield from one.run(made, network, seconds, query, globs=not globoff)
        if form is not None:
            yield one.reported(form)
        status = one.status
    return status


def headers_of(sh: Call, lines: list[str]) -> list[tuple[str, str | None]]:
    """The headers that are given, but for those that would say where a message ends."""
    found = [pair for line in lines if (pair := header_of(line)) is not None]
    for name, _ in found:
        if name.lower() in FRAMING:
            raise sh.fail(f"the header {name} is made of what is sent, and cannot be given", 2)
    return found


def targets_of(sh: Call) -> list[str | bool]:
    """Where the answers go, in the order of the URLs: files, or True for one named by its URL."""
    found: list[str | bool] = []
    for name, value in sh.given:
        if name in ("output", "remote_name"):
            found += value if isinstance(value, list) else [value]
    return found


def form_of(sh: Call, text: str) -> str:
    """What -w is to print; @file for what a file holds."""
    if not text.startswith("@"):
        return text
    try:
        with closing(reader_of(sh.open(text[1:]))) as reader:
            return reader.read().replace("\r", "").replace("\n", "")
    except OSError as error:
        raise sh.fail(f"{shown(text[1:])}: {why(error)}", 2) from None
