"""Rules and questions of a shell in a worker: judged there, and by the host for what leaves it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import keysh
from isolation.test_worker_deaths import kill_idle_worker, kill_worker_in_run
from keysh.audit.chain import NO_HASH
from keysh.interp.run.budget import Budget
from keysh.interp.run.control_flow import LimitReached
from keysh.shell.isolation import worker_process
from keysh.shell.isolation.host.host_bridge import HostBridge

ENV = {"PATH": "/usr/bin:/bin", "TOKEN": "hush-hush-hush"}
RULES = [
    {"command": "rm", "decision": "deny", "reason": "nothing is removed"},
    {"command": ["uname", "date"], "decision": "ask"},
    {"paths": ["/secret/**"], "access": ["read"], "decision": "deny"},
    {"paths": ["/work/kept*"], "access": ["write", "remove"], "decision": "deny"},
    {"paths": ["/work/asked*"], "access": ["write"], "decision": "ask"},
    {"env": ["TOKEN"], "decision": "deny"},
]

FREE = keysh.Policy(confine="off")
UNAME = {
    "action": "command", "words": ["/bin/uname"], "paths": [], "place": ["", 0, 0], "rules": 0,
}  # fmt: skip


def both(
    options: dict[str, Any], text: str, mounts: Any = None
) -> tuple[keysh.Result, keysh.Result]:
    """Return the results of a text in a shell of this process, and of one in a worker."""
    with (
        keysh.Shell(mounts, **options) as here,
        keysh.Shell(mounts, isolated=True, **options) as it,
    ):
        return here.run(text), it.run(text)


def test_rules_decide_as_in_this_process(tmp_path: Path) -> None:
    asked: list[tuple[Any, ...]] = []

    def on_ask(request: keysh.AskRequest) -> str:
        asked.append((
            request.action, request.command, request.arguments, request.paths, request.place,
            request.reason, [command["name"] for command in request.plan.commands],
        ))  # fmt: skip
        return "allow"

    (tmp_path / "in").write_text("")
    options = {
        "rules": keysh.Rules(RULES), "on_ask": on_ask, "external": FREE, "env": ENV,
        "files": {"/secret/a": "x"},
    }  # fmt: skip
    here, there = both(options, (
        "rm /x; echo $?; uname > /dev/null; cat /secret/a; echo $?; echo a > /work/kept; echo $?\n"
        "echo b > /work/asked; cat /work/asked; rm -f /work/asked; /usr/bin/env | grep TOKEN\n"
        "find /work -name 'in' -exec rm {} +; uname -s > /dev/null; xargs rm <<< /work/in\n"
        "date -r /x"
    ), {"/work": keysh.LocalFS(str(tmp_path))})  # fmt: skip
    assert (here.code, here.stdout, here.stderr) == (there.code, there.stdout, there.stderr)
    half = len(asked) // 2
    assert asked[:half] == asked[half:]
    assert {action for action, *_ in asked} == {"command", "write"}


def test_rules_of_a_policy_judge_all_that_a_worker_does(tmp_path: Path) -> None:
    asked: list[tuple[str, str]] = []

    def on_ask(request: keysh.AskRequest) -> str:
        asked.append((str(request), request.rules.defaults["env"]))
        return "allow"

    own = keysh.Rules([{"command": "uname", "decision": "ask"}], default={"env": "deny"})
    policy = keysh.Policy(rules=keysh.Rules(RULES))
    options = {"rules": own, "external": policy, "on_ask": on_ask, "env": ENV}
    here, there = both(options, (
        "rm /x; echo $?; /bin/rm /x; echo $?; cat /secret/a; echo a > /work/kept; echo $?\n"
        "uname; /bin/uname -s; echo b > /work/asked; /usr/bin/env | grep TOKEN"
    ), {"/work": keysh.LocalFS(str(tmp_path))})  # fmt: skip
    assert (here.code, here.stdout, here.stderr) == (there.code, there.stdout, there.stderr)
    assert there.stdout.startswith("126\n126\n126\nLinux\n")
    half = len(asked) // 2
    assert asked[:half] == asked[half:]
    assert [*dict.fromkeys(asked)] == [
        ("uname", "deny"), ("uname", "allow"), ("/bin/uname -s", "deny"),
        ("/bin/uname -s", "allow"), ("write /work/asked", "allow"),
    ]  # fmt: skip
    with keysh.Shell(isolated=True, external=policy) as shell:
        assert shell.plan("rm x").verdicts.decision == "deny"
        assert shell.run("rm /x").code == 126
        assert shell.fork().run("rm /x").code == 126


def test_programs_are_asked_about_once(tmp_path: Path) -> None:
    asked: list[str] = []

    def on_ask(request: keysh.AskRequest) -> str:
        asked.append(str(request))
        return "allow"

    rules = keysh.Rules([{"command": ["ls", "curl"], "decision": "ask"}])
    options = {"rules": rules, "on_ask": on_ask, "external": FREE, "env": ENV, "network": True}
    both(options, "/bin/ls -d /; /bin/ls -d /; curl -s file:///x")
    half = len(asked) // 2
    assert asked[:half] == asked[half:]
    assert asked.count("curl -s file:///x") == 2


def test_files_have_one_judgement_by_all_their_mounts(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    for name in ("key", "inner/key"):
        (tmp_path / name).write_text("s3cret\n")
    mounts = {
        "/a": keysh.LocalFS(str(tmp_path)), "/b": keysh.ReadOnlyFS(keysh.LocalFS(str(tmp_path))),
        "/c": keysh.LocalFS(str(tmp_path / "inner")), "/d/e": keysh.LocalFS(str(tmp_path)),
    }  # fmt: skip
    rules = [{"paths": ["/a/**"], "access": ["read"], "decision": "deny"}]
    here, there = both(
        {"rules": keysh.Rules(rules)}, "cat /a/key; cat /b/key; cat /c/key; cat /d/e/inner/key",
        mounts,
    )  # fmt: skip
    assert (here.code, here.stdout, here.stderr) == (there.code, there.stdout, there.stderr)
    assert there.stdout == ""
    assert there.stderr.count("denied by rule 1") == 4


def test_plan_has_verdicts_and_completion_is_there() -> None:
    with keysh.Shell(isolated=True, rules=keysh.Rules(RULES)) as shell:
        shell.run("mkdir -p /secret; cd /secret; greeting=x")
        plan = shell.plan("rm a; cat $x")
        assert plan.record() == keysh.Shell(rules=keysh.Rules(RULES)).plan("rm a; cat $x").record()
        assert str(plan) == "rm a\ncat …"
        assert [one.text for one in shell.complete("echo $greet")] == ["greeting"]
        with pytest.raises(keysh.ScriptError):
            shell.plan("echo )")


def test_always_is_kept_by_the_host_when_the_worker_dies() -> None:
    asked = []

    def on_ask(request: keysh.AskRequest) -> str:
        asked.append(str(request))
        return "allow_always"

    with keysh.Shell(isolated=True, rules=keysh.Rules(RULES), on_ask=on_ask) as shell:
        assert shell.run("uname; uname").ok
        kill_idle_worker(shell)
        assert shell.run("uname; uname -s").ok
    assert asked == ["uname", "uname -s"]


def test_question_without_answer_is_deny_and_is_cancelled() -> None:
    release = threading.Event()

    def on_ask(request: keysh.AskRequest) -> str:
        release.wait(30)
        return "allow"

    rules = keysh.Rules(RULES, ask_seconds=0.1)
    with keysh.Shell(isolated=True, rules=rules, on_ask=on_ask) as shell:
        result = shell.run("uname")
        assert (result.code, "nobody answered in 0.1 s" in result.stderr) == (126, True)
    with keysh.Shell(isolated=True, rules=keysh.Rules(RULES), on_ask=on_ask) as shell:
        job = shell.start("echo begun; uname")
        while not job.output:
            time.sleep(0.001)
        job.cancel()
        assert job.wait().code == 130
    release.set()


def test_question_that_comes_after_a_cancel_is_cancelled() -> None:
    """A worker may have asked before it knows that its run is cancelled."""
    bridge = HostBridge(keysh.Shell, {}, keysh.Limits(), None)
    bridge.is_cancelled = lambda: True
    budget = Budget(keysh.Limits(), None)
    with bridge.acting(budget), pytest.raises(LimitReached, match="cancelled"):
        budget.check()


def test_wrong_answers_and_exceptions_are_the_hosts() -> None:
    def refuse(request: object) -> str:
        raise ValueError("no")

    for on_ask in (refuse, lambda request: "perhaps"):
        with keysh.Shell(isolated=True, rules=keysh.Rules(RULES), on_ask=on_ask) as shell:
            result = shell.run("uname")
            assert isinstance(result.error, ValueError | TypeError)
            assert not result.ok


def test_host_may_use_the_shell_while_it_is_asked() -> None:
    seen = []

    def on_ask(request: keysh.AskRequest) -> str:
        seen.append((shell.cwd, shell.vars["x"], shell.fs.stat("/f").size))
        return "allow"

    with keysh.Shell(isolated=True, rules=keysh.Rules(RULES), on_ask=on_ask) as shell:
        assert shell.run("cd /tmp; x=1; echo hi > /f; uname").ok
    assert seen == [("/tmp", 1, 3)]


def test_questions_may_be_coroutines() -> None:
    loops = []

    async def on_command(name: str, arguments: object, place: object) -> object:
        await asyncio.sleep(0)
        loops.append(threading.get_ident())
        return "never" if name == "rm" else None

    async def on_ask(request: object) -> str:
        await asyncio.sleep(0)
        return "deny"

    async def main() -> None:
        with keysh.Shell(isolated=True, on_command=on_command) as shell:
            result = await shell.arun("echo hi; rm x")
            assert (result.code, result.stdout) == (126, "hi\n")
            assert "rm: never" in result.stderr
        with keysh.Shell(isolated=True, on_ask=on_ask, rules=keysh.Rules(RULES)) as shell:
            assert "denied by the host" in (await shell.arun("uname")).stderr

    asyncio.run(main())
    assert set(loops) == {threading.get_ident()}
    with keysh.Shell(isolated=True, on_command=on_command) as shell:
        assert shell.run("echo hi").stdout == "hi\n"


def test_on_command_gets_words_as_in_this_process() -> None:
    seen: list[Any] = []

    def on_command(name: str, arguments: list[object], place: object) -> None:
        seen.append(
            (name, [*map(str, arguments)], [type(one).__name__ for one in arguments], place)
        )

    options = {"on_command": on_command, "files": {"/a.txt": ""}}
    both(options, "echo a=b *.txt [12] x; l=[1, 2]; echo $l 5; sort key=1 /a.txt")
    half = len(seen) // 2
    assert seen[:half] == seen[half:]


# ---------------------------------------------------------------- a worker that was taken over

TAKEN_OVER = """
import json, signal, sys, socket
sys.path[:] = sys.argv[5:]
from keysh.shell.isolation.frames import *
pipe = socket.socket(fileno=int(sys.argv[1]))
reader, pending = FrameReader(BOUNDS_FROM_HOST), []
def receive():
    while not pending:
        pending.extend(reader.take(pipe.recv(1 << 18)))
    return pending.pop(0)
def ask(verb, record):
    pipe.sendall(packed_frame(REQUEST, {"id": 5, "verb": verb, "within": None, "with": record}))
    while (frame := receive())[0] == REQUEST:  # the host wants a file of the shell
        missing = {"kind": "os", "errno": 2, "text": "", "names": [None, None]}
        is_lie = frame[1]["with"].get("words") == ["/lie"]
        answer = {"value": "x"} if is_lie else {"error": missing}
        pipe.sendall(packed_frame(ANSWER, {"id": frame[1]["id"], **answer}))
    return frame
pipe.sendall(packed_frame(READY, {}))
while True:
    kind, request, data = receive()
    if request["verb"] != "run":
        pipe.sendall(packed_frame(ANSWER, {"id": request["id"], "value": None}))
        continue
    said = []
    for verb, record in json.loads(request["with"]["text"]):
        answer = ask(verb, record)
        said.append([answer[1].get("value"), answer[1].get("error")])
    out = json.dumps(said).encode()
    value = {"code": 0, "out": len(out)}
    pipe.sendall(packed_frame(ANSWER, {"id": request["id"], "value": value}, out))
"""


@pytest.fixture
def taken_over(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that lets a worker which obeys nobody send requests; it returns the answers."""
    monkeypatch.setattr(worker_process, "BOOT", TAKEN_OVER)

    def send(shell: keysh.Shell, *requests: tuple[str, dict[str, Any]]) -> Any:
        result = shell.run(json.dumps(requests))
        return json.loads(result.stdout) if result.stdout else result

    return send


def program(*words: str) -> tuple[str, dict[str, Any]]:
    return "program", {
        "program": 1, "words": words, "path": words[0], "env": ENV, "cwd": "/", "directory": None,
        "search": "/bin", "input": "none", "timeout": None, "umask": None, "ulimits": {}, "span": 0,
        "merged": False, "job": False, "tells_start": False, "place": ["", 0, 0],
    }  # fmt: skip


def test_rules_hold_for_programs_of_a_worker_that_judges_nothing(taken_over: Any) -> None:
    asked = []

    def on_ask(request: keysh.AskRequest) -> str:
        asked.append([request.command, *request.arguments])
        return "deny"

    rules = keysh.Rules(RULES)
    policy = keysh.Policy(["rm", "uname", "env", "sh"])
    for words, reason in (
        (("/bin/rm", "/x"), "nothing is removed"), (("/bin/uname",), "denied by the host"),
        (("/bin/ls",), "is not allowed"), (("/usr/bin/env", "rm", "/x"), "nothing is removed"),
    ):  # fmt: skip
        options: dict[str, Any] = {"rules": rules, "on_ask": on_ask, "external": policy}
        with keysh.Shell(isolated=True, **options) as shell:
            ((value, error),) = taken_over(shell, program(*words))
            assert value == {}
            assert reason in error["texts"][1], error
    assert asked == [["/bin/uname"]]


def test_grant_is_for_one_time(taken_over: Any) -> None:
    asked = []

    def on_ask(request: keysh.AskRequest) -> bool:
        asked.append(str(request))
        return len(asked) == 1

    question = "ask rule", UNAME
    again = program("/bin/uname")
    again[1]["program"] = 2
    options: dict[str, Any] = {"rules": keysh.Rules(RULES), "on_ask": on_ask, "external": FREE}
    with keysh.Shell(isolated=True, **options) as shell:
        answers = taken_over(shell, question, program("/bin/uname"), again)
    assert answers[0] == ["allow", None]
    # Another name of the file is another command for the rules, which ask again.
    assert "denied by the host" in answers[2][1]["texts"][1]


def test_rules_hold_for_files_and_commands_of_the_host(taken_over: Any, tmp_path: Path) -> None:
    ran = []

    @keysh.command
    def rm(sh: keysh.Call) -> None:
        """Note the call."""
        ran.append(1)

    (tmp_path / "kept").write_text("here\n")
    call = {"name": "rm", "call": 1, "words": [], "cwd": "/", "env": {}, "span": 0,
            "place": ["", 0, 0]}  # fmt: skip
    with keysh.Shell(
        {"/work": keysh.LocalFS(str(tmp_path))}, isolated=True, rules=keysh.Rules(RULES),
        commands=[rm],
    ) as shell:  # fmt: skip
        answers = taken_over(
            shell,
            ("host file", {"mount": "/work", "verb": "remove", "words": ["/kept"]}),
            ("host file", {"mount": "/work", "verb": "open", "words": ["/kept", "w", 0]}),
            ("host file", {"mount": "/work", "verb": "open", "words": ["/asked", "w", 0]}),
            ("host file", {"mount": "/work", "verb": "stat", "words": ["/kept"]}),
            ("command", call),
        )  # fmt: skip
    assert [error is None for _, error in answers] == [False, False, False, True, True]
    assert answers[4][0]["code"] == 126
    assert (tmp_path / "kept").read_text() == "here\n"
    assert (ran, [*tmp_path.iterdir()]) == ([], [tmp_path / "kept"])


@pytest.mark.parametrize(
    "request_",
    [
        ("program", {}), ("program step", {"program": 1}), ("program kill", {"program": "x"}),
        ("program signal", {"program": 1, "signal": 9}), ("find program", {"name": 1}),
        ("ask rule", {**UNAME, "words": []}), ("ask rule", {**UNAME, "rules": 1}),
        ("audit", {"event": "run", "parent": 0, "span": 0, "fields": {"text": "x"}}),
        ("program", {**program("/bin/true")[1], "cwd": "/../x"}),
        ("program", {**program("/bin/true")[1], "ulimits": {"open": [1]}}),
        ("program", {**program("/bin/true")[1], "env": {"A": 1}}),
    ],
)  # fmt: skip
def test_requests_of_another_form_end_the_worker(
    taken_over: Any, request_: tuple[str, dict[str, Any]]
) -> None:
    with keysh.Shell(isolated=True, external=True) as shell:
        result = taken_over(shell, request_)
    assert result.limit is not None
    assert result.limit.kind == "worker"


def test_file_of_no_kind_within_a_command_of_the_host_ends_the_worker(taken_over: Any) -> None:
    @keysh.command
    def look(sh: keysh.Call) -> int:
        """Look at a file of the shell."""
        return sh.fs.stat("/lie").size

    call = {"name": "look", "call": 1, "words": [], "cwd": "/", "env": {}, "span": 0,
            "place": ["", 0, 0]}  # fmt: skip
    with keysh.Shell(isolated=True, commands=[look]) as shell:
        result = taken_over(shell, ("command", call))
    assert result.limit is not None
    assert result.limit.kind == "worker"
    assert "no attributes of a file" in result.stderr


# ---------------------------------------------------------------- audit


def plain(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return records without what differs from run to run."""
    hidden = ("prev", "hash", "time", "ms", "pid")
    return [{name: one[name] for name in one if name not in hidden} for one in records]


def test_audit_is_as_in_this_process() -> None:
    logs: list[list[dict[str, Any]]] = [[], []]
    for log, isolated in zip(logs, (False, True), strict=True):
        audit = keysh.Audit(log.append, secrets=["sesame-open"], digests=True)
        with audit, keysh.Shell(isolated=isolated, external=True, env=ENV, audit=audit) as shell:
            shell.run("echo sesame-open; x=$(seq 3 | sort -r); echo $x > /f; cat < /f")
            shell.run("/bin/sh -c 'exit 3'; rm /f; cat /none; (exit 2)")
            shell.run("echo on; sleep 5", timeout=0.2)
    here, there = ([one for one in plain(log) if one["event"] != "limit"] for log in logs)
    assert there == here
    assert "sesame" not in json.dumps(logs)
    assert [one["kind"] for one in logs[1] if one["event"] == "limit"] == ["seconds"]


def test_chain_of_records_is_the_hosts_and_names_a_death() -> None:
    log: list[dict[str, Any]] = []
    with keysh.Shell(isolated=True, audit=log.append) as shell:
        job = shell.start("echo begun; while true; do :; done")
        kill_worker_in_run(shell, job, signal.SIGKILL)
        job.wait()
        shell.run("echo on")
    previous = NO_HASH
    for record in log:
        assert record["prev"] == previous
        previous = record["hash"]
    (limit,) = [one for one in log if one["event"] == "limit"]
    assert limit["kind"] == "worker"
    opened = {one["span"] for one in log if "span" in one and one["event"] != "end"}
    assert opened == {one["span"] for one in log if one["event"] == "end"}


def test_required_audit_that_fails_ends_the_run() -> None:
    def refuse(record: dict[str, Any]) -> None:
        if record["event"] == "command":
            raise OSError("the disk is full")

    audit = keysh.Audit(refuse, required=True)
    with keysh.Shell(isolated=True, audit=audit) as shell:
        result = shell.run("echo one; echo two")
    assert (result.stdout, result.limit and result.limit.kind) == ("", "audit")
    assert "the disk is full" in result.stderr


def test_worker_cannot_record_what_the_host_records(taken_over: Any) -> None:
    log: list[dict[str, Any]] = []
    with keysh.Shell(isolated=True, audit=log.append) as shell:
        fields = {"argv": ["/bin/x"], "allowed": True}
        record = {"event": "program", "parent": 0, "span": 1, "fields": fields}
        assert taken_over(shell, ("audit", record)).limit.kind == "worker"
        long = {"event": "run", "parent": 7, "span": 1, "fields": {"text": "x" * 5000, "cwd": "/"}}
        assert taken_over(shell, ("audit", long)).limit.kind == "worker"
        good = {"event": "run", "parent": 7, "span": 1, "fields": {"text": "x", "cwd": "/"}}
        assert taken_over(shell, ("audit", good)) == [[["", "", False], None]]
    assert [one["parent"] for one in log if one["event"] == "run"] == [0]
    assert not [one for one in log if one["event"] == "program"]


# ---------------------------------------------------------------- network


class Echo(BaseHTTPRequestHandler):
    """Answers with the credentials that it gets."""

    def do_GET(self) -> None:
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "http://example.com/")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = f"{self.path} {self.headers.get('Authorization')}\n".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        return


@pytest.fixture(scope="module")
def server() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as serving:
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        yield serving.server_port
        serving.shutdown()
        thread.join()


def test_requests_are_the_hosts(server: int) -> None:
    here = f"127.0.0.1:{server}"
    network = keysh.Network([here], credentials={f"http://{here}": {"Authorization": "key"}})
    log: list[dict[str, Any]] = []
    for audit in (None, log.append):
        expected, found = both({"network": network, "audit": audit}, (
            f"curl -s {here}/a?x=*; curl -so /out {here}/b; cat /out; echo '-s' > /rc\n"
            f"curl -K /rc {here}/c | tr a-z A-Z; curl -s http://example.com/; echo $?\n"
            f"curl -sSL {here}/away; echo $?; curl --help | head -n 1; curl; echo $?\n"
            f"curl -sv -o /dev/null {here}/ 2>&1 | grep -c key"
        ))  # fmt: skip
        assert (found.code, found.stdout, found.stderr) == (
            expected.code, expected.stdout, expected.stderr
        )  # fmt: skip
    half = len(log) // 2
    assert plain(log)[half + 1 :] == [] or {"request"} <= {one["event"] for one in log[half:]}


def test_network_is_closed_without_one() -> None:
    expected, found = both({}, "curl -s http://127.0.0.1/")
    assert (found.code, found.stderr) == (expected.code, expected.stderr)


def test_network_rules_are_judged_in_the_host(server: int) -> None:
    rules = keysh.Rules([
        {"hosts": [f"127.0.0.1:{server}"], "decision": "allow", "url_paths": ["/open/**"]},
    ], default={"request": "deny"})  # fmt: skip
    network = keysh.Network(rules, addresses=["127.0.0.1"])
    expected, found = both({"network": network}, (
        f"curl -s 127.0.0.1:{server}/open/a; curl -s 127.0.0.1:{server}/shut; echo $?"
    ))  # fmt: skip
    assert (found.code, found.stdout, found.stderr) == (
        expected.code, expected.stdout, expected.stderr
    )  # fmt: skip


def test_worker_never_holds_credentials(server: int) -> None:
    here = f"127.0.0.1:{server}"
    secret = "Bearer " + "correct-horse" * 3
    network = keysh.Network([here], credentials={f"http://{here}": {"Authorization": secret}})
    with keysh.Shell(isolated=True, network=network) as shell:
        job = shell.start(f"curl -so /dev/null {here}/; echo begun; while true; do :; done")
        while not job.output:
            time.sleep(0.001)
        worker: Any = next(iter(shell._workers._alive))  # type: ignore[attr-defined]
        assert b"correct-horse" not in memory_of(worker.process_id)
        job.cancel()
        job.wait()


def memory_of(pid: int) -> bytes:
    """Return what a process can write of its memory."""
    found = bytearray()
    if os.geteuid():
        pytest.skip("only root reads the memory of any process")
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            span, access = line.split()[:2]
            if access.startswith("rw"):
                begin, end = (int(one, 16) for one in span.split("-"))
                memory.seek(begin)
                try:
                    found += memory.read(end - begin)
                except OSError:
                    continue
    return bytes(found)
