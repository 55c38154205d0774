"""curl - transfer data from or to servers that the host's network policy allows."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command, command_of
from keysh.schema.render import help_text
from keysh.tools.curl.failure import REFUSED_BY_HOST
from keysh.tools.curl.options import option_sets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Literal

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Pattern, Raw

NETWORK_CLOSED = (
    "the network is closed to scripts here\nfix: the host opens it with Shell(network=…)"
)


@command(
    compatible="curl 7.88.1",
    output=OutputStyle(write_error=(23, "write error: {}")),
    refusals=Refusals(usage_status=2),
    style=OptionStyle(binds_by_key=False),
    ignored=(
        "--basic; -N, --no-buffer; -#, --progress-bar; -q, --disable; -Z, --parallel; "
        "--parallel-immediate; --parallel-max NUM; --limit-rate SPEED; "
        "-Y, --speed-limit NUM; -y, --speed-time NUM; --keepalive-time NUM; "
        "--tcp-nodelay; --tcp-fastopen; --http2, --http1.1; --noproxy LIST; "
        "-1, --tlsv1, --tlsv1.0, --tlsv1.1, --tlsv1.2; --ssl; --ssl-reqd; "
        "--no-progress-meter; --no-keepalive; --no-styled-output"
    ),
    refused=(
        "-k, --insecure  certificates are always verified; "
        "-x, --proxy URL  it would bypass the network policy; "
        "--unix-socket PATH  it would bypass the network policy; "
        "--interface NAME  it would bypass the network policy; "
        "--cacert FILE  the host sets the certificates; "
        "-E, --cert FILE  the host sets the certificates; "
        "--key FILE  the host sets the certificates; "
        "--digest  only Basic and Bearer authentication are supported; "
        "--ntlm  only Basic and Bearer authentication are supported; "
        "--negotiate  only Basic and Bearer authentication are supported"
    ),
)
def curl(
    sh: Call,
    *words: Raw,
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
    location_trusted: bool = False,
    max_redirs: int = 50,
    post301: bool = False,
    post302: bool = False,
    post303: bool = False,
    output: list[str] | None = None,
    remote_name: bool = False,
    remote_name_all: bool = False,
    remote_time: bool = False,
    clobber: bool = True,
    remove_on_error: bool = False,
    form: list[str] | None = None,
    form_string: list[str] | None = None,
    upload_file: Path | None = None,
    range: str | None = None,
    continue_at: str | None = None,
    referer: str | None = None,
    cookie: list[str] | None = None,
    cookie_jar: Path | None = None,
    junk_session_cookies: bool = False,
    time_cond: str | None = None,
    etag_save: Path | None = None,
    etag_compare: Path | None = None,
    dump_header: Path | None = None,
    remote_header_name: bool = False,
    create_dirs: bool = False,
    output_dir: Path | None = None,
    compressed: bool = False,
    url: list[Pattern] | None = None,
    url_query: list[str] | None = None,
    next: bool = False,
    user: str | None = None,
    oauth2_bearer: str | None = None,
    user_agent: str | None = None,
    fail: bool = False,
    fail_with_body: bool = False,
    fail_early: bool = False,
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
    ipv4: bool = False,
    ipv6: bool = False,
    path_as_is: bool = False,
    request_target: str | None = None,
    proto: str | None = None,
    proto_redir: str | None = None,
    proto_default: Literal["http", "https"] = "http",
    config: Path | None = None,
    netrc: bool = False,
    netrc_optional: bool = False,
    netrc_file: Path | None = None,
    resolve: list[str] | None = None,
    connect_to: list[str] | None = None,
) -> Generator[str, None, int]:
    """Transfer data from or to servers, over HTTP and HTTPS.

    words ...                URLs; http:// is the default scheme
    -X, --request METHOD     use this request method, also after redirects
    -H, --header LINE        send a header, `Name: value`; `Name:` removes one of
                             curl's own; @FILE reads headers from FILE
    -d, --data, --data-ascii TEXT  POST data as a form does; @FILE reads FILE
    --data-raw TEXT          like -d, but @ is not special
    --data-binary TEXT       like -d, but keep the newlines of a file
    --data-urlencode TEXT    like -d, but URL-encode: TEXT, NAME=TEXT, @FILE or
                             NAME@FILE
    --json TEXT              POST JSON; @FILE reads FILE
    -F, --form NAME=CONTENT  POST multipart data: CONTENT is text, @FILE or <FILE,
                             then maybe ;type=TYPE and ;filename=NAME
    --form-string NAME=TEXT  like -F, but @, < and ; are not special
    -T, --upload-file FILE   PUT FILE; its name is added to a URL that ends with /
    -G, --get                put the data in the URL and use GET
    -I, --head               fetch and print the headers only
    -i, --include            print the response headers before the body
    -r, --range RANGE        fetch only a range of bytes: 0-99, -100 or 500-
    -C, --continue-at OFFSET  resume at byte OFFSET; - for the size of the file
    -e, --referer URL        send a Referer header; ;auto updates it on redirects
    -b, --cookie DATA        send cookies: NAME=VALUE, or a file to read them from
    -c, --cookie-jar FILE    write all cookies to FILE at the end, - for stdout
    -j, --junk-session-cookies  ignore session cookies read from a file
    -z, --time-cond TIME     fetch only if modified since TIME or since a file's;
                             -TIME fetches only if not modified since
    --etag-save FILE         write the ETag of the response to FILE
    --etag-compare FILE      fetch only if the ETag differs from the one in FILE
    -D, --dump-header FILE   write the response headers to FILE
    --compressed             request a compressed response and decompress it
    -L, --location           follow redirects, if the policy allows each
    --max-redirs NUM         follow at most NUM redirects; -1 for no limit
    --location-trusted       like -L, and send credentials and cookies to all hosts
    --post301                do not switch to GET after a 301
    --post302                do not switch to GET after a 302
    --post303                do not switch to GET after a 303
    -o, --output FILE        write to FILE; if given again, for the next URL
    -O, --remote-name        write to a file named like the remote file
    --remote-name-all        use -O for all URLs that have no -o
    -R, --remote-time        set the file's time to that of the remote file
    --no-clobber             never overwrite a file, but add a number to the name
    --remove-on-error        remove the output file if the transfer fails
    -J, --remote-header-name  with -O, use the server's file name, unless it exists
    --create-dirs            create the directories of -o
    --output-dir FOLDER      save files of -o and -O in FOLDER
    --url URL                another URL
    --url-query TEXT         add to the query of each URL, as --data-urlencode
                             does; +TEXT is added without encoding
    --next                   begin a new set of options and URLs
    -K, --config FILE        read options from FILE: `name = "value"` on each line
    -u, --user NAME:WORD     user name and password, sent to the first host only
    --oauth2-bearer TOKEN    send an OAuth 2 bearer token
    -n, --netrc              read user names and passwords from ~/.netrc
    --netrc-optional         the same as -n
    --netrc-file FILE        read user names and passwords from FILE
    -A, --user-agent TEXT    send this User-Agent header
    -f, --fail               fail without output on HTTP errors
    --fail-with-body         fail on HTTP errors, but print the body
    --fail-early             stop at the first failed transfer
    -s, --silent             print no error messages and no progress bar
    -S, --show-error         print error messages despite -s
    -v, --verbose            print the headers sent and received to stderr
    -w, --write-out FORMAT   print FORMAT after each transfer; %{http_code} is the
                             status, %{size_download} the size, and others
    -m, --max-time NUM       limit each transfer to NUM seconds
    --connect-timeout NUM    limit connecting to NUM seconds
    --retry NUM              retry up to NUM times if busy or timed out
    --retry-delay NUM        wait NUM seconds between retries, not 1, 2, 4, ...
    --retry-max-time NUM     do not retry after NUM seconds
    --retry-connrefused      also retry if the connection is refused
    --retry-all-errors       also retry on all other errors
    --max-filesize NUM       fail if the response is larger than NUM bytes
    -g, --globoff            do not expand {a,b} and [1-9] in URLs; otherwise #1
                             in -o is the first part expanded
    -4, --ipv4               use IPv4 addresses only
    -6, --ipv6               use IPv6 addresses only
    --path-as-is             do not remove `..` from URLs
    --request-target TEXT    request this target instead of the URL's path
    --proto LIST             allow only these protocols, such as =https
    --proto-redir LIST       allow only these protocols in redirects
    --proto-default NAME     the protocol of URLs without one
    --resolve HOST:PORT:ADDRESS  use this address, if the policy lists it as a host
    --connect-to HOST1:PORT1:HOST2:PORT2  connect to HOST2, if the policy allows it

    The host decides which servers can be reached, with Shell(network=Network(
    hosts, methods)). If it refuses, the exit status is 126; all others are
    curl's. On a terminal a progress bar appears after one second.
    """
    network = sh.network
    if network is None:
        raise sh.fail(NETWORK_CLOSED, REFUSED_BY_HOST)
    declared = command_of(curl)
    # URLs are not file name patterns: `curl host/?a=1` must not be expanded.
    sets = option_sets(sh, declared, raw_texts(words))
    if any(options.get("help") for options in sets):
        yield help_text(declared)
        return 0
    if not sets:
        raise UsageFailure("no URL specified!")
    try:
        from keysh.tools.curl.run_setup import (  # noqa: PLC0415 - from an extra
            make_run,
            output_targets,
            write_cookie_jar,
        )
    except ModuleNotFoundError:
        raise sh.fail("httpcore is not installed\nfix: pip install 'keysh[http]'", 2) from None
    status = 0
    for options in sets:
        run = make_run(sh, options, network)
        yield from run.fetch_all(options.urls, output_targets(options))
        status = run.status
        jar = run.request.jar
        if jar is not None and options.get("cookie_jar") is not None:
            write_cookie_jar(sh, options.get("cookie_jar"), jar)
        if status and run.ends_early:
            break
    return status
