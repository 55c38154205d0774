"""The manual page is complete, and is troff that the tools read without complaint."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from keysh.cli.manual.command_options import RUN, option_spellings, options_of
from keysh.cli.manual.page import STATUSES, manual_page, troff_text, usage_forms
from keysh.cli.subcommands import declarations
from keysh.shell import command_listing as commands
from real_tools import need

EXIT_STATUS = Path(__file__).parents[1] / "spec" / "lang" / "exit-status.md"


def rendered(*argv: str) -> subprocess.CompletedProcess[str]:
    need(argv[0])
    return subprocess.run(
        argv, input=manual_page(declarations()), capture_output=True, text=True, check=False,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "80"},
    )  # fmt: skip


def plain(displayed: str) -> str:
    """Return the text of a page in one line, without terminal formatting and added hyphens."""
    return " ".join(re.sub(r".\x08|\x1b\[\d*m|[-\u2010]\n\s+", "", displayed).split())


def test_groff_reports_no_problem() -> None:
    done = rendered("groff", "-man", "-ww", "-Tutf8")
    assert (done.returncode, done.stderr) == (0, "")


def test_mandoc_reports_no_error() -> None:
    done = rendered("mandoc", "-Tlint", "-Werror")
    assert done.returncode == 0, done.stdout


def test_man_shows_everything() -> None:
    done = rendered("man", "-l", "-")
    assert done.returncode == 0
    displayed = plain(done.stdout)
    assert "keysh - a shell that lives inside Python programs" in displayed
    for form in usage_forms(declarations()):
        assert " ".join(form.split()) in displayed
    for command in (RUN, *declarations().values()):
        for option in options_of(command):
            assert all(spelling in displayed for spelling in option_spellings(option))
    section = displayed[displayed.index("BUILTINS") : displayed.index("EXIT STATUS")].split()
    assert commands.names() <= set(section)


def test_statuses_match_the_language_page() -> None:
    rows = re.findall(r"^\| (\d.*?) \| (.*?) \|$", EXIT_STATUS.read_text("utf-8"), re.MULTILINE)
    assert tuple(rows) == STATUSES


@pytest.mark.parametrize(
    ("line", "made"),
    [
        (".x", r"\&.x"),
        ("'x", r"\&'x"),
        (r"a\b", r"a\eb"),
        ("-a `--b`", r"\-a \fB\-\-b\fR"),
    ],
)
def test_text_is_escaped(line: str, made: str) -> None:
    assert troff_text(line) == made
