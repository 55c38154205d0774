"""Read the records of a log for a person: choose some of them, and show each as a line.

    seq  time (UTC)               what happened, deeper within what began it
      2  2026-11-20T08:50:01.123  run: x=1; rm /a
      3  2026-11-20T08:50:01.124    rm /a (keysh:1:6)
      4  2026-11-20T08:50:01.125      remove /a
      5  2026-11-20T08:50:01.126    end of 3: status 0, 0.1 ms

A log that several programs have written one after the other begins its spans anew at each `open`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from json import loads

from keysh.audit.audit_file import MAX_LINE_BYTES
from keysh.diagnostics.display import shorten, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from os import PathLike
    from typing import Any

    Record = dict[str, Any]

EVENTS = (
    "open", "close", "run", "command", "pipeline", "subshell", "substitution",
    "process_substitution", "job", "decision", "program", "change", "request", "limit", "end",
    "gap",
)  # fmt: skip
MAX_SHOWN_CHARACTERS = 200  # of one text
MAX_LINE_CHARACTERS = 500
MAX_SHOWN_DEPTH = 20  # spaces in pairs
SHOWN_TIME_CHARACTERS = 23  # to the milliseconds


class LogEntry:
    """A record of a log, and where it stands.

    line   the text of its line
    runs   the numbers of the runs that it is part of, the innermost last
    begin  for an `end`: the number of the record whose span is over, 0 if that is not in the log
    depth  how many spans it is in
    """

    __slots__ = ("begin", "depth", "line", "record", "runs")

    def __init__(
        self, record: Record, line: str, runs: tuple[int, ...], begin: int, depth: int
    ) -> None:
        self.record, self.line = record, line
        self.runs, self.begin, self.depth = runs, begin, depth


def read_log(path: str | PathLike[str]) -> Iterator[LogEntry]:
    """Yield the records of a log; ValueError for a line that is none, with its number."""
    spans: dict[str, tuple[int, tuple[int, ...], int]] = {}  # number, runs, depth
    with open(path, "rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE_BYTES), b""), 1):
            record = record_of(line)
            if record is None:
                raise ValueError(f"line {number} is no record")
            sequence, event = record["seq"], record["event"]
            if event == "open":
                spans.clear()
            _, runs, depth = spans.get(str(record.get("parent")), (0, (), -1))
            begin = 0
            if event == "end":
                begin, runs, _ = spans.get(str(record.get("span")), (0, runs, 0))
            elif "span" in record:
                runs = (*runs, sequence) if event == "run" else runs
                spans[str(record["span"])] = (sequence, runs, depth + 1)
            yield LogEntry(record, line.decode("utf-8", "replace").rstrip("\n"), runs, begin,
                           depth + 1)  # fmt: skip


def record_of(line: bytes) -> Record | None:
    """Return the record of a line, which somebody may have changed; None if it is none."""
    try:
        record = loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    is_record = (
        isinstance(record.get("seq"), int)
        and isinstance(record.get("event"), str)
        and isinstance(record.get("time"), int | float)
    )
    return record if is_record else None


class LogFilter:
    """What somebody wants to see of a log; all conditions must hold.

    kinds     events, such as `command` and `change`; none for all
    run       the number of a run: that run, and all that is in it
    since     seconds since 1970: what happened then, and later
    decision  "allow", "deny" or "ask": what was decided so; "ask" is what a rule has asked about
    """

    def __init__(
        self,
        kinds: Collection[str] = (),
        run: int | None = None,
        since: float | None = None,
        decision: str | None = None,
    ) -> None:
        self._kinds, self._run, self._since, self._decision = kinds, run, since, decision

    def takes(self, entry: LogEntry) -> bool:
        """Whether a record is wanted."""
        record, decision = entry.record, self._decision
        if self._kinds and record["event"] not in self._kinds:
            return False
        if self._run is not None and self._run not in entry.runs:
            return False
        if self._since is not None and not record["time"] >= self._since:
            return False
        if decision is None:
            return True
        if decision == "ask":
            return record.get("decision") == "ask"
        return record.get("allowed") is (decision == "allow")


def seconds_of(text: str) -> float:
    """Return a time in seconds since 1970: a number, or a date with perhaps a time, by default UTC.

    ValueError if it is neither.
    """
    try:
        seconds = float(text)
    except ValueError:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo is not None else time.replace(tzinfo=UTC)).timestamp()
    if seconds != seconds:
        raise ValueError("nan is no time")
    return seconds


def shown_entry(entry: LogEntry) -> str:
    """Return a record as a line for a person."""
    record = entry.record
    show = SHOWN_EVENTS.get(record["event"])
    about = record["event"] if show is None else show(record, entry.begin)
    text = shorten(visible(about), MAX_LINE_CHARACTERS)
    indent = "  " * min(entry.depth, MAX_SHOWN_DEPTH)
    return f"{record['seq']:>6}  {shown_time(record['time'])}  {indent}{text}"


def shown_time(seconds: float) -> str:
    """Return a time as a date and a time of UTC."""
    try:
        time = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return "?".ljust(SHOWN_TIME_CHARACTERS)
    return time.isoformat(timespec="milliseconds")[:SHOWN_TIME_CHARACTERS]


# ---------------------------------------------------------------- each event in words


def one_text(value: object) -> str:
    """Return a text of a record, or its beginning, in one line."""
    return shorten("; ".join(str(value).split("\n")), MAX_SHOWN_CHARACTERS)


def shown_words(record: Record, name: str, words: str) -> str:
    """Return a command as it could be written."""
    from keysh.text.shell_quoting import quoted_if_needed  # noqa: PLC0415 - few programs show a log

    found = record.get(words)
    texts = [str(word) for word in found] if isinstance(found, list) else []
    return shorten(" ".join((name, *map(quoted_if_needed, texts))).strip(), MAX_SHOWN_CHARACTERS)


def shown_command(record: Record, begin: int) -> str:
    """Return a command with its place."""
    place = f" ({record['place']})" if record.get("place") else ""
    return f"{shown_words(record, str(record.get('name', '')), 'args')}{place}"


def shown_end(record: Record, begin: int) -> str:
    """Return how a span has ended."""
    facts = [f"status {record.get('status')}"]
    facts += [f"{record['ms']} ms"] if "ms" in record else []
    facts += [f"{key} {record[key]}" for key in ("limit", "signal", "stop") if record.get(key)]
    return f"end of {begin or '?'}: {', '.join(facts)}"


def shown_decision(record: Record, begin: int) -> str:
    """Return what was decided, and by what."""
    word = "allowed" if record.get("allowed") else "refused"
    asked = ", which asked" if record.get("decision") == "ask" else ""
    reason = f": {one_text(record['reason'])}" if record.get("reason") else ""
    subject = shown_words(record, str(record.get("kind", "")), "subject")
    return f"{word} by {record.get('by')}{asked}: {subject}{reason}"


def shown_program(record: Record, begin: int) -> str:
    """Return a program, and why it did not start if so."""
    words = shown_words(record, "", "argv") or str(record.get("path", ""))
    if record.get("started"):
        return f"program {words} (process {record.get('pid')})"
    rule = f" by {record['rule']}" if record.get("rule") else ""
    what = "did not start" if record.get("allowed") else f"refused{rule}"
    return f"program {words}: {what}: {one_text(record.get('reason', ''))}"


def shown_change(record: Record, begin: int) -> str:
    """Return what has happened to a file."""
    facts = [f"to {one_text(record['to'])}"] if "to" in record else []
    facts += [f"{key} {record[key]}" for key in ("mode", "owner", "group") if key in record]
    if "bytes" in record:
        facts.append(f"{record['bytes']} bytes, SHA-256 {record.get('sha256')}")
    action = str(record.get("action", "")).replace("_", " ")
    return " ".join((action, one_text(record.get("path", "")), *facts))


def shown_request(record: Record, begin: int) -> str:
    """Return a request, and why it was refused if so."""
    refusal = "" if record.get("allowed") else f": refused: {one_text(record.get('reason', ''))}"
    return f"{record.get('method')} {record.get('host')}:{record.get('port')}{refusal}"


def shown_limit(record: Record, begin: int) -> str:
    """Return which limit was reached."""
    place = f" at {record['place']}" if record.get("place") else ""
    used, allowed = one_text(record.get("used")), record.get("allowed")
    return f"limit {record.get('kind')}: {used} of {allowed}{place}"


SHOWN_EVENTS: dict[str, Callable[[Record, int], str]] = {
    "run": lambda record, begin: f"run: {one_text(record.get('text', ''))}",
    "command": shown_command,
    "end": shown_end,
    "decision": shown_decision,
    "program": shown_program,
    "change": shown_change,
    "request": shown_request,
    "limit": shown_limit,
    "gap": lambda record, begin: f"{record.get('lost')} records are lost: {record.get('reason')}",
    "open": lambda record, begin: (
        f"opened by process {record.get('pid')}"
        + (f"; before it: {one_text(record['after'])}" if "after" in record else "")
    ),
    "close": lambda record, begin: f"closed by process {record.get('pid')}",
}
