"""Turn the options of a run into the settings of a `Shell`: files, programs, variables, limits."""

from __future__ import annotations

import os
from functools import partial

from keysh.cli.console import UsageError, answer_at_terminal, complain
from keysh.interp.run.limits import Limits
from keysh.interp.variables.variable import EXPORTED
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.audit.audit import Audit
    from keysh.cli.command_line import CliOptions
    from keysh.process.policy import Policy
    from keysh.rules.ask_request import AskRequest
    from keysh.shell.history.journal import Journal
    from keysh.shell.shell import Shell
    from keysh.vfs.api import FileSystem

QUESTION = "allow it? [y]es, [a]lways, [N]o: "
ANSWERS = {"y": "allow", "yes": "allow", "a": "allow_always", "always": "allow_always"}
MAX_QUOTED_CHARACTERS = 60  # of a wrong argument, in a message
# In bash, too, the thousandth nested shell is level 1 again.
MAX_SHLVL_DIGITS, MAX_SHLVL = 3, 1000
# Commands of keysh that step back for the machine's program of that name where programs may run.
# curl knows the machine's certificates and proxies, sqlite3 locks files that others have open, and
# the others describe the machine, of which an embedded shell knows nothing.
MACHINE_PROGRAMS = (
    "arch", "curl", "getconf", "hostname", "id", "logname", "nproc", "ps", "sqlite3", "sync", "tty",
    "uname", "uptime", "users", "who", "whoami",
)  # fmt: skip


def shell_options(options: CliOptions) -> dict[str, Any]:
    """Return the keyword arguments of `Shell` that the options ask for."""
    files, cwd = files_and_cwd(options)
    external = allowed_programs(options)
    return rules_of(options, external) | {
        "fs": files, "cwd": cwd, "env": environment_of(options), "external": external,
        "limits": limits_of(options), "check": options.check,
        "network": external is True, "journal": journal_of(options), "audit": audit_of(options),
    }  # fmt: skip


def go_on_with(shell: Shell, options: CliOptions, args: Sequence[str], name: str) -> None:
    """Give a shell that goes on the arguments and variables of this command line."""
    state = shell.state
    if options.words:  # of a script, or behind the text of -c
        state.arguments = list(args)
        state.name = state.source_name = name
    for variable, value in variables_of(options).items():
        state.variables[variable], state.attributes[variable] = value, EXPORTED


def own_process(shell: Shell, options: CliOptions) -> None:
    """Make this process the shell's own, so that `$$` is its number, unless `/` is not real."""
    if not has_own_root(options):
        shell.state.session.own_pid = os.getpid()
        shell.state.variables["PPID"] = os.getppid()


def introduce_machine(shell: Shell, options: CliOptions, external: object) -> None:
    """Set UID, HOSTNAME, the umask and the machine's own programs for an unconfined shell."""
    if external is not True or not sees_machine(options):
        return
    state = shell.state
    shell.registry.disabled = machine_programs(text_of(state.variables.get("PATH", "")))
    if not state.has_set_umask:
        state.umask = process_umask()
    state.variables.update({
        "UID": os.getuid(), "EUID": os.geteuid(), "HOSTNAME": os.uname().nodename
    })  # fmt: skip


# ---------------------------------------------------------------- files


def files_and_cwd(
    options: CliOptions,
) -> tuple[Callable[[], dict[str, FileSystem]] | dict[str, FileSystem], str]:
    """Return the file systems, or a function that makes them, and the first directory."""
    try:
        cwd = os.getcwd()
    except FileNotFoundError as error:  # it has been removed
        raise FileNotFoundError(error.errno, error.strerror, ".") from None
    if sees_machine(options):
        return machine_mounts, cwd
    return mounts_of(options), "/" if has_own_root(options) else cwd


def has_own_root(options: CliOptions) -> bool:
    """Whether `/` is not the machine's."""
    return options.memory or options.sandbox is not None or options.store is not None


def sees_machine(options: CliOptions) -> bool:
    """Whether a script sees all files of the machine, and no others."""
    return not (has_own_root(options) or options.overlay or options.mount)


def machine_files() -> FileSystem:
    """Return the machine's file system."""
    from keysh.vfs.local.filesystem import LocalFS  # noqa: PLC0415 - some scripts need no file

    return LocalFS("/", allow_fifos=True, umask=process_umask())


def process_umask() -> int:
    """Return the umask of this process; called before a script runs."""
    mask = os.umask(0)  # setting it is the only way to read it
    os.umask(mask)
    return mask


def machine_mounts() -> dict[str, FileSystem]:
    """Return the machine's files, with its devices if it has any: /dev/tty, /dev/shm."""
    from keysh.vfs.synthetic.machine_dev import MachineDev  # noqa: PLC0415 - some scripts need no file

    mounts = {"/": machine_files()}
    return {**mounts, "/dev": MachineDev()} if os.path.isdir("/dev") else mounts


def mounts_of(options: CliOptions) -> dict[str, FileSystem]:
    """Return the file systems by mount point."""
    from keysh.vfs.local.filesystem import LocalFS  # noqa: PLC0415 - some scripts need no file

    if options.memory:
        from keysh.vfs.memory.filesystem import MemoryFS  # noqa: PLC0415 - few runs use it

        limits = limits_of(options)
        memory = MemoryFS(max_bytes=limits.file_bytes, max_files=limits.files)
        mounts: dict[str, FileSystem] = {"/": memory}
    elif options.store is not None:
        mounts = {}  # the root is in the store
    elif options.sandbox is not None:
        mounts = {"/": LocalFS(options.sandbox)}
    else:
        mounts = {"/": machine_files()} if options.overlay else machine_mounts()
    if options.overlay:
        from keysh.vfs.overlay.filesystem import OverlayFS  # noqa: PLC0415 - few runs have an overlay

        mounts["/"] = OverlayFS(mounts["/"])
    for text in options.mount:
        mount_point, equals, path = text.partition("=")
        if not equals or not mount_point.startswith("/"):
            raise UsageError(f"--mount needs V=R, but has {text}")
        is_read_only = path.endswith(":ro")
        shown = LocalFS(path.removesuffix(":ro"))
        mounts[mount_point] = read_only(shown) if is_read_only else shown
    return mounts


def read_only(fs: FileSystem) -> FileSystem:
    """Return a view of a file system that refuses changes."""
    from keysh.vfs.readonly import ReadOnlyFS  # noqa: PLC0415 - few runs use it

    return ReadOnlyFS(fs)


# ---------------------------------------------------------------- limits and variables


def limits_of(options: CliOptions) -> Limits:
    """Return the limits. A script that a person runs has none of its own."""
    limits = Limits.unlimited()
    limits.seconds = options.timeout
    set_limits(limits, options)
    return limits


def set_limits(limits: Limits, options: CliOptions) -> None:
    """Set the limits that `--limit` names."""
    for text in options.limit:
        kind, equals, number = text.partition("=")
        if not equals:
            raise UsageError(f"--limit needs KIND=NUM, but has {text[:MAX_QUOTED_CHARACTERS]}")
        if kind not in Limits.__slots__:
            kinds = ", ".join(sorted(Limits.__slots__))
            raise UsageError(
                f"--limit: no such kind: {kind[:MAX_QUOTED_CHARACTERS]}; one of {kinds}"
            )
        setattr(limits, kind, limit_value(kind, number))


def limit_value(kind: str, text: str) -> float | None:
    """Return the value of a limit; UsageError for a text that is none."""
    from keysh.text.shell_numbers import MAX_ID_DIGITS, is_digits  # noqa: PLC0415 - few runs set limits

    whole, point, part = text.partition(".")
    is_number = is_digits(whole + part) and bool(whole) and len(text) <= MAX_ID_DIGITS
    if text == "none" and kind != "depth":
        return None
    if kind == "seconds":
        if not is_number or not float(text) > 0:
            needs = "a number above 0, or none"
            raise UsageError(
                f"--limit: seconds needs {needs}, but has {text[:MAX_QUOTED_CHARACTERS]}"
            )
        return float(text)
    if not is_number or point:
        needs = "a whole number" if kind == "depth" else "a whole number or none"
        raise UsageError(
            f"--limit: {kind} needs {needs} of at most {MAX_ID_DIGITS} digits, "
            f"but has {text[:MAX_QUOTED_CHARACTERS]}"
        )
    return int(text)


def environment_of(options: CliOptions) -> dict[str, str]:
    """Return the environment of the shell."""
    if options.clear_env or options.memory or options.sandbox is not None:
        return kept_variables(options) | variables_of(options)
    environment = {**os.environ, "SHLVL": next_shell_level(os.environ.get("SHLVL", ""))}
    return environment | variables_of(options)


def kept_variables(options: CliOptions) -> dict[str, str]:
    """Return the variables of the host's environment that `--keep-env` names."""
    return {name: os.environ[name] for name in options.keep_env if name in os.environ}


def variables_of(options: CliOptions) -> dict[str, str]:
    """Return the variables of `--env`."""
    variables: dict[str, str] = {}
    for text in options.env:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(f"--env needs NAME=VALUE, but has {text[:MAX_QUOTED_CHARACTERS]}")
        variables[name] = value
    return variables


def next_shell_level(outer: str) -> str:
    """Return `$SHLVL` of a shell that runs inside one of level `outer`."""
    level = int(outer) + 1 if outer.isdecimal() and len(outer) <= MAX_SHLVL_DIGITS else 1
    return str(level if level < MAX_SHLVL else 1)


# ---------------------------------------------------------------- programs


def machine_programs(path: str) -> frozenset[str]:
    """Return the names in `MACHINE_PROGRAMS` that `$PATH` has a program for."""
    return frozenset(name for name in MACHINE_PROGRAMS if has_program(path, name))


def has_program(path: str, name: str) -> bool:
    """Whether a folder of `$PATH` has a program of this name."""
    files = [f"{folder}/{name}" for folder in path.split(":") if folder]
    return any(os.access(file, os.X_OK) and not os.path.isdir(file) for file in files)


def allowed_programs(options: CliOptions) -> object:
    """Return which programs may run: all, none, or those that a policy allows."""
    if not options.external or options.store is not None:
        return False
    if not options.allow:
        is_real = not options.memory and options.sandbox is None
        return policy_of(options) if is_real and options.confine else is_real
    if options.sandbox is not None and not can_hold_files():
        raise UsageError(
            "--sandbox: this kernel cannot hold programs to a directory, so --allow is refused; "
            "keysh doctor says more"
        )
    return policy_of(options)


def policy_of(options: CliOptions) -> Policy:
    """Return the policy that `--allow` and `--confine` ask for."""
    from keysh.process.policy import Policy  # noqa: PLC0415 - few runs have one

    return Policy(
        allow=options.allow or None,
        allow_writable=options.sandbox is None,
        confine=options.confine or ("auto" if has_own_root(options) else None),
    )


def can_hold_files() -> bool:
    """Whether the kernel can hold a program to some files."""
    from keysh.process.confine.landlock import kernel_abi  # noqa: PLC0415 - few runs have a sandbox

    return kernel_abi() > 0


def journal_of(options: CliOptions) -> Journal | None:
    """Return the journal that `--journal` asks for."""
    if options.journal is None:
        return None
    from keysh.cli.disk_journal import journal_at  # noqa: PLC0415 - few runs have one

    return journal_at(options.journal)


def rules_of(options: CliOptions, external: object) -> dict[str, Any]:
    """Return the options of a Shell that `--rules` asks for; say so if programs are free."""
    if options.rules is None:
        return {}
    from keysh.rules.rule_set import Rules  # noqa: PLC0415 - few runs have any

    rules = Rules.load(options.rules)
    if external is True and rules.judges_reach:
        from warnings import filterwarnings  # noqa: PLC0415 - as above

        from keysh.shell.host.host_options import FREE_PROGRAMS  # noqa: PLC0415 - as above

        if not options.plan:
            complain(f"keysh: {FREE_PROGRAMS}: write --confine=auto, or =off if that is wanted\n")
        filterwarnings("ignore", FREE_PROGRAMS, RuntimeWarning)
    return {"rules": rules, "on_ask": partial(ask_person, rules.ask_seconds)}


def ask_person(seconds: float, request: AskRequest) -> str:
    """Ask the person at the terminal what rules ask; without one the answer is no."""
    from keysh.diagnostics.display import visible  # noqa: PLC0415 - as above

    name, line, column = request.place
    place = f"{name}:{line}:{column}: " if line else ""
    about = visible(f"{place}{request} ({request.reason})")
    answer = answer_at_terminal(f"keysh: {about}\n{QUESTION}", seconds)
    return ANSWERS.get(answer.lower(), "deny")


def audit_of(options: CliOptions) -> Audit | None:
    """Return the audit that `--audit` asks for; a message says so if its file is damaged."""
    if options.audit is None or options.plan:
        return None
    from keysh.audit.audit import Audit  # noqa: PLC0415 - few runs have one

    audit = Audit(options.audit, head=options.audit_head, required=options.audit_required)
    if audit.damage:
        from keysh.diagnostics.display import visible  # noqa: PLC0415 - as above

        complain(f"keysh: {visible(options.audit)}: {audit.damage}\n")
    return audit
