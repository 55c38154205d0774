"""Results as records: what a run in a worker was, read as the input of an attacker."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import CODES, Diagnostic
from keysh.diagnostics.source import Source
from keysh.interp.run.control_flow import LimitReached
from keysh.shell.isolation.errors import plain
from keysh.shell.isolation.frames import FrameError
from keysh.shell.run_result import ReachedLimit, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_DIAGNOSTICS = 1000
MAX_STATUS = 255


def record_of_result(result: Result) -> dict[str, Any]:
    """Return all of a result but its output."""
    limit = result.limit
    record: dict[str, Any] = {"code": result.code}
    if limit is not None:
        record["limit"] = [limit.kind, plain(limit.used), plain(limit.allowed), limit.place]
    if result.rejected:
        record["rejected"] = True
    if result.diagnostics:
        found = result.diagnostics[:MAX_DIAGNOSTICS]
        record["diagnostics"] = [record_of_diagnostic(one) for one in found]
    if result.refusal is not None:
        record["refusal"] = record_of_diagnostic(result.refusal)
    return record


def record_of_diagnostic(found: Diagnostic) -> dict[str, Any]:
    """Return a diagnostic with the text that it is about."""
    return {
        "code": found.code, "severity": found.severity, "start": found.start, "end": found.end,
        "fact": found.fact, "datum": found.datum, "fix": found.fix,
        "name": found.source.name, "text": found.source.text,
    }  # fmt: skip


def result_of_record(record: Any, out: str, err: str, duration_ms: float) -> Result:
    """Return the result that a worker tells; raise FrameError if it tells none."""
    if record.__class__ is not dict:
        raise FrameError("no result")
    code = record.get("code")
    if code.__class__ is not int or not 0 <= code <= MAX_STATUS:
        raise FrameError("a result without status")
    refusal, limit, found = record.get("refusal"), record.get("limit"), record.get("diagnostics")
    if found is not None and found.__class__ is not list:
        raise FrameError("diagnostics that are no list")
    return Result(
        code,
        [out] if out else [],
        [err] if err else [],
        duration_ms,
        None if limit is None else limit_of_record(limit, code),
        [diagnostic_of_record(one) for one in found or ()],
        None,
        record.get("rejected") is True,
        None if refusal is None else diagnostic_of_record(refusal),
    )


def limit_of_record(record: Any, status: int) -> ReachedLimit:
    match record:
        case [
            str(kind), None | str() | int() | float() as used,
            None | str() | int() | float() as allowed, str(place),
        ]:  # fmt: skip
            limit = LimitReached(kind, used, allowed, status)
            limit.place = place
            return ReachedLimit(limit)
    raise FrameError("a limit of no kind")


def diagnostic_of_record(record: Any) -> Diagnostic:
    match record:
        case {
            "code": str(code), "severity": "error" | "warning" as severity, "start": int(start),
            "end": int(end), "fact": str(fact), "datum": str(datum), "fix": str(fix),
            "name": str(name), "text": str(text),
        } if code in CODES and 0 <= start <= end <= len(text) + 1:  # fmt: skip
            return Diagnostic(code, Source(text, name), start, end, fact, datum, fix, severity)
    raise FrameError("a diagnostic of no kind")
