"""What a model is told about its session: made from what the shell may do, never by hand.

A paragraph for each door of the shell: the language, the commands, programs, the network, files,
limits; and for each group of tools that is there.
"""

from __future__ import annotations

from keysh import LocalFS, MemoryFS, OverlayFS, Policy, ReadOnlyFS, SqliteFS
from keysh.adapters.agent.bash import BashTool
from keysh.adapters.agent.keysh_session import MAX_COMMAND_SECONDS, KeyshSession
from keysh.adapters.agent.outputs import OUTPUT_DIRECTORY
from keysh.adapters.agent.prompt.command_families import family_summaries
from keysh.interp.run.limits import NEVER_SECONDS
from keysh.tools.result import RESULT_DIRECTORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from keysh import FileSystem, Limits
    from keysh.adapters.agent.bash_session import BashSession
    from keysh.adapters.agent.guard import Guard
    from keysh.adapters.agent.shells import ShellManager
    from keysh.shell.registry import CommandRegistry

# What each of these mounts is the model need not know: devices, commands as files, outputs.
UNLISTED_MOUNTS = ("/dev", "/bin", "/usr/bin", "/v/jobs", OUTPUT_DIRECTORY, RESULT_DIRECTORY)
MISSED_PROGRAMS = ("python3", "git", "npm", "make", "gcc")
MAX_LISTED_MOUNTS, MAX_LISTED_NAMES = 8, 30
LANGUAGES = {
    "bash": "Bash runs commands in keysh, an embedded shell, in its dialect of bash: what is "
    "written for bash and GNU tools runs as it does there.",
    "keysh": "Bash runs commands in keysh, an embedded shell with a language of its own: like that "
    "of sh, but a variable is one word, values may be lists and records, and a mistake is refused "
    "before anything runs, with its fix.",
}
REAL_BASH = (
    "Bash runs commands in the real bash, with the files, the programs and the network of the "
    "machine, as far as its user may use them."
)


def system_prompt(
    manager: ShellManager, guard: Guard, tools: Collection[str], *, moves_to_background: bool
) -> str:
    """Return what a model should know about a session, by the names of the tools that it has."""
    session, max_shown = manager.session, manager.outputs.max_shown
    lasting = state_line(session.cwd, tools)
    lines = session_lines(session, guard, lasting, usual_time(BashTool.MAX_TIMEOUT // 1000))
    more = tool_lines(session, tools, max_shown, moves_to_background)
    return listed_lines([*lines, *more])


def sandbox_prompt(session: KeyshSession | BashSession, guard: Guard, bash_name: str) -> str:
    """Return the same for the tools of a framework, whose one for commands has this name."""
    lasting, time = state_line(session.cwd, ()), usual_time(MAX_COMMAND_SECONDS)
    return renamed_lines(session_lines(session, guard, lasting, time), bash_name)


def workspace_prompt(
    session: KeyshSession | BashSession, guard: Guard, bash_name: str, directory: str, time: str
) -> str:
    """Return the same where each command has a shell of its own, and a parameter with its time."""
    fresh = f"Each command begins in {directory}, in a shell of its own: only files last."
    lines = session_lines(session, guard, fresh, lambda most: f"what {time} says, up to {most:g} s")
    return renamed_lines(lines, bash_name)


def renamed_lines(lines: Iterator[str], bash_name: str) -> str:
    """Return lines as a list, of which the first has the name of the tool for commands."""
    return listed_lines([next(lines).replace("Bash", bash_name, 1), *lines])


def usual_time(longest: float) -> Callable[[float], str]:
    """Return what says how long a command may take, by the seconds of the session's limits."""

    def text(most: float) -> str:
        usual = min(BashTool.DEFAULT_TIMEOUT // 1000, most)
        return f"{usual:g} s (timeout sets up to {min(longest, most):g} s)"

    return text


def listed_lines(lines: Iterable[str]) -> str:
    """Return lines as a list."""
    return "\n".join(f"- {line}" for line in lines)


def session_lines(
    session: KeyshSession | BashSession, guard: Guard, state: str, time: Callable[[float], str]
) -> Iterator[str]:
    """Yield what a command may do; `state` says what lasts, `time` how long a command may take."""
    if isinstance(session, KeyshSession):
        doors = session.doors
        yield LANGUAGES[session.dialect or "keysh"]
        yield f"{state} exit ends only its own command."
        yield from command_lines(session.registry)
        yield programs_line(doors.external, session.registry.names())
        yield network_line(doors.network, has_programs=bool(doors.external))
        yield files_line(session.fs.mounts)
        yield limits_line(session.limits, time)
    else:
        yield REAL_BASH
        yield state
    if guard.has_rules or (isinstance(session, KeyshSession) and session.doors.asks_host):
        yield "The host judges what commands do, and may refuse it; the message says why."
    if guard.directories:
        yield f"Commands and files stay within {listed_names(guard.directories)}."
    if guard.asks:
        yield "Somebody is asked before a command runs that is not known to only read."


def tool_lines(
    session: KeyshSession | BashSession, tools: Collection[str], max_shown: int,
    moves_to_background: bool,
) -> Iterator[str]:  # fmt: skip
    """Yield how the tools help."""
    yield output_line(tools, max_shown, can_command_read=isinstance(session, KeyshSession))
    if isinstance(session, KeyshSession):
        yield (
            "The standard output of each command is kept: `$(result)` is that of the last one, "
            f"`$(result N)` that of number N, as in the file {RESULT_DIRECTORY}/N."
        )
    if "BashOutput" in tools:
        line = (
            "run_in_background starts a long command and returns its id; BashOutput reads what it "
            "has printed since, BashInput writes to it, KillShell ends it."
        )
        moved = " A command that takes long continues in the background."
        yield line + (moved if moves_to_background else "")
    if "Undo" in tools:
        yield (
            "Each result lists what the command changed. Undo takes back what the last commands "
            "changed, Redo repeats it."
        )
    if "Snapshot" in tools:
        yield "Snapshot keeps the session under a name, and Restore returns to it."


def state_line(cwd: str, tools: Collection[str]) -> str:
    """Say what lasts."""
    until = ", until Reset" if "Reset" in tools else ""
    return (
        f"The directory is {cwd}. It, variables and functions last from one command to the "
        f"next{until}."
    )


def command_lines(registry: CommandRegistry) -> Iterator[str]:
    """Say which commands there are; those of the host by name, since no model knows them."""
    names = registry.names()
    own = sorted(registry.plugins.keys() & names)
    known = names - {*own}
    yield (
        f"{len(known)} commands are built in: {', '.join(family_summaries(known))}. `compgen -c` "
        "lists all, and `help NAME` explains one. For a name that is mistyped the message has the "
        "nearest one."
    )
    if own:
        yield f"Commands of this host: {listed_names(own)}. `help NAME` explains one."


def programs_line(external: object, names: Collection[str]) -> str:
    """Say which programs of the machine run."""
    if not external:
        missing = " and ".join([name for name in MISSED_PROGRAMS if name not in names][:2])
        return f"This is a sandbox: no other programs run, so {missing} are missing."
    if isinstance(external, Policy):
        if external.allowed_names is not None:
            allowed = listed_names(external.allowed_names) or "none"
            return f"Of the programs of the machine these run: {allowed}."
        return "Programs of the machine on $PATH run too, except those that are denied."
    return "Programs of the machine on $PATH run too."


def network_line(network: object, *, has_programs: bool) -> str:
    """Say what curl reaches."""
    programs = "; what programs reach is for the machine to decide" if has_programs else ""
    if not network:
        return f"The network is closed: curl reaches no host{programs}."
    if network is True:
        return f"The network is open: curl reaches every host{programs}."
    if getattr(network, "rules", None) is not None:
        return f"curl reaches the hosts that rules allow{programs}."
    hosts, methods = listed_names(network.hosts), ", ".join(network.methods)  # type: ignore[attr-defined]
    return f"curl reaches these hosts: {hosts or 'none'} ({methods}){programs}."


def files_line(mounts: Mapping[str, FileSystem]) -> str:
    """Say where files are, and which can be written."""
    listed = [point for point in mounts if point not in UNLISTED_MOUNTS]
    parts = [f"{point} {file_system_text(mounts[point])}" for point in listed[:MAX_LISTED_MOUNTS]]
    more = len(listed) - len(parts)
    return f"Files: {'; '.join(parts)}{f'; {more} more places' if more else ''}."


def file_system_text(fs: FileSystem) -> str:
    """Describe a file system in a few words, without paths of the machine."""
    if isinstance(fs, ReadOnlyFS):
        return f"({origin_text(fs.inner)}, read-only)"
    if isinstance(fs, OverlayFS):
        return f"({origin_text(fs.lower)}; changes stay in the session)"
    if isinstance(fs, LocalFS) and fs.is_read_only:
        return f"({origin_text(fs)}, read-only)"
    is_ours = type(fs) in (LocalFS, MemoryFS, SqliteFS)
    return f"({origin_text(fs)}{', writable' if is_ours else ''})"


def origin_text(fs: FileSystem) -> str:
    """Say where the files of a file system are kept."""
    if isinstance(fs, ReadOnlyFS):
        return origin_text(fs.inner)
    if isinstance(fs, OverlayFS):
        return origin_text(fs.lower)
    if isinstance(fs, LocalFS):
        return "files of the machine"
    return "in memory" if isinstance(fs, MemoryFS) else "files of the host"


def limits_line(limits: Limits, time: Callable[[float], str]) -> str:
    """Say what ends a command."""
    ends = [time(NEVER_SECONDS if limits.seconds is None else limits.seconds)]
    for amount, unit in (
        (limits.steps, "steps"),
        (limits.memory, "bytes of memory"),
        (limits.output, "bytes of output"),
    ):
        if amount is not None:
            ends.append(f"{amount:,} {unit}")
    line = f"A command ends at the first of these limits: {', '.join(ends)}."
    if limits.file_bytes is not None:
        line += f" Files in memory hold {limits.file_bytes:,} bytes at most."
    return line


def output_line(tools: Collection[str], max_shown: int, *, can_command_read: bool) -> str:
    """Say how to read what was cut."""
    readers = ["Read"] if "Read" in tools else []
    readers += ["sed -n", "grep"] if can_command_read else []
    return (
        f"Output over {max_shown:,} characters is cut in the middle; the whole is in a "
        f"file below {OUTPUT_DIRECTORY}, which the result names: read parts of it with "
        f"{' or '.join(readers)}."
    )


def listed_names(names: Collection[str]) -> str:
    """Return names as a list, with the number of those that are too many."""
    first = ", ".join([*names][:MAX_LISTED_NAMES])
    more = len(names) - MAX_LISTED_NAMES
    return f"{first} and {more} more" if more > 0 else first
