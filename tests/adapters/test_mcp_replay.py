"""Scripts as agents write them: over MCP they do what they do in a Shell."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

pytest.importorskip("mcp", reason="there is no SDK of the protocol")

from mcp import Client

from keysh import Router, Shell
from keysh.adapters.agent import KeyshSession, ShellManager, tools_for
from keysh.adapters.mcp import server_for
from keysh.adapters.tool_result import RESULT_SCHEMA

FILES = {
    "/app/server.log": "".join(
        f"2026-01-0{day} {level} request {day * 7} took {day * 13}ms\n"
        for day in range(1, 10)
        for level in ("INFO", "WARN", "ERROR")
    ),
    "/app/config.json": '{"name": "app", "port": 8080, "tags": ["a", "b"]}\n',
    "/app/src/main.py": "import os\n\n\ndef main():\n    print(os.name)  # TODO\n",
    "/app/users.csv": "id,name,age\n1,Ann,30\n2,Bob,25\n3,Cy,41\n",
}
SCRIPTS = {
    "count levels": "cd /app && awk '{print $2}' server.log | sort | uniq -c | sort -rn",
    "slowest": "grep ERROR /app/server.log | sed -E 's/.*took ([0-9]+)ms/\\1/' | sort -n | tail -3",
    "edit json": (
        "set -euo pipefail\ntmp=$(mktemp)\njq '.port = 9090 | .tags += [\"c\"]' /app/config.json"
        ' > "$tmp" && mv "$tmp" /app/config.json\ncat /app/config.json'
    ),
    "here document": (
        "cat > /app/run.sh <<'EOF'\n#!/bin/bash\nfor i in 1 2 3; do echo \"$i of $#\"; done\nEOF\n"
        "chmod +x /app/run.sh; bash /app/run.sh a b; ls -l /app/run.sh | cut -c1-10"
    ),
    "find and replace": (
        "find /app -name '*.py' -exec grep -l TODO {} + | while read -r f; do\n"
        "  sed -i 's/TODO/DONE/' \"$f\" && echo \"fixed $f\"\ndone"
    ),
    "arrays": (
        "declare -A ages; while IFS=, read -r id name age; do\n  [[ $id == id ]] && continue\n"
        "  ages[$name]=$age\ndone < /app/users.csv\n"
        'for n in Ann Bob Cy; do echo "$n=${ages[$n]}"; done'
    ),
    "archive": "cd /app && tar czf /tmp/a src && tar tzf /tmp/a && rm -r src && tar xzf /tmp/a",
    "failure": "cat /app/nosuch || echo missing; grep nothing /app/users.csv; echo $?; false",
    "mistyped": "cd /app; grpe ERROR server.log; ls",
    "long output": "for i in $(seq 9000); do echo \"line $i of many\"; done",
    "both outputs": "printf out; echo err >&2; exit 4",
    "trap and function": (
        "f() { local n=$1; (( n > 1 )) && echo $n && f $((n - 1)); }; trap 'echo bye' EXIT; f 3"
    ),
}  # fmt: skip


def contents(fs: Router) -> dict[str, bytes]:
    """Return the files below the directories that the scripts use."""
    made: dict[str, bytes] = {}
    waiting = ["/app", "/tmp"]
    while waiting:
        folder = waiting.pop()
        for entry in fs.list(folder):
            path = f"{folder}/{entry.name}"
            if fs.stat(path).is_directory:
                waiting.append(path)
            else:
                with fs.open(path) as stream:
                    made[path] = stream.read()
    return made


@pytest.mark.asyncio
@pytest.mark.parametrize("name", SCRIPTS)
async def test_script(name: str) -> None:
    script, options = SCRIPTS[name], {"files": FILES, "clock": 1_800_000_000.0, "random": 1}
    with Shell(dialect="bash", **options) as shell:  # type: ignore[arg-type]
        expected = shell.run(script)
        files = contents(shell.fs)
    with ShellManager(KeyshSession(**options)) as manager:
        async with Client(server_for(tools_for(manager))) as client:
            answer = await client.call_tool("Bash", {"command": script})
        record: dict[str, Any] = answer.structured_content or {}
        jsonschema.validate(record, RESULT_SCHEMA)
        output = record["output"]
        if record["cut"]:
            with manager.session.fs.open(record["cut"]["file"]) as stream:
                output = stream.read().decode()
        assert contents(manager.session.fs) == files
    out, err = expected.stdout, expected.stderr
    joint = "\n" if out and err and not out.endswith("\n") else ""
    assert (output, record["exit_code"]) == (f"{out}{joint}{err}", expected.code)
    assert answer.is_error == (expected.code != 0)
