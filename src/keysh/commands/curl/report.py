"""Report: what -w prints when a transfer is over."""

from __future__ import annotations

import re

from keysh.commands.curl.address import PORTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.commands.curl.transfer import Transfer

# `%{name}`, `%%`, another character behind % that makes nothing of it, or an escape.
MARK = re.compile(r"%(?:\{([^}]*)\}|(%)|[^{])|\\([nrt])", re.DOTALL)
LETTERS = {"n": "\n", "r": "\r", "t": "\t"}


def report(
    form: str, transfer: Transfer | None, url: str, status: int, message: str
) -> tuple[str, list[str]]:
    """The text, and the names in it that mean nothing."""
    values = {"url": url, "exitcode": str(status), "errormsg": message}
    if transfer is not None:
        values.update(values_of(transfer))
    unknown: list[str] = []

    def read(match: re.Match[str]) -> str:
        name, percent, letter = match.groups()
        if name is None:
            return "%" if percent else LETTERS[letter] if letter else match[0]
        if name not in values and transfer is not None:
            unknown.append(name)
        return values.get(name, "")

    return MARK.sub(read, form), unknown


def values_of(transfer: Transfer) -> dict[str, str]:
    """What is known of a transfer, by curl's names."""
    answer, target = transfer.answer, transfer.answer.target
    scheme = target.scheme if target is not None else ""
    return {
        "content_type": answer.content_type,
        "http_code": f"{answer.status:03}",
        "http_version": answer.version.removesuffix(".0") or "0",
        "method": answer.method,
        "num_headers": str(answer.headers),
        "num_redirects": str(answer.redirects),
        "redirect_url": answer.location,
        "remote_ip": answer.address[0],
        "remote_port": str(answer.address[1]),
        "response_code": f"{answer.status:03}",
        "scheme": scheme.upper() if scheme in PORTS else "",
        "size_download": str(answer.size),
        "size_upload": str(answer.uploaded),
        "time_total": f"{transfer.clock.elapsed:.6f}",
        "url_effective": target.text if target is not None else "",
    }
