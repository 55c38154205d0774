"""The layout of the package. `architecture.py` has the rules; here are the findings allowed.

A number here may fall, but must never rise.
"""

from __future__ import annotations

import gc
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import architecture
from architecture import LEVELS, PACKAGE, WANTED_FUNCTION_LINES, Package

SOURCE = Path(__file__).parent.parent / "src"

# The start path must not load these: each costs milliseconds.
SLOW = {
    "argparse", "asyncio", "collections", "contextlib", "dataclasses", "enum", "functools",
    "inspect", "json", "lark", "prompt_toolkit", "subprocess", "typing",
}  # fmt: skip

MAX_SHARED_MODULE_NAMES = 8
MAX_SHARED_CLASS_NAMES = 1
MAX_BARE_PARTICIPLES = 38


@pytest.fixture(scope="module")
def package() -> Iterator[Package]:
    """Parse the package, without collections of its million nodes."""
    gc.disable()
    yield Package(SOURCE)
    gc.enable()


def test_package_is_found(package: Package) -> None:
    assert set(LEVELS) == {architecture.part_of(name) for name in package.modules}


def test_imports_point_down(package: Package) -> None:
    assert not architecture.layer_findings(package)
    assert not architecture.inner_layer_findings(package)


@pytest.mark.parametrize("has_types", [False, True])
def test_no_import_cycle(package: Package, *, has_types: bool) -> None:
    """No modules import one another, directly or indirectly."""
    assert not architecture.import_cycle(package, has_types=has_types)


def test_tools_know_only_their_call(package: Package) -> None:
    assert not architecture.tool_findings(package)


def test_third_party_imports_stay_in_their_modules(package: Package) -> None:
    assert not architecture.third_party_findings(package)


def test_no_mutable_module_state(package: Package) -> None:
    assert not architecture.state_findings(package)


def test_folders_are_small(package: Package) -> None:
    assert not architecture.folder_findings(package)


def test_folders_have_docstrings(package: Package) -> None:
    assert not architecture.docstring_findings(package)


def test_modules_are_small(package: Package) -> None:
    assert not architecture.module_size_findings(package)


def test_functions_are_small(package: Package, guide: Callable[[str], None]) -> None:
    too_long = []
    for name, lines in architecture.function_sizes(package):
        if lines > architecture.MAX_FUNCTION_LINES:
            too_long.append(f"{name}: {lines} lines")
        elif lines > WANTED_FUNCTION_LINES:
            guide(f"{name}: {lines} lines, about {WANTED_FUNCTION_LINES} wanted")
    assert not too_long


def test_one_name_has_one_meaning(package: Package) -> None:
    modules = architecture.shared_names(package, classes=False)
    classes = architecture.shared_names(package, classes=True)
    assert len(modules) <= MAX_SHARED_MODULE_NAMES, modules
    assert len(classes) <= MAX_SHARED_CLASS_NAMES, classes


def test_names_are_descriptive(package: Package) -> None:
    assert not architecture.vague_constants(package)
    assert len(architecture.bare_participles(package)) <= MAX_BARE_PARTICIPLES


def loaded_by(code: str) -> set[str]:
    """Return the modules that a new interpreter without site-packages has loaded after `code`."""
    program = f"import sys; sys.path.insert(0, {str(SOURCE)!r}); {code}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_startup_imports_no_slow_module(tmp_path: Path) -> None:
    script = tmp_path / "fine.ksh"
    script.write_text('for x in a b; do echo "$x"; done\n')
    code = f"from keysh.cli.main import main; assert main(['check', {str(script)!r}]) == 0"
    loaded = loaded_by(code)
    # `re` may be loaded, and then loads some of the slow ones itself.
    brought = loaded_by("import re") if "re" in loaded else set()
    assert not (loaded & SLOW) - brought


# The rules themselves, tested on a package that breaks each of them once.

BROKEN = {
    "__init__.py": "",
    "__main__.py": "from keysh import cli\n",
    "version.py": "def f():\n    from keysh.diagnostics import exceptions\n",
    "helpers.py": "",
    "diagnostics/__init__.py": "",
    "diagnostics/exceptions.py": "import lark\n\nMOST = 3\n",
    "diagnostics/source.py": "from . import exceptions\n\nclass Span: pass\n\ndef told(): pass\n",
    "syntax/__init__.py": '"""One\n\ntwo\nthree"""\n',
    "syntax/errors/__init__.py": "",
    "syntax/errors/recover.py": "import lark\nimport importlib\nimportlib.import_module('keysh.cli')\n",  # noqa: E501
    "syntax/source.py": "class Span: pass\n",
    "vfs/__init__.py": "",
    "vfs/paths.py": "X = 1\n" * 401,
    "interp/__init__.py": "",
    "interp/run/__init__.py": "",
    "interp/run/limits.py": "from keysh.interp.state import call\n",
    "interp/state/__init__.py": "",
    "interp/state/call.py": "if TYPE_CHECKING:\n    from keysh.interp.engine import traps\n",
    "interp/state/state.py": "",
    "interp/engine/__init__.py": "",
    "interp/engine/traps.py": "from keysh.interp.state import call\n",
    "compile/__init__.py": "",
    "compile/words.py": "brace = LazyCompiler('braces.brace')\n",
    "compile/braces.py": "from keysh.compile.words import word\n",
    "tools/__init__.py": "",
    "tools/cat.py": "from keysh.interp.state import call, state\n",
    "shell/__init__.py": "",
    "shell/listing.py": "def f(name):\n    return __import__(f'keysh.tools.{name}')\n",
    "cli.py": (
        "__all__ = ['a']\nTABLE = {}\nCACHE: dict = dict()\nif 1:\n    cache = {}\n"
        "seen: set = set()\nnames = tuple([1])\n\ndef f():\n    global seen\n    here = []\n"
        "    CACHE['x'] = here\n"
    ),
} | {f"archive/format{i}.py": "" for i in range(21)}  # fmt: skip


@pytest.fixture
def broken(tmp_path: Path) -> Package:
    for name, text in BROKEN.items():
        path = tmp_path / PACKAGE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Package(tmp_path)


def test_broken_layers_are_found(broken: Package) -> None:
    assert sorted(architecture.layer_findings(broken)) == [
        "keysh.helpers is in no layer: helpers",
        "keysh.syntax.errors.recover imports keysh.cli, which is not below it",
        "keysh.version imports keysh.diagnostics.exceptions, which is not below it",
    ]
    assert architecture.inner_layer_findings(broken) == [
        "keysh.interp.run.limits imports keysh.interp.state.call, which is not below it"
    ]


def test_cycle_of_names_in_strings_is_found(broken: Package) -> None:
    cycle = {"keysh.compile.words", "keysh.compile.braces"}
    assert set(architecture.import_cycle(broken, has_types=False)) == cycle


def test_cycle_of_types_is_found(broken: Package) -> None:
    del broken.modules["keysh.compile.braces"]
    assert not architecture.import_cycle(broken, has_types=False)
    cycle = {"keysh.interp.state.call", "keysh.interp.engine.traps"}
    assert set(architecture.import_cycle(broken, has_types=True)) == cycle


def test_import_by_a_formatted_string_is_seen(broken: Package) -> None:
    tree = broken.modules["keysh.shell.listing"]
    assert list(architecture.imports_of(broken, "keysh.shell.listing", tree)) == ["keysh.tools.cat"]


def test_tool_that_knows_the_state_is_found(broken: Package) -> None:
    assert architecture.tool_findings(broken) == [
        "keysh.tools.cat imports keysh.interp.state.state"
    ]


def test_misplaced_third_party_is_found(broken: Package) -> None:
    assert architecture.third_party_findings(broken) == [
        "keysh.diagnostics.exceptions imports lark"
    ]


def test_mutable_state_is_found(broken: Package) -> None:
    assert architecture.state_findings(broken) == [
        "keysh.cli:10: global seen",
        "keysh.cli:3: mutable state of the module: CACHE",
        "keysh.cli:5: mutable state of the module: cache",
        "keysh.cli:6: mutable state of the module: seen",
    ]


def test_sizes_are_counted(broken: Package) -> None:
    assert architecture.folder_findings(broken) == ["keysh.archive: 21 entries"]
    assert architecture.module_size_findings(broken) == ["keysh.vfs.paths: 401 lines"]
    assert ("keysh.cli.f", 3) in list(architecture.function_sizes(broken))
    described = broken.folders - set(architecture.docstring_findings(broken))
    assert described == {"keysh.syntax"}


def test_names_are_judged(broken: Package) -> None:
    assert architecture.shared_names(broken, classes=True) == {"Span": {"diagnostics", "syntax"}}
    assert architecture.shared_names(broken, classes=False) == {"source": {"diagnostics", "syntax"}}
    assert architecture.vague_constants(broken) == ["keysh.diagnostics.exceptions.MOST"]
    assert architecture.bare_participles(broken) == ["keysh.diagnostics.source.told"]


INTERRUPTIONS_PAGE = Path(__file__).parent.parent / "docs/internals/interruptions.md"


def known_interruption_sites() -> dict[str, dict[str, int]]:
    """Return what the page has: a table below each heading, with a module and a number."""
    sites: dict[str, dict[str, int]] = {}
    for section in INTERRUPTIONS_PAGE.read_text("utf-8").split("\n## ")[1:]:
        rows = re.findall(r"(?m)^\| `([a-z0-9_/]+)` \| (\d+) \|", section)
        kind = section.split("\n")[0].split()[-1].lower()
        sites[kind] = {
            f"{PACKAGE}.{path.replace('/', '.')}".removesuffix(".__init__"): int(number)
            for path, number in rows
        }
    return sites


def test_what_catches_all_and_what_locks_is_known(package: Package) -> None:
    """A new one needs a row that says why no limit and no interrupt is lost there."""
    known, found = known_interruption_sites(), architecture.interruption_sites(package)
    assert {kind: known.get(kind, {}) for kind in found} == found
