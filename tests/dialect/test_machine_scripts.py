"""The shell scripts of the machine: what `bash -n` accepts, keysh accepts."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from benchmarks.real_scripts import FOLDERS, scripts_in

import keysh
from real_tools import needs

pytestmark = needs("bash")

MAX_SCRIPTS = 100


def test_no_script_is_refused():
    """The longest scripts of the folders parse; those for which bash has an error are left out."""
    scripts = [path for path, _ in scripts_in(FOLDERS)]
    if not scripts:
        pytest.skip("this machine has no shell scripts")
    scripts.sort(key=lambda path: (-Path(path).stat().st_size, path))
    shell = keysh.Shell(dialect="bash", external=True)
    refused = []
    for path in scripts[:MAX_SCRIPTS]:
        text = Path(path).read_text("utf-8", "surrogateescape")
        errors = [item for item in shell.check(text) if item.severity == "error"]
        if errors and subprocess.run(["bash", "-n", path], capture_output=True).returncode == 0:
            refused.append((path, str(errors[0])))
    assert refused == []
