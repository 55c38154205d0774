"""The rows that a script prints."""

from __future__ import annotations

import json
from typing import Any

from keysh import Shell


def rows_of(shell: Shell, script: str) -> list[dict[str, Any]]:
    """Run a script that complains about nothing, and return the rows."""
    result = shell.run(script)
    assert result.stderr == ""
    return [json.loads(line) for line in result.stdout.splitlines()]
