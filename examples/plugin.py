"""A host that loads tools from a folder: each is a program that becomes a command."""

from __future__ import annotations

import json
from pathlib import Path

import keysh
from keysh.adapters.plugins import load

FOLDER = Path(__file__).parent / "plugins"


def main() -> None:
    """Load the plugins, and use them from scripts and from Python."""
    with load(FOLDER) as plugins, keysh.Shell(commands=plugins.commands) as shell:
        for fault in plugins.faults:
            print("skipped:", Path(fault.file).parent.name, fault.field, fault.reason)
        print(json.dumps(plugins["thermometer"].parameters_schema()["required"]))

        print(shell.run("for room in kitchen bedroom; do thermometer $room; done").stdout, end="")
        print(shell.run("thermometer room=kitchen unit=F | tr F K").stdout, end="")
        for wrong in ("thermometer room=cellar", "thermometer kitchen --unti=F"):
            result = shell.run(wrong)
            print(result.code, result.stderr.splitlines()[0])


if __name__ == "__main__":
    main()
