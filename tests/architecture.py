"""The rules of the layout: imports, sizes, names and module state.

Each rule is a function that takes the modules of a package as syntax trees and returns a list of
findings. `test_architecture.py` says how many findings each rule may have.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

PACKAGE = "keysh"

# From the bottom up: a part (a module or a folder of the package) may import the rows before its
# own, and itself. The package's own name means `keysh/__init__.py`, which imports late.
LAYERS = (
    ("version", "values"),
    ("diagnostics",),
    ("text",),
    ("schema", "vfs", "process", "archive", "syntax"),
    ("rules",),
    ("check", "interp"),
    ("audit", "compile", "external", "gnu"),
    ("tools", "builtins"),
    ("shell",),
    ("worker",),
    ("repl",),
    (PACKAGE,),
    ("adapters",),
    ("cli",),
    ("testing",),
    ("__main__",),
)
# The same within a part. Here, imports for types alone may point up.
INNER_LAYERS = {
    "interp": (
        ("run",),
        ("streams", "variables", "jobs"),
        ("state",),
        ("words",),
        ("engine",),
        ("builtin_operations", "scatter"),
    ),
}
# The two folders that are the registry of commands: one entry for each command.
LISTINGS = {"tools", "builtins"}
# The only modules of the interpreter that tools may import; builtins may know the shell's state.
FOR_TOOLS = (
    "keysh.interp.run.control_flow", "keysh.interp.run.network", "keysh.interp.state.call",
    "keysh.interp.run.watchdog", "keysh.interp.state.call_input", "keysh.interp.streams.streams",
)  # fmt: skip
HIDDEN_FROM_TOOLS = ("keysh.interp", "keysh.compile")

# The modules, or folders of modules, that may import a third-party package.
THIRD_PARTIES = {
    "distributed": ("keysh.shell.scattering.dask_mapper",),
    "httpcore": ("keysh.tools.curl",),
    "yaml": (
        "keysh.tools.fromyaml",
        "keysh.tools.toyaml",
        "keysh.adapters.tools.openapi_document",
    ),
    "fsspec": ("keysh.vfs.remote",),
    "lark": ("keysh.syntax.errors.recover",),
    "agents": ("keysh.adapters.openai_agents",),
    "anthropic": ("keysh.adapters.anthropic",),
    "deepagents": ("keysh.adapters.deepagents",),
    "langchain_core": ("keysh.adapters.langchain",),
    "llama_index": ("keysh.adapters.llama_index",),
    "anyio": ("keysh.adapters.mcp.http_server",),  # these come with the SDK
    "mcp": ("keysh.adapters.mcp",),
    "IPython": ("keysh.repl.notebook",),
    "mcp_types": ("keysh.adapters.mcp.http_server",),
    "uvicorn": ("keysh.adapters.mcp.http_server",),
    "opentelemetry": ("keysh.adapters.opentelemetry",),
    "pydantic": ("keysh.adapters.langchain",),
    "pydantic_ai": ("keysh.adapters.pydantic_ai",),
    "smolagents": ("keysh.adapters.smolagents",),
    "prompt_toolkit": ("keysh.repl",),
    "pytest": ("keysh.testing",),
}

# Modules that import names given as strings, which count as imports where they are written:
# `HOMES`, and the arguments of the classes below.
RESOLVERS = {"keysh", "keysh.compile.lazy_compiler", "keysh.syntax.lexer.cursor"}
# The first argument of these classes is `module.function` in this folder.
LATE_IMPORTS = {"LazyCompiler": "keysh.compile", "LateAction": "keysh.syntax.lexer"}

MAX_FOLDER_ENTRIES = 20
MAX_ROOT_ENTRIES = 25
MAX_MODULE_LINES = 400
MAX_FUNCTION_LINES = 90
WANTED_FUNCTION_LINES = 60
# A generated table, and the classes of the tree, which refer to one another.
LONG_MODULES = {"keysh.syntax._tables", "keysh.syntax.ast"}

# Names of constants with neither unit nor subject.
VAGUE_CONSTANTS = {
    "ALL", "BATCH", "DEEPEST", "END", "FIRST", "FLAGS", "GAP", "HEARD", "HIGH", "KINDS",
    "KNOWN", "LARGEST", "LAST", "LETTERS", "LONGEST", "LOOK", "MOST", "NAMES", "NOTHING",
    "NUMBERS", "OWN", "PATIENCE", "PIECE", "PLAIN", "SHORT", "SOON", "SPECIAL", "TURN",
    "USUAL", "WIDEST", "WORD",
}  # fmt: skip
# The endings of participles such as `written`; some nouns and verbs match as well.
BARE_PARTICIPLE = re.compile("[a-z]+(ed|en|wn|ld|id|ght)")
CONSTANT = re.compile(r"_*[A-Z][A-Z0-9_]*|__all__")

MUTABLE_CALLS = {
    "bytearray", "ChainMap", "Counter", "defaultdict", "deque", "dict", "list", "OrderedDict",
    "set", "WeakKeyDictionary", "WeakSet", "WeakValueDictionary",
}  # fmt: skip
MUTABLE_DISPLAYS = (
    ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp,
)  # fmt: skip
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
# Methods that change their object.
CHANGING_METHODS = {
    "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove",
    "setdefault", "update",
}  # fmt: skip


class Package:
    """The modules of a package by their full names, and which of them are folders."""

    def __init__(self, root: Path) -> None:
        self.modules: dict[str, Nodes] = {}
        self.lines: dict[str, int] = {}
        self.folders: set[str] = set()
        self._imports: dict[tuple[str, bool], list[str]] = {}
        for path in sorted((root / PACKAGE).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            text = path.read_text("utf-8")
            self.modules[name] = Nodes(ast.parse(text, str(path)))
            self.lines[name] = text.count("\n")
            if parts[-1] == "__init__":
                self.folders.add(name)

    def imports(self, name: str, *, has_types: bool = True) -> list[str]:
        """Return the names that a module imports anywhere, each once."""
        result = self._imports.get((name, has_types))
        if result is None:
            tree = self.modules[name]
            read = tree if has_types else without_typing(tree)
            result = self._imports[name, has_types] = list(
                dict.fromkeys(imports_of(self, name, read))
            )
        return result


def part_of(name: str) -> str:
    """Return the entry of `LAYERS` that a module belongs to."""
    return name.split(".")[1] if "." in name else name


LEVELS = {part: level for level, row in enumerate(LAYERS) for part in row}


class Nodes(ast.Module):
    """A module whose nodes are listed once: most rules look at all of them."""

    def __init__(self, tree: ast.Module) -> None:
        super().__init__(tree.body, tree.type_ignores)
        self.nodes = [*ast.walk(self)]


# ---------------------------------------------------------------- imports


def imports_of(package: Package, name: str, tree: Nodes) -> Iterator[str]:
    """Return the imports of a module: modules of the package, or top-level names of others."""
    for node in tree.nodes:
        for target in import_targets(package, name, node):
            yield target if target.split(".")[0] == PACKAGE else target.split(".")[0]


def import_targets(package: Package, name: str, node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module, names, level):
            base = absolute_name(package, name, module, level)
            # `from package import x` is an import of package.x if that is a module.
            return [
                f"{base}.{alias.name}" if f"{base}.{alias.name}" in package.modules else base
                for alias in names
            ]
        case ast.Call(func, [first, *_]) if is_import_function(func) and name not in RESOLVERS:
            return named_modules(package, first)
        case ast.Call(ast.Name(late), [ast.Constant(str(place)), *_]) if late in LATE_IMPORTS:
            return [f"{LATE_IMPORTS[late]}.{place.rpartition('.')[0]}"]
    return []


def absolute_name(package: Package, name: str, module: str | None, level: int) -> str:
    if not level:
        return module or ""
    parts = name.split(".")
    kept = parts[: len(parts) - level + (name in package.folders)]
    return ".".join([*kept, *([module] if module else [])])


def is_import_function(func: ast.expr) -> bool:
    called = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    return called in {"import_module", "__import__"}


def named_modules(package: Package, argument: ast.expr) -> list[str]:
    """Return the modules that an import function's argument can name, for an f-string by prefix."""
    match argument:
        case ast.Constant(str(target)):
            return [target]
        case ast.JoinedStr([ast.Constant(str(start)), *_]):
            folder = start.rpartition(".")[0]
            below = f"{folder}."
            # The registry imports a command only when it is called.
            return [module for module in package.modules if module.startswith(below)]
    return []


def without_typing(tree: Nodes) -> Nodes:
    """Return a module without the code that only the type checker reads."""
    body = [node for node in tree.body if not is_typing_block(node)]
    return tree if len(body) == len(tree.body) else Nodes(ast.Module(body, []))


def is_typing_block(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"


# ---------------------------------------------------------------- layers and cycles


def layer_findings(package: Package) -> list[str]:
    """Return parts that are in no row, and imports that do not point down."""
    findings = [
        f"{name} is in no layer: {part_of(name)}"
        for name in package.modules
        if part_of(name) not in LEVELS
    ]
    for name in package.modules:
        here = part_of(name)
        for target in package.imports(name):
            there = part_of(target)
            if target.split(".")[0] != PACKAGE or here == there:
                continue
            if here in LEVELS and there in LEVELS and LEVELS[there] >= LEVELS[here]:
                findings.append(f"{name} imports {target}, which is not below it")
    return findings


def inner_layer_findings(package: Package) -> list[str]:
    """Return imports within a part that do not point down; types may point up."""
    findings = []
    for name in package.modules:
        rows = INNER_LAYERS.get(part_of(name), ())
        levels = {folder: level for level, row in enumerate(rows) for folder in row}
        here = name.split(".")[2:3]
        for target in package.imports(name, has_types=False):
            there = target.split(".")[2:3]
            if not rows or part_of(target) != part_of(name) or not here or not there:
                continue
            if here != there and levels[there[0]] >= levels[here[0]]:
                findings.append(f"{name} imports {target}, which is not below it")
    return findings


def import_cycle(package: Package, *, has_types: bool) -> list[str]:
    """Return a cycle of imports; late ones count, and with `has_types` those for types."""
    graph = {
        name: {
            target
            for target in package.imports(name, has_types=has_types)
            if target in package.modules and target != name
        }
        for name, tree in package.modules.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def tool_findings(package: Package) -> list[str]:
    """Return tools that import more of the interpreter than `FOR_TOOLS`."""
    hidden = tuple(f"{part}." for part in HIDDEN_FROM_TOOLS)
    return [
        f"{name} imports {target}"
        for name, tree in package.modules.items()
        if part_of(name) == "tools"
        for target in package.imports(name)
        if f"{target}.".startswith(hidden) and target not in FOR_TOOLS
    ]


def third_party_findings(package: Package) -> list[str]:
    """Return imports of third-party packages outside the modules that may have them."""
    findings = []
    for name in package.modules:
        for target in package.imports(name):
            if target.split(".")[0] == PACKAGE or target in sys.stdlib_module_names:
                continue
            places = THIRD_PARTIES.get(target, ())
            if not any(f"{name}.".startswith(f"{place}.") for place in places):
                findings.append(f"{name} imports {target}")
    return findings


# ---------------------------------------------------------------- sizes


def folder_findings(package: Package) -> list[str]:
    """Return folders with too many entries, except the two registries of commands."""
    entries: dict[str, int] = defaultdict(int)
    for name in package.modules:
        if name != PACKAGE:
            entries[name.rpartition(".")[0]] += 1
    return [
        f"{folder}: {count} entries"
        for folder, count in entries.items()
        if folder.partition(".")[2] not in LISTINGS
        and count > (MAX_ROOT_ENTRIES if folder == PACKAGE else MAX_FOLDER_ENTRIES)
    ]


def module_size_findings(package: Package) -> list[str]:
    return [
        f"{name}: {lines} lines"
        for name, lines in package.lines.items()
        if lines > MAX_MODULE_LINES and name not in LONG_MODULES
    ]


def function_sizes(package: Package) -> Iterator[tuple[str, int]]:
    """Return the lines of each function without its signature and docstring."""
    for name, tree in package.modules.items():
        for node in tree.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if ast.get_docstring(node) is not None else node.body
                if body:
                    lines = (body[-1].end_lineno or 0) - body[0].lineno + 1
                    yield f"{name}.{node.name}", lines


def docstring_findings(package: Package) -> list[str]:
    """Return folders whose `__init__` does not describe them in at least three lines."""
    return [
        folder
        for folder in package.folders
        if (ast.get_docstring(package.modules[folder]) or "").count("\n") < 2
    ]


# ---------------------------------------------------------------- names


def shared_names(package: Package, *, classes: bool) -> dict[str, set[str]]:
    """Return names of modules, or of classes, that occur in several parts, except commands."""
    parts: dict[str, set[str]] = defaultdict(set)
    for name, tree in package.modules.items():
        part = part_of(name)
        if part in LISTINGS:
            continue
        if classes:
            for node in tree.nodes:
                if isinstance(node, ast.ClassDef):
                    parts[node.name].add(part)
        elif name not in package.folders and name.count(".") > 1:
            parts[name.rpartition(".")[2]].add(part)
    return {name: result for name, result in parts.items() if len(result) > 1}


def vague_constants(package: Package) -> list[str]:
    """Return constants whose names mean nothing without a comment."""
    return [
        f"{name}.{target}"
        for name, tree in package.modules.items()
        for node in tree.body
        for target in assigned_names(node)
        if target in VAGUE_CONSTANTS
    ]


def bare_participles(package: Package) -> list[str]:
    """Return functions named by a single word that may be a participle; `open` is a verb."""
    return [
        f"{name}.{node.name}"
        for name, tree in package.modules.items()
        for node in tree.nodes
        if isinstance(node, ast.FunctionDef)
        and BARE_PARTICIPLE.fullmatch(node.name)
        and node.name != "open"
    ]


def assigned_names(node: ast.AST) -> list[str]:
    match node:
        case ast.Assign(targets):
            pass
        case ast.AnnAssign(target, _, value) if value:
            targets = [target]
        case _:
            return []
    return [
        node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)
    ]


# ---------------------------------------------------------------- state


def state_findings(package: Package) -> list[str]:
    """Return changing module state: `global`, mutable variables, and constants that change."""
    findings = []
    for name, tree in package.modules.items():
        findings += [
            f"{name}:{node.lineno}: global {', '.join(node.names)}"
            for node in tree.nodes
            if isinstance(node, ast.Global)
        ]
        mutable = {}
        for node in module_level(tree):
            if isinstance(node, ast.Assign | ast.AnnAssign) and is_mutable(node.value):
                mutable |= dict.fromkeys(assigned_names(node), node.lineno)
        changed = changed_names(tree)
        findings += [
            f"{name}:{line}: mutable state of the module: {variable}"
            for variable, line in mutable.items()
            if variable in changed or not CONSTANT.fullmatch(variable)
        ]
    return findings


def module_level(node: ast.AST) -> Iterator[ast.AST]:
    """Return the statements that run on import, except bodies of classes."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        yield child
        yield from module_level(child)


def is_mutable(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        func = value.func
        called = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        return called in MUTABLE_CALLS
    return isinstance(value, MUTABLE_DISPLAYS)


def changed_names(tree: Nodes) -> set[str]:
    """Return containers that functions change: `NAME[key] = …`, `del NAME[key]`, `NAME.add(…)`."""
    changed, inner = set(), set()
    for function in tree.nodes:  # the outer ones come first
        if function in inner or not isinstance(function, FUNCTIONS):
            continue
        for node in ast.walk(function):
            if isinstance(node, FUNCTIONS):
                inner.add(node)
            match node:
                case ast.Subscript(ast.Name(name), _, ast.Store() | ast.Del()):
                    changed.add(name)
                case ast.Call(ast.Attribute(ast.Name(name), method)) if method in CHANGING_METHODS:
                    changed.add(name)
    return changed


# ---------------------------------------------------------------- interruptions

CATCH_ALL = {"BaseException", "Exception"}
LOCK_MAKERS = {
    "Barrier", "BoundedSemaphore", "Condition", "Event", "Lock", "RLock", "Semaphore",
    "allocate_lock",
}  # fmt: skip
LOCK_MODULES = {"_thread", "threading"}


def interruption_sites(package: Package) -> dict[str, dict[str, int]]:
    """Return how often each module catches all exceptions, makes a lock, and acquires one."""
    sites: dict[str, dict[str, int]] = {"catches": {}, "locks": {}, "acquisitions": {}}
    for name, tree in package.modules.items():
        nodes, names = tree.nodes, lock_names(tree)
        found = {
            "catches": sum(map(catches_all, nodes)),
            "locks": sum(makes_lock(node, names) for node in nodes),
            "acquisitions": sum(map(acquires_lock, nodes)),
        }
        for kind, number in found.items():
            if number:
                sites[kind][name] = number
    return sites


def catches_all(node: ast.AST) -> bool:
    """Whether this is an `except` or a `suppress` of all exceptions."""
    match node:
        case ast.ExceptHandler(None):
            return True
        case ast.ExceptHandler(ast.expr() as kinds):
            pass
        case ast.Call(ast.Name("suppress") | ast.Attribute(_, "suppress"), [*arguments]):
            kinds = ast.Tuple(arguments)
        case _:
            return False
    return any(isinstance(each, ast.Name) and each.id in CATCH_ALL for each in ast.walk(kinds))


def lock_names(tree: Nodes) -> set[str]:
    """Return the names of locks that a module imports."""
    return {
        alias.asname or alias.name
        for node in tree.nodes
        if isinstance(node, ast.ImportFrom) and node.module in LOCK_MODULES
        for alias in node.names
        if alias.name in LOCK_MAKERS
    }


def makes_lock(node: ast.AST, names: set[str]) -> bool:
    """Whether this makes a lock."""
    match node:
        case ast.Call(ast.Name(name)):
            return name in names
        case ast.Call(ast.Attribute(ast.Name(module), name)):
            return module in LOCK_MODULES and name in LOCK_MAKERS
    return False


def acquires_lock(node: ast.AST) -> bool:
    """Whether this is a call of `acquire`."""
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "acquire"
