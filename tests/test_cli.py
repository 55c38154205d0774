"""The program: subcommands, statuses and streams, in this process and as a real one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from keysh.cli.main import SUBCOMMANDS, main
from keysh.diagnostics.diagnostic import CODES

RIGHT = "if true; then\n    echo\nfi\n"
UGLY = "if true;then echo;fi\n"
WRONG = "echo )\n"
UNREAD = "/proc/self/mem"  # reading its first page fails
FIXED = "/proc/sys/fs/file-nr"  # not in canonical form, and not writable
SAID = "wrong.ksh:1:6: E105 no `(` is open: `)`\n"

Keysh = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a directory with a few scripts and enter it."""
    for name, text in {"right": RIGHT, "ugly": UGLY, "wrong": WRONG, "empty": ""}.items():
        (tmp_path / f"{name}.ksh").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def keysh(capfd: pytest.CaptureFixture[str]) -> Keysh:
    """Run the program in this process; return its status, output and errors."""

    def run(*argv: str) -> tuple[int, str, str]:
        status = main(list(argv))
        out, err = capfd.readouterr()
        return status, out, err

    return run


def process(
    *argv: str, env: dict[str, str] | None = None, **options: object
) -> subprocess.CompletedProcess[bytes]:
    """Run the program as a process."""
    return subprocess.run(
        [sys.executable, "-m", "keysh", *argv],
        env={**os.environ, **(env or {})},
        check=False,
        **{"capture_output": True, **options},  # type: ignore[call-overload]
    )


# ---------------------------------------------------------------- arguments


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help(option: str, keysh: Keysh) -> None:
    status, out, err = keysh(option)
    assert (status, err) == (0, "")
    assert out.startswith("Usage: keysh [OPTION]... SCRIPT")
    assert all(f"\n{name} " in out and f"keysh {name} " in out for name in SUBCOMMANDS)


@pytest.mark.parametrize("name", [*SUBCOMMANDS, "run"])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_of_a_subcommand(name: str, option: str, keysh: Keysh) -> None:
    status, out, err = keysh(name, option)
    assert (status, err) == (0, "")
    assert out.startswith(f"Usage: keysh {name} ")


@pytest.mark.parametrize(
    ("line", "flags"),
    [("-eu", "eu"), ("+e -x", "x"), ("-e +e", ""), ("-o errexit", "e"), ("-e +o errexit", "")],
)
def test_letters_of_set_are_options(line: str, flags: str, keysh: Keysh) -> None:
    _, out, _ = keysh(*line.split(), "-c", "set +x; echo $-")
    assert set(out.strip()) & set("eux") == set(flags) - {"x"}


def test_version(keysh: Keysh) -> None:
    status, out, err = keysh("--version")
    assert (status, err) == (0, "")
    assert out.startswith("keysh 0.")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("--nothing", "unrecognized option '--nothing'"),
        ("-Z", "invalid option -- 'Z'"),
        ("-c", "-c needs a text"),
        ("-o", "option requires an argument -- 'o'"),
        ("-o nothing", "no such option: -o nothing"),
        ("--memory --sandbox -c ls", "--memory and --sandbox exclude each other"),
        ("run --timeout x right.ksh", "timeout must be a number, but is 'x'"),
        ("--timeout=nan right.ksh", "timeout must be a number, but is 'nan'"),
        ("--timeout=-1 right.ksh", "--timeout needs a number above 0, but has -1"),
        ("--env =x right.ksh", "--env needs NAME=VALUE, but has =x"),
        ("--plan=xml right.ksh", "plan must be one of json, tree, but is 'xml'"),
        ("check", "check: missing operand"),
        ("check --wrong right.ksh", "check: unrecognized option '--wrong'"),
        ("check -w right.ksh", "check: invalid option -- 'w'"),
        ("fmt", "fmt: missing operand"),
        ("fmt --json right.ksh", "fmt: unrecognized option '--json'"),
        ("fmt --check -w right.ksh", "fmt: --check and -w exclude each other"),
        ("fmt -w -", "fmt: standard input cannot be written back"),
        ("ast", "ast: missing operand"),
        ("ast right.ksh ugly.ksh", "ast: extra operand 'ugly.ksh'"),
        ("complete", "complete: a text is needed, or --shell alone"),
        ("complete --json --shell fish", "complete: a text is needed, or --shell alone"),
        ("complete --shell x", "complete: shell must be one of bash, fish, zsh, but is 'x'"),
        ("explain", "explain: missing operand"),
        ("explain E101 E102", "explain: extra operand 'E102'"),
        ("explain E999", "explain: no such code: E999"),
        ("explain ../E101", "explain: no such code: ../E101"),
    ],
)
def test_wrong_arguments(line: str, problem: str, keysh: Keysh) -> None:
    subcommand = line.split()[0] if line.split()[0] in SUBCOMMANDS else "run"
    hint = f"try `keysh {subcommand} --help`"
    assert keysh(*line.split()) == (2, "", f"keysh: {problem}\n{hint}\n")


@pytest.mark.skipif(not os.path.exists(UNREAD), reason="no file that opens and cannot be read")
@pytest.mark.parametrize("argv", [[], ["ast"], ["check"], ["fmt"], ["migrate"]])
def test_a_file_that_opens_and_cannot_be_read(argv: list[str], keysh: Keysh) -> None:
    message = f"keysh: {UNREAD}: Input/output error\n"
    assert keysh(*argv, UNREAD) == (1 if argv else 126, "", message)


def test_everything_after_two_dashes_is_a_file(keysh: Keysh, scripts: Path) -> None:
    (scripts / "--json").write_text(RIGHT)
    assert keysh("check", "--", "--json") == (0, "", "")
    assert keysh("check", "--", "--help")[0] == 1


# ---------------------------------------------------------------- check


@pytest.mark.parametrize("name", ["right.ksh", "ugly.ksh", "empty.ksh"])
def test_correct_script_passes_silently(name: str, keysh: Keysh) -> None:
    assert keysh("check", name) == (0, "", "")


def test_errors_of_a_script_are_explained(keysh: Keysh) -> None:
    status, out, err = keysh("check", "right.ksh", "wrong.ksh")
    assert (status, out) == (2, "")
    assert err == SAID + "  echo )\n       ^\nfix: take it out, or quote it: `')'`\n"


def test_check_as_json(keysh: Keysh) -> None:
    status, out, err = keysh("check", "--json", "wrong.ksh", "right.ksh")
    assert (status, err) == (2, "")
    assert json.loads(out) == [
        {
            "code": "E105", "severity": "error", "file": "wrong.ksh", "line": 1, "column": 6,
            "end_line": 1, "end_column": 7, "fact": "no `(` is open", "datum": "`)`",
            "fix": "take it out, or quote it: `')'`",
        }
    ]  # fmt: skip
    assert keysh("check", "right.ksh", "--json") == (0, "[]\n", "")


def test_check_knows_commands(keysh: Keysh, scripts: Path) -> None:
    (scripts / "unknown.ksh").write_text("frobnicate\n")
    status, out, err = keysh("check", "unknown.ksh")
    assert (status, out) == (2, "")
    assert err.startswith("unknown.ksh:1:1: E301 unknown command: `frobnicate`\n")


def test_check_knows_programs_on_the_path(
    keysh: Keysh, scripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (scripts / "unknown.ksh").write_text("frobnicate\n")
    (scripts / "bin").mkdir()
    (scripts / "bin" / "frobnicate").write_text("#!/bin/sh\n")
    monkeypatch.setenv("PATH", str(scripts / "bin"))
    assert keysh("check", "unknown.ksh")[0] == 2  # it cannot be executed
    (scripts / "bin" / "frobnicate").chmod(0o755)
    assert keysh("check", "unknown.ksh") == (0, "", "")
    (scripts / "bin" / "frobnicate").rename(scripts / "bin" / "frobnicate.ksh")
    assert keysh("check", "unknown.ksh") == (0, "", "")
    assert "E301" in keysh("check", "--embedded", "unknown.ksh")[2]


@pytest.mark.parametrize(
    ("name", "first_line", "is_bash"),
    [
        ("a.sh", "", True), ("a.bash", "", True), ("a.ksh", "", False), ("a", "", False),
        ("a", "#!/bin/sh", True), ("a.sh", "#!/usr/bin/env keysh", False),
        ("a.ksh", "# keysh: dialect bash", True), ("a.sh", "# keysh: dialect keysh", False),
    ],
)  # fmt: skip
def test_script_is_judged_in_its_dialect(
    name: str, first_line: str, is_bash: bool, keysh: Keysh, scripts: Path
) -> None:
    (scripts / name).write_text(
        f'{first_line}\nx="a b"\nfor y in $x; do select z in 1; do :; done\ndone\n'
    )
    assert keysh("check", name)[0] == (0 if is_bash else 2)
    assert keysh("check", "--dialect", "bash", name) == (0, "", "")
    assert keysh("check", "--dialect", "keysh", name)[0] == 2
    assert keysh("fmt", name)[0] == (0 if is_bash else 2)
    assert keysh("ast", name)[0] == (0 if is_bash else 2)
    assert keysh("ast", "--dialect=bash", name)[0] == 0


def test_bash_fails_later(keysh: Keysh, scripts: Path) -> None:
    """What bash finds out only as it runs is a warning, and nothing of it is said in a run."""
    script = "frobnicate\nbreak\nlocal x=1\nreturn\ntrue\n"
    (scripts / "later.sh").write_text(script)
    (scripts / "later.ksh").write_text(script)
    for name, status in (("later.sh", 0), ("later.ksh", 2)):
        told_status, _, err = keysh("check", name)
        assert told_status == status
        assert [line.split()[1] for line in err.splitlines() if line.startswith(name)] == [
            "E301", "E306", "E306", "E306"
        ]  # fmt: skip
    done = process("later.sh")
    assert done.returncode == 0
    assert b"E30" not in done.stderr


@pytest.mark.parametrize("name", ["lib.sh", "lib.ksh"])
def test_file_that_may_be_sourced(name: str, keysh: Keysh, scripts: Path) -> None:
    (scripts / name).write_text("(return 3 2>/dev/null); echo $?\nfalse\nreturn $?\n")
    status, _, err = keysh("check", name)
    assert status == 0
    assert err.startswith(f"{name}:3:1: E306 ")
    assert err.count("E306") == 1
    done = process("-c", f". ./{name}; echo $?")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"3\n1\n", b"")
    done = process(name)
    assert done.stdout == b"2\n"


def test_strict_check_of_a_bash_script(keysh: Keysh, scripts: Path) -> None:
    (scripts / "loose.sh").write_text('cp $1 "$2"\nfor x in $1; do echo $# "$x"; done\n')
    (scripts / "loose.ksh").write_text("cp $1 $2\n")
    assert keysh("check", "loose.sh") == keysh("check", "--strict", "loose.ksh") == (0, "", "")
    status, _, err = keysh("check", "--strict", "loose.sh")
    assert status == 0
    assert err == (
        "loose.sh:1:4: W304 this is split at blanks, and matched with files\n"
        '  cp $1 "$2"\n     ^^\nfix: write `"$1"`\n'
    )


def test_check_only_warns(keysh: Keysh, scripts: Path) -> None:
    (scripts / "warned.ksh").write_text("echo $nmae\n")
    status, out, err = keysh("check", "warned.ksh")
    assert (status, out) == (0, "")
    assert err.startswith("warned.ksh:1:6: W301 ")
    assert json.loads(keysh("check", "--json", "warned.ksh")[1])[0]["severity"] == "warning"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("none.ksh", "No such file or directory"), (".", "Is a directory"),
     ("wrong.ksh/x", "Not a directory")],
)  # fmt: skip
@pytest.mark.parametrize("command", ["check", "fmt", "ast"])
def test_unreadable_file_is_reported(command: str, name: str, reason: str, keysh: Keysh) -> None:
    assert keysh(command, name) == (1, "", f"keysh: {name}: {reason}\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_file_without_read_permission_is_reported(keysh: Keysh, scripts: Path) -> None:
    (scripts / "right.ksh").chmod(0)
    assert keysh("check", "right.ksh") == (1, "", "keysh: right.ksh: Permission denied\n")


def test_files_after_an_unreadable_one_are_checked(keysh: Keysh) -> None:
    status, out, err = keysh("check", "none.ksh", "wrong.ksh")
    assert (status, out) == (2, "")
    assert err.startswith("keysh: none.ksh: No such file or directory\n" + SAID)
    assert keysh("check", "none.ksh", "right.ksh")[0] == 1


def test_bytes_that_are_not_utf_8(keysh: Keysh, scripts: Path) -> None:
    (scripts / "latin.ksh").write_bytes(b"echo caf\xe9\n")
    status, out, err = keysh("check", "latin.ksh")
    assert (status, out) == (2, "")
    assert err.startswith(
        "latin.ksh:1:9: E114 not UTF-8: `\\xe9`\n  echo caf\\xe9\n          ^^^^\n"
    )
    assert json.loads(keysh("check", "--json", "latin.ksh")[1])[0]["datum"] == "`\\xe9`"


def test_program_options_are_not_checked(
    keysh: Keysh, scripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (scripts / "list.ksh").write_text("ps --info\n")
    monkeypatch.setenv("PATH", "/nowhere")
    assert "E302" in keysh("check", "list.ksh")[2]
    (scripts / "ps").write_text("#!/bin/sh\n")
    (scripts / "ps").chmod(0o755)
    monkeypatch.setenv("PATH", str(scripts))
    assert keysh("check", "list.ksh") == (0, "", "")


# ---------------------------------------------------------------- migrate

BASH_SCRIPT = '#!/bin/bash\nlist="a b"\nls $list $1\nseq 3 | read n; echo "$n"\n'


def test_migrate_ranks_the_places(keysh: Keysh, scripts: Path) -> None:
    (scripts / "old.sh").write_text(BASH_SCRIPT)
    status, out, err = keysh("migrate", "old.sh")
    assert (status, err) == (0, "")
    first, *lines = out.splitlines()
    assert first == "old.sh: as it is, this file runs in the bash dialect"
    assert [line.partition(":")[0] for line in lines if line.startswith(("ce", "li", "st"))] == [
        "certain, 2", "style, 1"
    ]  # fmt: skip
    records = json.loads(keysh("migrate", "--json", "old.sh")[1])
    assert [(one["code"], one["rank"]) for one in records] == [
        ("E310", "certain"), ("W306", "certain"), ("W304", "style")
    ]  # fmt: skip


def test_migrate_of_a_script_that_means_the_same(keysh: Keysh) -> None:
    said = (
        "right.ksh: with `# keysh: dialect bash` above it, this file runs in the bash dialect\n"
        "right.ksh: in keysh's own language it does the same\n"
    )
    assert keysh("migrate", "right.ksh") == (0, said, "")


def test_migrate_writes_what_is_certain(keysh: Keysh, scripts: Path) -> None:
    file = scripts / "old.sh"
    file.write_bytes(BASH_SCRIPT.encode() + b"echo 'caf\xc3\xa9'\n")
    file.chmod(0o751)
    (scripts / "link.sh").symlink_to("old.sh")
    status, out, err = keysh("migrate", "-w", "link.sh")
    assert (status, err) == (0, "keysh: migrate: link.sh: 2 places written\n")
    assert "certain" not in out
    assert file.read_text() == (
        '#!/bin/bash\nlist="a b"\nls $(words $list) $1\nseq 3 | ( read n ); echo "$n"\n'
        "echo 'café'\n"
    )
    assert (scripts / "link.sh").is_symlink()
    assert file.stat().st_mode & 0o777 == 0o751
    assert sorted(path.name for path in scripts.glob("*.sh*")) == ["link.sh", "old.sh"]
    assert keysh("migrate", "-w", "link.sh")[2] == ""


def test_migrate_cannot_write(keysh: Keysh) -> None:
    assert keysh("migrate", "-w", "-")[0] == 2
    assert keysh("migrate", "-w", "none.sh") == (
        1, "", "keysh: none.sh: No such file or directory\n"
    )  # fmt: skip


# ---------------------------------------------------------------- fmt, ast, explain


def test_formatted_script_is_printed(keysh: Keysh) -> None:
    assert keysh("fmt", "ugly.ksh", "right.ksh") == (0, RIGHT + RIGHT, "")


def test_fmt_lists_unformatted_files(keysh: Keysh) -> None:
    assert keysh("fmt", "--check", "ugly.ksh", "right.ksh", "empty.ksh") == (1, "ugly.ksh\n", "")
    assert keysh("fmt", "--check", "right.ksh") == (0, "", "")


def test_fmt_shows_the_difference(keysh: Keysh, scripts: Path) -> None:
    (scripts / "cut.ksh").write_text("echo  a")
    status, out, err = keysh("fmt", "--diff", "cut.ksh", "right.ksh")
    assert (status, err) == (1, "")
    assert out.split("\n") == [
        "--- cut.ksh",
        "+++ cut.ksh (formatted)",
        "@@ -1 +1 @@",
        "-echo  a",
        "\\ No newline at end of file",
        "+echo a",
        "",
    ]


def test_fmt_writes_only_files_that_differ(keysh: Keysh, scripts: Path) -> None:
    before = (scripts / "right.ksh").stat().st_mtime_ns
    assert keysh("fmt", "-w", "ugly.ksh", "right.ksh") == (0, "", "")
    assert (scripts / "ugly.ksh").read_text() == RIGHT
    assert (scripts / "right.ksh").stat().st_mtime_ns == before


@pytest.mark.skipif(not os.path.exists(FIXED), reason="no file that even root cannot write")
def test_fmt_continues_after_an_unwritable_file(keysh: Keysh, scripts: Path) -> None:
    status, out, err = keysh("fmt", "-w", FIXED, "ugly.ksh")
    assert (status, out, err) == (1, "", f"keysh: {FIXED}: Permission denied\n")
    assert (scripts / "ugly.ksh").read_text() == RIGHT


def test_fmt_does_not_change_an_invalid_script(keysh: Keysh, scripts: Path) -> None:
    status, out, err = keysh("fmt", "-w", "wrong.ksh", "ugly.ksh")
    assert (status, out) == (2, "")
    assert err.startswith(SAID)
    assert (scripts / "wrong.ksh").read_text() == WRONG
    assert (scripts / "ugly.ksh").read_text() == RIGHT


def test_ast_prints_the_tree(keysh: Keysh) -> None:
    status, out, err = keysh("ast", "right.ksh")
    assert (status, err) == (0, "")
    assert out.startswith("Script\n")
    status, out, err = keysh("ast", "--json", "right.ksh")
    assert (status, err) == (0, "")
    assert json.loads(out)["type"] == "Script"
    status, out, err = keysh("ast", "wrong.ksh")
    assert (status, out) == (2, "")
    assert err.startswith(SAID)


@pytest.mark.parametrize("code", sorted(CODES))
def test_explain_prints_the_page_of_each_code(code: str, keysh: Keysh) -> None:
    for spelled in (code, code.lower()):
        status, out, err = keysh("explain", spelled)
        assert (status, err) == (0, "")
        assert out.startswith(f"# {code} {CODES[code]}\n")


# ---------------------------------------------------------------- complete, --man


def test_completion_at_the_end_of_a_text(keysh: Keysh) -> None:
    assert keysh("complete", "echo a; cat righ") == (0, "right.ksh\n", "")
    status, out, err = keysh("complete", "head --line")
    assert (status, err) == (0, "")
    assert out.startswith("--lines - ")
    assert keysh("complete", "# nothing in a comm") == (0, "", "")


def test_completion_as_json(keysh: Keysh) -> None:
    status, out, err = keysh("complete", "--json", "cat ugl")
    assert (status, err) == (0, "")
    assert json.loads(out) == [{"text": "ugly.ksh", "start": 4, "kind": "file", "help": ""}]


def test_manual_page_is_printed(keysh: Keysh) -> None:
    status, out, err = keysh("--man")
    assert (status, err) == (0, "")
    assert out.startswith(".TH KEYSH 1 ")


# ---------------------------------------------------------------- as a process


def test_script_sees_its_user_and_directory(scripts: Path) -> None:
    (scripts / "id").write_text("#!/bin/sh\necho the machine knows\n")
    (scripts / "id").chmod(0o755)
    script = "id; echo $UID $EUID $PPID $HOSTNAME"
    done = process("-c", script, env={"PATH": str(scripts)})
    machine = os.uname().nodename
    reported = f"the machine knows\n{os.getuid()} {os.geteuid()} {os.getpid()} {machine}\n"
    assert (done.stdout.decode(), done.stderr) == (reported, b"")
    inner = "bash -c 'echo $UID $EUID $HOSTNAME; ((PPID == '$$'))'"
    done = process("-c", inner)
    assert (done.stdout.decode(), done.returncode) == (
        f"{os.getuid()} {os.geteuid()} {machine}\n",
        0,
    )
    machine_env = {"PATH": str(scripts), "USER": "amy", "HOME": "/home/amy"}
    done = process(
        "--memory", "--keep-env", "USER", "-c", f"{script}; echo [$HOME]", env=machine_env
    )
    assert done.stdout.startswith(b"uid=1000(amy)")
    assert done.stdout.endswith(b"\n1000 1000 1 localhost\n[]\n")


def test_limits_apply_to_files_in_memory() -> None:
    done = process("--memory", "--limit", "files=2", "-c", "touch /a /b /c")
    assert (done.returncode, done.stderr) == (
        1, b"touch: cannot touch '/c': No space left on device\n"
    )  # fmt: skip


def test_process_reads_standard_input() -> None:
    done = process("check", "-", input=b"echo a\necho )\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"<stdin>:2:6: E105 ")
    assert process("fmt", "-", input=UGLY.encode()).stdout == RIGHT.encode()


def test_process_with_an_empty_input() -> None:
    done = process("ast", "-", input=b"")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"Script\n", b"")


@pytest.mark.parametrize("argv", [["ast", "long.ksh"], ["fmt", "long.ksh"], ["explain", "E101"]])
def test_reader_closes_the_pipe(argv: list[str], scripts: Path) -> None:
    (scripts / "long.ksh").write_text("echo a b c d\n" * 20_000)
    reader, writer = os.pipe()
    os.close(reader)
    done = process(*argv, capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    ("command", "status", "stderr"),
    [
        ("ast right.ksh >&-", 1, "keysh: standard output: Bad file descriptor\n"),
        ("check right.ksh >&-", 0, ""),
        ("check wrong.ksh 2>&-", 2, ""),
        ("check - <&-", 1, "keysh: -: Bad file descriptor\n"),
        ("nope 2>&-", 127, ""),
        ("--plan -c ls >&-", 1, "keysh: standard output: Bad file descriptor\n"),
        ("--json -c ls >&-", 1, "keysh: standard output: Bad file descriptor\n"),
        ("-c 'echo a' >&-", 1, "keysh: line 1: echo: write error: Bad file descriptor\n"),
        ("-c cat <&-", 1, "cat: -: Bad file descriptor\n"),
    ],
)
def test_closed_stream(command: str, status: int, stderr: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m keysh {command}', sys.executable],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (status, "", stderr)


@pytest.mark.parametrize("closed", ["<&-", "2>&-", "<&- 2>&-"])
@pytest.mark.parametrize("program", ['"$0" -m keysh', "bash"])
def test_script_runs_without_unneeded_streams(program: str, closed: str) -> None:
    script = "ls /nowhere; echo $?; env true; for n in 1 2; do echo $n; done | cat; exec 3<.; pwd"
    done = subprocess.run(
        ["sh", "-c", f"{program} -c '{script}' {closed} | cat", sys.executable],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == f"2\n1\n2\n{os.getcwd()}\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "argv", [["--help"], ["ast", "right.ksh"], ["check", "--json", "right.ksh"]]
)
def test_full_output_device(argv: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = process(*argv, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr == b"keysh: standard output: No space left on device\n"


# The locale only decides which characters a terminal can show.
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_locale_does_not_change_a_script(scripts: Path) -> None:
    text = "echo  é日 '\U0001f600'\n"
    (scripts / "wide.ksh").write_bytes(text.encode())
    formatted = text.replace("  ", " ").encode()
    assert process("fmt", "wide.ksh", env=ASCII).stdout == formatted
    assert process("fmt", "-w", "wide.ksh", env=ASCII).returncode == 0
    assert (scripts / "wide.ksh").read_bytes() == formatted


def test_messages_are_escaped_for_the_terminal_encoding(scripts: Path) -> None:
    (scripts / "wide.ksh").write_bytes("echo é ${u.x}\n".encode())
    done = process("check", "wide.ksh", env=ASCII)
    assert done.returncode == 2
    assert done.stderr.startswith(b"wide.ksh:1:11: E110 a record cannot be read with a dot: `.x`\n")
    assert rb"echo \xe9 ${u.x}" in done.stderr


def test_file_name_that_is_not_utf_8(scripts: Path) -> None:
    name = b"a\xff.ksh"
    (Path(os.fsdecode(bytes(scripts) + b"/" + name))).write_text(WRONG)
    done = process("check", os.fsdecode(name))
    assert done.returncode == 2
    assert done.stderr.startswith(rb"a\xff.ksh:1:6: E105 ")
