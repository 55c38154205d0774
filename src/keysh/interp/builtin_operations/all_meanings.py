"""All meanings of a command name, in lookup order, for `type`, `which`, `command -v` and `hash`."""

from __future__ import annotations

from keysh.interp.engine.command_lookup import command_named, hashed_files
from keysh.interp.run.options import is_option_on
from keysh.interp.state.tool_file import PROGRAM_DIRECTORIES
from keysh.values import text_of
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.state import State

KEYWORDS = (
    "if", "then", "else", "elif", "fi", "case", "esac", "for", "while", "until", "do", "done",
    "in", "function", "time", "{", "}", "!", "[[", "]]",
)  # fmt: skip
ALIAS, KEYWORD, FUNCTION, BUILTIN, FILE = "alias", "keyword", "function", "builtin", "file"
HASHED = "hashed"  # a file whose path `hash` has
FILES = (FILE, HASHED)


def meanings(state: State, name: str) -> Iterator[tuple[str, str]]:
    """Yield each meaning of a name: its kind, and the path of a file or the text of an alias."""
    alias = state.aliases.get(name)
    if alias is not None and is_option_on(state.flags, "expand_aliases", state.dialect):
        yield ALIAS, alias
    if name in KEYWORDS:
        yield KEYWORD, ""
    if name in state.functions:
        yield FUNCTION, ""
    files = executable_files(state, name)
    registry = state.session.registry
    if command_named(state, name) is not None:
        first = next(files, None)
        if first is None or not registry.is_program(name):
            yield BUILTIN, ""
        if first is not None:
            yield FILE, first
    for path in files:
        yield FILE, path


def first_meaning(
    state: State, name: str, *, with_functions: bool = True
) -> tuple[str, str] | None:
    """Return what a name means: in the bash dialect the hashed file, if it means a file."""
    for kind, detail in meanings(state, name):
        if kind == FUNCTION and not with_functions:
            continue
        if kind == FILE:
            break
        return kind, detail
    else:
        kind, detail = "", ""
    hashed = hashed_files(state).get(name) if state.hashed_files is not None else None
    if hashed is not None:
        hashed.hits += 1  # to bash a question is a use
        return HASHED, hashed.path
    return (kind, detail) if kind else next(any_file_on_path(state, name), None)


def executable_files(state: State, name: str) -> Iterator[str]:
    """Yield the paths of the scripts and programs with this name; a name with a slash is a path."""
    if "/" in name:
        if is_executable(state, join(state.cwd, name)):
            yield name
        return
    seen = set()
    path_text = text_of(state.variables.get("PATH"))
    folders = path_text.split(":") if path_text else []
    follows_path = state.dialect.finds_tools_on_path and "PATH" in state.variables
    if name in state.session.registry.file_names() and not follows_path:
        # A tool runs whatever `$PATH` is, and beside real programs before another file of its name.
        usual = [folder for folder in folders if folder in PROGRAM_DIRECTORIES]
        if state.session.has_programs:
            folders = [*(usual or PROGRAM_DIRECTORIES), *folders]
        elif not usual:
            folders += PROGRAM_DIRECTORIES
    for folder in folders:
        for file in (f"{name}.ksh", name):
            path = join(folder or ".", file)
            if path not in seen and is_executable(state, join(state.cwd, path)):
                seen.add(path)
                yield path
    programs = state.session.programs
    program = None if programs is None else programs.find(state, name)
    if program is not None and program not in seen:
        yield program


def any_file_on_path(state: State, name: str) -> Iterator[tuple[str, str]]:
    """Yield the first file on `$PATH`, executable or not, which `type` shows as a last resort."""
    for folder in text_of(state.variables.get("PATH")).split(":") if "/" not in name else ():
        path = join(folder or ".", name)
        try:
            stat = state.fs.stat(join(state.cwd, path), follow=True)
        except OSError:
            continue
        if not stat.is_directory:
            yield FILE, path
            return


def is_executable(state: State, path: str) -> bool:
    """Whether a file is executable."""
    stat = state.fs.stat_or_none(path)
    return stat is not None and not stat.is_directory and bool(stat.mode & 0o111)


def meaning_text(name: str, kind: str, detail: str) -> str:
    """Describe a meaning as `type` and `command -V` do."""
    if kind == ALIAS:
        return f"{name} is aliased to `{detail}'"
    if kind == FILE:
        return f"{name} is {detail}"
    if kind == HASHED:
        return f"{name} is hashed ({detail})"
    return f"{name} is a {KIND_NAMES[kind]}"


KIND_NAMES = {KEYWORD: "shell keyword", FUNCTION: "function", BUILTIN: "shell builtin"}


def alias_line(name: str, text: str) -> str:
    """Return the `alias` command that defines an alias."""
    quoted = text.replace("'", "'\\''")
    return f"alias {name}='{quoted}'"
