"""hash - look up commands, or forget where programs were found."""

from __future__ import annotations

from keysh.interp.builtin_operations.all_meanings import FILE, meanings
from keysh.interp.engine.command_lookup import hashed_files, hashes_files
from keysh.interp.run.options import HASHALL
from keysh.interp.state.hashed_files import HashedFile
from keysh.interp.state.state_of_call import state_of
from keysh.interp.variables.hash_order import bash_order
from keysh.schema.declare import Refusals, command
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

HASH_BUCKETS = 256  # of bash's table


@command(refusals=Refusals(usage_status=2))
def hash_(
    sh: Call,
    *names: str,
    delete: bool = False,
    list: bool = False,
    path: str | None = None,
    reset: bool = False,
    table: bool = False,
) -> None:
    """Remember where commands are found, or forget it.

    Without names list what is remembered: in the bash dialect the scripts and
    programs that have been run. A file in an earlier directory of $PATH is seen
    after `hash -r`, or after a change of $PATH.

    names ...        the commands
    -d, --delete     forget the commands
    -l, --list       list in the form of commands
    -p, --path FILE  remember FILE as the location of the commands
    -r, --reset      forget all locations
    -t, --table      print the locations of the commands
    """
    state = state_of(sh)
    if not state.flags & HASHALL:
        raise sh.fail("hashing disabled")
    files = hashed_files(state)
    if reset:
        files.clear()
        state.session.tools_on_path = None
        forget_programs(state)
    if table and not names:
        raise sh.fail("-t: option requires an argument")
    if not names and not reset and path is None:
        sh.out.write(listed_files(files, list))
    for name in names:
        if table:
            location = hashed_path(state, name)
            if location:
                sh.out.write(f"{name}\t{location}\n" if len(names) > 1 else f"{location}\n")
        elif delete:
            location = hashed_path(state, name)
            forget_programs(state, name)
            files.pop(name, None)
        elif path is not None:
            if is_directory(state, path):
                raise sh.fail(f"{path}: Is a directory")
            location = path
            files[name] = HashedFile(path)
        else:
            location = remembered_path(state, name)
        if not location:
            sh.warn(f"{name}: not found")


def forget_programs(state: State, name: str | None = None) -> None:
    """Forget where a program was found, or where all were."""
    programs = state.session.programs
    if programs is not None:
        programs.forget(name)


def listed_files(files: Mapping[str, HashedFile], as_commands: bool) -> str:
    """Return the list of all hashed files, in bash's order."""
    ordered = bash_order([*files], HASH_BUCKETS)
    if as_commands:
        return "".join(f"builtin hash -p {files[name].path} {name}\n" for name in ordered)
    if not files:
        return "hash: hash table empty\n"
    lines = [f"{files[name].hits:4}\t{files[name].path}\n" for name in ordered]
    return "".join(["hits\tcommand\n", *lines])


def hashed_path(state: State, name: str) -> str:
    """Return the location of a command: in the bash dialect only one that is remembered."""
    if hashes_files(state):
        hashed = hashed_files(state).get(name)
        if hashed is None:
            return ""
        hashed.hits += 1  # to bash a question is a use
        return hashed.path
    return next((path or name for _, path in meanings(state, name)), "")


def remembered_path(state: State, name: str) -> str:
    """Look up a command and remember its location; return "" if there is none."""
    forget_programs(state, name)
    files = hashed_files(state)
    files.pop(name, None)
    kind, path = next(meanings(state, name), ("", ""))
    if kind == FILE and hashes_files(state) and "/" not in name:
        files[name] = HashedFile(path)
    return kind or ("/" in name and name) or ""


def is_directory(state: State, path: str) -> bool:
    """Whether a path leads to a directory."""
    stat = state.fs.stat_or_none(join(state.cwd, path))
    return stat is not None and stat.is_directory
