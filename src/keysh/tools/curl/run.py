"""Fetch the URLs of a set of options one after another, with retries."""

from __future__ import annotations

from itertools import count
from time import monotonic
from urllib.parse import quote

from keysh.tools.curl.address import SCHEME_PATTERN
from keysh.tools.curl.delivery import Delivery
from keysh.tools.curl.failure import (
    COULDNT_CONNECT,
    HTTP_RETURNED_ERROR,
    OPERATION_TIMEDOUT,
    REFUSED_BY_HOST,
    TransferError,
)
from keysh.tools.curl.urls import expand_url, fill_file_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.state.call import Call, Network
    from keysh.tools.curl.output_files import AnswerFiles
    from keysh.tools.curl.request import RequestSettings


RETRYABLE_STATUSES = (408, 429, 500, 502, 503, 504)  # transient errors
MAX_RETRY_DELAY_SECONDS = 600.0


class RetryPolicy:
    """When and how often to retry a failed transfer."""

    __slots__ = (
        "_start",
        "_max_retries",
        "_delay",
        "_max_seconds",
        "retries_all_errors",
        "retries_refused",
    )

    def __init__(self, count: int, delay: float, seconds: float) -> None:
        self._max_retries, self._delay, self._max_seconds = count, delay, seconds
        self.retries_refused = self.retries_all_errors = False
        self._start = monotonic()

    def retry_reason(self, status: int, code: int) -> str:
        """Return why to retry; empty if a retry is useless."""
        if status == OPERATION_TIMEDOUT:
            return "timeout"
        if code in RETRYABLE_STATUSES and status in (0, HTTP_RETURNED_ERROR):
            return "HTTP error"
        if status == COULDNT_CONNECT and self.retries_refused:
            return "connection refused"
        return (
            "(retrying all errors)"
            if status and self.retries_all_errors and status != REFUSED_BY_HOST
            else ""
        )

    def retry_delay(self, attempts: int) -> float | None:
        """Return the seconds to wait before the next attempt; None to give up."""
        seconds = self._delay or min(2.0**attempts, MAX_RETRY_DELAY_SECONDS)
        is_over = self._max_seconds and monotonic() - self._start + seconds > self._max_seconds
        return None if attempts >= self._max_retries or is_over else seconds

    def retries_left(self, attempts: int) -> int:
        """Return the number of retries left."""
        return self._max_retries - attempts


class CurlRun:
    """The settings for all URLs of a set. `status` is that of the last URL."""

    def __init__(
        self, sh: Call, request: RequestSettings, network: Network, outputs: AnswerFiles
    ) -> None:
        self.sh, self.request, self.network, self.outputs = sh, request, network, outputs
        self.prints_errors = self.prints_warnings = self.expands_urls = True
        self.shows_headers = self.ends_early = False
        self.url_number = 0
        self.seconds = 0.0
        self.retries = RetryPolicy(0, 0.0, 0.0)
        self.write_out: str | None = None
        self.query = self.upload = ""
        self.status = 0

    def fetch_all(self, urls: Sequence[str], targets: Sequence[str | bool]) -> Iterator[str]:
        """Fetch all URLs and yield what goes to standard output."""
        for url, target in zip(urls, targets, strict=False):
            if self.status and self.ends_early:
                break
            try:
                expanded = expand_url(url) if self.expands_urls else ((url, ()),)
                for each_url, chosen_parts in expanded:
                    self.sh.tick()
                    name = (
                        fill_file_name(target, chosen_parts) if isinstance(target, str) else target
                    )
                    yield from self.fetch(each_url, name)
                    self.url_number += 1
                    if self.status and self.ends_early:
                        break
            except TransferError as error:  # a malformed glob
                self.status = error.status
                if self.prints_errors:
                    self.sh.complain(f"curl: ({error.status}) {error.message}")

    def fetch(self, url: str, target: str | bool) -> Iterator[str]:
        """Fetch one URL and yield what goes to standard output."""
        flags = {
            "prints_errors": self.prints_errors,
            "prints_warnings": self.prints_warnings,
            "shows_headers": self.shows_headers,
        }
        original_range, original_referer = self.request.range, self.request.referer
        for attempts in count():
            delivery = Delivery(self.sh, self.upload_url(url), target, self.outputs, **flags)
            yield from delivery.run(self.request, self.network, self.seconds, self.query)
            self.request.range, self.request.referer = original_range, original_referer
            reason = self.retries.retry_reason(delivery.status, delivery.http_status)
            seconds = self.retries.retry_delay(attempts) if reason else None
            if seconds is None:
                break
            if self.prints_warnings:
                retries = self.retries.retries_left(attempts)
                message = f"Will retry in {seconds:g} seconds. {retries} retries left."
                self.sh.complain(f"Warning: Problem: {reason}. {message}")
            self.sh.sleep(seconds)
        if self.write_out is not None:
            yield delivery.write_out_text(self.write_out, self.url_number, original_referer)
        self.status = delivery.status

    def upload_url(self, url: str) -> str:
        """Return a URL, with the name of the file of -T added if its path has none."""
        if self.upload in ("", "-"):
            return url
        scheme = SCHEME_PATTERN.match(url)
        rest = url[scheme.end() :] if scheme else url
        name = quote(self.upload.rpartition("/")[2])
        if "/" not in rest:
            return f"{url}/{name}"
        return f"{url}{name}" if url.endswith("/") else url
