"""Turn a set of options into a run: the request, the output files and the retries."""

from __future__ import annotations

from contextlib import closing

from keysh.gnu.input_files import InputFile
from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.dates.date_parser import parse_date
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import UTC_ZONE
from keysh.text.gnu_quoting import message_name
from keysh.text.shell_numbers import is_digits
from keysh.tools.curl.body import RequestBody
from keysh.tools.curl.cookies import CookieJar
from keysh.tools.curl.failure import READ_ERROR, TransferError
from keysh.tools.curl.form import form_body, read_content
from keysh.tools.curl.netrc import load_netrc
from keysh.tools.curl.output_files import AnswerFiles
from keysh.tools.curl.protocols import SUPPORTED_PROTOCOLS, parse_protocols
from keysh.tools.curl.request import FRAMING_HEADERS, RequestSettings, parse_header_option
from keysh.tools.curl.run import CurlRun, RetryPolicy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call, Network
    from keysh.tools.curl.options import OptionSet

BAD_TIME_CONDITION = (
    "Illegal date format for -z, --time-cond (and not a file name). Disabling time condition. "
    "See curl_getdate(3) for valid date syntax."
)
MAX_OFFSET_DIGITS = 18  # of a number of bytes
UNLIMITED_REDIRECTS = 1 << 31


def make_run(sh: Call, options: OptionSet, network: Network) -> CurlRun:
    """Return the run over the URLs of a set of options."""
    get = options.get
    try:
        settings = make_request(sh, options)
    except TransferError as error:
        raise sh.fail(f"({error.status}) {error.message}", error.status) from None
    configure_request(sh, settings, options, network)
    warns = not get("silent")
    load_cookies(
        sh,
        settings,
        get("cookie", []),
        keeps_jar=get("cookie_jar") is not None,
        drops_session=bool(get("junk_session_cookies")),
    )
    outputs = AnswerFiles(sh, prints_warnings=warns)
    outputs.directory, outputs.makes_directories = get("output_dir", ""), bool(get("create_dirs"))
    outputs.uses_server_name, outputs.header_file = (
        bool(get("remote_header_name")),
        get("dump_header", ""),
    )
    outputs.keeps_existing, outputs.removes_on_error = (
        get("clobber", True) is False,
        bool(get("remove_on_error")),
    )
    outputs.sets_time, outputs.etag_file = bool(get("remote_time")), get("etag_save", "")
    outputs.resume_at = resume_offset_of(sh, get("continue_at"))
    run = CurlRun(sh, settings, network, outputs)
    run.prints_errors, run.prints_warnings = bool(get("show_error")) or warns, warns
    run.shows_headers = bool(get("head") or get("include")) or get("dump_header") == "-"
    run.seconds = min(network.seconds, get("max_time") or network.seconds)
    settings.trace = sh.err.write if get("verbose") else None
    settings.unpacked = sh.unpacked
    settings.connect_seconds = get("connect_timeout") or run.seconds
    run.retries = RetryPolicy(get("retry", 0), get("retry_delay", 0.0), get("retry_max_time", 0.0))
    run.retries.retries_refused = bool(get("retry_connrefused"))
    run.retries.retries_all_errors = bool(get("retry_all_errors"))
    template = get("write_out")
    run.write_out = None if template is None else write_out_format(sh, template)
    run.expands_urls, run.upload = not get("globoff"), get("upload_file", "")
    run.query, run.ends_early = query_of_options(sh, options), bool(get("fail_early"))
    return run


def configure_request(
    sh: Call, settings: RequestSettings, options: OptionSet, network: Network
) -> None:
    """Set what the options say about a request besides its method and content."""
    get = options.get
    settings.follows_redirects = bool(get("location") or get("location_trusted"))
    settings.trusts_redirects = bool(get("location_trusted"))
    max_redirects = get("max_redirs", 50)
    settings.max_redirects = max_redirects if max_redirects >= 0 else UNLIMITED_REDIRECTS
    settings.reposting_statuses = {code for code in (301, 302, 303) if get(f"post{code}")}
    settings.keeps_body = bool(get("fail_with_body"))
    settings.fails_on_http_error = bool(get("fail")) or settings.keeps_body
    user = get("user")
    settings.user_agent, settings.bearer = get("user_agent"), get("oauth2_bearer", "")
    settings.user = user if user is None or ":" in user else f"{user}:"
    if get("netrc") or get("netrc_optional") or get("netrc_file"):
        settings.netrc = load_netrc(sh, get("netrc_file"))
    warns = not get("silent")
    settings.headers = headers_of_options(sh, get("header", []), warns=warns)
    if (tag := get("etag_compare")) is not None:
        settings.headers.append(("If-None-Match", read_etag(sh, tag)))
    settings.time_condition = time_condition_of(sh, get("time_cond"), warns=warns)
    settings.max_bytes = min(network.most, get("max_filesize", network.most))
    settings.range, settings.accepts_compression = get("range", ""), bool(get("compressed"))
    text, semicolon, auto = get("referer", "").partition(";")
    settings.referer, settings.sets_referer = text, bool(semicolon) and auto == "auto"
    settings.request_target = get("request_target", "")
    settings.keeps_dots = bool(get("path_as_is"))
    settings.default_scheme = get("proto_default", "http")
    settings.protocols = parse_protocols(get("proto", "all"))
    settings.redirect_protocols = settings.protocols & parse_protocols(
        get("proto_redir", "all"), SUPPORTED_PROTOCOLS
    )
    settings.family = 4 if get("ipv4") else 6 if get("ipv6") else 0
    if wrong := settings.routes.add_resolve_entries(get("resolve", [])):
        raise sh.fail(f"(49) Couldn't parse CURLOPT_RESOLVE entry '{wrong}'", 49)
    if wrong := settings.routes.add_connect_to_entries(get("connect_to", [])):
        raise sh.fail(f"--connect-to takes HOST1:PORT1:HOST2:PORT2, not {message_name(wrong)}", 49)


def time_condition_of(sh: Call, text: str | None, *, warns: bool) -> tuple[str, str] | None:
    """Return the header for -z, a time or a file. A leading dash inverts the condition."""
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
                sh.complain(f"Warning: {BAD_TIME_CONDITION}")
            return None
    return name, format_moment("%a, %d %b %Y %H:%M:%S GMT", Moment(moment, UTC_ZONE))


def read_etag(sh: Call, path: str) -> str:
    """Return the ETag in a file written by --etag-save, or an empty one."""
    try:
        with closing(sh.open_reader(path)) as reader:
            return reader.read_line().strip() or '""'
    except OSError:
        raise sh.fail(f"Failed to open {message_name(path)}", READ_ERROR) from None


def make_request(sh: Call, options: OptionSet) -> RequestSettings:
    """Return a request with the method and content that the options imply."""
    method, upload = options.get("request"), options.get("upload_file")
    is_head, is_query = options.get("head"), options.get("get")
    body = RequestBody(sh, options.occurrences, warns=not options.get("silent"))
    parts = [(name, text) for name, texts in options.occurrences if name in ("form", "form_string")
             for text in texts]  # fmt: skip
    ways = (body.content is not None and not is_query) + bool(parts) + (upload is not None)
    if ways + bool(is_head) > 1:
        raise sh.fail("You can only select one HTTP request method!", 2)
    if upload is not None:
        settings = RequestSettings(method or "PUT", read_content(sh, upload))
        settings.content_type = None
        return settings
    if (body_and_type := form_body(sh, parts)) is not None:
        settings = RequestSettings(method, body_and_type[0])
        settings.content_type = body_and_type[1]
        return settings
    settings = RequestSettings(
        method or ("HEAD" if is_head else None), None if is_query else body.content
    )
    settings.is_json = body.is_json
    return settings


def query_of_options(sh: Call, options: OptionSet) -> str:
    """Return what is added to the query of URLs: the data with -G, else --url-query."""
    data_options: list[tuple[str, object]] = []
    for name, value in options.occurrences if not options.get("get") else ():
        if name == "url_query":
            data_options += [("data_raw", text[1:]) if text[:1] == "+" else ("data_urlencode", text)
                      for text in value]  # fmt: skip
    if options.get("get"):
        data_options += options.occurrences
    body = RequestBody(sh, data_options, warns=not options.get("silent"))
    return text_of_bytes(body.content or b"")


def resume_offset_of(sh: Call, text: str | None) -> str | None:
    """Return the argument of -C, checked."""
    is_number = text is not None and is_digits(text)
    if text not in (None, "-") and not (is_number and len(text) <= MAX_OFFSET_DIGITS):
        raise sh.fail("-C takes a number of bytes, or -", 2)
    return text


def load_cookies(
    sh: Call,
    settings: RequestSettings,
    values: list[str],
    *,
    keeps_jar: bool,
    drops_session: bool,
) -> None:
    """Add the cookies of -b to a request. Each value is a cookie or the name of a file."""
    texts = [text for text in values if "=" in text]
    settings.cookies = ";".join(texts)
    if not keeps_jar and len(texts) == len(values):
        return
    settings.jar = CookieJar(sh.now())
    settings.jar.drops_session_cookies = drops_session
    for name in values:
        if "=" in name:
            continue
        try:
            with InputFile(sh, name) as reader:
                settings.jar.load(reader.lines())
        except OSError:
            continue  # naming a missing file only enables the cookie engine


def write_cookie_jar(sh: Call, name: str, jar: CookieJar) -> None:
    """Write the cookies to a file, or with - to standard output."""
    if name == "-":
        sh.out.write(jar.file_text())
        return
    try:
        with sh.open(name, "w") as stream:
            stream.write(bytes_of_text(jar.file_text()))
    except OSError as error:
        sh.complain(
            f"Warning: failed to save cookies in {message_name(name)}: {os_error_text(error)}"
        )


def headers_of_options(sh: Call, lines: list[str], *, warns: bool) -> list[tuple[str, str | None]]:
    """Return the headers of -H, and reject those that delimit a message."""
    texts = [
        text
        for line in lines
        for text in (header_file_lines(sh, line, warns=warns) if line[:1] == "@" else [line])
    ]
    headers = [pair for text in texts if (pair := parse_header_option(text)) is not None]
    for name, _ in headers:
        if name.lower() in FRAMING_HEADERS:
            raise sh.fail(f"the header {name} is computed and cannot be set", 2)
    return headers


def header_file_lines(sh: Call, text: str, *, warns: bool) -> list[str]:
    """Return the lines of a file of headers, `@file`; none if it cannot be read."""
    try:
        with InputFile(sh, text[1:]) as reader:
            return [line.rstrip("\r\n") for line in reader.lines()]
    except OSError as error:
        if warns:
            sh.complain(f"Warning: Failed to open {message_name(text[1:])}: {os_error_text(error)}")
        return []


def output_targets(options: OptionSet) -> list[str | bool]:
    """Return the output file for each URL, True for one named after the URL."""
    targets: list[str | bool] = []
    for name, value in options.occurrences:
        if name in ("output", "remote_name"):
            targets += value if isinstance(value, list) else [value]
    default = "-" if not options.get("remote_name_all") else True
    return targets + [default] * (len(options.urls) - len(targets))


def write_out_format(sh: Call, text: str) -> str:
    """Return the format of -w, which `@file` reads from a file."""
    if not text.startswith("@"):
        return text
    try:
        with closing(sh.open_reader(text[1:])) as reader:
            return reader.read().replace("\r", "").replace("\n", "")
    except OSError as error:
        raise sh.fail(f"{message_name(text[1:])}: {os_error_text(error)}", 2) from None
