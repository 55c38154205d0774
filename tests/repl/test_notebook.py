"""Cells of keysh in a real kernel, driven by nbclient: the page, errors, interrupts, completion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")
run_sync = pytest.importorskip("jupyter_core.utils").run_sync

DIRECTORIES = (
    "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "XDG_CACHE_HOME",
)  # fmt: skip
PAGE = Path(__file__).parent.parent.parent / "docs" / "notebooks.md"
CELL = re.compile(r"^In \[\d+\]: (.*(?:\n {3}\.\.\.: .*)*)((?:\n(?!In \[).*)*)", re.MULTILINE)


class Kernel:
    """A kernel that runs one cell after the other."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def run(self, source: str) -> Any:
        """Run a cell and return it, with its outputs."""
        cell = nbformat.v4.new_code_cell(source)
        self._client.nb.cells.append(cell)
        return self._client.execute_cell(cell, len(self._client.nb.cells) - 1)

    def complete(self, code: str) -> list[str]:

        async def ask() -> Any:
            return await self._client.kc.complete(code, len(code), reply=True, timeout=60)

        matches: list[str] = run_sync(ask)()["content"]["matches"]
        return matches


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    place = str(tmp_path_factory.mktemp("jupyter"))
    client = nbclient.NotebookClient(
        nbformat.v4.new_notebook(), kernel_name="python3", allow_errors=True, timeout=120
    )
    with pytest.MonkeyPatch.context() as patch:
        # Nothing is read from, or written into, the directories of the user.
        for name in DIRECTORIES:
            patch.setenv(name, place)
        with client.setup_kernel():
            made = Kernel(client)
            made.run("%load_ext keysh")
            yield made


def printed(cell: Any, stream: str = "stdout") -> str:
    """Return what a cell has shown, a table as its text."""
    pieces = []
    for output in cell.outputs:
        if output.output_type == "stream" and output.name == stream:
            pieces.append(output.text)
        elif output.output_type == "display_data" and stream == "stdout":
            pieces.append(output.data["text/plain"] + "\n")
    return "".join(pieces)


def failure(cell: Any) -> str:
    """Return what a cell that has failed shows in place of a traceback."""
    return "".join(
        "\n".join(output.traceback) for output in cell.outputs if output.output_type == "error"
    )


def test_page(kernel: Kernel) -> None:
    """What docs/notebooks.md shows is what a kernel answers."""
    fences = re.findall(r"^```text\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    cells = [match for fence in fences for match in CELL.finditer(fence)]
    kernel.run("%unload_ext keysh")
    assert len(cells) == 12
    for number, match in enumerate(cells, 1):
        source = re.sub(r"^ {3}\.\.\.: ", "", match[1], flags=re.MULTILINE)
        cell = kernel.run(source)
        shown = printed(cell) + printed(cell, "stderr") + failure(cell)
        assert shown.rstrip("\n") == match[2].strip("\n"), f"In [{number}]"


def test_error_has_carets_and_no_traceback(kernel: Kernel) -> None:
    cell = kernel.run("%%keysh\necho one; if true; then echo two")
    assert "keysh:1:11: E102" in printed(cell, "stderr")
    assert "^" in printed(cell, "stderr")
    assert failure(cell) == "keysh: status 2"
    assert printed(kernel.run("print(_exit_code)")) == "2\n"
    cell = kernel.run("%%keysh --no-raise-error\necho on; false")
    assert (printed(cell), failure(cell)) == ("on\n", "")


def test_wrong_options(kernel: Kernel) -> None:
    for line in (
        "--bad",
        "--out",
        "--in nothing_here",
        "--timeout x",
        "--dialect zsh",
        "--shell os",
        "--in= --out x",
        '--out "x',
        "--out x.y",
        "--out class",
        "--reset=1",
    ):
        cell = kernel.run(
            f"import os\nget_ipython().run_cell_magic('keysh', {line!r}, 'echo never')"
        )
        assert "never" not in printed(cell)
        said = printed(cell, "stderr") + failure(cell)
        assert "UsageError" in said, line


def test_table_is_html(kernel: Kernel) -> None:
    cell = kernel.run("""%%keysh\necho '[{"a": "<b>", "n": 1}, {"n": [2]}]' | fromjson""")
    (output,) = [one for one in cell.outputs if one.output_type == "display_data"]
    html = output.data["text/html"]
    assert "<th>a</th><th>n</th>" in html
    assert "<td>&lt;b&gt;</td>" in html
    assert "<td></td><td>[2]</td>" in html


def test_interrupt_ends_the_run(kernel: Kernel) -> None:
    kernel.run("import os, signal, threading")
    # As the kernel's interrupt does, once the script says that it runs.
    kernel.run(
        "def stop(sh):\n"
        "    'Interrupt the kernel.'\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "import keysh; mine = keysh.Shell(commands=[stop])"
    )
    cell = kernel.run("%%keysh --shell mine\nstop; while true; do :; done; echo never")
    assert failure(cell) == "keysh: status 130"
    assert printed(cell) == ""
    assert printed(kernel.run("%keysh --timeout=0.01 while true; do :; done")) == ""
    assert printed(kernel.run("print(_exit_code)")) == "124\n"


def test_shell_of_the_user_is_as_before(kernel: Kernel) -> None:
    kernel.run("import keysh; own = keysh.Shell(files={'/f': 'text'})")
    assert printed(kernel.run("%keysh --shell own cat /f; x=1")) == "text"
    assert printed(kernel.run("print(own.run('echo $x').stdout)")) == "1\n\n"


def test_variables_of_a_line_are_those_of_the_script(kernel: Kernel) -> None:
    """IPython would put Python's in their place, as text of the script."""
    kernel.run("word = 'python; echo injected'")
    assert printed(kernel.run("%keysh word=script; echo $word {word}")) == "script {word}\n"
    assert printed(kernel.run("%keysh --in word echo $word")) == "python; echo injected\n"


def test_reset_begins_anew(kernel: Kernel) -> None:
    kernel.run("%keysh x=1")
    assert printed(kernel.run("%keysh echo [$x]")) == "[1]\n"
    assert printed(kernel.run("%keysh --reset echo [${x:-}]")) == "[]\n"


def test_completion(kernel: Kernel) -> None:
    kernel.run("%config Completer.use_jedi = False")  # it is slow, and completes Python alone
    assert "echo" in kernel.complete("%%keysh\nech")
    assert "echo" in kernel.complete("%keysh --out x ech")
    kernel.run("%keysh long_name=1")
    assert "long_name" in kernel.complete("%%keysh --out x\necho a\necho $long_n")
    assert "echo" not in kernel.complete("ech")


def test_large_output_is_a_limit(kernel: Kernel) -> None:
    kernel.run("import keysh; small = keysh.Shell(limits=keysh.Limits(output=1000))")
    cell = kernel.run("%keysh --shell small yes")
    assert "limit reached: output" in printed(cell, "stderr")
    assert len(printed(cell)) <= 1000


def test_extension_can_be_unloaded(kernel: Kernel) -> None:
    kernel.run("%unload_ext keysh")
    assert "keysh" in printed(kernel.run("%keysh echo never"), "stderr")
    kernel.run("%load_ext keysh")
    assert printed(kernel.run("%keysh echo on")) == "on\n"
