"""Rules that ask: the request, the answers, the time to answer; and what `on_command` sees."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

import keysh

RULES = keysh.Rules(
    [
        {"command": "rm", "decision": "ask", "reason": "files are lost"},
        {"paths": ["/etc/**"], "access": ["write"], "decision": "ask"},
    ],
    ask_seconds=20,
)


def shell_that_asks(answer: object, rules: keysh.Rules = RULES, **options: object) -> keysh.Shell:
    def on_ask(request: keysh.AskRequest) -> object:
        return answer(request) if callable(answer) else answer

    return keysh.Shell(
        files={"/a": "1\n", "/b": "", "/etc/x": ""}, rules=rules, on_ask=on_ask, **options
    )  # type: ignore[arg-type]


def test_request_says_what_where_and_why() -> None:
    seen: list[keysh.AskRequest] = []
    shell = shell_that_asks(lambda request: seen.append(request) or "allow")
    assert shell.run("ls /\nf=/b; rm -f /a $f /none").code == 0
    [request] = seen
    assert (request.action, request.command) == ("command", "rm")
    assert request.arguments == ["-f", "/a", "/b", "/none"]
    assert request.paths == ["/a", "/b"]
    assert request.place == ("keysh", 2, 7)
    assert request.rule is RULES.rules[0]
    assert request.reason == "rule 1 of rules: files are lost"
    assert [command["name"] for command in request.plan.commands] == ["ls", "rm"]
    assert str(request) == "rm -f /a /b /none"


def test_request_for_a_file_has_its_path_without_links() -> None:
    seen: list[keysh.AskRequest] = []
    shell = shell_that_asks(lambda request: seen.append(request) or "deny")
    result = shell.run("ln -s /etc /l; echo x > /l/../etc/y")
    assert (result.code, [(one.action, one.paths) for one in seen]) == (
        126,
        [("write", ["/etc/y"])],
    )
    assert result.stderr == "keysh: line 1: /etc/y: denied by the host: rule 2 of rules\n"


@pytest.mark.parametrize("answer", ["allow", True])
def test_allowed(answer: object) -> None:
    shell = shell_that_asks(answer)
    assert shell.run("rm /a").code == 0
    assert shell.run("test -e /a").code != 0


@pytest.mark.parametrize("answer", ["deny", False])
def test_denied_is_126_with_rule_and_reason(answer: object) -> None:
    result = shell_that_asks(answer).run("rm /a; echo $? $(cat /a)")
    assert result.stdout == "126 1\n"
    assert (
        result.stderr == "keysh: line 1: rm: denied by the host: rule 1 of rules: files are lost\n"
    )


def test_nobody_to_ask_is_deny() -> None:
    result = keysh.Shell(files={"/a": ""}, rules=RULES).run("rm /a")
    assert result.code == 126
    assert "denied, since nobody can be asked: rule 1" in result.stderr


def test_allow_always_holds_for_the_same_act_only() -> None:
    asked: list[str] = []
    shell = shell_that_asks(lambda request: asked.append(str(request)) or "allow_always")
    shell.run("rm -f /a; rm -f /a; rm -f /b")
    shell.run("rm -f /a; echo > /etc/x; echo > /etc/x; echo > /etc/y")
    assert asked == ["rm -f /a", "rm -f /b", "write /etc/x", "write /etc/y"]


def test_command_with_a_directory_is_asked_about_once() -> None:
    asked: list[str] = []
    shell = shell_that_asks(lambda request: asked.append(str(request)) or "allow")
    assert shell.run("/usr/bin/rm -f /a").code == 0
    assert asked == ["/usr/bin/rm -f /a"]
    named = keysh.Rules([{"command": "/usr/bin/rm", "decision": "allow"},
                         {"command": "/bin/cat", "decision": "ask"}])  # fmt: skip
    shell = shell_that_asks(lambda request: asked.append(str(request)) or "allow", named)
    assert shell.run("cat /b; /bin/cat /b; /usr/bin/rm /b").code == 0
    assert asked[1:] == ["/bin/cat /b"]


def test_allow_always_of_a_request_holds_for_its_url() -> None:
    asked: list[str] = []
    rules = keysh.Rules([{"hosts": ["127.0.0.1"], "decision": "ask"}])
    shell = shell_that_asks(
        lambda request: asked.append(request.arguments[0]) or "allow_always", rules,
        network=keysh.Network(["127.0.0.1:9"]),
    )  # fmt: skip
    for path in ("/a", "/a", "/b"):
        shell.run(f"curl -s http://127.0.0.1:9{path}")
    assert asked == ["http://127.0.0.1:9/a", "http://127.0.0.1:9/b"]


@pytest.mark.parametrize("answer", [None, "yes", 1])
def test_answer_of_another_kind_runs_nothing(answer: object) -> None:
    shell = shell_that_asks(lambda _: answer)
    result = shell.run("rm /a")
    assert result.code != 0
    assert shell.run("cat /a").stdout == "1\n"


def test_exception_ends_the_run() -> None:
    def fail(_: object) -> object:
        raise ValueError("no answer")

    shell = shell_that_asks(fail)
    result = shell.run("rm /a; echo on")
    assert isinstance(result.error, ValueError)
    assert result.stdout == ""
    assert shell.run("cat /a").stdout == "1\n"


def test_unanswered_in_time_is_deny() -> None:
    released = threading.Event()
    rules = keysh.Rules([{"command": "rm", "decision": "ask"}], ask_seconds=0.05)
    shell = shell_that_asks(lambda _: released.wait(30) and "allow", rules)
    result = shell.run("rm /a")
    released.set()
    assert result.code == 126
    assert "denied, since nobody answered in 0.05 s: rule 1" in result.stderr
    assert shell.run("cat /a").stdout == "1\n"


def test_cancelled_while_it_asks() -> None:
    cancel, released = keysh.Cancel(), threading.Event()

    def answer(_: object) -> str:
        cancel.cancel()
        released.wait(30)
        return "allow"

    shell = shell_that_asks(answer)
    result = shell.run("rm /a", cancel=cancel)
    released.set()
    assert result.limit is not None
    assert shell.run("cat /a").stdout == "1\n"


async def allow_later(request: keysh.AskRequest) -> str:
    await asyncio.sleep(0)
    return "allow" if "/a" in request.arguments else "deny"


def test_coroutine_function_under_arun() -> None:
    async def main() -> None:
        shell = keysh.Shell(files={"/a": "", "/b": ""}, rules=RULES, on_ask=allow_later)
        result = await shell.arun("rm /a; rm /b; ls /b")
        assert (result.stdout, result.code) == ("/b\n", 0)

    asyncio.run(main())


def test_coroutine_function_without_a_loop() -> None:
    shell = keysh.Shell(files={"/a": "", "/b": ""}, rules=RULES, on_ask=allow_later)
    assert shell.run("rm /a; rm /b; ls /b").stdout == "/b\n"


def test_coroutine_function_on_the_loop_that_waits_is_deny() -> None:
    async def main() -> int:
        shell = keysh.Shell(files={"/a": ""}, rules=RULES, on_ask=allow_later)
        return shell.run("rm /a").code

    assert asyncio.run(main()) == 126


def test_coroutine_unanswered_in_time_is_deny() -> None:
    async def never(_: keysh.AskRequest) -> str:
        await asyncio.sleep(60)
        return "allow"

    rules = keysh.Rules([{"command": "rm", "decision": "ask"}], ask_seconds=0.05)
    shell = keysh.Shell(files={"/a": ""}, rules=rules, on_ask=never)
    assert shell.run("rm /a").code == 126


def test_host_that_looks_at_files_is_not_asked_itself() -> None:
    shells: list[keysh.Shell] = []

    def answer(request: keysh.AskRequest) -> str:
        with shells[0].fs.open("/etc/log", "a") as log:
            log.write(f"{request}\n".encode())
        return "allow"

    shells.append(shell_that_asks(answer))
    assert shells[0].run("rm /a; cat /etc/log").stdout == "rm /a\n"


def test_rules_hold_in_forks_and_jobs() -> None:
    shell = keysh.Shell(files={"/a": "1\n"}, rules=RULES)
    assert shell.fork().run("rm /a & wait; (rm /a); cat /a").stdout == "1\n"


def test_script_that_the_host_runs_meanwhile_is_judged() -> None:
    shells: list[keysh.Shell] = []
    rules = keysh.Rules([{"paths": ["/keep"], "access": ["write"], "decision": "deny"}])

    def on_command(name: str, arguments: list[object], place: object) -> None:
        if name == "ls":
            seen.append(shells[0].run("echo x > /keep").code)
            with shells[0].fs.open("/free", "w") as file:
                file.write(b"host")
            with shells[0].fs.open("/keep", "a") as file:
                file.write(b"!")

    seen: list[int] = []
    shells.append(keysh.Shell(files={"/keep": "k"}, rules=rules, on_command=on_command))
    assert shells[0].run("ls > /dev/null; cat /keep; echo y > /keep").stdout == "k!"
    assert seen == [126]


# ---------------------------------------------------------------- on_command


def test_async_on_command() -> None:
    async def on_command(name: str, arguments: list[object], place: object) -> object:
        await asyncio.sleep(0)
        return "not now" if name == "rm" else None

    async def main() -> keysh.Result:
        return await keysh.Shell(files={"/a": ""}, on_command=on_command).arun("ls /a; rm /a")

    for result in (
        asyncio.run(main()),
        keysh.Shell(files={"/a": ""}, on_command=on_command).run("ls /a; rm /a"),
    ):
        assert (result.code, result.stdout) == (126, "/a\n")
        assert result.stderr == "keysh: line 1: rm: not now\n"


def test_on_command_with_action_sees_what_is_done() -> None:
    seen: list[tuple[object, ...]] = []

    def on_command(name: str, arguments: list[object], place: object, action: str) -> object:
        seen.append((action, name, *arguments))
        return not (action == "remove" and arguments == ["/d/keep"])

    shell = keysh.Shell(files={"/a": "", "/d/keep": "k"}, on_command=on_command)
    result = shell.run("cat /a > /b; rm -r /d; mv /a /c")
    assert seen == [
        ("command", "cat", "/a"), ("write", "write", "/b"), ("command", "rm", "-r", "/d"),
        ("remove", "remove", "/d/keep"), ("command", "mv", "/a", "/c"),
        ("remove", "remove", "/a"), ("write", "write", "/c"),
    ]  # fmt: skip
    assert result.stderr == "rm: /d/keep: refused by the host\n"
    assert shell.run("cat /d/keep").stdout == "k"


def test_on_command_without_action_sees_commands_only() -> None:
    seen: list[str] = []
    keysh.run("echo x > /a; rm /a", on_command=lambda name, *_: seen.append(name))
    assert seen == ["echo", "rm"]


@pytest.mark.parametrize(
    "options",
    [{"rules": "deny"}, {"rules": []}, {"on_ask": print}, {"rules": RULES, "on_ask": "deny"}],
)
def test_wrong_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(TypeError):
        keysh.Shell(**options)  # type: ignore[arg-type]


# ---------------------------------------------------------------- real programs


@pytest.fixture
def machine_shell(tmp_path: object) -> Callable[..., keysh.Shell]:
    def make(rules: keysh.Rules, **options: object) -> keysh.Shell:
        return keysh.Shell(
            keysh.LocalFS("/"), cwd=str(tmp_path), rules=rules, external=True,
            env={"PATH": "/usr/bin:/bin"}, dialect="bash", **options,  # type: ignore[arg-type]
        )  # fmt: skip

    return make


@pytest.mark.parametrize(
    "script",
    [
        "/usr/bin/env true",
        "/usr/bin/env -i true",
        "/usr/bin/env -u HOME A=1 true",
        "/usr/bin/env -S 'A=1 true x'",
        "/usr/bin/env --split-string='true x'",
        "/usr/bin/env --unset HOME true",
        "/usr/bin/env -- true",
        "/usr/bin/nice -n 1 true",
        "/usr/bin/nice --adjustment 1 true",
        "/usr/bin/nice --adjustment=1 true",
        "/bin/sh -c true",
        "/bin/sh -c 'echo x; true'",
        "/bin/sh -c 'x=1 exec true'",
        "/bin/sh -c 'f() { true; }; f'",
        "/bin/sh -c 'echo $(true)'",
        "/usr/bin/timeout 5 true",
        "/usr/bin/timeout -s KILL 5 true",
        "/usr/bin/timeout --signal KILL 5 true",
        "/usr/bin/timeout --signal=KILL 5 env true",
        "/usr/bin/env sh -c 'exec true'",
        "ln -s /usr/bin/true innocent; ./innocent",
        "/usr/bin/xargs true < /dev/null",
        "/usr/bin/xargs --max-args 1 true < /dev/null",
        "/usr/bin/find . -maxdepth 0 -exec true ';'",
        "/usr/bin/find . -maxdepth 0 -exec sh -c true ';'",
        "/usr/bin/nohup /usr/bin/true",
        "/usr/bin/env nice nohup timeout 5 true",
        "hash -p /usr/bin/true zz; zz",
        "ln -s /usr/bin innocent; innocent/true",
        "PATH=; /usr/bin/true",
        "echo x | /usr/bin/true",
        "/usr/bin/true | cat",
        "(/usr/bin/env true)",
        "exec /usr/bin/env true",
    ],
)
def test_real_wrappers_are_seen_through(
    machine_shell: Callable[..., keysh.Shell], script: str
) -> None:
    rules = keysh.Rules([{"command": "true", "decision": "deny"}])
    result = machine_shell(rules).run(script)
    assert result.code == 126 or "|" in script
    assert "denied by rule 1" in result.stderr


def test_arguments_of_wrapped_programs_are_no_commands(
    machine_shell: Callable[..., keysh.Shell],
) -> None:
    shell = machine_shell(keysh.Rules([{"command": "true", "decision": "deny"}]))
    for script in ("/usr/bin/env -i echo true", "/usr/bin/nice -n 1 echo true", "echo true"):
        assert shell.run(script).stdout == "true\n"


def test_real_program_is_asked_about_once(machine_shell: Callable[..., keysh.Shell]) -> None:
    asked: list[str] = []
    rules = keysh.Rules([{"command": "uname", "decision": "ask"}])
    shell = machine_shell(rules, on_ask=lambda request: asked.append(str(request)) or "allow")
    assert shell.run("/usr/bin/uname").code == 0
    assert asked == ["/usr/bin/uname"]


def test_policy_takes_rules() -> None:
    rules = keysh.Rules([
        {"command": "env", "arguments": ["--version"], "decision": "deny", "reason": "secret"},
        {"env": ["TOKEN", "*_KEY"], "decision": "deny"},
    ])  # fmt: skip
    shell = keysh.Shell(
        external=keysh.Policy(["env"], rules=rules),
        env={"PATH": "/usr/bin:/bin", "TOKEN": "t", "A_KEY": "k", "OTHER": "o"},
    )
    result = shell.run("/usr/bin/env --version")
    assert (result.code, "denied by rule 1 of rules: secret" in result.stderr) == (126, True)
    listed = shell.run("/usr/bin/env").stdout
    assert "OTHER=o" in listed
    assert "TOKEN" not in listed
    assert "A_KEY" not in listed


def test_copy_for_a_program_holds_nothing_denied() -> None:
    def run(path: str, access: str, script: str) -> tuple[keysh.Result, str]:
        rules = keysh.Rules([{"paths": [path], "access": [access], "decision": "deny"}])
        shell = keysh.Shell(
            files={"/p/kept": "a\n", "/p/free": "b\n"}, cwd="/p", dialect="bash", rules=rules,
            external=keysh.Policy(materialize=True), env={"PATH": "/usr/bin:/bin"},
        )  # fmt: skip
        result = shell.run(script)
        with shell.fs.open("/p/kept") as file:
            return result, file.read().decode()

    result, kept = run("/p/kept", "read", "/usr/bin/env sed p kept")
    assert (result.code, result.stdout, "denied by rule 1" in result.stderr) == (126, "", True)
    result, kept = run("/p/kept", "write", "/usr/bin/env sed -i s/a/x/ kept")
    assert (result.code, kept, "denied by rule 1" in result.stderr) == (126, "a\n", True)
    result, kept = run("/p/none", "write", "/usr/bin/env sed -i s/a/x/ kept")
    assert (result.code, kept) == (0, "x\n")


def test_session_with_rules_gives_no_terminal() -> None:
    from keysh.adapters.agent import KeyshSession
    from keysh.adapters.agent.task import UnsupportedRequest

    session = KeyshSession(fs=keysh.LocalFS("/"), external=keysh.Policy(confine="off"), rules=RULES)
    with pytest.raises(UnsupportedRequest):
        session.start("rm /none", pty=True)
    session.close()


def test_files_of_the_shell_are_judged_in_a_command_of_the_host_and_free_otherwise() -> None:
    rules = keysh.Rules([{"paths": ["/s"], "decision": "deny"}])

    def first_use(sh: keysh.Call) -> int:
        """Read a file by the shell, before the script has used any."""
        with shell.fs.open("/s") as stream:
            sh.out.write(stream.read(10).decode())
        return 0

    shell = keysh.Shell(files={"/s": "kept\n"}, rules=rules, commands=[first_use])
    result = shell.run("first_use")
    assert (result.code, result.stdout) == (126, "")
    assert "/s: denied by rule 1" in result.stderr
    with shell.fs.open("/s") as stream:
        assert stream.read(10) == b"kept\n"


@pytest.mark.parametrize("isolated", [False, True])
def test_what_no_rule_holds_of_programs_is_said(isolated: bool) -> None:
    path = {"PATH": "/usr/bin:/bin"}
    rules = keysh.Rules([{"paths": ["/x"], "decision": "deny"}])
    of_commands = keysh.Rules([{"command": "rm", "decision": "deny"}])
    with pytest.warns(RuntimeWarning, match="nothing confines programs") as caught:
        keysh.Shell(isolated=isolated, rules=rules, external=True).close()
    assert [one.filename for one in caught] == [__file__]
    for policy, is_free in ((keysh.Policy(), True), (keysh.Policy(confine="auto"), False)):
        with keysh.Shell(isolated=isolated, rules=rules, external=policy, env=path) as shell:
            facts = shell.run("/bin/true").unenforced
            assert any(fact.startswith("rules: ") for fact in facts) is is_free
    for free in ({}, {"rules": of_commands}):
        with keysh.Shell(isolated=isolated, external=True, env=path, **free) as shell:
            assert shell.run("/bin/true").unenforced == ()
