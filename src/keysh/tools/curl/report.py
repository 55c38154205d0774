"""The output of -w after a transfer."""

from __future__ import annotations

import re

from keysh.tools.curl.address import DEFAULT_PORTS
from keysh.values import json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.tools.curl.transfer import CurlTransfer

    WriteOutVariables = dict[str, str | int | float | None]
    HeaderFields = Sequence[tuple[str, str]]

# `%{name}`, `%header{name}`, `%%`, % before another character (which stays), an escape.
WRITE_OUT_PATTERN = re.compile(r"%(header)?\{([^}]*)\}|%(%)|%[^{]|\\([nrt])", re.DOTALL)
FORMAT_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
TIME_MARKS = (
    "appconnect", "connect", "namelookup", "pretransfer", "redirect", "starttransfer",
)  # fmt: skip


def write_out_parts(
    template: str, variables: WriteOutVariables, fields: HeaderFields
) -> tuple[list[tuple[str, bool]], list[str]]:
    """Expand a format. Return texts, each with whether it is for stderr, and unknown names."""
    parts: list[tuple[str, bool]] = []
    unknown: list[str] = []
    is_for_errors = False
    position = 0
    for match in WRITE_OUT_PATTERN.finditer(template):
        parts.append((template[position : match.start()], is_for_errors))
        position = match.end()
        header, name, percent, escape = match.groups()
        if name is None:
            text = "%" if percent else FORMAT_ESCAPES[escape] if escape else match[0]
        elif header:
            values = [value for key, value in fields if key.lower() == name.lower()]
            text = values[0] if values else ""
        elif name in ("stderr", "stdout"):
            is_for_errors, text = name == "stderr", ""
        elif name == "onerror":
            if not variables["exitcode"]:
                return parts, unknown
            text = ""
        elif name == "json":
            pairs = (
                f"{json_of(key)}:{write_out_json(variables[key])}" for key in sorted(variables)
            )
            text = f"{{{','.join(pairs)}}}"
        elif name == "header_json":
            text = headers_json(fields)
        elif name in variables:
            text = plain_value(name, variables[name])
        else:
            unknown.append(name)
            text = ""
        parts.append((text, is_for_errors))
    parts.append((template[position:], is_for_errors))
    return parts, unknown


def plain_value(name: str, value: str | float | None) -> str:
    """Return a value as text."""
    if name in ("http_code", "response_code", "http_connect"):
        return f"{value:03}"
    if isinstance(value, float):
        return f"{value:.6f}"
    return "" if value is None else str(value)


def write_out_json(value: str | float | None) -> str:
    """Return a value as JSON."""
    return f"{value:.6f}" if isinstance(value, float) else json_of(value)


def headers_json(fields: HeaderFields) -> str:
    """Return the headers as JSON: an object of lists, in the order received."""
    values_by_name: dict[str, list[str]] = {}
    for key, value in fields:
        values_by_name.setdefault(key.lower(), []).append(value)
    rows = [
        f"{json_of(key)}:[{','.join(map(json_of, values))}]"
        for key, values in values_by_name.items()
    ]
    return "{" + ",\n".join(rows) + "\n}"


def transfer_variables(transfer: CurlTransfer | None) -> WriteOutVariables:
    """Return the values of the variables of -w."""
    variables: WriteOutVariables = {
        "certs": "", "ftp_entry_path": None, "http_connect": 0, "num_certs": 0,
        "proxy_ssl_verify_result": 0, "ssl_verify_result": 0, "speed_upload": 0,
    }  # fmt: skip
    if transfer is None:
        return variables
    answer, target, clock = transfer.answer, transfer.answer.url, transfer.clock
    scheme = target.scheme if target is not None else ""
    seconds = clock.elapsed_seconds
    variables.update({f"time_{name}": clock.marks.get(name, 0.0) for name in TIME_MARKS})
    variables.update(
        content_type=answer.content_type or None,
        http_code=answer.status,
        http_version=answer.version.removesuffix(".0") or "0",
        local_ip=answer.local_address[0],
        local_port=answer.local_address[1],
        method=answer.method,
        num_connects=answer.connections,
        num_headers=answer.header_count,
        num_redirects=answer.redirects,
        redirect_url=answer.location or None,
        remote_ip=answer.remote_address[0],
        remote_port=answer.remote_address[1],
        response_code=answer.status,
        scheme=scheme.upper() if scheme in DEFAULT_PORTS else "",
        size_download=answer.body_bytes,
        size_header=answer.header_bytes,
        size_request=answer.request_bytes,
        size_upload=answer.uploaded_bytes,
        speed_download=int(answer.body_bytes / seconds) if seconds else 0,
        speed_upload=int(answer.uploaded_bytes / seconds) if seconds else 0,
        time_total=seconds,
        url_effective=target.text if target is not None else "",
    )
    return variables
