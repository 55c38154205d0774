"""Events: what the function of a host is told, and what becomes of its mistakes."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import keysh
from keysh import Audit, Events, Limits, Shell

Event = dict[str, Any]

EVERYTHING = """
f() { echo $1 > /tmp/$1; return 3; }
f a | cat; (f b); x=$(f c); cat <(f d); f e & wait
for i in 1 2; do [[ $i == 2 ]] && rm /tmp/e; done
trap 'pwd' EXIT; echo a | xargs -I{} mkdir /tmp/{}x; scatter basename /x /y > /dev/null
"""


def events_of(script: str, **options: Any) -> list[Event]:
    events: list[Event] = []
    with Shell(on_event=events.append, **options) as shell:
        shell.run(script)
    return events


def shapes(events: list[Event]) -> list[str]:
    """Return what happened, sorted: threads are not in an order."""
    return sorted(f"{one['event']} {one.get('of', '')} {one.get('name', '')}" for one in events)


def test_on_event_and_audit_are_told_the_same() -> None:
    events: list[Event] = []
    records: list[Event] = []
    with Shell(on_event=events.append, audit=records.append) as shell:
        shell.run(EVERYTHING)
    for record in records:
        del record["prev"], record["hash"]
    inner = sorted((one for one in records if "parent" in one), key=lambda one: one["seq"])
    assert [one["seq"] + 1 for one in events] == [one["seq"] for one in inner]  # after `open`
    assert [{**one, "seq": 0} for one in events] == [{**one, "seq": 0} for one in inner]


def test_each_span_begins_and_ends_once_in_an_isolated_shell_too() -> None:
    here = events_of(EVERYTHING)
    events = events_of(EVERYTHING, isolated=True)
    assert shapes(events) == shapes(here)
    begun: dict[int, str] = {0: "host"}
    ended: list[int] = []
    for number, event in enumerate(events, 1):
        assert event["seq"] == number
        assert event["parent"] in begun
        if event["event"] == "end":
            assert event["of"] == begun[event["span"]]
            assert event["ms"] >= 0
            ended.append(event["span"])
        elif "span" in event:
            begun[event["span"]] = event["event"]
    assert sorted(ended) == sorted(begun)[1:]


@pytest.mark.parametrize("engine", ["threads", "processes"])
def test_items_of_a_scatter_belong_to_it(engine: str) -> None:
    events = events_of(f"scatter basename /x /y engine={engine} > /dev/null")
    parents = {one["span"]: one["parent"] for one in events if "span" in one}
    names = {one["span"]: one["name"] for one in events if one["event"] == "command"}
    items = [one for one in events if one["event"] == "item"]
    assert sorted(one["index"] for one in items) == [0, 1]
    for item in items:
        above = [item["span"]]
        while above[-1]:
            above.append(parents[above[-1]])
        assert "scatter" in [names.get(span) for span in above]


def test_only_some_kinds_and_their_ends() -> None:
    events: list[Event] = []
    Shell(on_event=Events(events.append, only=["pipeline", "change"])).run("echo a | cat > /a")
    assert [(one["seq"], one["event"]) for one in events] == [
        (1, "pipeline"), (2, "change"), (3, "end"),
    ]  # fmt: skip


def test_secrets_of_the_function_and_of_the_audit() -> None:
    events: list[Event] = []
    records: list[Event] = []
    told = Events(events.append, patterns=[r"(id-)\d+"])
    audit = Audit(records.append, secrets=["hunter2"])
    with Shell(on_event=told, audit=audit, env={"API_TOKEN": "s3cr3t!x"}) as shell:
        shell.run("echo id-77 hunter2 s3cr3t!x")
    text = json.dumps(events)
    assert "id-[redacted]" in text
    assert not any(secret in text for secret in ("77 ", "hunter2", "s3cr3t!x"))
    assert "id-77" in json.dumps(records)


def test_wrong_options() -> None:
    for arguments, options in (
        ((5,), {}),
        ((print,), {"only": "run"}),
        ((print,), {"secrets": "x"}),
    ):
        with pytest.raises(TypeError):
            Events(*arguments, **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="has 'runs'"):
        Events(print, only=["runs"])
    with pytest.raises(TypeError, match="on_event"):
        Shell(on_event=5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="on_progress"):
        Shell(on_progress=5)  # type: ignore[arg-type]


@pytest.mark.parametrize("isolated", [False, True])
def test_exception_is_reported_once_a_run(isolated: bool) -> None:
    def fail(event: Event) -> None:
        raise ValueError("full")

    with Shell(on_event=fail, isolated=isolated) as shell:
        for _ in range(2):
            result = shell.run("echo a; (echo b)")
            assert (result.code, result.stdout) == (0, "a\nb\n")
            assert result.stderr == "keysh: on_event: ValueError: full\n"
            assert isinstance(result.error, ValueError)


def test_shells_that_share_events_report_each_their_own_failures() -> None:
    errors: list[ValueError] = []

    def fail(event: Event) -> None:
        if event["event"] == "change":
            errors.append(ValueError(event["path"]))
            raise errors[-1]

    told, results = Events(fail), []
    inner = Shell(on_event=told)

    def nest(sh: keysh.Call) -> None:
        """Run the other shell."""
        results.append(inner.run("echo > /inner; echo > /inner"))

    results.append(Shell(on_event=told, commands=[nest]).run("nest; echo > /outer"))
    assert [result.stderr for result in results] == [
        "keysh: on_event: ValueError: /inner\n",
        "keysh: on_event: ValueError: /outer\n",
    ]
    assert [result.error for result in results] == [errors[0], errors[2]]


@pytest.mark.parametrize("script", ["f", "(f)", "f | cat", "echo", "x=$(f)"])
@pytest.mark.parametrize("is_limit", [False, True])
def test_each_span_ends_although_the_host_interrupts_it(script: str, is_limit: bool) -> None:
    events: list[Event] = []

    def ask(name: str, arguments: object, place: object) -> bool:
        if name != "echo":
            return True
        if not is_limit:
            raise KeyboardInterrupt
        cancel.cancel()
        while True:
            pass

    cancel = keysh.Cancel()
    shell = Shell(on_event=events.append, on_command=ask)
    with suppress(KeyboardInterrupt):
        shell.run(f"f() {{ echo; }}; {script}", cancel=cancel)
    begun = {one["span"]: (one["event"], one["parent"]) for one in events if "span" in one
             and one["event"] != "end"}  # fmt: skip
    ended = {one["span"]: (one["of"], one["parent"]) for one in events if one["event"] == "end"}
    assert begun == ended
    assert len(ended) == sum(one["event"] == "end" for one in events)


def test_required_audit_goes_on_although_the_function_fails() -> None:
    def fail(event: Event) -> None:
        raise ValueError("full")

    with Audit(lambda record: None, required=True) as audit:
        result = Shell(on_event=fail, audit=audit).run("echo a")
    assert (result.stdout, result.limit) == ("a\n", None)


def test_function_that_fails_by_an_interrupt_ends_the_run() -> None:
    def interrupt(event: Event) -> None:
        if event["event"] == "command":
            raise KeyboardInterrupt

    shell = Shell(on_event=interrupt)
    with pytest.raises(KeyboardInterrupt):
        shell.run("echo a")
    with pytest.raises(KeyboardInterrupt):
        shell.run("echo a")  # the function is called again


def test_what_the_function_runs_makes_no_events() -> None:
    events: list[Event] = []

    def look(event: Event) -> None:
        events.append(event)
        assert shell.run("echo inside").stdout == "inside\n"

    shell = Shell(on_event=look)
    assert shell.run("echo outside").stdout == "outside\n"
    assert [one["event"] for one in events] == ["run", "command", "end", "end"]


def test_limit_strikes_the_function_too() -> None:
    def wait(event: Event) -> None:
        while event["event"] == "command":
            pass

    result = Shell(on_event=wait, limits=Limits(seconds=0.05)).run("echo a")
    assert result.limit is not None
    assert result.limit.kind == "seconds"


def test_context_of_the_task_reaches_the_function() -> None:
    from contextvars import ContextVar

    name: ContextVar[str] = ContextVar("name")
    seen = []
    shell = Shell(on_event=lambda event: seen.append((name.get(), threading.current_thread())))

    async def main() -> None:
        name.set("task")
        await shell.arun("true")

    asyncio.run(main())
    assert {value for value, _ in seen} == {"task"}
    assert seen[0][1] is not threading.main_thread()


def test_forks_share_the_numbers() -> None:
    events: list[Event] = []
    shell = Shell(on_event=events.append)
    shell.run("true")
    shell.fork().run("true")
    assert [one["seq"] for one in events] == list(range(1, 9))
    assert len({one["span"] for one in events}) == 4


class Redirecting(BaseHTTPRequestHandler):
    """Redirects /a to /b, which is not there."""

    def do_GET(self) -> None:
        self.send_response(302 if self.path == "/a" else 404)
        self.send_header("Location", "/b")
        self.send_header("Content-Length", "4")
        self.end_headers()
        self.wfile.write(b"text")

    def log_message(self, format: str, *arguments: object) -> None:
        return


@pytest.mark.parametrize("isolated", [False, True])
def test_requests_end_with_their_status(isolated: bool) -> None:
    pytest.importorskip("httpcore")
    events: list[Event] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Redirecting) as server:
        threading.Thread(target=server.serve_forever).start()
        place = f"127.0.0.1:{server.server_port}"
        told = Events(events.append, only=["request"])
        network = keysh.Network([place])
        with Shell(network=network, on_event=told, isolated=isolated) as shell:
            assert shell.run(f"curl -sL http://{place}/a; curl -s http://x.org/").stdout == "text"
        server.shutdown()
    first, first_end, second, second_end, refused = events
    assert [one["allowed"] for one in (first, second, refused)] == [True, True, False]
    assert [(one["status"], one["bytes"]) for one in (first_end, second_end)] == [
        (302, 0),
        (404, 4),
    ]
    assert [first_end["span"], second_end["span"]] == [first["span"], second["span"]]
    assert "span" not in refused


# ---------------------------------------------------------------- progress


@pytest.mark.parametrize("isolated", [False, True])
def test_progress(isolated: bool) -> None:
    seen: list[tuple[int, int | None, str]] = []
    files = {"/a": "x" * 200_000}
    shell = Shell(files=files, on_progress=lambda *one: seen.append(one), isolated=isolated)
    with shell:
        shell.run("cp /a /b; scatter basename /x /y /z > /dev/null; sha256sum /a > /dev/null")
    last = {label: (value, total) for value, total, label in seen}
    assert last == {"/a": (200_000, 200_000), "scatter": (3, 3)}
    for label, (_, total) in last.items():
        values = [value for value, _, name in seen if name == label]
        assert 0 < values[0] <= (total or 0)


def test_exception_of_on_progress_ends_the_reports() -> None:
    calls: list[object] = []

    def fail(*report: object) -> None:
        calls.append(report)
        raise ValueError("full")

    shell = Shell(files={"/a": "x" * 200_000}, on_progress=fail)
    result = shell.run("cp /a /b; cp /a /c")
    assert (result.code, len(calls)) == (0, 1)
    assert isinstance(result.error, ValueError)


# ---------------------------------------------------------------- OpenTelemetry


def test_every_signal_has_a_name_for_opentelemetry() -> None:
    pytest.importorskip("opentelemetry")
    from keysh.adapters.opentelemetry import error_type

    names = [error_type({"signal": number, "status": 128 + number}) for number in (9, 34, 40, 64)]
    assert names == ["SIGKILL", "SIGRTMIN", "SIGRTMIN+6", "SIGRTMAX"]


def test_spans_of_opentelemetry() -> None:
    pytest.importorskip("opentelemetry.sdk")
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    from keysh.adapters.opentelemetry import span_events

    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("host")
    shell = keysh.Shell(
        on_event=span_events(tracer), external=keysh.Policy(deny=["ls"]),
        network=keysh.Network(["127.0.0.1:9"]), env={"PATH": "/usr/bin:/bin"},
    )  # fmt: skip

    async def main() -> None:
        with tracer.start_as_current_span("host"):
            await shell.arun(
                "echo a > /tmp/f | /bin/sh -c 'kill -9 $$'; /bin/ls; curl -s 127.0.0.1:9"
            )

    asyncio.run(main())
    spans = exporter.get_finished_spans()
    named = {(one.name, one.kind.name): one for one in spans}
    by_id = {one.context.span_id: one for one in spans}
    assert by_id[named["run", "INTERNAL"].parent.span_id].name == "host"
    program = named["sh", "CLIENT"]
    path = program.attributes["process.executable.path"]
    assert path.startswith("/usr/bin/")
    assert dict(program.attributes) | {"process.pid": 1} == {
        "keysh.allowed": True, "keysh.started": True, "keysh.cwd": "/", "process.pid": 1,
        "process.executable.path": path, "process.executable.name": "sh",
        "process.command_args": ("/bin/sh", "-c", "kill -9 $$"), "process.exit.code": 137,
        "error.type": "SIGKILL",
    }  # fmt: skip
    assert program.status.status_code.name == "ERROR"
    command = by_id[program.parent.span_id]
    assert (command.name, by_id[command.parent.span_id].name) == ("sh", "pipeline")
    assert named["echo", "INTERNAL"].events[0].attributes["process.executable.path"] == "/tmp/f"
    assert named["ls", "INTERNAL"].events[0].attributes["keysh.rule"] == "deny"
    request = named["GET", "CLIENT"]
    assert request.attributes["server.port"] == 9
    assert request.attributes["error.type"] == "_OTHER"
