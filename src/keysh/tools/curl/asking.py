"""Asking: what a set of options asks for: the request, where answers go, how often it is tried."""

from __future__ import annotations

from contextlib import closing

from keysh.gnu.input_files import InputFile
from keysh.interp.state.call import os_error_text
from keysh.interp.streams.streams import reader_of
from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.dates.moment import Moment
from keysh.text.dates.parser import parse_date
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import UTC_ZONE
from keysh.text.gnu_quoting import message_name
from keysh.text.shell_numbers import is_digits
from keysh.tools.curl.body import RequestBody
from keysh.tools.curl.cookies import CookieJar
from keysh.tools.curl.failure import READ_ERROR, TransferError
from keysh.tools.curl.form import form_body as formed
from keysh.tools.curl.form import read_content
from keysh.tools.curl.netrc import load_netrc
from keysh.tools.curl.place import AnswerFiles
from keysh.tools.curl.protocols import SUPPORTED_PROTOCOLS, parse_protocols
from keysh.tools.curl.request import FRAMING_HEADERS, RequestSettings, parse_header_option
from keysh.tools.curl.run import CurlRun, RetryPolicy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call, NetworkRules
    from keysh.tools.curl.options import OptionSet

BYPASSES_POLICY = "it would lead past the policy of what may be reached"
HOST_DECIDES = "what is trusted, and as whom one speaks, is for the host to say"
REFUSED_OPTIONS = {
    "insecure": ("-k", "certificates are always checked"), "proxy": ("-x", BYPASSES_POLICY),
    "unix_socket": ("--unix-socket", BYPASSES_POLICY), "interface": ("--interface", BYPASSES_POLICY),
    "cacert": ("--cacert", HOST_DECIDES), "cert": ("-E", HOST_DECIDES), "key": ("--key", HOST_DECIDES),
    "digest": ("--digest", "only Basic and Bearer are spoken"),
    "ntlm": ("--ntlm", "only Basic and Bearer are spoken"),
    "negotiate": ("--negotiate", "only Basic and Bearer are spoken"),
}  # fmt: skip
BAD_TIME_CONDITION = (
    "Illegal date format for -z, --time-cond (and not a file name). Disabling time condition. "
    "See curl_getdate(3) for valid date syntax."
)
MAX_OFFSET_DIGITS = 18  # of a number of bytes
UNLIMITED_REDIRECTS = 1 << 31


def make_run(sh: Call, options: OptionSet, network: NetworkRules) -> CurlRun:
    """The run over the URLs of a set."""
    get = options.get
    refuse_unsafe_options(sh, options)
    try:
        made = make_request(sh, options)
    except TransferError as error:
        raise sh.fail(f"({error.status}) {error.message}", error.status) from None
    configure_request(sh, made, options, network)
    warns = not get("silent")
    load_cookies(sh, made, get("cookie", []), keeps=get("cookie_jar") is not None,
                 forgets=bool(get("junk_session_cookies")))  # fmt: skip
    place = AnswerFiles(sh, warns=warns)
    place.directory, place.makes_directories = get("output_dir", ""), bool(get("create_dirs"))
    place.uses_server_name, place.header_file = (
        bool(get("remote_header_name")),
        get("dump_header", ""),
    )
    place.keeps_existing, place.removes_on_error = (
        get("clobber", True) is False,
        bool(get("remove_on_error")),
    )
    place.sets_time, place.etag_file = bool(get("remote_time")), get("etag_save", "")
    place.resume_at = resume_offset_of(sh, get("continue_at"))
    run = CurlRun(sh, made, network, place)
    run.prints_errors, run.prints_warnings = bool(get("show_error")) or warns, warns
    run.shows_headers = bool(get("head") or get("include")) or get("dump_header") == "-"
    run.seconds = min(network.seconds, get("max_time") or network.seconds)
    made.trace = sh.err.write if get("verbose") else None
    made.connect_seconds = get("connect_timeout") or run.seconds
    run.retries = RetryPolicy(get("retry", 0), get("retry_delay", 0.0), get("retry_max_time", 0.0))
    run.retries.retries_refused = bool(get("retry_connrefused"))
    run.retries.retries_all_errors = bool(get("retry_all_errors"))
    form = get("write_out")
    run.write_out = None if form is None else write_out_format(sh, form)
    run.expands_urls, run.upload = not get("globoff"), get("upload_file", "")
    run.query, run.ends_early = query_of_options(sh, options), bool(get("fail_early"))
    return run


def configure_request(
    sh: Call, made: RequestSettings, options: OptionSet, network: NetworkRules
) -> None:
    """Give a request what the options ask of it beside its method and content."""
    get = options.get
    made.follows_redirects = bool(get("location") or get("location_trusted"))
    made.trusts_redirects = bool(get("location_trusted"))
    most = get("max_redirs", 50)
    made.max_redirects = most if most >= 0 else UNLIMITED_REDIRECTS
    made.reposting_statuses = {code for code in (301, 302, 303) if get(f"post{code}")}
    made.keeps_body = bool(get("fail_with_body"))
    made.fails_on_http_error = bool(get("fail")) or made.keeps_body
    user = get("user")
    made.user_agent, made.bearer = get("user_agent"), get("oauth2_bearer", "")
    made.user = user if user is None or ":" in user else f"{user}:"
    if get("netrc") or get("netrc_optional") or get("netrc_file"):
        made.netrc = load_netrc(sh, get("netrc_file"))
    warns = not get("silent")
    made.headers = headers_of_options(sh, get("header", []), warns=warns)
    if (tag := get("etag_compare")) is not None:
        made.headers.append(("If-None-Match", read_etag(sh, tag)))
    made.time_condition = time_condition_of(sh, get("time_cond"), warns=warns)
    made.max_bytes = min(network.most, get("max_filesize", network.most))
    made.range, made.accepts_compression = get("range", ""), bool(get("compressed"))
    text, semicolon, auto = get("referer", "").partition(";")
    made.referer, made.sets_referer = text, bool(semicolon) and auto == "auto"
    made.request_target, made.keeps_dots = get("request_target", ""), bool(get("path_as_is"))
    made.default_scheme = get("proto_default", "http")
    made.protocols = parse_protocols(get("proto", "all"))
    made.redirect_protocols = made.protocols & parse_protocols(
        get("proto_redir", "all"), SUPPORTED_PROTOCOLS
    )
    made.family = 4 if get("ipv4") else 6 if get("ipv6") else 0
    if wrong := made.routes.add_resolve_entries(get("resolve", [])):
        raise sh.fail(f"(49) Couldn't parse CURLOPT_RESOLVE entry '{wrong}'", 49)
    if wrong := made.routes.add_connect_to_entries(get("connect_to", [])):
        raise sh.fail(f"--connect-to takes HOST1:PORT1:HOST2:PORT2, not {message_name(wrong)}", 49)


def time_condition_of(sh: Call, text: str | None, *, warns: bool) -> tuple[str, str] | None:
    """The header of -z: of a time, or of a file's; a dash before it turns it round."""
    if text is None:
        return None
    name = "If-Unmodified-Since" if text[:1] == "-" else "If-Modified-Since"
    text = text.removeprefix("-").removeprefix("+")
    moment = parse_date(text, sh.now(), UTC_ZONE)
    if moment is None:
        try:
            moment = sh.fs.stat(sh.path(text), follow=True).modified
        except OSError:
            if warns:
                sh.err.write(f"Warning: {BAD_TIME_CONDITION}\n")
            return None
    return name, format_moment("%a, %d %b %Y %H:%M:%S GMT", Moment(moment, UTC_ZONE))


def read_etag(sh: Call, path: str) -> str:
    """The tag that a file of --etag-save holds; an empty one where it has none."""
    try:
        with closing(reader_of(sh.open(path))) as reader:
            return reader.read_line().strip() or '""'
    except OSError:
        raise sh.fail(f"Failed to open {message_name(path)}", READ_ERROR) from None


def refuse_unsafe_options(sh: Call, options: OptionSet) -> None:
    """See that none of the options is given that are not for scripts."""
    for name, (shown_name, reason) in REFUSED_OPTIONS.items():
        if options.get(name):
            raise sh.fail(f"{shown_name} is refused: {reason}", 2)


def make_request(sh: Call, options: OptionSet) -> RequestSettings:
    """The method and the content that the options make together."""
    method, upload = options.get("request"), options.get("upload_file")
    is_head, is_query = options.get("head"), options.get("get")
    body = RequestBody(sh, options.occurrences, warns=not options.get("silent"))
    parts = [(name, text) for name, texts in options.occurrences if name in ("form", "form_string")
             for text in texts]  # fmt: skip
    ways = (body.content is not None and not is_query) + bool(parts) + (upload is not None)
    if ways + bool(is_head) > 1:
        raise sh.fail("You can only select one HTTP request method!", 2)
    if upload is not None:
        made = RequestSettings(method or "PUT", read_content(sh, upload))
        made.content_type = None
        return made
    if (form := formed(sh, parts)) is not None:
        made = RequestSettings(method, form[0])
        made.content_type = form[1]
        return made
    made = RequestSettings(
        method or ("HEAD" if is_head else None), None if is_query else body.content
    )
    made.is_json = body.is_json
    return made


def query_of_options(sh: Call, options: OptionSet) -> str:
    """What goes behind the URL: with -G the data, else what --url-query says."""
    found: list[tuple[str, object]] = []
    for name, value in options.occurrences if not options.get("get") else ():
        if name == "url_query":
            found += [("data_raw", text[1:]) if text[:1] == "+" else ("data_urlencode", text)
                      for text in value]  # fmt: skip
    if options.get("get"):
        found += options.occurrences
    body = RequestBody(sh, found, warns=not options.get("silent"))
    return text_of_bytes(body.content or b"")


def resume_offset_of(sh: Call, text: str | None) -> str | None:
    """Where -C goes on."""
    is_number = text is not None and is_digits(text)
    if text not in (None, "-") and not (is_number and len(text) <= MAX_OFFSET_DIGITS):
        raise sh.fail("-C takes a number of bytes, or -", 2)
    return text


def load_cookies(
    sh: Call, made: RequestSettings, given: list[str], *, keeps: bool, forgets: bool
) -> None:
    """Give a request the cookies of -b: texts, or the files that they name."""
    texts = [text for text in given if "=" in text]
    made.cookies = ";".join(texts)
    if not keeps and len(texts) == len(given):
        return
    made.jar = CookieJar(sh.now())
    made.jar.drops_session_cookies = forgets
    for name in given:
        if "=" in name:
            continue
        try:
            with InputFile(sh, name) as reader:
                made.jar.load(reader.lines())
        except OSError:
            continue  # a file that is not there only says that cookies are to be kept


def write_cookie_jar(sh: Call, name: str, jar: CookieJar) -> None:
    """Write the cookies to a file."""
    if name == "-":
        sh.out.write(jar.file_text())
        return
    try:
        with sh.open(name, "w") as stream:
            stream.write(bytes_of_text(jar.file_text()))
    except OSError as error:
        sh.err.write(
            f"Warning: failed to save cookies in {message_name(name)}: {os_error_text(error)}\n"
        )


def headers_of_options(sh: Call, lines: list[str], *, warns: bool) -> list[tuple[str, str | None]]:
    """The headers that are given, but for those that would say where a message ends."""
    texts = [
        text
        for line in lines
        for text in (header_file_lines(sh, line, warns=warns) if line[:1] == "@" else [line])
    ]
    found = [pair for text in texts if (pair := parse_header_option(text)) is not None]
    for name, _ in found:
        if name.lower() in FRAMING_HEADERS:
            raise sh.fail(f"the header {name} is made of what is sent, and cannot be given", 2)
    return found


def header_file_lines(sh: Call, text: str, *, warns: bool) -> list[str]:
    """The lines of a file of headers, `@file`; none where there is no such file."""
    try:
        with InputFile(sh, text[1:]) as reader:
            return [line.rstrip("\r\n") for line in reader.lines()]
    except OSError as error:
        if warns:
            sh.err.write(
                f"Warning: Failed to open {message_name(text[1:])}: {os_error_text(error)}\n"
            )
        return []


def output_targets(options: OptionSet) -> list[str | bool]:
    """Where the answers go, in the order of the URLs: files, or True for one named by its URL."""
    found: list[str | bool] = []
    for name, value in options.occurrences:
        if name in ("output", "remote_name"):
            found += value if isinstance(value, list) else [value]
    usual = "-" if not options.get("remote_name_all") else True
    return found + [usual] * (len(options.urls) - len(found))


def write_out_format(sh: Call, text: str) -> str:
    """What -w is to print; @file for what a file holds."""
    if not text.startswith("@"):
        return text
    try:
        with closing(reader_of(sh.open(text[1:]))) as reader:
            return reader.read().replace("\r", "").replace("\n", "")
    except OSError as error:
        raise sh.fail(f"{message_name(text[1:])}: {os_error_text(error)}", 2) from None
