"""curl - get and send what URLs name, where the host lets scripts reach it."""

from __future__ import annotations

from contextlib import closing

from keysh.commands.curl.body import Body
from keysh.commands.curl.cookies import Jar
from keysh.commands.curl.failure import REFUSED, TransferError
from keysh.commands.curl.form import content_of
from keysh.commands.curl.form import form_of as formed
from keysh.commands.curl.place import Place
from keysh.commands.curl.request import FRAMING, Request, header_of
from keysh.runtime.call import shown, why
from keysh.runtime.network import network_of
from keysh.runtime.own import state_of
from keysh.runtime.streams import reader_of
from keysh.schema.bind import Misuse
from keysh.schema.declare import command
from keysh.text.lines import encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from keysh.runtime.call import Call
    from keysh.schema.types import Path

PAST_POLICY = "it would lead past the policy of what may be reached"
REASONS = {
    "k": "certificates are always checked", "K": "give the options themselves",
    "n": "give name and password with -u",
}  # fmt: skip
MOST_DIGITS = 18  # of a number of bytes
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
    form: list[str] | None = None,
    form_string: list[str] | None = None,
    upload_file: Path | None = None,
    range: str | None = None,
    continue_at: str | None = None,
    referer: str | None = None,
    cookie: list[str] | None = None,
    cookie_jar: Path | None = None,
    dump_header: Path | None = None,
    remote_header_name: bool = False,
    create_dirs: bool = False,
    output_dir: Path | None = None,
    compressed: bool = False,
    url: list[str] | None = None,
    user: str | None = None,
    user_agent: str | None = None,
    fail: bool = False,
    fail_with_body: bool = False,
    silent: bool = False,
    show_error: bool = False,
    write_out: str | None = None,
    verbose: bool = False,
    max_time: float | None = None,
    connect_timeout: float | None = None,
    retry: int = 0,
    retry_delay: float = 0.0,
    retry_max_time: float = 0.0,
    retry_connrefused: bool = False,
    retry_all_errors: bool = False,
    max_filesize: int | None = None,
    globoff: bool = False,
    no_buffer: bool = False,
    progress_bar: bool = False,
    insecure: bool = False,
    proxy: str | None = None,
    config: Path | None = None,
    netrc: bool = False,
    resolve: list[str] | None = None,
    connect_to: list[str] | None = None,
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
    -F, --form NAME=CONTENT  send a form of parts: text, @file or <file, then ;type= and ;filename=
    --form-string NAME=TEXT  the same, @ and ; being letters like others
    -T, --upload-file FILE   send a file with PUT; behind a URL that ends in / goes its name
    -G, --get                put the data behind the URL, with GET
    -I, --head               ask for the headers only, and print them
    -i, --include            print the headers too
    -r, --range RANGE        only these bytes: 0-99, -100, 500-
    -C, --continue-at OFFSET  only what is behind so many bytes; - for those that the file has
    -e, --referer URL        where the link was; ;auto behind it tells of redirects
    -b, --cookie DATA        send cookies: name=value, or those of a file
    -c, --cookie-jar FILE    write all cookies to a file in the end, - for standard output
    -D, --dump-header FILE   write the headers to a file
    --compressed             let the server pack what it sends
    -L, --location           follow redirects, each of which the policy judges
    --max-redirs NUM         follow so many
    -o, --output FILE        write to a file; given again, the next URL's
    -O, --remote-name        write to a file named as the URL's last part
    -J, --remote-header-name  with -O, named as the server says, if no such file is there
    --create-dirs            make the directories of -o
    --output-dir FOLDER      the directory of -o and -O
    --url URL                one more of the urls
    -u, --user NAME:WORD     name and password, for this server alone
    -A, --user-agent TEXT    what to be called
    -f, --fail               nothing but an error where the server answers with one
    --fail-with-body         its text too
    -s, --silent             no message where a transfer fails, and no bar
    -S, --show-error         with -s, messages all the same
    -v, --verbose            tell the headers that are sent and got, on standard error
    -w, --write-out FORMAT   print this at the end: %{http_code}, %{size_download} and others
    -m, --max-time NUM       seconds that a transfer may take
    --connect-timeout NUM    seconds that connecting may take
    --retry NUM              try again so often where a server is busy, or time is over
    --retry-delay NUM        seconds before each; without it 1, 2, 4 and so on
    --retry-max-time NUM     seconds after which nothing is tried again
    --retry-connrefused      try again where there is no connection, too
    --retry-all-errors       try again after any failure
    --max-filesize NUM       bytes that an answer may have
    -g, --globoff            brackets and braces in URLs are nothing special; else {a,b} and [1-9]
                             make many of one, and #1 in -o is what was put in
    -N, --no-buffer          ignored: what comes is printed at once
    -#, --progress-bar       ignored
    -k, --insecure           refused: certificates are always checked
    -x, --proxy URL          refused, as are all that would lead past the policy
    -K, --config FILE        refused
    -n, --netrc              refused
    --resolve HOST:PORT:ADDRESS  refused
    --connect-to HOST1:PORT1:HOST2:PORT2  refused

    What may be reached is for the host to say: Shell(network=Network(hosts, methods)). Status 126
    is its refusal; others are curl's. On a terminal a bar tells how far a transfer is, once it
    has taken a second.
    """
    del (
        no_buffer,
        progress_bar,
        data,
        data_raw,
        data_binary,
        data_urlencode,
        json,
        form,
        form_string,
        output,
    )
    network = network_of(state_of(sh).session.network)
    if network is None:
        raise sh.fail(CLOSED, REFUSED)
    addresses = [*(url or ()), *urls]
    if not addresses:
        raise Misuse("E304", -1, "no URL specified!")
    refuse(sh, {"k": insecure, "x": proxy, "K": config, "n": netrc, "-resolve": resolve,
                "-connect-to": connect_to})  # fmt: skip
    try:
        from keysh.commands.curl.run import Patience, Run  # noqa: PLC0415 - from an extra
    except ModuleNotFoundError:
        raise sh.fail("httpcore is not installed\nfix: pip install 'keysh[http]'", 2) from None
    warns = not silent
    try:
        made = request_of(sh, request, warns=warns, is_head=head, is_query=get, upload=upload_file)
    except TransferError as error:
        raise sh.fail(f"({error.status}) {error.message}", error.status) from None
    made.follows, made.most_redirects = location, max_redirs
    made.fails, made.keeps_body = fail or fail_with_body, fail_with_body
    made.agent, made.user = user_agent, user if user is None or ":" in user else f"{user}:"
    made.headers = headers_of(sh, header or [])
    made.most = network.most if max_filesize is None else min(network.most, max_filesize)
    made.range, made.is_compressed = range or "", compressed
    text, semicolon, auto = (referer or "").partition(";")
    made.referer, made.refers = text, bool(semicolon) and auto == "auto"
    take_cookies(sh, made, cookie or [], keeps=cookie_jar is not None)
    place = Place(sh, warns=warns)
    place.folder, place.makes_folders = output_dir or "", create_dirs
    place.is_named_by_server, place.heads = remote_header_name, dump_header or ""
    place.resume = offset_of(sh, continue_at)
    run = Run(sh, made, network, place)
    run.tells, run.warns = show_error or warns, warns
    run.shows_heads = include or head or dump_header == "-"
    run.seconds = min(network.seconds, max_time or network.seconds)
    made.told = sh.err.write if verbose else None
    made.connect_seconds = connect_timeout or run.seconds
    run.patience = Patience(retry, retry_delay, retry_max_time)
    run.patience.is_for_refused, run.patience.is_for_all = retry_connrefused, retry_all_errors
    run.form = None if write_out is None else form_of(sh, write_out)
    run.globs, run.upload = not globoff, upload_file or ""
    run.query = query_of(sh, warns=warns) if get else ""
    yield from run.all(addresses, targets_of(sh))
    if cookie_jar is not None and made.jar is not None:
        write_jar(sh, cookie_jar, made.jar)
    return run.status


def refuse(sh: Call, given: dict[str, object]) -> None:
    """See that none of the options is given that are not for scripts."""
    for name, value in given.items():
        if value:
            raise sh.fail(f"-{name} is refused: {REASONS.get(name, PAST_POLICY)}", 2)


def request_of(
    sh: Call, method: str | None, *, warns: bool, is_head: bool, is_query: bool, upload: str | None
) -> Request:
    """The method and the content that the options make together."""
    body = Body(sh, warns=warns)
    parts = [(name, text) for name, texts in sh.given if name in ("form", "form_string")
             for text in (texts if isinstance(texts, list) else [texts])]  # fmt: skip
    ways = (body.content is not None and not is_query) + bool(parts) + (upload is not None)
    if ways + is_head > 1:
        raise sh.fail("You can only select one HTTP request method!", 2)
    if upload is not None:
        made = Request(method or "PUT", content_of(sh, upload))
        made.kind = None
        return made
    if (form := formed(sh, parts)) is not None:
        made = Request(method, form[0])
        made.kind = form[1]
        return made
    made = Request(method or ("HEAD" if is_head else None), None if is_query else body.content)
    made.is_json = body.is_json
    return made


def query_of(sh: Call, *, warns: bool) -> str:
    """With -G, the data, which goes behind the URL."""
    return (Body(sh, warns=warns).content or b"").decode("utf-8", "surrogateescape")


def offset_of(sh: Call, text: str | None) -> str | None:
    """Where -C goes on."""
    is_number = text is not None and text.isdecimal() and text.isascii()
    if text not in (None, "-") and not (is_number and len(text) <= MOST_DIGITS):
        raise sh.fail("-C takes a number of bytes, or -", 2)
    return text


def take_cookies(sh: Call, made: Request, given: list[str], *, keeps: bool) -> None:
    """Give a request the cookies of -b: texts, or the files that they name."""
    texts = [text for text in given if "=" in text]
    made.cookies = ";".join(texts)
    if not keeps and len(texts) == len(given):
        return
    made.jar = Jar(sh.now())
    for name in given:
        if "=" in name:
            continue
        try:
            with closing(sh.stdin if name == "-" else reader_of(sh.open(name))) as reader:
                made.jar.read(reader.lines())
        except OSError:
            continue  # a file that is not there only says that cookies are to be kept


def write_jar(sh: Call, name: str, jar: Jar) -> None:
    """Write the cookies to a file."""
    if name == "-":
        sh.out.write(jar.text())
        return
    try:
        with sh.open(name, "w") as stream:
            stream.write(encoded(jar.text()))
    except OSError as error:
        sh.err.write(f"Warning: failed to save cookies in {shown(name)}: {why(error)}\n")


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
