"""A host that reviews scripts before it runs them: their errors, and what they would run."""

from __future__ import annotations

import keysh

SCRIPTS = (
    "find /notes -name '*.txt' | sort | head lines=1",
    "cat /notes/a.txt > /etc/motd",
    "{ cat /notes/a.txt; } > /etc/motd",
    'eval "$(cat /notes/a.txt)"',
    "for f in /notes/*; do mv $f done",
)
HARMLESS = {"find", "sort", "head", "cat", "grep", "wc"}


def verdict(shell: keysh.Shell, text: str) -> str:
    """Return why a script is not run; empty if it may run."""
    errors = [one for one in shell.check(text) if one.severity == "error"]
    if errors:
        return f"line {errors[0].record()['line']}: {errors[0].fact}"
    plan = shell.plan(text)
    if plan.is_opaque:
        return "it may run commands that its text does not show"
    redirections = list(plan.redirections)
    for command in plan.commands:
        if command["name"] not in HARMLESS:
            return f"{command['name']} is not harmless"
        redirections += command["redirections"]
    written_files = [one["target"] for one in redirections if one["operator"] != "<"]
    return f"it writes to {written_files[0]}" if written_files else ""


def main() -> None:
    """Review each script, and run those that pass."""
    shell = keysh.Shell(files={"/notes/a.txt": "one\n", "/notes/b.txt": "two\n"})
    for text in SCRIPTS:
        reason = verdict(shell, text)
        print(f"refused, {reason}" if reason else shell.run(text).stdout.strip())


if __name__ == "__main__":
    main()
