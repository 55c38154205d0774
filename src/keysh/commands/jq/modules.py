"""Modules: what a program imports, found in folders and read."""

from __future__ import annotations

import posixpath

from keysh.commands.jq.compiler import Compiler
from keysh.commands.jq.failure import ProgramError
from keysh.commands.jq.parser import parse
from keysh.commands.jq.reader import Documents, JqParseError
from keysh.commands.jq.scope import Function, Scope
from keysh.commands.jq.syntax import Bind, Define, Identity, Literal, NamePattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.commands.jq.code import Value
    from keysh.commands.jq.syntax import Import, Node
    from keysh.runtime.call import Call

DEFAULT = "~/.jq"  # where modules are, unless -L says otherwise
NOT_ONLY = (
    "jq: error: jq: error: library should only have function definitions, not a main expression\n"
    "<unknown location>"
)

Data = list[tuple[str, "Value"]]


class Library:
    """The modules that one program can import. `folder` is that of the program's own file.

    Of a function that is defined in a module nothing is said unless something calls it.
    """

    __slots__ = ("_folder", "_folders", "_known", "_sh", "messages")

    def __init__(self, sh: Call, folders: Sequence[str], folder: str) -> None:
        self._sh, self._folder = sh, folder
        self._folders = [sh.path(one) for one in folders] or [DEFAULT]
        self._known: dict[str, list[Function]] = {}  # of the modules that are read, by their paths
        self.messages: list[str] = []  # what is wrong in functions

    def opened(
        self, imports: list[Import], scope: Scope, folder: str | None = None
    ) -> tuple[Scope, Data]:
        """A scope that has all that is imported as well, and the values under their names."""
        data: Data = []
        for one in imports:
            path, text = self._found(one, self._folder if folder is None else folder)
            if one.is_data:
                values = values_in(text)
                data += [(one.name, values), (f"{one.name}::{one.name}", values)]
                continue
            prefix = f"{one.name}::" if one.name else ""
            for function in self._module(path, text):
                scope = Scope(scope, prefix + function.key, function)
        return scope, data

    def _module(self, path: str, text: str) -> list[Function]:
        """The functions of a module, which are compiled when they are called."""
        if path in self._known:
            return self._known[path]
        functions = self._known[path] = []  # one that imports itself finds what is there by then
        compiler = Compiler(text, path, self.messages)
        imports, node = parse(text, path)
        scope, data = self.opened(imports, Scope(None, ""), posixpath.dirname(path))
        while isinstance(node, Define):
            function = Function(node.name, node.parameters, bound(node.body, data), scope)
            function.late = compiler.define_function
            functions.append(function)
            scope = Scope(scope, function.key, function)
            node = node.rest
        if not isinstance(node, Identity):
            raise ProgramError([NOT_ONLY])
        return functions

    def _found(self, wanted: Import, folder: str) -> tuple[str, str]:
        """The path of a module and its text."""
        steps = wanted.path.split("/")
        if ".." in steps:
            says = "Relative paths to modules may not traverse to parent directories"
            raise ProgramError([f"jq: error: {says} ({wanted.path})\n"])
        end = ".json" if wanted.is_data else ".jq"
        for place in self._places(wanted.metadata.get("search", [".", *self._folders]), folder):
            for name in (wanted.path + end, f"{wanted.path}/{steps[-1]}{end}"):
                path = posixpath.join(place, name)
                try:
                    with self._sh.open(path) as stream:
                        return self._sh.path(path), stream.read().decode("utf-8", "replace")
                except OSError:
                    continue
        raise ProgramError([f"jq: error: module not found: {wanted.path}\n"])

    def _places(self, search: Value, folder: str) -> Iterator[str]:
        """The folders that modules are looked for in; but `.` is told from the importing file."""
        for place in search if isinstance(search, list) else [search]:
            if isinstance(place, str):
                if place.startswith("~/"):
                    yield posixpath.join(self._sh.env.get("HOME", "/"), place[2:])
                else:
                    yield place if place == "." else posixpath.join(folder, place)


def values_in(text: str) -> Value:
    """The values of a file of data, as an array."""
    try:
        return list(Documents([text]))
    except JqParseError as error:
        raise ProgramError([f"jq: error: {error}\n"]) from None


def bound(node: Node, data: Data) -> Node:
    """A tree in which names stand for values."""
    for name, value in reversed(data):
        node = Bind(node, [NamePattern(name)], Literal(value))
    return node
