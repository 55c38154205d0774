"""Trail: the events of one shell, as records for its audit and for the function of its host.

    span 1 run                    a run, a command, a pipeline, `$(…)`, `<(…)`, a subshell or a job
    ├─ span 2 command grep …         opens a span; what happens inside has its number as `parent`
    │  └─ change /out
    └─ span 3 pipeline
       └─ span 4 command sort …

The state of a shell carries the number of the innermost span, and a fork inherits it.
"""

from __future__ import annotations

from _thread import get_ident
from time import perf_counter

from keysh.audit.audited_files import audit_files
from keysh.audit.chain import command_text, end_text
from keysh.audit.record_delivery import NANOSECONDS_PER_SECOND, RecordDelivery
from keysh.audit.record_texts import MAX_WORDS
from keysh.interp.run.control_flow import LimitReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Protocol, TypeVar

    from keysh.audit.event_reader import EventReader
    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.interp.run.network import Network
    from keysh.interp.run.site import Site
    from keysh.interp.state.session import Session
    from keysh.interp.state.state import State

    class StateFactChange(Protocol):
        """What became of one fact of a state."""

        @property
        def after(self) -> Any: ...

        kind: str
        name: str

    T = TypeVar("T")

MAX_KEPT_PLACES = 1000
MAX_REFUSALS = 20  # of one run


class Trail(RecordDelivery):
    """Records what one shell does."""

    __slots__ = ("_innermost", "_last_run", "_mounts", "_places", "_programs")

    def __init__(
        self,
        session: Session,
        reader: EventReader,
        note_error: Callable[[Exception], object] | None = None,
    ) -> None:
        super().__init__(session, reader, note_error)
        self._last_run = 0  # the span of the last run of the host
        self._places: dict[Site, str] = {}  # of the commands of this run
        self._programs: dict[int, int] = {}  # the spans of programs that run, by pid
        self._mounts: dict[str, Any] = {}
        self._innermost: dict[int, State] = {}  # by thread: the state of the command that it runs

    # ------------------------------------------------------------ spans

    def _state(self) -> State | None:
        """Return the state of the shell's thread that this is; None for the host's own calls."""
        thread = get_ident()
        return self._innermost.get(thread) or self._session.threads.get(thread)

    @property
    def span(self) -> int:
        """The innermost span of this thread; 0 if the host itself acts."""
        state = self._state()
        return 0 if state is None else state.span

    def open_span(self, parent: int, event: str, fields: Mapping[str, object]) -> int:
        """Record the beginning of a run, a pipeline and so on; return its span."""
        span = self.reader.new_span()
        self.add(event, parent, fields, span)
        return span

    def end_span(
        self, parent: int, span: int, event: str, began: float, fields: Mapping[str, object]
    ) -> None:
        """Record the end of a span. A failure shows at the next beginning: this one is over."""
        ms = round((perf_counter() - began) * 1e3, 3)
        self.try_to_add("end", parent, {"of": event, **fields, "ms": ms}, span)

    def span_work(
        self, state: State, event: str, fields: Mapping[str, object], work: Callable[[], int]
    ) -> Callable[[], int]:
        """Open a span for what a state is about to do; return what does it and records its end."""
        outer, began = state.span, perf_counter()
        state.span = span = self.open_span(outer, event, fields)

        def run() -> int:
            status, thread = None, get_ident()
            around, self._innermost[thread] = self._innermost.get(thread), state
            try:
                status = work()
                return status
            except BaseException as end:
                status = getattr(end, "status", None)
                raise
            finally:
                self._leave(thread, around)
                if state.span != span:
                    self._end_unperformed(state, span)
                state.span = outer
                self.end_span(outer, span, event, began, {"status": status})

        return run

    def within(
        self, state: State, event: str, fields: Mapping[str, object], work: Callable[[], int]
    ) -> int:
        """Do something within a span of its own; return its status."""
        return self.span_work(state, event, fields, work)()

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
            if state.span != span:
                self._end_unperformed(state, span)
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
            self.reader.begin_run()
            self._messages = self._messages or state.err
        self.audit_mounts()
        self.reader.redactor.learn(state.variables)
        fields: dict[str, object] = {"text": self.text(text), "cwd": self.text(state.cwd)}
        is_outer = not state.span
        state.span = self.open_span(state.span, "run", fields)
        if is_outer:
            self._last_run = state.span

    def _end_run(
        self, outer: int, span: int, began: float, ended: tuple[Any, ...] | None
    ) -> LimitReached | None:
        """Record the end of a run, and tell the host how far the log goes.

        Return the limit that it has reached if a record is missing that has to be there.
        """
        fields: dict[str, object] = {"status": None}
        if ended is not None:
            status, limit, diagnostics, is_rejected, refusal = ended
            fields = {"status": status, "rejected": is_rejected}
            if limit is not None:
                fields["limit"] = limit.kind
            for one in [*(diagnostics if is_rejected else ()), refusal][:MAX_REFUSALS]:
                if one is not None and one.severity == "error":
                    self._refuse(span, one)
        self.end_span(outer, span, "run", began, fields)
        if self.reader.write_head():
            try:
                self.fail()
            except LimitReached as reached:
                return reached
        return LimitReached("audit", self._broken, None) if self._broken else None

    def _refuse(self, span: int, diagnostic: Diagnostic) -> None:
        """Record why keysh has refused a text, or to go on with it."""
        fields: dict[str, object] = {
            "code": diagnostic.code, "reason": self.text(diagnostic.message),
            "place": self.text(str(diagnostic).partition(": ")[0]),
        }  # fmt: skip
        self.try_to_add("refusal", span, fields)

    def begin_command(
        self, state: State, name: str, arguments: Sequence[object], site: Site | None
    ) -> None:
        """Record a command that is about to run."""
        reader = self.reader
        redactor, span = reader.redactor, reader.new_span()
        redactor.learn(state.variables)
        is_plain = len(arguments) <= MAX_WORDS and redactor.shows((name, *arguments))
        time, parent = self._session.clock(), state.span
        place = "" if site is None else self._places.get(site) or self._place_of(site)
        shown = name if is_plain else self.text(name)
        words: Any = arguments if is_plain else self.words(name, arguments)
        if reader.takes_text and time >= 0:
            self.write(command_text(time, span, parent, shown, words, place))
        else:
            self.write({
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
        ms = None if began is None else (perf_counter() - began) * 1e3
        record: Any
        if self.reader.takes_text and ms is not None and status.__class__ is int and time >= 0:
            record = end_text(time, span, outer, status, ms)
        else:
            record = {
                "seq": 0, "time": time / NANOSECONDS_PER_SECOND, "event": "end",
                "span": span, "parent": outer, "of": "command", "status": status,
            }  # fmt: skip
            if ms is not None:
                record["ms"] = int(ms * 1e3) / 1e3  # `round` takes three times as long
        if self.reader.write(record, waits=True):
            try:  # noqa: SIM105 - contextlib is slow to load
                self.fail()
            except LimitReached:  # it ends the run at the next beginning: this one is over
                pass

    def perform(self, state: State, outer: int, perform: Callable[[], int]) -> int:
        """Perform the command that is the innermost span, and record its end.

        There is none if the innermost span is still `outer`.
        """
        if state.span == outer:
            return perform()
        span, began, status = state.span, perf_counter(), None
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
            if state.span != span:
                self._end_unperformed(state, span)
            self.end_command(state, outer, began, status)

    def _end_unperformed(self, state: State, span: int) -> None:
        """End the command within a span that has begun only: a limit or the host came between."""
        self.end_command(state, span, None, None)

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
        pid = fields["pid"]
        span = self.reader.new_span() if pid else 0  # one that has not started has no end
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
        fields["path"] = self.text(str(fields["path"]))
        self.add("end", state.span, {"of": "program", **fields}, span)

    def limit(self, state: State, limit: LimitReached) -> None:
        """Record a limit that ends a run or a job. A failure to do so is no second limit."""
        fields: dict[str, object] = {
            "kind": limit.kind, "used": self.text(str(limit.used)), "allowed": limit.allowed,
            "place": self.text(limit.place or ""),
        }  # fmt: skip
        self.try_to_add("limit", state.span, fields)

    def request(self, state: State, method: str, host: str, port: int, refusal: str) -> int:
        """Record a request that a script makes; return its span if the network allows it."""
        span = 0 if refusal else self.reader.new_span()
        fields: dict[str, object] = {
            "method": self.text(method), "host": self.text(host), "port": port,
            "allowed": not refusal, "reason": self.text(refusal),
        }  # fmt: skip
        self.add("request", state.span, fields, span)
        return span

    def network(self, network: Network, state: State) -> Network:
        """Return a network that allows the same and has its requests recorded."""
        from keysh.audit.audited_network import AuditedNetwork  # noqa: PLC0415 - few scripts use one

        return AuditedNetwork(network, self, state)

    # ------------------------------------------------------------ files

    def audit_mounts(self) -> None:
        """See the changes of all file systems that are mounted now."""
        router = self._session.fs
        if router.mounts != self._mounts:
            audit_files(router, self, digests=self.reader.digests)
            self._mounts = router.mounts

    def change(self, action: str, path: str, fields: dict[str, object]) -> None:
        """Record a change of a file that has happened."""
        self.add("change", self.span, {"action": action, "path": self.text(path), **fields})

    def change_state(self, changes: Iterable[StateFactChange]) -> None:
        """Record what the last run has changed in the state, which a journal has noted."""
        for change in changes:
            action = "unset" if change.after is None else "set"
            fields = {"action": action, "kind": change.kind, "name": self.text(change.name)}
            self.try_to_add("change", self._last_run, fields)

    # ------------------------------------------------------------ jobs in processes

    def share(self) -> None:
        """Expect a job in another process, which is about to be forked off."""
        self.reader.share()

    def enter_process(self) -> None:
        """Go on in the process of a job."""
        self.reader.enter_process()

    def close(self) -> None:
        """End the log of this process: the program's, or a job's."""
        self.reader.close()
