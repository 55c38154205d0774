"""The options of `Shell` and of its runs, as types for hosts that pass them on.

def checked(text: str, **options: Unpack[keysh.RunOptions]) -> str:
    return shell.run(text, **options).check().stdout
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from os import PathLike
    from typing import Any, Literal

    from keysh.audit.audit import Audit
    from keysh.interp.run.cancel import Cancel
    from keysh.interp.run.limits import Limits
    from keysh.interp.run.network import Network
    from keysh.process.policy import Policy
    from keysh.rules.rule_set import Rules
    from keysh.shell.history.journal import Journal
    from keysh.shell.host.host_files import Contents, Files
    from keysh.shell.host.host_stdin import Stdin
    from keysh.shell.permissions.host_permissions import OnAsk, OnCommand
    from keysh.shell.run_options import OnEvent, OnOutput, OnProgress, OnRecord


class StreamOptions(TypedDict, total=False):
    """The options of `Shell.stream`.

    stdin    what the script reads: text, bytes, an open file, or an iterator of pieces of either
    env      variables for this run, beside those of the shell
    cwd      the directory for this run
    timeout  after how many seconds the run ends, with status 124
    dialect  "keysh" or "bash"; without it the shell's holds, or what the text declares
    """

    stdin: Stdin
    env: Mapping[str, str] | None
    cwd: str | None
    timeout: float | None
    dialect: str | None


class AsyncRunOptions(StreamOptions, total=False):
    """The options of `Shell.arun`: those of `stream`, and one more.

    on_output  a function that is called with "stdout" or "stderr" and each piece of output
    """

    on_output: OnOutput | None


class RunOptions(AsyncRunOptions, total=False):
    """The options of `Shell.run` and `Shell.start`: those of `arun`, and one more.

    cancel  a `Cancel`, with which another thread can end the run; its status is then 130
    """

    cancel: Cancel | None


class ShellOptions(TypedDict, total=False):
    """The options of `Shell`.

    fs           a file system, several by their mount points, or a function that returns either
    files        files in memory by their paths: text, bytes, or a function that returns them
    cwd          the directory that scripts begin in
    env          the exported variables; without them the environment is empty
    args         the positional parameters, `$1` and so on
    name         what scripts are called in messages, and `$0`
    external     whether real programs may run: False, True, or a `Policy` that says which
    limits       what a run may use, and what the shell may keep
    commands     functions that are commands of the shell
    check        whether scripts are checked before they run, or the severity of each code
    dialect      "keysh" or "bash" for all scripts; without it each text says its own
    on_command   a function that is asked before each command
    rules        what scripts may run, read, write and reach
    on_ask       a function that is asked where a rule says "ask"
    clock        the time that scripts see: seconds since 1970, or a function that returns them
    random       the seed of the random numbers that scripts see
    on_event     a function that is told what happens, or `Events`
    network      what may be reached: True for all, or a `Network`
    journal      whether runs can be taken back: True, or a `Journal`
    store        the SQLite file that the shell lives in: all is stored after each run, and a later
                 shell of this store goes on there; `files`, `cwd`, `env`, `args` and `name` are for
                 a new one
    isolated     whether scripts run in a worker process: True, or a `Pool`
    audit        an `Audit`, or a function that gets its records
    mapper       what runs the items of `scatter`: an executor, or a client of Dask
    on_progress  a function that is told how far commands are
    tools        servers of MCP, services and functions whose tools are commands
    """

    fs: Files | Callable[[], Files]
    files: Mapping[str, Contents] | None
    cwd: str
    env: Mapping[str, str] | None
    args: Sequence[object]
    name: str | None
    external: bool | Policy
    limits: Limits | None
    commands: Iterable[Callable[..., Any]]
    check: bool | Mapping[str, str]
    dialect: str | None
    on_command: OnCommand | None
    rules: Rules | None
    on_ask: OnAsk | None
    clock: Callable[[], float] | float | None
    random: int | None
    on_event: OnEvent | None
    network: Network | bool | None
    journal: Journal | bool | None
    store: str | PathLike[str] | None
    isolated: object
    audit: Audit | OnRecord | None
    mapper: Any
    on_progress: OnProgress | None
    tools: Any


class ScriptOptions(ShellOptions, total=False):
    """The options of `keysh.run`: those of `Shell`, and those of one run that it has not.

    stdin      what the script reads
    timeout    after how many seconds the run ends, with status 124
    cancel     a `Cancel`, with which another thread can end the run
    on_output  a function that is called with "stdout" or "stderr" and each piece of output
    """

    stdin: Stdin
    timeout: float | None
    cancel: Cancel | None
    on_output: OnOutput | None


class MapOptions(TypedDict, total=False):
    """The options of `Shell.map` and `Shell.amap`, which are those of `scatter`.

    workers  how many items run at once
    timeout  after how many milliseconds an item ends
    retries  how often an item that has failed is tried again
    halt     whether the first failure ends the rest: "never", "soon" or "now"
    order    whether rows come in the order of the "items" or as they are "done"
    log      the path of a file that each row is written to
    resume   whether items that the log has as done are skipped
    dry_run  whether the commands are listed only
    seed     of the random numbers of all items
    engine   "threads", "processes" or "dask"
    on       the address of a scheduler of Dask
    shared   mount points that the workers see at the same paths
    return_  a glob: files that match it and that items have written come back
    """

    workers: int | None
    timeout: float | None
    retries: int
    halt: Literal["never", "soon", "now"]
    order: Literal["items", "done"]
    log: str | None
    resume: bool
    dry_run: bool
    seed: int | None
    engine: str | None
    on: str | None
    shared: Sequence[str] | None
    return_: str | None


for public in (
    StreamOptions, AsyncRunOptions, RunOptions, ShellOptions, ScriptOptions, MapOptions,
):  # fmt: skip
    public.__module__ = "keysh"
