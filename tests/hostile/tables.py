"""The hostile scripts: tables in TOML, a group for each kind of attack.

    [[group]]
    ends = "seconds memory"       how a script may end: limits, ok, fails, rejected, a status, error
    [group.scripts]
    name = 'script'               or {script = '…', ends = '…'}: what differs from the group

`endings.tsv` has how each script ended when it was recorded (`python -m tests.hostile --record`):
by a limit, or else as it must again, unless a limit comes first on a slow machine.

A group may also give: `setup` (run before, in the same text), `limits`, `env`, `dialects`,
`mounts`, `external`, `host`, `server` (server.py, as `$URL`), `check`, `checked` (also
`Shell.check` and `plan`), `cancel` and `timeout` (seconds), `usable` (whether a run after it can
be as usual), `prints`, and `names_exception` (whether the message names an exception of the host,
as E299 does).
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
ENDINGS = FOLDER / "endings.tsv"
BEGUN = "begun\n"

LIMITS: dict[str, Any] = {
    "seconds": 0.3,
    "memory": 64 << 20,
    "session_memory": 64 << 20,
    "value": 2 << 20,
    "output": 1 << 20,
    "file_bytes": 32 << 20,
    "unpacked": 32 << 20,
    "files": 2000,
    "jobs": 8,
    "processes": 8,
}
# Texts that attacks need; to make them in the script would take its time.
TEXTS = {
    "DIGITS": "9" * 5000,
    "LONG": "a" * 100_000,
    "WIDE": "a b " * 25_000,
    "OPEN": "[" * 20_000,
    "DEEP": "(" * 20_000,
}
PLAIN = {
    "setup": "",
    "env": {},
    "mounts": {},
    "external": False,
    "host": "",
    "server": False,
    "check": False,
    "checked": False,
    "cancel": None,
    "timeout": None,
    "usable": True,
    "prints": None,
    "begins": BEGUN,
    "names_exception": False,
}

REQUESTED = (
    "mounts", "external", "host", "server", "check", "checked", "cancel", "timeout", "usable",
)  # fmt: skip


class Script:
    """One hostile script, with what it is run on and how it may end."""

    def __init__(self, name: str, dialect: str, row: dict[str, Any]) -> None:
        self.name, self.dialect = name, dialect
        self.recorded = ""
        self.ends = frozenset(row.pop("ends").split())
        self.limits = LIMITS | row.pop("limits", {})
        self.row = PLAIN | row
        first = "builtin echo begun\n" if self.row["begins"] == BEGUN else ""
        self.text = first + self.row["setup"] + row["script"]
        self.begins, self.prints = self.row["begins"], self.row["prints"]
        self.usable, self.names_exception = self.row["usable"], self.row["names_exception"]

    @property
    def longest_seconds(self) -> float:
        """The time after which it must have ended."""
        given = (self.limits["seconds"], self.row["timeout"], self.row["cancel"])
        return min(seconds for seconds in given if seconds is not None)

    def request(self) -> dict[str, Any]:
        """What the process needs to know."""
        return {name: self.row[name] for name in REQUESTED} | {
            "name": self.name,
            "script": self.text,
            "dialect": self.dialect,
            "limits": self.limits,
            "longest": self.longest_seconds,
            "env": {k: v for k, v in TEXTS.items() if k in self.text} | self.row["env"],
        }


def scripts_of(path: Path) -> list[Script]:
    """Return the scripts of a table."""
    found = []
    for group in tomllib.loads(path.read_text("utf-8"))["group"]:
        rows = group.pop("scripts")
        dialects = group.pop("dialects", ["keysh"])
        for name, row in rows.items():
            whole = group | (row if isinstance(row, dict) else {"script": row})
            for dialect in whole.pop("dialects", dialects):
                suffix = "" if dialect == "keysh" else f"-{dialect}"
                found.append(Script(f"{path.stem}-{name}{suffix}", dialect, dict(whole)))
    return found


def recorded_endings() -> dict[str, str]:
    """Return the recorded ending of each script, by name."""
    rows = (line.split("\t") for line in ENDINGS.read_text("utf-8").splitlines())
    return {row[0]: row[1] for row in rows}


def all_scripts() -> list[Script]:
    """Return the scripts of all tables."""
    recorded = recorded_endings()
    scripts = [script for path in sorted(FOLDER.glob("*.toml")) for script in scripts_of(path)]
    for script in scripts:
        script.recorded = recorded.get(script.name, "")
    return scripts
