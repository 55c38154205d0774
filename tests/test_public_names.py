"""What `keysh` exports: classes show the names that hosts import, and exceptions are pickled."""

from __future__ import annotations

import pickle
import re
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import keysh
import keysh.process

pytestmark = pytest.mark.quick

CLASSES = [name for name in keysh.HOMES if isinstance(getattr(keysh, name), type)]
IMPORT = re.compile(r"^    from (keysh\.\S+) import (\w+) as \2$", re.MULTILINE)


@pytest.mark.parametrize("package", [keysh, keysh.process], ids=["keysh", "keysh.process"])
def test_homes_are_those_of_the_imports(package: ModuleType) -> None:
    assert package.__file__ is not None
    found = {}
    for module, name in IMPORT.findall(Path(package.__file__).read_text()):
        found[name] = module.removeprefix(f"{package.__name__}.")
        assert getattr(package, name) is getattr(import_module(module), name)
    assert found == package.HOMES


@pytest.mark.parametrize("name", CLASSES)
def test_class_says_where_it_is_imported_from(name: str) -> None:
    public = getattr(keysh, name)
    assert repr(public) == f"<class 'keysh.{name}'>"
    assert pickle.loads(pickle.dumps(public)) is public


def undocumented() -> None:
    @keysh.command(strict=True)
    def silent(word: str) -> None: ...


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: keysh.run("cat /none").check(), keysh.Failed),
        (lambda: keysh.Shell().plan("echo )"), keysh.ScriptError),
        (lambda: keysh.Shell().plan("echo $("), keysh.Incomplete),
        (undocumented, keysh.DeclarationError),
    ],
)
def test_exception_is_shown_and_pickled(
    call: Callable[[], object], kind: type[keysh.KeyshError]
) -> None:
    with pytest.raises(kind) as raised:
        call()
    error = raised.value
    assert traceback.format_exception_only(error)[0].startswith(f"keysh.{kind.__name__}: ")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), {*vars(copy)}) == (kind, str(error), {*vars(error)})


def test_pickled_exception_keeps_its_facts() -> None:
    limit = pickle.loads(pickle.dumps(keysh.GlobLimit("results", 3)))
    assert (limit.what, limit.allowed) == ("results", 3)
    failed = keysh.Failed(keysh.run("echo a; exit 3"))
    assert pickle.loads(pickle.dumps(failed)).result.stdout == "a\n"


def test_own_command_is_declared_with_public_names() -> None:
    @keysh.command(
        output=keysh.OutputStyle(lines=True),
        refusals=keysh.Refusals(usage_status=2),
        style=keysh.OptionStyle(options_first=True),
    )
    def pair(sh: keysh.Call, left: str, right: str) -> list[str]:
        """Print two words.

        left   the first word
        right  the second word
        """
        return [left, right]

    shell = keysh.Shell(commands=[pair])
    assert shell.run("pair a").code == 2
    assert shell.run("pair a -b").stdout == '["a","-b"]\n'
