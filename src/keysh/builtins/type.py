"""type - describe command names."""

from __future__ import annotations

from keysh.interp.builtin_operations.all_meanings import (
    FILE,
    FILES,
    FUNCTION,
    HASHED,
    any_file_on_path,
    first_meaning,
    meaning_text,
    meanings,
)
from keysh.interp.state.state_of_call import state_of
from keysh.interp.variables.declare_output import function_text
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State


@command(refusals=Refusals(usage_status=2))
def type_(
    sh: Call,
    *names: str,
    all: bool = False,
    no_functions: bool = False,
    path: bool = False,
    any_path: bool = False,
    type: bool = False,
) -> None:
    """Describe what names mean as commands: alias, function, builtin or file.

    names ...           the names
    -a, --all           print all meanings, not only the first
    -f, --no-functions  ignore functions
    -p, --path          print the path if the command is a file, else nothing
    -P, --any-path      print the path of a file with that name in any case
    -t, --type          print alias, keyword, function, builtin or file only
    """
    state = state_of(sh)
    for name in names:
        entries = entries_of(state, name, all, not no_functions, any_path)
        if not entries:
            if not (path or any_path or type):
                sh.complain(f"type: {name}: not found")
            sh.status = 1
        for kind, detail in entries:
            if type:
                sh.out.write(f"{FILE if kind == HASHED else kind}\n")
            elif path or any_path:
                sh.out.write(f"{detail}\n" if kind in FILES else "")
            else:
                sh.out.write(meaning_line(state, name, kind, detail))


def entries_of(
    state: State, name: str, has_all: bool, with_functions: bool, only_files: bool
) -> list[tuple[str, str]]:
    """Return the meanings of a name that are to be described."""
    if not has_all and not only_files:
        first = first_meaning(state, name, with_functions=with_functions)
        return [] if first is None else [first]
    entries = [one for one in meanings(state, name) if one[0] != FUNCTION or with_functions]
    if only_files:
        entries = [one for one in entries if one[0] == FILE]
    if has_all:
        return entries
    return entries[:1] or list(any_file_on_path(state, name))


def meaning_line(state: State, name: str, kind: str, detail: str) -> str:
    """Describe a meaning; a function is followed by its source."""
    line = f"{meaning_text(name, kind, detail)}\n"
    return line + function_text(state.functions[name]) if kind == FUNCTION else line
