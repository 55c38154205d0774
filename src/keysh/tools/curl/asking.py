"""Asking: what a set of options asks for: the request, where answers go, how often it is tried."""

from __future__ import annotations

from contextlib import closing

from keysh.gnu.input_files import GivenFile
from keysh.interp.state.call import why
from keysh.interp.streams.streams import reader_of
from keysh.text.chunks import encoded, text_of_bytes
from keysh.text.dates.moment import Moment
from keysh.text.dates.parser import time_of
from keysh.text.dates.strftime import formatted
from keysh.text.dates.time_zone import UTC_ZONE
from keysh.text.gnu_quoting import shown
from keysh.text.shell_numbers import is_digits
from keysh.tools.curl.body import Body
from keysh.tools.curl.cookies import Jar
from keysh.tools.curl.failure import READ, TransferError
from keysh.tools.curl.form import content_of
from keysh.tools.curl.form import form_of as formed
from keysh.tools.curl.netrc import netrc_of
from keysh.tools.curl.place import Place
from keysh.tools.curl.protocols import SPOKEN, protocols_in
from keysh.tools.curl.request import FRAMING, Request, header_of
from keysh.tools.curl.run import Patience, Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.network import Network
    from keysh.interp.state.call import Call
    from keysh.tools.curl.options import Options

PAST_POLICY = "it would lead past the policy of what may be reached"
HOSTS_OWN = "what is trusted, and as whom one speaks, is for the host to say"
REFUSALS = {
    "insecure": ("-k", "certificates are always checked"), "proxy": ("-x", PAST_POLICY),
    "unix_socket": ("--unix-socket", PAST_POLICY), "interface": ("--interface", PAST_POLICY),
    "cacert": ("--cacert", HOSTS_OWN), "cert": ("-E", HOSTS_OWN), "key": ("--key", HOSTS_OWN),
    "digest": ("--digest", "only Basic and Bearer are spoken"),
    "ntlm": ("--ntlm", "only Basic and Bearer are spoken"),
    "negotiate": ("--negotiate", "only Basic and Bearer are spoken"),
}  # fmt: skip
NO_DATE = (
    "Illegal date format for -z, --time-cond (and not a file name). Disabling time condition. "
    "See curl_getdate(3) for valid date syntax."
)
MOST_DIGITS = 18  # of a number of bytes
ENDLESS = 1 << 31


def run_of(sh: Call, options: Options, network: Network) -> Run:
    """The run over the URLs of a set."""
    get = options.get
    refuse(sh, options)
    try:
        made = request_of(sh, options)
    except TransferError as error:
        raise sh.fail(f"({error.status}) {error.message}", error.status) from None
    take_request(sh, made, options, network)
    warns = not get("silent")
    take_cookies(sh, made, get("cookie", []), keeps=get("cookie_jar") is not None,
                 forgets=bool(get("junk_session_cookies")))  # fmt: skip
    place = Place(sh, warns=warns)
    place.folder, place.makes_folders = get("output_dir", ""), bool(get("create_dirs"))
    place.is_named_by_server, place.heads = bool(get("remote_header_name")), get("dump_header", "")
    place.spares, place.cleans = get("clobber", True) is False, bool(get("remove_on_error"))
    place.takes_time, place.tag = bool(get("remote_time")), get("etag_save", "")
    place.resume = offset_of(sh, get("continue_at"))
    run = Run(sh, made, network, place)
    run.tells, run.warns = bool(get("show_error")) or warns, warns
    run.shows_heads = bool(get("head") or get("include")) or get("dump_header") == "-"
    run.seconds = min(network.seconds, get("max_time") or network.seconds)
    made.told = sh.err.write if get("verbose") else None
    made.connect_seconds = get("connect_timeout") or run.seconds
    run.patience = Patience(get("retry", 0), get("retry_delay", 0.0), get("retry_max_time", 0.0))
    run.patience.is_for_refused = bool(get("retry_connrefused"))
    run.patience.is_for_all = bool(get("retry_all_errors"))
    form = get("write_out")
    run.form = None if form is None else form_of(sh, form)
    run.globs, run.upload = not get("globoff"), get("upload_file", "")
    run.query, run.ends_early = query_of(sh, options), bool(get("fail_early"))
    return run


def take_request(sh: Call, made: Request, options: Options, network: Network) -> None:
    """Give a request what the options ask of it beside its method and content."""
    get = options.get
    made.follows = bool(get("location") or get("location_trusted"))
    made.is_trusted = bool(get("location_trusted"))
    most = get("max_redirs", 50)
    made.most_redirects = most if most >= 0 else ENDLESS
    made.posts = {code for code in (301, 302, 303) if get(f"post{code}")}
    made.keeps_body = bool(get("fail_with_body"))
    made.fails = bool(get("fail")) or made.keeps_body
    user = get("user")
    made.agent, made.bearer = get("user_agent"), get("oauth2_bearer", "")
    made.user = user if user is None or ":" in user else f"{user}:"
    if get("netrc") or get("netrc_optional") or get("netrc_file"):
        made.netrc = netrc_of(sh, get("netrc_file"))
    warns = not get("silent")
    made.headers = headers_of(sh, get("header", []), warns=warns)
    if (tag := get("etag_compare")) is not None:
        made.headers.append(("If-None-Match", tag_in(sh, tag)))
    made.since = condition_of(sh, get("time_cond"), warns=warns)
    made.most = min(network.most, get("max_filesize", network.most))
    made.range, made.is_compressed = get("range", ""), bool(get("compressed"))
    text, semicolon, auto = get("referer", "").partition(";")
    made.referer, made.refers = text, bool(semicolon) and auto == "auto"
    made.target, made.keeps_dots = get("request_target", ""), bool(get("path_as_is"))
    made.default_scheme = get("proto_default", "http")
    made.protocols = protocols_in(get("proto", "all"))
    made.later_protocols = made.protocols & protocols_in(get("proto_redir", "all"), SPOKEN)
    made.family = 4 if get("ipv4") else 6 if get("ipv6") else 0
    if wrong := made.routes.pin(get("resolve", [])):
        raise sh.fail(f"(49) Couldn't parse CURLOPT_RESOLVE entry '{wrong}'", 49)
    if wrong := made.routes.turn(get("connect_to", [])):
        raise sh.fail(f"--connect-to takes HOST1:PORT1:HOST2:PORT2, not {shown(wrong)}", 49)


def condition_of(sh: Call, text: str | None, *, warns: bool) -> tuple[str, str] | None:
    """The header of -z: of a time, or of a file's; a dash before it turns it round."""
    if text is None:
        return None
    name = "If-Unmodified-Since" if text[:1] == "-" else "If-Modified-Since"
    text = text.removeprefix("-").removeprefix("+")
    moment = time_of(text, sh.now(), UTC_ZONE)
    if moment is None:
        try:
            moment = sh.fs.stat(sh.path(text), follow=True).modified
        except OSError:
            if warns:
                sh.err.write(f"Warning: {NO_DATE}\n")
            return None
    return name, formatted("%a, %d %b %Y %H:%M:%S GMT", Moment(moment, UTC_ZONE))


def tag_in(sh: Call, path: str) -> str:
    """The tag that a file of --etag-save holds; an empty one where it has none."""
    try:
        with closing(reader_of(sh.open(path))) as reader:
            return reader.read_line().strip() or '""'
    except OSError:
        raise sh.fail(f"Failed to open {shown(path)}", READ) from None


def refuse(sh: Call, options: Options) -> None:
    """See that none of the options is given that are not for scripts."""
    for name, (shown_name, reason) in REFUSALS.items():
        if options.get(name):
            raise sh.fail(f"{shown_name} is refused: {reason}", 2)


def request_of(sh: Call, options: Options) -> Request:
    """The method and the content that the options make together."""
    method, upload = options.get("request"), options.get("upload_file")
    is_head, is_query = options.get("head"), options.get("get")
    body = Body(sh, options.given, warns=not options.get("silent"))
    parts = [(name, text) for name, texts in options.given if name in ("form", "form_string")
             for text in texts]  # fmt: skip
    ways = (body.content is not None and not is_query) + bool(parts) + (upload is not None)
    if ways + bool(is_head) > 1:
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


def query_of(sh: Call, options: Options) -> str:
    """What goes behind the URL: with -G the data, else what --url-query says."""
    found: list[tuple[str, object]] = []
    for name, value in options.given if not options.get("get") else ():
        if name == "url_query":
            found += [("data_raw", text[1:]) if text[:1] == "+" else ("data_urlencode", text)
                      for text in value]  # fmt: skip
    if options.get("get"):
        found += options.given
    body = Body(sh, found, warns=not options.get("silent"))
    return text_of_bytes(body.content or b"")


def offset_of(sh: Call, text: str | None) -> str | None:
    """Where -C goes on."""
    is_number = text is not None and is_digits(text)
    if text not in (None, "-") and not (is_number and len(text) <= MOST_DIGITS):
        raise sh.fail("-C takes a number of bytes, or -", 2)
    return text


def take_cookies(sh: Call, made: Request, given: list[str], *, keeps: bool, forgets: bool) -> None:
    """Give a request the cookies of -b: texts, or the files that they name."""
    texts = [text for text in given if "=" in text]
    made.cookies = ";".join(texts)
    if not keeps and len(texts) == len(given):
        return
    made.jar = Jar(sh.now())
    made.jar.is_new = forgets
    for name in given:
        if "=" in name:
            continue
        try:
            with GivenFile(sh, name) as reader:
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


def headers_of(sh: Call, lines: list[str], *, warns: bool) -> list[tuple[str, str | None]]:
    """The headers that are given, but for those that would say where a message ends."""
    texts = [
        text
        for line in lines
        for text in (lines_in(sh, line, warns=warns) if line[:1] == "@" else [line])
    ]
    found = [pair for text in texts if (pair := header_of(text)) is not None]
    for name, _ in found:
        if name.lower() in FRAMING:
            raise sh.fail(f"the header {name} is made of what is sent, and cannot be given", 2)
    return found


def lines_in(sh: Call, text: str, *, warns: bool) -> list[str]:
    """The lines of a file of headers, `@file`; none where there is no such file."""
    try:
        with GivenFile(sh, text[1:]) as reader:
            return [line.rstrip("\r\n") for line in reader.lines()]
    except OSError as error:
        if warns:
            sh.err.write(f"Warning: Failed to open {shown(text[1:])}: {why(error)}\n")
        return []


def targets_of(options: Options) -> list[str | bool]:
    """Where the answers go, in the order of the URLs: files, or True for one named by its URL."""
    found: list[str | bool] = []
    for name, value in options.given:
        if name in ("output", "remote_name"):
            found += value if isinstance(value, list) else [value]
    usual = "-" if not options.get("remote_name_all") else True
    return found + [usual] * (len(options.urls) - len(found))


def form_of(sh: Call, text: str) -> str:
    """What -w is to print; @file for what a file holds."""
    if not text.startswith("@"):
        return text
    try:
        with closing(reader_of(sh.open(text[1:]))) as reader:
            return reader.read().replace("\r", "").replace("\n", "")
    except OSError as error:
        raise sh.fail(f"{shown(text[1:])}: {why(error)}", 2) from None
