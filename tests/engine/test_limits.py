"""Every limit has its status, kind, numbers and position, and the shell works afterwards."""

from __future__ import annotations

import pytest

from keysh import Limits, MemoryFS, Shell

# The limit, a script that exceeds it, and the expected result.
TRIPS = [
    (Limits(steps=5000), "echo kept\nwhile :; do :; done", 125, "steps", 5000, "keysh:2:1"),
    (Limits(steps=50), "f() { :; }\nfor i in {1..99}; do f; done", 125, "steps", 50, "keysh:2:1"),
    (Limits(seconds=0.5), "echo kept\nwhile :; do :; done", 124, "seconds", 0.5, "keysh:2:1"),
    (Limits(output=100), "echo kept\nwhile :; do echo hi; done", 3, "output", 100, "keysh:2:1"),
    (Limits(output=100), "echo kept\nyes", 3, "output", 100, "keysh:2:1"),
    (Limits(output=100), "echo kept\nyes | cat >&2", 3, "output", 100, "keysh:2:7"),
    (Limits(value=1000), "x=a\nwhile :; do x=$x$x; done", 125, "value", 1000, "keysh:2:13"),
    (Limits(value=1000), "x=a\nwhile :; do x+=aaa; done", 125, "value", 1000, "keysh:2:13"),
    (Limits(value=1000), "echo kept\nx=$(yes)", 125, "value", 1000, "keysh:2:5"),
    (Limits(depth=20), "echo kept\nf() { f; }; f", 125, "depth", 20, "keysh:2:7"),
    (Limits(globs=3), "echo kept\necho /f*", 125, "globs", 3, "keysh:2:1"),
    (Limits(braces=3), "echo kept\necho {1..1000000000}", 125, "braces", 3, "keysh:2:1"),
    (Limits(files=20), "echo kept\nfor i in {1..20}; do > $i; done", 125, "files", 20, "keysh:2:1"),
    (Limits(files=20), "echo kept\nmkdir -p /a/{1..20}", 125, "files", 20, "keysh:2:1"),
    (Limits(file_bytes=9999), "echo kept\nyes > f", 125, "file_bytes", 9999, "keysh:2:1"),
    (Limits(file_bytes=999), "echo kept\nyes | tee f | tail", 125, "file_bytes", 999, "keysh:2:15"),
    (Limits(jobs=2), "echo kept\nfor i in 1 2 3; do sleep 9 & done", 125, "jobs", 2, "keysh:2:1"),
]  # fmt: skip

# Places for a word; @ becomes one that exceeds a limit.
PLACES = [
    "echo @", "cat @", "for x in @; do :; done", "xs=(@)", "f() { echo @; }; f", "set -- @",
    "( echo @ )", "echo @ | cat", "cat @ | cat", "y=$(echo @)", "if echo @; then :; fi",
    "eval 'echo @'", "! echo @", "trap 'echo @' EXIT", "a=1 b=$(echo @)", "echo a | echo @",
    "case a in a) echo @;; esac", "while echo @; do :; done", "cat <(echo @) @",
]  # fmt: skip


@pytest.mark.parametrize(("limits", "script", "status", "kind", "allowed", "place"), TRIPS)
def test_limit_names_itself(
    limits: Limits, script: str, status: int, kind: str, allowed: float, place: str
) -> None:
    shell = Shell(limits=limits, files={f"/f{i}": "" for i in range(9)})
    result = shell.run(script)
    assert result.limit is not None
    assert (result.code, result.limit.kind, result.limit.allowed) == (status, kind, allowed)
    assert float(str(result.limit.used)) >= allowed
    assert result.limit.place == place
    assert result.truncated == (kind == "output")
    assert result.stderr.endswith(
        f"{kind}: {result.limit.used} used, {allowed} allowed at {place}\n"
    )
    assert result.stdout.startswith("kept\n") == ("echo kept" in script)
    again = shell.run('echo "${x:-}" again')
    assert (again.code, again.limit) == (0, None)
    assert again.stdout.endswith("again\n")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", ["value", "globs", "braces"])
def test_limit_applies_to_words_everywhere(kind: str, place: str) -> None:
    word = {"value": "$(yes)", "globs": "/f*", "braces": "{1..9}"}[kind]
    limits = {
        "value": Limits(value=1000), "globs": Limits(globs=3), "braces": Limits(braces=3),
    }[kind]  # fmt: skip
    shell = Shell(limits=limits, check=False, files={f"/f{i}": "" for i in range(9)})
    result = shell.run(place.replace("@", word))
    assert result.limit is not None
    assert (result.code, result.limit.kind) == (125, kind)
    assert result.limit.place
    assert shell.run("echo ok").stdout == "ok\n"


@pytest.mark.parametrize(
    "script",
    [
        'xs=(a); while :; do xs=("${xs[@]}" "${xs[@]}"); done',
        "xs=[a,]; while :; do xs=[...$xs ...$xs]; done",
        "xs=[]; while :; do xs=[$xs, $xs]; done",
        "xs={}; while :; do xs={a: $xs, b: $xs}; done",
        "xs=(); while :; do xs+=(a); done",
        'set -- a; while :; do set -- "$@" "$@"; done',
        'f() { f "$@" "$@"; }; f a',
        "x=$(seq 1000); echo ${x}{1..1000}",
        "x=aaaaaaaaaa; while :; do x=${x//a/$x}; done",
        'x=a; while :; do read x <<< "$x$x"; done',
        'x=a; while :; do printf -v x %s%s "$x" "$x"; done',
        "mapfile xs < <(yes)",
        "x=$(yes | tr -d '\\n')",
    ],
)
def test_growing_values_meet_the_value_limit(script: str) -> None:
    result = Shell(limits=Limits(value=100_000, steps=1_000_000), check=False).run(script)
    assert result.limit is not None
    assert result.limit.kind == "value"


@pytest.mark.parametrize(
    "script",
    [
        "yes | sort", "yes | tac", "yes | shuf", "yes | diff - /dev/null", "yes | tsort",
        "tail -n 999999999 <(yes)", "awk '{ a[NR] = $0 }' <(yes)",
        "sort /dev/zero", "sed s/a/b/ /dev/zero", "comm /dev/zero -", "join /dev/zero -",
        "grep x /dev/zero", "fold /dev/zero", "xargs < /dev/zero", "patch -i /dev/zero",
        "cut -c 1 /dev/zero",
    ],
)  # fmt: skip
def test_held_values_meet_the_memory_limit(script: str) -> None:
    result = Shell(limits=Limits(memory=32 << 20, value=None), check=False).run(script)
    assert result.limit is not None
    assert (result.code, result.limit.kind) == (125, "memory")


def test_output_is_counted_in_bytes_without_cutting_characters() -> None:
    result = Shell(limits=Limits(output=10)).run("printf 'éééééééé'")
    assert result.stdout == "ééééé"
    result = Shell(limits=Limits(output=9)).run("printf 'éééééééé'")
    assert result.stdout == "éééé"


def test_standard_error_counts_too() -> None:
    result = Shell(limits=Limits(output=10)).run("echo 12345; echo 67890 >&2; echo no")
    assert (result.code, result.stdout) == (3, "12345\n")
    assert result.stderr.startswith("6789keysh: limit reached: output")


def test_stopped_run_leaves_no_trap_local_or_loop() -> None:
    shell = Shell(limits=Limits(steps=2000))
    script = "f() { local x=1; for i in 1; do while :; do :; done; done; }; x=0; if f; then :; fi"
    assert shell.run(f"trap 'echo trapped' EXIT; {script}").code == 125
    assert shell.run('echo "$x"; set -e; false; echo no').stdout == "0\n"
    assert "only meaningful in a" in shell.run("set +e; eval break").stderr
    assert shell.run("eval 'local y=1'").code == 1


def test_limit_in_a_job_is_reported_and_spares_the_shell() -> None:
    result = Shell(limits=Limits(value=1000)).run("x=$(yes) & wait $!; echo $?")
    assert (result.stdout, result.limit) == ("125\n", None)
    assert "limit reached: value" in result.stderr


def test_jobs_of_a_stopped_run_end() -> None:
    with Shell(limits=Limits(steps=2000)) as shell:
        assert shell.run("sleep 1000 & while :; do :; done").code == 125
        assert shell.run("wait; echo ended").stdout == "ended\n"


def test_none_means_unlimited() -> None:
    limits = Limits(output=None, value=None, globs=None, braces=None, jobs=None)
    assert Shell(limits=limits).run("echo {1..3} $(seq 3) /d*").code == 0


def test_a_host_sees_a_full_disk() -> None:
    shell = Shell(limits=Limits(file_bytes=9))
    with shell.fs.open("/f", "w") as stream, pytest.raises(OSError, match="No space left"):
        stream.write(b"0123456789")
    result = shell.run("echo more > /f; cat /f; echo 012345678 > /f")
    assert (result.code, result.stdout) == (125, "more\n")


def test_a_file_system_of_the_host_has_its_own_quota() -> None:
    shell = Shell(MemoryFS(max_bytes=9), limits=Limits(file_bytes=4))
    result = shell.run("echo 123456 > f; cat f; echo 123456789 > f; echo $?")
    assert (result.stdout, result.limit) == ("123456\n1\n", None)
    assert "No space left on device" in result.stderr


@pytest.mark.parametrize("seconds", [1e9, float("inf"), 10**400])
def test_infinite_time_is_no_limit(seconds: float) -> None:
    shell = Shell(limits=Limits(seconds=seconds))
    assert shell.run("sleep 0.01; timeout 9 echo a", timeout=seconds).stdout == "a\n"
    result = Shell(limits=Limits(seconds=seconds)).run("while :; do :; done", timeout=0.05)
    assert result.limit is not None
    assert (result.limit.kind, result.limit.allowed) == ("seconds", 0.05)


@pytest.mark.parametrize("seconds", [0, 0.0, 1e-300])
def test_expired_time_ends_the_run(seconds: float) -> None:
    assert Shell().run("while :; do :; done", timeout=seconds).code == 124
