"""The layers of the package, held by its imports, and what starting the program may load."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

SOURCE = Path(__file__).parent.parent / "src"
PACKAGE = "keysh"

# Each part may import the rows above its own and itself, and nothing beside it. A part is a module
# or a folder directly below the package; the package's own name stands for its `__init__`.
LAYERS = (
    ("nearness", "source", "version"),
    ("console", "diagnostics"),
    ("errors",),
    ("values",),
    ("syntax", "schema", "vfs", "process", "archive", "text"),
    ("check", "runtime"),
    ("compile", "commands"),
    ("completion", "output", "plan", "registry", "result", "standing", "tree", "variables"),
    ("given", "opening", "preparing", "programs", "running"),
    ("runner",),
    ("shell",),
    (PACKAGE,),
    ("adapters",),
    ("repl",),
    ("hearing", "keeping", "wishes"),
    ("equipment",),
    ("program",),
    ("manual",),
    ("subcommands",),
    ("cli",),
    ("__main__",),
)
LEVEL = {part: level for level, row in enumerate(LAYERS) for part in row}

# The modules, or folders of modules, that may import a third party.
THIRD_PARTIES = {
    "httpcore": ("keysh.commands.curl",),
    "yaml": ("keysh.commands.fromyaml", "keysh.commands.toyaml"),
    "fsspec": ("keysh.vfs.fsspec", "keysh.vfs.fsspec_stream"),
    "lark": ("keysh.syntax.recover",),
    "mcp": ("keysh.adapters.mcp",),
    "prompt_toolkit": ("keysh.repl",),
}

GENERATED = {"keysh.syntax._tables"}
# A list of classes that refer to one another, in the grammar's order: shorter, it would be a cycle.
LISTS = {"keysh.syntax.ast"}

MODULE_GUIDE, MODULE_LIMIT = 400, 600
FUNCTION_GUIDE, FUNCTION_LIMIT = 60, 90

MUTABLE_CALLS = {
    "bytearray", "ChainMap", "Counter", "defaultdict", "deque", "dict", "list", "OrderedDict",
    "set", "WeakKeyDictionary", "WeakSet", "WeakValueDictionary",
}  # fmt: skip
MUTABLE_DISPLAYS = (
    ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp,
)  # fmt: skip
CONSTANT = re.compile(r"_*[A-Z][A-Z0-9_]*|__all__")

# The start path loads none of these: each costs milliseconds.
SLOW = {
    "argparse", "asyncio", "collections", "contextlib", "dataclasses", "enum", "functools",
    "inspect", "json", "lark", "prompt_toolkit", "subprocess", "typing",
}  # fmt: skip


def read_modules(root: Path) -> dict[str, ast.Module]:
    """Every module of the package below `root`, by its full name."""
    modules = {}
    for path in sorted((root / PACKAGE).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        modules[name] = ast.parse(path.read_text("utf-8"), str(path))
    return modules


MODULES = read_modules(SOURCE)
FOLDERS = {".".join(path.parent.relative_to(SOURCE).parts) for path in SOURCE.rglob("__init__.py")}


def imports_of(name: str, modules: dict[str, ast.Module], folders: set[str]) -> Iterator[str]:
    """What a module imports anywhere in it: modules of the package, or top names of others."""
    for node in ast.walk(modules[name]):
        match node:
            case ast.Import(names):
                targets = [alias.name for alias in names]
            case ast.ImportFrom(module, names, level):
                base = absolute(name, module, level, folders)
                # `from package import x` is an import of package.x if that is a module.
                targets = [
                    f"{base}.{alias.name}" if f"{base}.{alias.name}" in modules else base
                    for alias in names
                ]
            case ast.Call(func, [ast.Constant(str(target)), *_]) if names_an_import(func):
                targets = [target]
            case _:
                continue
        for target in targets:
            yield target if target.split(".")[0] == PACKAGE else target.split(".")[0]


def absolute(name: str, module: str | None, level: int, folders: set[str]) -> str:
    if not level:
        return module or ""
    parts = name.split(".")
    kept = parts[: len(parts) - level + (name in folders)]
    return ".".join([*kept, *([module] if module else [])])


def names_an_import(func: ast.expr) -> bool:
    called = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    return called in {"import_module", "__import__"}


def part_of(name: str) -> str:
    return name.split(".")[1] if "." in name else name


def layer_problems(modules: dict[str, ast.Module], folders: set[str]) -> list[str]:
    problems = [
        f"{name} is in no layer: {part_of(name)}" for name in modules if part_of(name) not in LEVEL
    ]
    for name in modules:
        here = part_of(name)
        for target in imports_of(name, modules, folders):
            there = part_of(target)
            if target.split(".")[0] != PACKAGE or here == there:
                continue
            if here in LEVEL and there in LEVEL and LEVEL[there] >= LEVEL[here]:
                problems.append(f"{name} imports {target}, which is not below it")
    return problems


def import_cycle(
    modules: dict[str, ast.Module], folders: set[str], *, has_types: bool
) -> list[str]:
    """Modules that import one another, late or not; or name one another's types, too."""
    read = modules if has_types else {name: without_typing(modules[name]) for name in modules}
    graph = {
        name: {target for target in imports_of(name, read, folders) if target in modules}
        for name in modules
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def without_typing(tree: ast.Module) -> ast.Module:
    """A module without what only the type checker reads: no code depends on it."""
    body = [
        node
        for node in tree.body
        if not (isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING")
    ]
    return ast.Module(body, [])


def third_party_problems(modules: dict[str, ast.Module], folders: set[str]) -> list[str]:
    problems = []
    for name in modules:
        for target in imports_of(name, modules, folders):
            if target.split(".")[0] == PACKAGE or target in sys.stdlib_module_names:
                continue
            allowed = THIRD_PARTIES.get(target, ())
            if not any(f"{name}.".startswith(f"{place}.") for place in allowed):
                problems.append(f"{name} imports {target}")
    return problems


def state_problems(name: str, tree: ast.Module) -> list[str]:
    """Mutable values bound to names of the module that are not constants, and `global`."""
    problems = [
        f"{name}:{node.lineno}: global {', '.join(node.names)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Global)
    ]
    for node in module_level(tree):
        match node:
            case ast.Assign(targets, value):
                pass
            case ast.AnnAssign(target, _, value) if value:
                targets = [target]
            case _:
                continue
        names = [found.id for target in targets for found in ast.walk(target)
                 if isinstance(found, ast.Name)]  # fmt: skip
        if is_mutable(value):
            problems += [
                f"{name}:{node.lineno}: mutable state of the module: {found}"
                for found in names
                if not CONSTANT.fullmatch(found)
            ]
    return problems


def module_level(node: ast.AST) -> Iterator[ast.AST]:
    """The statements that run when the module is imported, except bodies of classes."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        yield child
        yield from module_level(child)


def is_mutable(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        func = value.func
        called = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        return called in MUTABLE_CALLS
    return isinstance(value, MUTABLE_DISPLAYS)


def sizes(name: str, tree: ast.Module) -> Iterator[tuple[str, int, int, int]]:
    """The module and each function: name, lines, guide, limit."""
    yield name, max((node.end_lineno or 0 for node in tree.body), default=0), *MODULE_SIZES
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{name}.{node.name}", lines_of_body(node), *FUNCTION_SIZES


def lines_of_body(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function without its signature and docstring, which are its declaration."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


MODULE_SIZES = (MODULE_GUIDE, MODULE_LIMIT)
FUNCTION_SIZES = (FUNCTION_GUIDE, FUNCTION_LIMIT)


def test_package_is_found() -> None:
    assert "keysh.cli" in MODULES


def test_imports_point_down() -> None:
    assert not layer_problems(MODULES, FOLDERS)


def test_no_import_cycle() -> None:
    assert not import_cycle(MODULES, FOLDERS, has_types=False)


def test_no_cycle_of_types() -> None:
    """Each module can be understood with those below it alone."""
    assert not import_cycle(MODULES, FOLDERS, has_types=True)


def test_third_parties_stay_in_their_place() -> None:
    assert not third_party_problems(MODULES, FOLDERS)


@pytest.mark.parametrize("name", MODULES)
def test_module_holds_no_mutable_state(name: str) -> None:
    assert not state_problems(name, MODULES[name])


def test_sizes(guide: Callable[[str], None]) -> None:
    too_long = []
    for module, tree in MODULES.items():
        if module in GENERATED | LISTS:
            continue
        for name, lines, wanted, limit in sizes(module, tree):
            if lines > limit:
                too_long.append(f"{name}: {lines} lines")
            elif lines > wanted:
                guide(f"{name}: {lines} lines, about {wanted} wanted")
    assert not too_long


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter without site-packages has loaded after `code`."""
    program = f"import sys; sys.path.insert(0, {str(SOURCE)!r}); {code}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_start_loads_nothing_slow(tmp_path: Path) -> None:
    script = tmp_path / "fine.ksh"
    script.write_text('for x in a b; do echo "$x"; done\n')
    loaded = loaded_by(f"from keysh.cli import main; assert main(['check', {str(script)!r}]) == 0")
    # `re` may be loaded, and then brings some of the slow ones with it.
    brought = loaded_by("import re") if "re" in loaded else set()
    assert not (loaded & SLOW) - brought


# The checks themselves, on a package that breaks each rule once.

BROKEN = {
    "__init__.py": "",
    "source.py": "def f():\n    from keysh.errors import E\n",
    "diagnostics.py": "import lark\n",
    "errors.py": "from . import source\n\nif TYPE_CHECKING:\n    from . import diagnostics\n",
    "helpers.py": "",
    "syntax/__init__.py": "",
    "syntax/ast.py": "from ..vfs import paths\n",
    "syntax/recover.py": "import lark\nimport importlib\nimportlib.import_module('keysh.cli')\n",
    "vfs/__init__.py": "from .paths import p\n",
    "vfs/paths.py": "from keysh import source\n",
    "cli.py": (
        "__all__ = ['a']\nTABLE = {}\n_TABLE: dict = dict()\nif 1:\n    cache = {}\n"
        "seen: set = set()\nnames = tuple([1])\n\ndef f():\n    global seen\n    here = []\n"
    ),
}


@pytest.fixture
def broken(tmp_path: Path) -> tuple[dict[str, ast.Module], set[str]]:
    for name, text in BROKEN.items():
        path = tmp_path / PACKAGE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return read_modules(tmp_path), {"keysh", "keysh.syntax", "keysh.vfs"}


def test_broken_layers_are_found(broken: tuple[dict[str, ast.Module], set[str]]) -> None:
    assert sorted(layer_problems(*broken)) == [
        "keysh.helpers is in no layer: helpers",
        "keysh.source imports keysh.errors, which is not below it",
        "keysh.syntax.ast imports keysh.vfs.paths, which is not below it",
        "keysh.syntax.recover imports keysh.cli, which is not below it",
    ]


def test_cycle_is_found(broken: tuple[dict[str, ast.Module], set[str]]) -> None:
    assert set(import_cycle(*broken, has_types=False)) == {"keysh.source", "keysh.errors"}


def test_cycle_of_types_is_found() -> None:
    upper = ast.parse("if TYPE_CHECKING:\n    from keysh.lower import L\n")
    modules = {"keysh.upper": upper, "keysh.lower": ast.parse("from keysh import upper\n")}
    assert not import_cycle(modules, set(), has_types=False)
    assert set(import_cycle(modules, set(), has_types=True)) == set(modules)


def test_misplaced_third_party_is_found(broken: tuple[dict[str, ast.Module], set[str]]) -> None:
    assert third_party_problems(*broken) == ["keysh.diagnostics imports lark"]


def test_mutable_state_is_found(broken: tuple[dict[str, ast.Module], set[str]]) -> None:
    assert state_problems("cli", broken[0]["keysh.cli"]) == [
        "cli:10: global seen",
        "cli:5: mutable state of the module: cache",
        "cli:6: mutable state of the module: seen",
    ]


def test_size_is_counted() -> None:
    tree = ast.parse("x = 1\n\ndef f():\n    pass\n    pass\n")
    assert list(sizes("m", tree)) == [("m", 5, 400, 600), ("m.f", 2, 60, 90)]
