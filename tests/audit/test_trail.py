"""The trail: what a shell tells its audit."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import keysh
from keysh import (
    Audit,
    Call,
    Journal,
    Limits,
    LocalFS,
    Network,
    OverlayFS,
    Policy,
    Rules,
    Shell,
    verify_audit,
)

Record = dict[str, Any]


def records_of(script: str, **options: Any) -> list[Record]:
    """Return the records of a run, without their hashes and times."""
    records: list[Record] = []
    with Shell(audit=records.append, clock=7.5, **options) as shell:
        shell.run(script)
    for record in records:
        del record["prev"], record["hash"]
        record.pop("ms", 0)
    return records


def events(records: list[Record], event: str) -> list[Record]:
    return [record for record in records if record["event"] == event]


def tree(records: list[Record]) -> list[str]:
    """Return what opens a span, indented by its depth."""
    depths = {0: 0}
    shown = []
    for record in records:
        if "parent" in record and record["event"] != "end":
            depth = depths[record["parent"]]
            name = record.get("name") or record.get("action") or ""
            shown.append(f"{' ' * depth}{record['event']} {name}".rstrip())
            if "span" in record:
                depths[record["span"]] = depth + 1
    return shown


def test_command() -> None:
    opening, run, command, end, run_end, close = records_of("echo hi 'a b'")
    assert opening["event"] == "open"
    assert run == {
        "seq": 2, "time": 7.5, "event": "run", "span": 1, "parent": 0, "text": "echo hi 'a b'",
        "cwd": "/",
    }  # fmt: skip
    assert command == {
        "seq": 3, "time": 7.5, "event": "command", "span": 2, "parent": 1, "name": "echo",
        "args": ["hi", "a b"], "place": "keysh:1:1",
    }  # fmt: skip
    assert end == {
        "seq": 4, "time": 7.5, "event": "end", "span": 2, "parent": 1, "of": "command",
        "status": 0,
    }  # fmt: skip
    assert run_end == {
        "seq": 5, "time": 7.5, "event": "end", "span": 1, "parent": 0, "of": "run", "status": 0,
        "rejected": False,
    }  # fmt: skip
    assert close["event"] == "close"


TREES = {
    "f() { cd /; pwd; }; f": ["command f", " command cd", " command pwd"],
    "echo a | cat": ["pipeline", " command echo", " command cat"],
    "x=$(echo a)": ["substitution", " command echo"],
    "echo $(echo $(echo a))": [
        "substitution", " substitution", "  command echo", " command echo", "command echo",
    ],
    "(cd /)": ["subshell", " command cd"],
    "cat <(echo a)": ["command cat", "process_substitution", " command echo"],
    "eval 'echo a; echo b'": ["command eval", " command echo", " command echo"],
    "echo a b | xargs -n1 mkdir": [
        "pipeline", " command echo", " command xargs", "  command mkdir",
        "   change make_directory", "  command mkdir", "   change make_directory",
    ],
    "command builtin echo a": ["command command", " command builtin", "  command echo"],
    "exec echo a": ["command exec", " command echo"],
    "trap 'echo end' EXIT": ["command trap", "command echo"],
    "if [[ a == a ]]; then echo b; fi": ["command [[ a == a ]]", "command echo"],
    "for i in 1 2; do echo $i; done": ["command echo", "command echo"],
    "echo a > /f; rm /f": ["command echo", " change write", "command rm", " change remove"],
    "env X=1 sh -c 'echo $X'": ["command env", " command sh", "  command echo"],
    "touch /a; find / -name a -delete": [
        "command touch", " change append", " change times", "command find", " change remove",
    ],
    "alias e='echo a'\ne b": ["command alias", "command echo"],
    "> /f": ["change write"],
}  # fmt: skip


@pytest.mark.parametrize("script", TREES)
def test_spans(script: str) -> None:
    lines = tree(records_of(script))
    assert lines[0] == "run"
    assert [line[1:] for line in lines[1:]] == TREES[script]


def test_each_span_ends_once_with_its_status() -> None:
    records = records_of("f() { return 3; }; f; false; (exit 4); echo a | false; : $(exit 5)")
    for command in events(records, "command"):
        ends = [end for end in events(records, "end") if end["span"] == command["span"]]
        assert [end["status"] for end in ends] == [
            {"f": 3, "return": 3, "false": 1, "exit": ends[0]["status"]}.get(command["name"], 0)
        ]


def test_job_is_a_span_of_its_own() -> None:
    lines = tree(records_of("mkdir /d & wait"))
    assert [line.strip() for line in lines if "mkdir" in line or "change" in line] == [
        "command mkdir", "change make_directory",
    ]  # fmt: skip
    job = lines.index(" job")
    assert "  command mkdir" in lines[job:]
    assert "   change make_directory" in lines[job:]


CHANGES = {
    "echo a > /f": [("write", "/f")],
    "echo a >> /f": [("append", "/f")],
    "mkdir /d; rmdir /d": [("make_directory", "/d"), ("remove_directory", "/d")],
    "touch /f; mv /f /g": [("append", "/f"), ("move", "/f")],
    "touch /f; ln /f /g; ln -s f /h": [
        ("append", "/f"), ("link", "/g"), ("symbolic_link", "/h"),
    ],
    "touch /f; chmod 600 /f": [("append", "/f"), ("mode", "/f")],
    "mkdir /d; cd /d; echo a | tee x > /dev/null": [("make_directory", "/d"), ("write", "/d/x")],
}  # fmt: skip


@pytest.mark.parametrize("script", CHANGES)
@pytest.mark.parametrize("kind", ["memory", "local", "overlay", "journal", "store", "mounted"])
def test_changes(script: str, kind: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "memory": {},
        "local": {"fs": LocalFS(tmp_path)},
        "overlay": {"fs": OverlayFS(LocalFS(tmp_path))},
        "journal": {"fs": LocalFS(tmp_path), "journal": True},
        "store": {"store": tmp_path / "store"},
        "mounted": {"fs": {"/": keysh.MemoryFS(), "/d": LocalFS(tmp_path)}},
    }[kind]
    if kind == "mounted" and "/d" in script:
        return  # it is there
    changes = events(records_of(script, **options), "change")
    noted = [
        (one["action"], one["path"])
        for one in changes
        if "path" in one and one["action"] != "times"
    ]
    assert noted == CHANGES[script]


def test_changes_in_a_mount_have_their_whole_path(tmp_path: Path) -> None:
    mounts = {"/": keysh.MemoryFS(), "/work": LocalFS(tmp_path)}
    changes = events(records_of("mv /work/a /work/b; echo > /work/c", fs=mounts), "change")
    assert [one["path"] for one in changes] == ["/work/c"]
    (tmp_path / "a").touch()
    (change,) = events(records_of("mv /work/a /work/b", fs=mounts), "change")
    assert (change["path"], change["to"]) == ("/work/a", "/work/b")


def test_journal_takes_back_what_an_audit_has_seen(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("old")
    records: list[Record] = []
    with Shell(LocalFS(tmp_path), journal=Journal(), audit=records.append) as shell:
        shell.run("echo new > /f; mkdir /d")
        shell.undo()
        assert (tmp_path / "f").read_text() == "old"
        assert not (tmp_path / "d").exists()
        shell.run("echo newer > /f")
        assert [change.path for change in shell.history[-1].changes.files] == ["/f"]
    assert [one["path"] for one in events(records, "change")][:2] == ["/f", "/d"]


def test_digests() -> None:
    records: list[Record] = []
    with Audit(records.append, digests=True) as audit:
        Shell(files={"/in": "b\na\n"}, audit=audit).run("sort /in > /out; cat /out >> /all")
    shown = [
        (one["action"], one["path"], one.get("bytes"), one.get("sha256"))
        for one in events(records, "change")
    ]
    unsorted, ordered = (sha256(text).hexdigest() for text in (b"b\na\n", b"a\nb\n"))
    assert shown == [
        ("write", "/out", None, None),
        ("read", "/in", 4, unsorted),
        ("written", "/out", 4, ordered),
        ("append", "/all", None, None),
        ("read", "/out", 4, ordered),
        ("written", "/all", 4, ordered),
    ]


def test_decisions_of_the_host() -> None:
    records = records_of(
        "rm /x; echo a", on_command=lambda name, arguments, place: name != "rm" or "keep it"
    )
    assert [(one["allowed"], one.get("reason")) for one in events(records, "decision")] == [
        (False, "keep it"), (True, None),
    ]  # fmt: skip
    refused, decision, end = records[2:5]
    assert (refused["name"], decision["parent"], end["status"]) == ("rm", refused["span"], 126)


def test_requests() -> None:
    records = records_of(
        "curl -s 'http://example.com/?token=abc'; curl -s http://127.0.0.1:9/; true",
        network=Network(["127.0.0.1:9"]),
    )
    assert [
        (one["method"], one["host"], one["port"], one["allowed"], one["reason"])
        for one in events(records, "request")
    ] == [
        ("GET", "example.com", 80, False,
         "example.com:80 is not among the hosts that may be reached"),
        ("GET", "127.0.0.1", 9, True, ""),
    ]  # fmt: skip
    assert "abc" not in json.dumps(records)


def test_limits() -> None:
    records = records_of("while true; do :; done", limits=Limits(steps=1000))
    (limit,) = events(records, "limit")
    assert (limit["kind"], limit["allowed"]) == ("steps", 1000)
    assert limit["place"].startswith("keysh:1:")
    end = events(records, "end")[-1]
    assert (end["status"], end["limit"]) == (125, "steps")


def test_limit_of_a_job() -> None:
    records = records_of("(x=$(seq 10000000)) & wait", limits=Limits(value=1000))
    assert [one["kind"] for one in events(records, "limit")] == ["value"]


def test_rejected_script() -> None:
    records = records_of("echo a; no-such-command")
    assert [one["event"] for one in records] == ["open", "run", "refusal", "end", "close"]
    assert (records[2]["code"], records[2]["place"]) == ("E301", "keysh:1:9")
    assert records[3]["rejected"] is True


def test_what_keysh_refuses_to_guess() -> None:
    (refusal,) = events(records_of("user={name: amy}; echo ${user[nmae]}"), "refusal")
    assert (refusal["code"], refusal["reason"]) == ("E203", "a key is missing: user[nmae]")


def test_changes_of_the_state_are_known_with_a_journal() -> None:
    records = records_of("a=1; f() { :; }; cd /tmp; unset PATH", journal=True)
    changes = [(one["action"], one["kind"], one["name"]) for one in events(records, "change")]
    assert ("set", "variable", "a") in changes
    assert ("set", "function", "f") in changes
    assert ("set", "directory", "") in changes
    assert {one["parent"] for one in events(records, "change")} == {1}


def test_run_within_a_run() -> None:
    records: list[Record] = []
    with Shell(audit=records.append) as shell:

        def again(sh: Call) -> str:
            """Run a script in the script."""
            return shell.run("echo inside").stdout

        shell.add(again)
        shell.run("again")
    outer, command, inner = (
        record for record in records if record["event"] in ("run", "command")
        and record.get("name") != "echo"
    )  # fmt: skip
    assert (outer["parent"], command["parent"], inner["parent"]) == (
        0, outer["span"], command["span"],
    )  # fmt: skip


def test_forks_and_restored_shells_are_audited_too() -> None:
    records: list[Record] = []
    with Audit(records.append) as audit:
        shell = Shell(audit=audit)
        shell.run("cd /")
        shell.fork().run("echo fork")
        Shell.restore(shell.snapshot(), audit=audit).run("echo restored")
    assert [one["args"] for one in events(records, "command")] == [["/"], ["fork"], ["restored"]]
    spans = [record["span"] for record in records if record["event"] in ("run", "command")]
    assert len(set(spans)) == len(spans)


def test_secrets_are_redacted_wherever_they_show() -> None:
    records: list[Record] = []
    with Audit(records.append, secrets=["hunter2"]) as audit:
        shell = Shell(
            audit=audit, env={"API_KEY": "abcdef123"}, files={"/f": ""},
            network=Network(["example.org", "[::1]"]),
        )  # fmt: skip
        shell.run("echo hunter2 > /hunter2; x=hunter2; echo $x; mv /f /abcdef123; cd /hunter2")
        shell.run("LATER_TOKEN=uvwxyz789; echo a${LATER_TOKEN}b")
        shell.run("echo hunter2", cwd="/")
        shell.run("mkdir /d-hunter2; cd /d-hunter2; echo 'echo a' > x; . ./x; . /d-hunter2/x")
        shell.run("curl http://hunter2.example/; curl -X hunter2 http://[::1]/")
        shell.run("pwd")
    text = json.dumps(records)
    for secret in ("hunter2", "abcdef123", "uvwxyz789"):
        assert secret not in text
    assert "a[redacted]b" in text


def test_long_arguments_are_shortened_and_say_so() -> None:
    records = records_of("echo $x", env={"x": "a" * 5000})
    (echo,) = (one for one in events(records, "command") if one["name"] == "echo")
    assert echo["args"][0] == "a" * 4096 + "… (5000 characters)"
    records = records_of("set -- {1..2000}; echo $@")
    assert events(records, "command")[0]["args"][-1] == "… (2001 words)"


def test_secret_behind_a_cut_does_not_show_where_the_text_before_it_is_redacted() -> None:
    records: list[Record] = []
    secret = "hunter2-" * 8
    with Audit(records.append, secrets=[secret]) as audit:
        Shell(audit=audit).run("# more: " + f"{secret} " * 1000)
    (text,) = (str(one["text"]) for one in events(records, "run"))
    assert text.endswith("… (65008 characters)")
    assert "hunter" not in text


def test_command_of_many_long_words_is_a_line_that_can_be_verified(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with Audit(log) as audit:
        Shell(audit=audit, env={"x": "\U0001f600" * 4000}).run(f": {'$x ' * 900}")
    assert max(map(len, log.read_bytes().splitlines())) < 1 << 20
    assert verify_audit(log).ok
    commands = [json.loads(line) for line in log.read_text().splitlines() if '"command"' in line]
    assert len(commands[0]["args"]) == 17
    assert commands[0]["args"][-1] == "… (900 words)"


def test_values_as_arguments() -> None:
    records = records_of("x=[1, 2]; tojson $x; head lines=1 < /dev/null")
    assert [one["args"] for one in events(records, "command")] == [["[1,2]"], ["lines=1"]]


def test_wrong_audit_is_refused() -> None:
    with pytest.raises(TypeError, match=r"audit must be a keysh\.Audit or a function"):
        Shell(audit="file")  # type: ignore[arg-type]


def test_programs(tmp_path: Path) -> None:
    records = records_of(
        "/bin/sh -c 'exit 3' --password hunter2; /bin/ls",
        fs=LocalFS("/"), cwd=str(tmp_path), external=Policy(deny=["ls"]),
        env={"PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    started, refused = events(records, "program")
    assert started["allowed"]
    assert started["argv"][1:] == ["-c", "exit 3", "--password", "[redacted]"]
    assert (refused["allowed"], refused["rule"], refused["pid"]) == (False, "deny", 0)
    (end,) = (one for one in events(records, "end") if one["span"] == started["span"])
    assert (end["status"], end["pid"]) == (3, started["pid"])


def test_changes_of_a_program_that_are_copied_back() -> None:
    records = records_of(
        "/bin/sh -c 'echo a > f'", fs={"/": keysh.MemoryFS()},
        env={"PATH": "/usr/bin:/bin"}, external=Policy(materialize=True),
    )  # fmt: skip
    assert "/f" in [change.get("to", change["path"]) for change in events(records, "change")]


def test_decisions_of_rules_and_of_a_host_that_sees_changes() -> None:
    rules = Rules([
        {"command": "rm", "decision": "deny", "reason": "keep"},
        {"paths": ["/locked/**"], "decision": "deny", "reason": "locked"},
    ])  # fmt: skip

    def judge(name: str, arguments: list[object], place: object, *, action: str) -> bool:
        return action == "command"

    records = records_of("rm /x; mkdir /locked/d; mkdir /d", rules=rules, on_command=judge)
    refused = [one for one in events(records, "decision") if not one["allowed"]]
    assert [(one["by"].partition(":")[0], one["kind"]) for one in refused] == [
        ("rules", "command"), ("rules", "write"), ("on_command", "write"),
    ]  # fmt: skip
    assert "/locked/d" in refused[1]["subject"]
    assert "/d" in refused[2]["subject"]
    commands = {one["span"]: one["name"] for one in events(records, "command")}
    assert [commands[one["parent"]] for one in refused] == ["rm", "mkdir", "mkdir"]
    assert events(records, "change") == []


def test_rule_that_allows_is_recorded_and_a_default_that_allows_is_not() -> None:
    rules = Rules([
        {"command": "touch", "decision": "allow", "name": "touches"},
        {"paths": ["/a"], "access": ["write"], "decision": "allow"},
        {"command": "rm", "decision": "ask"},
        {"command": "pwd", "decision": "deny"},
    ])  # fmt: skip
    records = records_of(
        "touch /a; rm /a; pwd; echo b", rules=rules, on_ask=lambda request: True
    )  # fmt: skip
    decisions = [
        (one["kind"], one["by"], one["decision"], one["allowed"])
        for one in events(records, "decision")
    ]
    assert list(dict.fromkeys(decisions)) == [
        ("command", "rules: rule 1 (touches) of rules", "allow", True),
        ("write", "rules: rule 2 of rules", "allow", True),
        ("command", "rules: rule 3 of rules", "ask", True),
        ("command", "rules: rule 4 of rules", "deny", False),
    ]
    refused = records_of("echo b", rules=Rules(default={"command": "deny"}))
    assert [(one["by"], one["decision"]) for one in events(refused, "decision")] == [
        ("rules", "deny")
    ]  # fmt: skip


EVERYTHING = """
f() { echo $1 > /tmp/$1; return 3; }
f a | cat; (f b); x=$(f c); cat <(f d); f e & wait
for i in 1 2; do [[ $i == 2 ]] && rm /tmp/e; done
trap 'pwd' EXIT; eval 'touch /y'; echo a | xargs -I{} mkdir /tmp/{}x; exec 3> /tmp/fd; echo >&3
/bin/sh -c 'exit 2'; curl -s http://127.0.0.1:9/; false || true; undo; env sh -c 'cd /tmp; ls'
while true; do :; done
"""


def test_every_record_has_its_place() -> None:
    """A number, a time, and a parent that has begun before; each span begins and ends once."""
    records = records_of(
        EVERYTHING, dialect="bash", check=False, limits=Limits(steps=5_000), journal=True,
        rules=Rules([
            {"paths": ["/y"], "decision": "deny"}, {"command": "rm", "decision": "allow"},
        ]),
        network=Network(["127.0.0.1:9"]), env={"PATH": "/usr/bin:/bin"},
        external=Policy(unconfined=True),
    )  # fmt: skip
    kinds = {record["event"] for record in records}
    assert kinds >= {
        "run", "command", "pipeline", "subshell", "substitution", "process_substitution", "job",
        "decision", "program", "change", "request", "limit", "end",
    }  # fmt: skip
    assert [record["seq"] for record in records] == list(range(1, len(records) + 1))
    begun: dict[int, str] = {0: "host"}
    ended: list[int] = []
    for record in records:
        if record["event"] in ("open", "close"):
            continue
        assert record["time"] == 7.5
        assert record["parent"] in begun
        if record["event"] == "end":
            ended.append(record["span"])
            assert "status" in record
            assert record["of"] == begun[record["span"]]
        elif "span" in record:
            assert record["span"] not in begun
            begun[record["span"]] = record["event"]
    assert sorted(ended) == sorted(span for span in begun if span)
    assert all(begun[record["parent"]] != "host" for record in events(records, "decision"))
