"""The plugin of pytest, as another project uses it."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points

import pytest

pytest_plugins = ["pytester"]

PLUGIN = ("-p", "keysh.testing.plugin", "-p", "no:cacheprovider")

PAGE = """
# Page

```file names.txt
bob
amy
```

```console
$ sort names.txt
amy
bob
$ date -u +%F; cat missing
2000-01-01
! cat: missing: No such file or directory
[1]
```

```js
not looked at
```

```console bash
$ a="x y"; printf '<%s>' $a
<x><y>
[no newline]
```

```console
$ greet
WRONG
```
"""
CONFTEST = '''
def greet(sh):
    """Greet."""
    return "hello\\n"


def pytest_keysh_options(path):
    return {"commands": [greet]} if path.name == "page.md" else None
'''


def test_fixture_and_markers(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
import pytest

pytestmark = pytest.mark.keysh(env={"A": "1"}, files={"/f": "text"})


def test_fixed(shell):
    assert shell.run("date -u +%F-%T; echo $A").stdout == "2000-01-01-00:00:00\\n1\\n"
    assert [shell.run("cat /f; echo $RANDOM").stdout] == ["textSEED\\n"]


@pytest.mark.keysh(env={"A": "2"}, dialect="bash")
def test_nearest(shell):
    assert shell.run("a='x y'; echo $A $(cat /f); set -- $a; echo $#").stdout == "2 text\\n2\\n"


@pytest.mark.keysh({"A": "2"})
def test_wrong(shell):
    pass
""".replace("SEED", first_random_number())
    )
    result = pytester.runpytest(*PLUGIN, "--strict-markers")
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["*pytest.mark.keysh takes options by name*"])


def first_random_number() -> str:
    from keysh import Shell

    return Shell(random=0).run("echo $RANDOM").stdout.strip()


def test_pages_are_tests_and_answers_can_be_accepted(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makeini("[pytest]\nkeysh_pages = page.md docs/*.md\n")
    page = pytester.path / "page.md"
    page.write_text(PAGE)
    (pytester.path / "other.md").write_text("```console\n$ false\n```\n")
    result = pytester.runpytest(*PLUGIN)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["-WRONG", "+hello", "FAILED page.md::line 29*"])
    assert page.read_text() == PAGE
    pytester.runpytest(*PLUGIN, "--keysh-accept").assert_outcomes(passed=3)
    assert page.read_text() == PAGE.replace("WRONG", "hello")
    pytester.runpytest(*PLUGIN).assert_outcomes(passed=3)


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (b"```console\nno command\n```\n", "page.md:2: a command must come here"),
        (
            b"- one\n  ```console\n  $ false\n  ```\n",
            "page.md:2: a fence is indented and would not",
        ),
        (b"\xff", "can't decode byte 0xff"),
    ],
)
def test_page_that_cannot_be_read(pytester: pytest.Pytester, page: bytes, message: str) -> None:
    pytester.makeini("[pytest]\nkeysh_pages = *.md\n")
    (pytester.path / "page.md").write_bytes(page)
    result = pytester.runpytest(*PLUGIN)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*{message}*"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_other_fences_may_be_indented(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nkeysh_pages = *.md\n")
    (pytester.path / "page.md").write_text("- one\n  ```sh\n  false\n  ```\n")
    pytester.runpytest(*PLUGIN).assert_outcomes()


def test_projects_without_pages_collect_none(pytester: pytest.Pytester) -> None:
    (pytester.path / "page.md").write_text(PAGE)
    pytester.runpytest(*PLUGIN).assert_outcomes()


def test_conformance_of_a_file_system_of_others(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
import pytest

from keysh import MemoryFS
from keysh.testing import FileSystemConformance


class Forgetful(MemoryFS):
    def set_mode(self, path, mode):
        pass


class TestMine(FileSystemConformance):
    has_hard_links = False

    @pytest.fixture
    def fs(self):
        return Forgetful()
""")
    result = pytester.runpytest(*PLUGIN, "-q")
    outcomes = result.parseoutcomes()
    assert outcomes["failed"] > 0
    assert outcomes["passed"] > 50
    assert outcomes["skipped"] > 0


def test_plugin_imports_no_shell() -> None:
    """pytest loads it in each run, whatever that tests."""
    code = "import sys, keysh.testing.plugin; print(*(m for m in sys.modules if 'keysh.' in m))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert sorted(done.stdout.split()) == [
        "keysh.testing", "keysh.testing.plugin", "keysh.testing.reproducible_options",
    ]  # fmt: skip


def test_installed_keysh_has_the_plugin() -> None:
    found = entry_points(group="pytest11", name="keysh.testing.plugin")
    if not found:
        pytest.skip("keysh was installed before it had the plugin")
    assert [one.value for one in found] == ["keysh.testing.plugin"]
