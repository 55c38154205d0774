"""The program that runs scripts: `keysh SCRIPT`, `keysh -c TEXT`, `keysh -s`.

By itself it is a shell as others are: it sees the machine's files, environment and programs.
`--sandbox`, `--memory` and `--no-external` take them away.
"""

from __future__ import annotations

import os
import sys
from errno import EBADF
from io import FileIO

from keysh.console import UsageError, complain, put, put_json
from keysh.diagnostics import visible
from keysh.runtime.descriptors import UNHEARD
from keysh.runtime.limits import Limits
from keysh.runtime.open_files import FileReader, FileWriter
from keysh.runtime.options import BITS, LETTERS
from keysh.runtime.signals import Gone
from keysh.shell import Shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.vfs.api import FileSystem

USAGE = """\
usage: keysh [OPTION…] SCRIPT [ARGUMENT…]
       keysh [OPTION…] -c TEXT [NAME [ARGUMENT…]]
       keysh [OPTION…] -s [ARGUMENT…]

-c TEXT              run a text
-s                   run what standard input holds
-e -u -x -n -v -f    options of the shell, as of `set`
-o NAME              turn on an option by its name, as `set -o` lists them
--memory             files are in memory, nothing of the machine is seen
--sandbox[=DIR]      files are those below DIR, or the current directory, and no program runs
--overlay            what is written stays in memory, is shown, and asked for at a terminal
--commit             with --overlay: write it when the script has succeeded, and ask nothing
--mount V=R[:ro]     show the directory R at V
--no-external        no program runs
--allow COMMAND      only these programs run
--audit FILE         append a line of JSON for each program: whether it may run, and how it ends
--timeout SECONDS    end the script after so long
--limit KIND=NUMBER  a limit: steps, seconds, output, unpacked, value, depth, globs, braces, jobs,
                     processes; files and file_bytes of --memory
--env NAME=VALUE     set a variable of the environment
--clear-env          begin with an empty environment
--json               print the result as one JSON object
--plan[=FORM]        print what the script would run, as json or tree, and run nothing
--no-check           run the script whatever the check says
--dialect NAME       the language of the script: keysh, there is no other
"""

FLAGS = (
    "--memory", "--overlay", "--commit", "--no-external", "--clear-env", "--json", "--no-check",
)  # fmt: skip
VALUED = ("--mount", "--allow", "--audit", "--timeout", "--limit", "--env", "--dialect")


WRONG = 2  # what is no script
LEVEL_DIGITS, MOST_LEVELS = 3, 1000  # of $SHLVL; as in bash the thousandth is the first again
MOST_UNPACKED = 1 << 40  # bytes: more than is meant, and less than a bomb may hold
# What keysh's own stand in for where no program may run. curl knows the machine's certificates and
# proxies, sqlite3 locks a file that others have open, and the others tell of the machine, of which
# a shell by itself knows nothing.
PROGRAMS_FIRST = (
    "arch", "curl", "getconf", "hostname", "id", "logname", "nproc", "ps", "sqlite3", "sync", "tty",
    "uname", "uptime", "users", "who", "whoami",
)  # fmt: skip

NOT_FOUND, NOT_ALLOWED = 127, 126  # a script that is not there, or cannot be read


class Wishes:
    """What the arguments ask for."""

    def __init__(self) -> None:
        self.text: str | None = None
        self.reads_input = False
        self.letters: list[str] = []
        self.flags: set[str] = set()
        self.values: list[tuple[str, str]] = []
        self.sandbox: str | None = None
        self.plan = ""
        self.operands: list[str] = []

    def all(self, option: str) -> list[str]:
        """The values of an option, as often as it was given."""
        return [value for name, value in self.values if name == option]


def wishes_of(arguments: Sequence[str]) -> Wishes:
    """Read the arguments up to the first operand; what follows is the script's."""
    made = Wishes()
    wants_text = False
    at = 0
    while at < len(arguments):
        argument = arguments[at]
        if argument == "--":
            at += 1
            break
        if argument[:1] not in ("-", "+") or argument == "-":
            break
        at += 1
        if argument.startswith("--"):
            at = long_option(made, arguments, at)
            continue
        for letter in argument[1:]:
            if letter == "c":
                wants_text = True
            elif letter == "s":
                made.reads_input = True
            elif letter == "o":
                if at >= len(arguments):
                    raise UsageError("-o needs the name of an option")
                made.letters.append(f"{argument[0]}o {arguments[at]}")
                at += 1
            elif letter in LETTERS or letter in "il":
                made.letters.append(argument[0] + letter)
            else:
                raise UsageError(f"no such option: -{letter}")
    made.operands = list(arguments[at:])
    if "--commit" in made.flags and "--overlay" not in made.flags:
        raise UsageError("--commit needs --overlay")
    if "--memory" in made.flags and made.sandbox is not None:
        raise UsageError("--memory or --sandbox: one of them")
    if wants_text:
        if not made.operands:
            raise UsageError("-c needs a text")
        made.text = made.operands.pop(0)
    return made


def long_option(made: Wishes, arguments: Sequence[str], at: int) -> int:
    """One option of two dashes; the place of the next argument."""
    name, equals, value = arguments[at - 1].partition("=")
    if name == "--sandbox":
        made.sandbox = value or "."
    elif name == "--plan":
        made.plan = value or "json"
        if made.plan not in ("json", "tree"):
            raise UsageError(f"--plan needs json or tree, but has {value}")
    elif name in FLAGS and not equals:
        made.flags.add(name)
    elif name in VALUED:
        if not equals:
            if at >= len(arguments):
                raise UsageError(f"{name} needs a value")
            value = arguments[at]
            at += 1
        made.values.append((name, value))
    else:
        raise UsageError(f"no such option: {name}")
    return at


# ---------------------------------------------------------------- the shell that is asked for


def files_of(
    wishes: Wishes,
) -> tuple[Callable[[], dict[str, FileSystem]] | dict[str, FileSystem], str]:
    """The file systems, and the directory to begin in."""
    try:
        here = os.getcwd()
    except FileNotFoundError as error:  # it has been removed
        raise FileNotFoundError(error.errno, error.strerror, ".") from None
    if sees_machine(wishes):
        return machine_mounts, here
    return mounts_of(wishes), "/" if is_apart(wishes) else here


def is_apart(wishes: Wishes) -> bool:
    """Whether the root is another one than the machine's."""
    return "--memory" in wishes.flags or wishes.sandbox is not None


def sees_machine(wishes: Wishes) -> bool:
    """Whether a script sees the files of the machine, and only those."""
    return not (is_apart(wishes) or "--overlay" in wishes.flags or wishes.all("--mount"))


def machine() -> FileSystem:
    """The files of the machine."""
    from keysh.vfs.local import LocalFS  # noqa: PLC0415 - some scripts need no file

    return LocalFS("/")


def machine_mounts() -> dict[str, FileSystem]:
    """The same, with its devices where it has any: /dev/tty, /dev/shm."""
    from keysh.vfs.machine_dev import MachineDev  # noqa: PLC0415 - as above

    mounts = {"/": machine()}
    return {**mounts, "/dev": MachineDev()} if os.path.isdir("/dev") else mounts


def mounts_of(wishes: Wishes) -> dict[str, FileSystem]:
    """The file systems, by where they are mounted."""
    from keysh.vfs.local import LocalFS  # noqa: PLC0415 - as above

    if "--memory" in wishes.flags:
        from keysh.vfs.memory import MemoryFS  # noqa: PLC0415 - only where it is asked for

        limits = limits_of(wishes)
        memory = MemoryFS(max_bytes=limits.file_bytes, max_files=limits.files)
        mounts: dict[str, FileSystem] = {"/": memory}
    elif wishes.sandbox is not None:
        mounts = {"/": LocalFS(wishes.sandbox)}
    else:
        mounts = {"/": machine()} if "--overlay" in wishes.flags else machine_mounts()
    if "--overlay" in wishes.flags:
        from keysh.vfs.overlay import OverlayFS  # noqa: PLC0415 - as above, and takes 4 ms

        mounts["/"] = OverlayFS(mounts["/"])
    for text in wishes.all("--mount"):
        place, equals, real = text.partition("=")
        if not equals or not place.startswith("/"):
            raise UsageError(f"--mount needs V=R, but has {text}")
        real, _, mode = real.rpartition(":") if real.endswith(":ro") else (real, "", "")
        mounts[place] = read_only(LocalFS(real)) if mode else LocalFS(real)
    return mounts


def read_only(fs: FileSystem) -> FileSystem:
    """A file system that cannot be written to."""
    from keysh.vfs.readonly import ReadOnlyFS  # noqa: PLC0415 - only where it is asked for

    return ReadOnlyFS(fs)


def limits_of(wishes: Wishes) -> Limits:
    """The limits; a program's output is written as it comes, so that nothing of it is held."""
    seconds = number(wishes, "--timeout")
    limits = Limits(output=None, unpacked=MOST_UNPACKED, seconds=seconds)
    for text in wishes.all("--limit"):
        kind, equals, count = text.partition("=")
        if not equals or kind not in Limits.__slots__ or not count.isdecimal():
            raise UsageError(f"--limit needs KIND=NUMBER, but has {text}")
        setattr(limits, kind, int(count))
    return limits


def number(wishes: Wishes, option: str) -> float | None:
    """The number above 0 that an option has."""
    given = wishes.all(option)
    if not given:
        return None
    try:
        found = float(given[-1])
    except ValueError:
        found = 0.0
    if not found > 0:  # nor is `nan`, which no moment is behind
        raise UsageError(f"{option} needs a number above 0, but has {given[-1]}")
    return found


def environment_of(wishes: Wishes) -> dict[str, str]:
    """The environment."""
    made: dict[str, str] = {}
    if "--clear-env" not in wishes.flags:
        made.update(os.environ)
        made["SHLVL"] = deeper_level(made.get("SHLVL", ""))
    for text in wishes.all("--env"):
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(f"--env needs NAME=VALUE, but has {text}")
        made[name] = value
    return made


def deeper_level(around: str) -> str:
    """`$SHLVL` of a shell in one of this level."""
    level = int(around) + 1 if around.isdecimal() and len(around) <= LEVEL_DIGITS else 1
    return str(level if level < MOST_LEVELS else 1)


def programs_of(path: str) -> frozenset[str]:
    """The programs that go before keysh's commands of their names, of those the machine has."""
    folders = [folder for folder in path.split(":") if folder]
    return frozenset(
        name
        for name in PROGRAMS_FIRST
        if any(os.access(f"{folder}/{name}", os.X_OK) for folder in folders)
    )


def external_of(wishes: Wishes) -> object:
    """Which programs may run."""
    if "--no-external" in wishes.flags or wishes.sandbox is not None:
        return False
    if "--memory" in wishes.flags and not wishes.all("--allow"):
        return False
    if allowed := wishes.all("--allow"):
        from keysh.process.policy import Policy  # noqa: PLC0415 - only where it is asked for

        return Policy(allow=allowed, allow_writable=True)
    return True


def options_of(wishes: Wishes) -> dict[str, Any]:
    """The options of `Shell` that the arguments ask for."""
    files, cwd = files_of(wishes)
    external = external_of(wishes)
    return {
        "fs": files, "cwd": cwd, "env": environment_of(wishes), "external": external,
        "limits": limits_of(wishes), "check": "--no-check" not in wishes.flags,
        "on_event": audit_of(wishes), "network": external is True,
    }  # fmt: skip


def introduce(shell: Shell, wishes: Wishes, options: dict[str, Any]) -> None:
    """Tell a shell that is to be as others are who runs it, on what machine and with what."""
    if options["external"] is not True or not sees_machine(wishes):
        return
    shell.registry.disabled = programs_of(options["env"].get("PATH", ""))
    mask = os.umask(0)  # which can only be read so
    os.umask(mask)
    shell.state.umask = mask
    shell.state.variables.update({
        "UID": os.getuid(), "EUID": os.geteuid(), "PPID": os.getppid(),
        "HOSTNAME": os.uname().nodename,
    })  # fmt: skip


def audit_of(wishes: Wishes) -> Callable[[dict[str, object]], None] | None:
    """What is told of each program."""
    given = wishes.all("--audit")
    if not given:
        return None
    from keysh.programs.audit import AuditFile  # noqa: PLC0415 - only where it is asked for

    return AuditFile(given[-1])


# ---------------------------------------------------------------- running


def run(arguments: Sequence[str]) -> int:
    """Run the script that the arguments mean; the status."""
    hold_streams()
    wishes = wishes_of(arguments)
    for dialect in wishes.all("--dialect"):
        if dialect != "keysh":
            raise UsageError(
                f"--dialect needs keysh, but has {dialect}; `keysh migrate` helps with sh"
            )
    is_prompt = asks_prompt(wishes)
    if is_prompt:
        secure_streams()
    try:
        text, name, rest = ("", "keysh", []) if is_prompt else script_of(wishes)
    except OSError as error:
        complain(f"keysh: {visible(error.filename or wishes.operands[0])}: {error.strerror}\n")
        return NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_ALLOWED
    options = options_of(wishes)
    shell = Shell(**options, args=rest, name=name)
    introduce(shell, wishes, options)
    if wishes.plan:
        return plan(shell, text, wishes.plan)
    switch_options(shell, wishes)
    if is_prompt:
        from keysh.repl import prompt  # noqa: PLC0415 - scripts need none

        status = prompt(shell)
    elif "--json" in wishes.flags:
        result = shell.run(text, stdin=None if sys.stdin is None else sys.stdin.buffer)
        put_json(result.record())
        status = result.code
    else:
        err = UNHEARD if sys.stderr is None else standard(2)
        shell.attach(FileReader(opened(0, "rb")), standard(1), err)
        status = shell.run(text).code
    shell.close()
    if "--overlay" in wishes.flags:
        from keysh.keeping import keep  # noqa: PLC0415 - only where it is asked for
        from keysh.vfs.overlay import OverlayFS  # noqa: PLC0415 - it is loaded, and has a type

        overlay = shell.fs.mounts["/"]
        assert isinstance(overlay, OverlayFS)
        status = keep(overlay, "--commit" in wishes.flags, status)
    return status


def asks_prompt(wishes: Wishes) -> bool:
    """Whether a person is to write what runs: there is no script, and the input is a terminal."""
    is_script = wishes.text is not None or wishes.reads_input or wishes.operands
    is_printed = "--json" in wishes.flags or wishes.plan
    return not is_script and not is_printed and sys.stdin is not None and sys.stdin.isatty()


def hold_streams() -> None:
    """See that what is opened later does not take the number of a stream that is closed.

    Who reads or writes there is told EBADF all the same: it is open for the other one.
    """
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_RDONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)  # the least number that is free


def secure_streams() -> None:
    """See that a person has where to write and is answered."""
    if sys.stdout is None:
        raise OSError(EBADF, os.strerror(EBADF))
    if sys.stderr is None:
        os.dup2(1, 2)


def opened(number: int, mode: str) -> FileIO:
    """One of the three open files of the program, unbuffered."""
    return FileIO(number, mode, closefd=False)


def standard(number: int) -> FileWriter:
    """Where the program writes: at once, all of it; when nobody reads any more it ends."""
    writer = FileWriter(opened(number, "wb"))

    def put(text: str) -> None:
        data = text.encode("utf-8", "surrogateescape")
        try:
            while data:
                data = data[os.write(number, data) :]
        except BrokenPipeError:
            raise Gone from None

    writer.put = put
    return writer


def script_of(wishes: Wishes) -> tuple[str, str, list[str]]:
    """The text to run, `$0`, and the arguments."""
    operands = wishes.operands
    if wishes.text is not None:
        name, *rest = operands or ["keysh"]
        return wishes.text, name, rest
    if wishes.reads_input or not operands or operands[0] == "-":
        rest = operands if wishes.reads_input else operands[1:]
        data = sys.stdin.buffer.read() if sys.stdin is not None else b""
        return data.decode("utf-8", "surrogateescape"), "keysh", rest
    name, *rest = operands
    with open(name, "rb") as file:
        return file.read().decode("utf-8", "surrogateescape"), name, rest


def switch_options(shell: Shell, wishes: Wishes) -> None:
    """Turn on what `-e` and `-o NAME` ask for."""
    for written in wishes.letters:
        sign, letter, _, option = written[0], written[1], *written[2:].partition(" ")[1:]
        name = option or LETTERS.get(letter, "")
        if letter == "o" and name not in BITS:
            raise UsageError(f"no such option: -o {visible(name)}")
        if name in BITS:
            shell.switch(name, sign == "-")


def plan(shell: Shell, text: str, form: str) -> int:
    """Print what a script would run."""
    from keysh.errors import ScriptError  # noqa: PLC0415 - only where it is asked for

    try:
        made = shell.plan(text)
    except ScriptError as error:
        complain("".join(f"{diagnostic}\n" for diagnostic in error.diagnostics))
        return WRONG
    if form == "tree":
        put("".join(f"{line}\n" for line in str(made).splitlines()))
        return 0
    put_json(made.record())
    return 0
