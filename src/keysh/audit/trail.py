"""Trail: the events of one shell as records of its audit.

    span 1 run                    a run, a command, a pipeline, `$(…)`, `<(…)`, a subshell or a job
    ├─ span 2 command grep …         opens a span; what happens inside has its number as `parent`
    │  └─ change /out
    └─ span 3 pipeline
       └─ span 4 command sort …

The state of a shell carries the number of the innermost span, and a fork inherits it.
"""

from __future__ import annotations

from _thread import get_ident
from functools import partial
from itertools import accumulate
from time import perf_counter

from keysh.audit.audited_files import audit_files
from keysh.audit.chain import command_text, end_text
from keysh.interp.run.control_flow import LimitReached
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    from keysh.audit.audit import Audit
    from keysh.audit.chain import Fields
    from keysh.interp.run.network import Network
    from keysh.interp.run.site import Site
    from keysh.interp.state.session import Session
    from keysh.interp.state.state import State
    from keysh.interp.streams.streams import Writer

    T = TypeVar("T")

MAX_TEXT_CHARACTERS = 4096  # of one word or text in a record; the number of the others is said
MAX_KEPT_PLACES = 1000
MAX_WORDS = 1000  # of one command in a record
MAX_WORDS_CHARACTERS = 1 << 16  # of them all; each takes 12 bytes of a line at most
NANOSECONDS_PER_SECOND = 1_000_000_000


class Trail:
    """Records what one shell does."""

    __slots__ = (
        "_broken", "_innermost", "_messages", "_mounts", "_places", "_programs", "_session",
        "audit",
    )  # fmt: skip

    def __init__(self, session: Session, audit: Audit) -> None:
        self._session, self.audit = session, audit
        self._broken = ""  # why a record of this run is missing that has to be there
        self._places: dict[Site, str] = {}  # of the commands of this run
        self._programs: dict[int, int] = {}  # the spans of programs that run, by pid
        self._messages: Writer | None = None  # standard error, whatever scripts redirect
        self._mounts: dict[str, Any] = {}
        self._innermost: dict[int, State] = {}  # by thread: the state of the command that it runs

    # ------------------------------------------------------------ delivery

    def add(self, event: str, parent: int, fields: dict[str, object], span: int = 0) -> None:
        """Add a record. If that fails and has to succeed, the run ends: LimitReached."""
        time = self._session.clock() / NANOSECONDS_PER_SECOND
        record: dict[str, object] = {"seq": 0, "time": time, "event": event}
        if span:
            record["span"] = span
        record["parent"] = parent
        record.update(fields)
        self._write(record)

    def _write(self, record: Fields, *, waits: bool = False) -> None:
        if self.audit.write(record, waits=waits):
            self._fail()
        elif self._broken:
            raise LimitReached("audit", self._broken, None)

    def _fail(self) -> None:
        audit = self.audit
        reason = f"{audit.failure}: {audit.place}"
        if audit.required:
            self._broken = self._broken or reason
            raise LimitReached("audit", reason, None)
        if not audit.is_reported:
            audit.is_reported = True
            if self._messages is not None:
                self._messages.write(f"keysh: audit: {reason}; what follows may be missing there\n")

    def _state(self) -> State | None:
        """Return the state of the shell's thread that this is; None for the host's own calls."""
        thread = get_ident()
        return self._innermost.get(thread) or self._session.threads.get(thread)

    @property
    def span(self) -> int:
        """The innermost span of this thread; 0 if the host itself acts."""
        state = self._state()
        return 0 if state is None else state.span

    def text(self, text: str) -> str:
        """Return a text for a record: without secrets, and not too long."""
        if len(text) <= MAX_TEXT_CHARACTERS:
            redactor = self.audit.redactor
            return text if redactor.shows((text,)) else redactor.redact(text)
        # What a cut might leave of a secret is not shown: more is redacted than is kept.
        redacted = self.audit.redactor.redact(text[: 2 * MAX_TEXT_CHARACTERS])
        kept = MAX_TEXT_CHARACTERS
        if len(text) > 2 * MAX_TEXT_CHARACTERS:
            kept = min(kept, max(0, len(redacted) - MAX_TEXT_CHARACTERS))
        return f"{redacted[:kept]}… ({len(text)} characters)"

    def words(self, name: str, words: Sequence[object]) -> list[str]:
        """Return the arguments of a command for a record."""
        if self.audit.redactor.shows(words) and len(words) <= MAX_WORDS:
            return list(words)  # type: ignore[arg-type]
        texts = [
            word if word.__class__ is str else text_of_word(word) for word in words[:MAX_WORDS]
        ]
        if texts and max(map(len, texts)) > MAX_TEXT_CHARACTERS:
            texts = [self.text(text) for text in texts]
        redacted = self.audit.redactor.redact_words(name, texts)
        if len(redacted) * MAX_TEXT_CHARACTERS > MAX_WORDS_CHARACTERS:
            ends = accumulate(map(len, redacted))
            redacted = [word for word, end in zip(redacted, ends, strict=True)
                        if end <= MAX_WORDS_CHARACTERS]  # fmt: skip
        if len(redacted) < len(words):
            redacted.append(f"… ({len(words)} words)")
        return redacted

    # ------------------------------------------------------------ spans

    def open_span(self, parent: int, event: str, fields: dict[str, object]) -> int:
        """Record the beginning of a run, a pipeline and so on; return its span."""
        span = self.audit.new_span()
        self.add(event, parent, fields, span)
        return span

    def end_span(
        self, parent: int, span: int, began: float | None, fields: dict[str, object]
    ) -> None:
        """Record the end of a span. A failure shows at the next beginning: this one is over."""
        if began is not None:
            fields["ms"] = round((perf_counter() - began) * 1e3, 3)
        self._try_to_add("end", parent, fields, span)

    def _try_to_add(self, event: str, parent: int, fields: dict[str, object], span: int) -> None:
        """Add a record of something that is over; a failure ends the run at the next one."""
        try:  # noqa: SIM105 - contextlib is slow to load
            self.add(event, parent, fields, span)
        except LimitReached:
            pass

    # ------------------------------------------------------------ what happens

    def run(
        self,
        state: State,
        text: str,
        run: Callable[[], T],
        end_by: Callable[[State, LimitReached], T],
    ) -> T:
        """Run a text and record its beginning and end; `end_by` ends it if that is impossible.

        Both return the status, the limit that was reached, and more.
        """
        outer, began = state.span, perf_counter()
        try:
            self._begin_run(state, text)
        except LimitReached as limit:
            return end_by(state, limit)
        span, ended = state.span, None  # type: int, Any
        thread = get_ident()
        around, self._innermost[thread] = self._innermost.get(thread), state
        try:
            ended = run()
        finally:
            self._leave(thread, around)
            state.span = outer
            missing = self._end_run(outer, span, began, ended)
        if missing is not None and ended[1] is None:
            return end_by(state, missing)
        result: T = ended
        return result

    def _begin_run(self, state: State, text: str) -> None:
        if not state.span:
            self._broken = ""
            self._places.clear()
            self._messages = self._messages or state.err
        self.audit_mounts()
        self.audit.redactor.learn(state.variables)
        fields: dict[str, object] = {"text": self.text(text), "cwd": self.text(state.cwd)}
        state.span = self.open_span(state.span, "run", fields)

    def _end_run(
        self, outer: int, span: int, began: float, ended: tuple[Any, ...] | None
    ) -> LimitReached | None:
        """Record the end of a run, and tell the host how far the log goes.

        Return the limit that it has reached if a record is missing that has to be there.
        """
        fields: dict[str, object] = {"status": None}
        if ended is not None:
            status, limit = ended[:2]
            fields = {"status": status, "rejected": ended[3]}
            if limit is not None:
                fields["limit"] = limit.kind
        self.end_span(outer, span, began, fields)
        if self.audit.write_head():
            try:
                self._fail()
            except LimitReached as reached:
                return reached
        return LimitReached("audit", self._broken, None) if self._broken else None

    def begin_command(
        self, state: State, name: str, arguments: Sequence[object], site: Site | None
    ) -> None:
        """Record a command that is about to run."""
        audit = self.audit
        redactor, span = audit.redactor, audit.new_span()
        redactor.learn(state.variables)
        is_plain = len(arguments) <= MAX_WORDS and redactor.shows((name, *arguments))
        time, parent = self._session.clock(), state.span
        place = "" if site is None else self._places.get(site) or self._place_of(site)
        shown = name if is_plain else self.text(name)
        words: Any = arguments if is_plain else self.words(name, arguments)
        if audit.takes_text and time >= 0:
            self._write(command_text(time, span, parent, shown, words, place))
        else:
            self._write({
                "seq": 0, "time": time / NANOSECONDS_PER_SECOND, "event": "command",
                "span": span, "parent": parent, "name": shown, "args": list(words), "place": place,
            })  # fmt: skip
        state.span = span

    def _place_of(self, site: Site) -> str:
        """Return the place of a command, and keep it: a loop asks again, and it takes 1 us."""
        if len(self._places) >= MAX_KEPT_PLACES:
            self._places.clear()
        place = self._places[site] = self.text(site.place)
        return place

    def end_command(
        self, state: State, outer: int, began: float | None, status: int | None
    ) -> None:
        """Record the end of the command that is the innermost span.

        Without `began` it was refused; the status of one that a jump has left may be None.
        """
        span, state.span = state.span, outer
        time = self._session.clock()
        record: Any = None
        ms = None if began is None else (perf_counter() - began) * 1e3
        if ms is not None and status.__class__ is int and self.audit.takes_text and time >= 0:
            record = end_text(time, span, outer, status, ms)
        else:
            record = {
                "seq": 0, "time": time / NANOSECONDS_PER_SECOND, "event": "end",
                "span": span, "parent": outer, "status": status,
            } | ({} if ms is None else {"ms": round(ms, 3)})  # fmt: skip
        try:  # noqa: SIM105 - contextlib is slow to load
            self._write(record, waits=True)
        except LimitReached:  # it ends the run at the next beginning: this one is over
            pass

    def perform(self, state: State, outer: int, perform: Callable[[], int]) -> int:
        """Perform the command that is the innermost span, and record its end.

        There is none if the innermost span is still `outer`.
        """
        if state.span == outer:
            return perform()
        began, status = perf_counter(), None
        thread = get_ident()
        around = self._innermost.get(thread)
        if around is not state:
            self._innermost[thread] = state
        try:
            status = perform()
            return status
        except BaseException as end:
            status = getattr(end, "status", None)
            raise
        finally:
            if around is not state:
                self._leave(thread, around)
            self.end_command(state, outer, began, status)

    def _leave(self, thread: int, around: State | None) -> None:
        """Let a thread act for the state around again."""
        if around is None:
            del self._innermost[thread]
        else:
            self._innermost[thread] = around

    def decide(
        self,
        state: State | None,
        by: str,
        subject: Sequence[object],
        refusal: str,
        decision: str = "",
    ) -> None:
        """Record that a command, a file or a request was allowed or refused, and by what.

        `decision` is that of a rule, if one has decided: what it asks about the host has answered.
        Without a state it belongs to the command that this thread runs.
        """
        kind, *words = map(str, subject)
        fields: dict[str, object] = {
            "allowed": not refusal, "by": self.text(by), "kind": kind,
            "subject": self.words(words[0] if words else "", words),
        }  # fmt: skip
        if decision:
            fields["decision"] = decision
        if refusal:
            fields["reason"] = self.text(refusal)
        self.add("decision", self.span if state is None else state.span, fields)

    def program(self, state: State, fields: dict[str, object]) -> None:
        """Record a program that has started, or has not."""
        span, pid = self.audit.new_span(), fields["pid"]
        argv = fields["argv"]
        assert isinstance(argv, list)
        name, words = str(argv[0]) if argv else "", argv[1:]
        fields["argv"] = [self.text(name), *self.words(name, words)] if argv else []
        for key in ("reason", "rule", "path", "cwd"):
            fields[key] = self.text(str(fields[key]))
        if pid:
            self._programs[int(str(pid))] = span
        self.add("program", state.span, fields, span)

    def program_end(self, state: State, fields: dict[str, object]) -> None:
        """Record the end of a program."""
        span = self._programs.pop(int(str(fields["pid"])), 0)
        names = {"code": "status", "duration_ms": "ms"}
        renamed = {names.get(name, name): value for name, value in fields.items()}
        self.add("end", state.span, renamed, span)

    def limit(self, state: State, limit: LimitReached) -> None:
        """Record a limit that ends a run or a job. A failure to do so is no second limit."""
        fields: dict[str, object] = {
            "kind": limit.kind, "used": self.text(str(limit.used)), "allowed": limit.allowed,
            "place": self.text(limit.place or ""),
        }  # fmt: skip
        self._try_to_add("limit", state.span, fields, 0)

    def request(self, state: State, method: str, host: str, port: int, refusal: str) -> None:
        """Record a request that a script makes, and whether the network allows it."""
        fields: dict[str, object] = {
            "method": self.text(method), "host": self.text(host), "port": port,
            "allowed": not refusal, "reason": self.text(refusal),
        }  # fmt: skip
        self.add("request", state.span, fields)

    def network(self, network: Network, state: State) -> Network:
        """Return a network that allows the same and has its requests recorded."""
        from keysh.audit.audited_network import AuditedNetwork  # noqa: PLC0415 - few scripts use one

        return AuditedNetwork(network, partial(self.request, state))

    # ------------------------------------------------------------ files

    def audit_mounts(self) -> None:
        """See the changes of all file systems that are mounted now."""
        router = self._session.fs
        if router.mounts != self._mounts:
            audit_files(router, self, digests=self.audit.digests)
            self._mounts = router.mounts

    def change(self, action: str, path: str, fields: dict[str, object]) -> None:
        """Record a change of a file that has happened."""
        self.add("change", self.span, {"action": action, "path": self.text(path), **fields})

    # ------------------------------------------------------------ jobs in processes

    def share(self) -> None:
        """Expect a job in another process, which is about to be forked off."""
        self.audit.share()

    def enter_process(self) -> None:
        """Go on in the process of a job."""
        self.audit.enter_process()

    def close(self) -> None:
        """End the log of this process: the program's, or a job's."""
        self.audit.close()


def text_of_word(word: object) -> str:
    """Return a word of a command as text: `key=value` and patterns as they were written."""
    text = getattr(word, "text", None)
    return text if text.__class__ is str else text_of(word)
