"""Run: the URLs of one call, one after the other."""

from __future__ import annotations

from itertools import count
from time import monotonic
from urllib.parse import quote

from keysh.tools.curl.address import SCHEME
from keysh.tools.curl.delivery import Delivery
from keysh.tools.curl.failure import CONNECT, HTTP, REFUSED, TIMEOUT, TransferError
from keysh.tools.curl.urls import expanded, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.run.network import Network
    from keysh.interp.state.call import Call
    from keysh.tools.curl.place import Place
    from keysh.tools.curl.request import Request


BUSY = (408, 429, 500, 502, 503, 504)  # answers after which another may be better
LONGEST = 600.0  # seconds between two tries


class Patience:
    """How often and when what has failed is tried again."""

    __slots__ = ("_began", "_count", "_delay", "_seconds", "is_for_all", "is_for_refused")

    def __init__(self, count: int, delay: float, seconds: float) -> None:
        self._count, self._delay, self._seconds = count, delay, seconds
        self.is_for_refused = self.is_for_all = False
        self._began = monotonic()

    def reason(self, status: int, code: int) -> str:
        """Why it is worth to try again; empty where it is not."""
        if status == TIMEOUT:
            return "timeout"
        if code in BUSY and status in (0, HTTP):
            return "HTTP error"
        if status == CONNECT and self.is_for_refused:
            return "connection refused"
        return "(retrying all errors)" if status and self.is_for_all and status != REFUSED else ""

    def wait(self, tried: int) -> float | None:
        """Seconds before the next try, after so many; None for no more."""
        seconds = self._delay or min(2.0**tried, LONGEST)
        is_over = self._seconds and monotonic() - self._began + seconds > self._seconds
        return None if tried >= self._count or is_over else seconds

    def left(self, tried: int) -> int:
        """How many tries are left."""
        return self._count - tried


class Run:
    """What is the same for all URLs. `status` is that of the last one."""

    def __init__(self, sh: Call, request: Request, network: Network, place: Place) -> None:
        self.sh, self.request, self.network, self.place = sh, request, network, place
        self.tells = self.warns = self.globs = True
        self.shows_heads = self.ends_early = False
        self.number = 0  # of the URL
        self.seconds = 0.0
        self.patience = Patience(0, 0.0, 0.0)
        self.form: str | None = None
        self.query = self.upload = ""
        self.status = 0

    def all(self, urls: Sequence[str], targets: Sequence[str | bool]) -> Iterator[str]:
        """What goes to standard output."""
        for url, target in zip(urls, targets, strict=False):
            if self.status and self.ends_early:
                break
            try:
                for one, chosen in expanded(url) if self.globs else ((url, ()),):
                    self.sh.tick()
                    name = named(target, chosen) if isinstance(target, str) else target
                    yield from self.one(one, name)
                    self.number += 1
                    if self.status and self.ends_early:
                        break
            except TransferError as error:  # the URL stands for none
                self.status = error.status
                if self.tells:
                    self.sh.err.write(f"curl: ({error.status}) {error.message}\n")

    def one(self, url: str, target: str | bool) -> Iterator[str]:
        """What one URL gives."""
        shows = {"tells": self.tells, "warns": self.warns, "shows_heads": self.shows_heads}
        asked, given = self.request.range, self.request.referer
        for tried in count():
            delivery = Delivery(self.sh, self.with_name(url), target, self.place, **shows)
            yield from delivery.run(self.request, self.network, self.seconds, self.query)
            self.request.range, self.request.referer = asked, given
            reason = self.patience.reason(delivery.status, delivery.code)
            seconds = self.patience.wait(tried) if reason else None
            if seconds is None:
                break
            if self.warns:
                left = self.patience.left(tried)
                says = f"Problem: {reason}. Will retry in {seconds:g} seconds. {left} retries left."
                self.sh.err.write(f"Warning: {says}\n")
            self.sh.state.sleep(seconds)
        if self.form is not None:
            yield delivery.reported(self.form, self.number, given)
        self.status = delivery.status

    def with_name(self, url: str) -> str:
        """With -T, a URL that ends with a slash gets the name of the file."""
        if self.upload in ("", "-"):
            return url
        scheme = SCHEME.match(url)
        rest = url[scheme.end() :] if scheme else url
        name = quote(self.upload.rpartition("/")[2])
        if "/" not in rest:
            return f"{url}/{name}"
        return f"{url}{name}" if url.endswith("/") else url
