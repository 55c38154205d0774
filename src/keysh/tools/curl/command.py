"""curl - get and send what URLs name, where the host lets scripts reach it."""

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
    output=OutputStyle(write_error=(23, "write error: {}")),
    refusals=Refusals(usage_status=2),
    style=OptionStyle(binds_by_key=False),
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
    basic: bool = False,
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
    no_buffer: bool = False,
    progress_bar: bool = False,
    progress_meter: bool = True,
    disable: bool = False,
    parallel: bool = False,
    parallel_immediate: bool = False,
    parallel_max: int = 50,
    limit_rate: str | None = None,
    speed_limit: int | None = None,
    speed_time: int | None = None,
    keepalive: bool = True,
    keepalive_time: int | None = None,
    tcp_nodelay: bool = False,
    tcp_fastopen: bool = False,
    styled_output: bool = True,
    http2: bool = False,
    noproxy: str | None = None,
    tlsv1: bool = False,
    ssl: bool = False,
    ssl_reqd: bool = False,
    ipv4: bool = False,
    ipv6: bool = False,
    path_as_is: bool = False,
    request_target: str | None = None,
    proto: str | None = None,
    proto_redir: str | None = None,
    proto_default: Literal["http", "https"] = "http",
    insecure: bool = False,
    proxy: str | None = None,
    config: Path | None = None,
    netrc: bool = False,
    netrc_optional: bool = False,
    netrc_file: Path | None = None,
    resolve: list[str] | None = None,
    connect_to: list[str] | None = None,
    unix_socket: str | None = None,
    interface: str | None = None,
    cacert: str | None = None,
    cert: str | None = None,
    key: str | None = None,
    digest: bool = False,
    ntlm: bool = False,
    negotiate: bool = False,
) -> Generator[str, None, int]:
    """Get what URLs name, over HTTP and HTTPS, and print it.

    words ...                URLs, what to get; http:// where one says nothing else
    -X, --request METHOD     the method, also of requests that follow a redirect
    -H, --header LINE        a header, `Name: value`; `Name:` takes one of curl's own away; @file
                             for those of a file
    -d, --data, --data-ascii TEXT  send data as a form does, with POST; @file for what a file holds
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
    -j, --junk-session-cookies  leave out what a file holds for one session only
    -z, --time-cond TIME     only what has changed since a time, or since a file; with a dash in
                             front what has not
    --etag-save FILE         write what the server calls this state of things
    --etag-compare FILE      only what is in another state than that
    -D, --dump-header FILE   write the headers to a file
    --compressed             let the server pack what it sends
    -L, --location           follow redirects, each of which the policy judges
    --max-redirs NUM         follow so many; -1 for all
    --location-trusted       follow redirects, and tell all servers name, password and cookies
    --post301                after this answer send the data again, with POST
    --post302                the same
    --post303                the same
    -o, --output FILE        write to a file; given again, the next URL's
    -O, --remote-name        write to a file named as the URL's last part
    --remote-name-all        -O for all URLs without a file of their own
    -R, --remote-time        files are as old as the server says
    --no-clobber             a file that is there stays; the answer's gets a number
    --remove-on-error        what a failed transfer has written goes
    -J, --remote-header-name  with -O, named as the server says, if no such file is there
    --create-dirs            make the directories of -o
    --output-dir FOLDER      the directory of -o and -O
    --url URL                one more URL
    --url-query TEXT         a part of the query of each URL, as of --data-urlencode; + in front for
                             one that is escaped
    --next                   the options behind it are for the URLs behind it
    -K, --config FILE        options from a file, `name = "value"` on each line
    -u, --user NAME:WORD     name and password, for this server alone
    --basic                  ignored: as name and password are always sent
    --oauth2-bearer TOKEN    what to be known by
    -n, --netrc              names and passwords from ~/.netrc
    --netrc-optional         the same
    --netrc-file FILE        the same from this file
    -A, --user-agent TEXT    what to be called
    -f, --fail               nothing but an error where the server answers with one
    --fail-with-body         its text too
    --fail-early             the first failure ends all
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
    --no-progress-meter      ignored
    -q, --disable            ignored: no options stand in files of their own
    -Z, --parallel           ignored: one URL is got after the other
    --parallel-immediate     ignored
    --parallel-max NUM       ignored
    --limit-rate SPEED       ignored
    -Y, --speed-limit NUM    ignored: -m ends what takes too long
    -y, --speed-time NUM     ignored
    --no-keepalive           ignored
    --keepalive-time NUM     ignored
    --tcp-nodelay            ignored
    --tcp-fastopen           ignored
    --no-styled-output       ignored
    --http2, --http1.1       ignored: the latter is spoken in any case
    --noproxy LIST           ignored: there is none
    -1, --tlsv1, --tlsv1.0, --tlsv1.1, --tlsv1.2  ignored: TLS 1.2 is the least that is spoken
    --ssl                    ignored: https:// asks for it
    --ssl-reqd               ignored
    -4, --ipv4               addresses of IPv4 alone
    -6, --ipv6               addresses of IPv6 alone
    --path-as-is             `..` in URLs stays
    --request-target TEXT    ask for this instead of what the URL names
    --proto LIST             the protocols that may be spoken, as =https
    --proto-redir LIST       those that redirects may lead to
    --proto-default NAME     the protocol of URLs that name none
    --resolve HOST:PORT:ADDRESS  a server's address, if the policy has it among the hosts
    --connect-to HOST1:PORT1:HOST2:PORT2  another server to speak to, if the policy lets one
    -k, --insecure           refused: certificates are always checked
    -x, --proxy URL          refused, as are all that would lead past the policy
    --unix-socket PATH       refused
    --interface NAME         refused
    --cacert FILE            refused: the host says what is trusted
    -E, --cert FILE          refused
    --key FILE               refused
    --digest                 refused
    --ntlm                   refused
    --negotiate              refused

    What may be reached is for the host to say: Shell(network=Network(hosts, methods)). Status 126
    is its refusal; others are curl's. On a terminal a bar tells how far a transfer is, once it
    has taken a second.
    """
    network = sh.network
    if network is None:
        raise sh.fail(NETWORK_CLOSED, REFUSED_BY_HOST)
    declared = command_of(curl)
    # A pattern is no URL's: `curl host/?a=1` asks for that, and for no file.
    plain = raw_texts(words)
    sets = option_sets(sh, declared, plain)
    if any(options.get("help") for options in sets):
        yield help_text(declared)
        return 0
    if not sets:
        raise UsageFailure("no URL specified!")
    try:
        from keysh.tools.curl.asking import (  # noqa: PLC0415 - from an extra
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
