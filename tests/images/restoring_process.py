"""A process that goes on with shells of other processes: it gets an image and returns the next one.

Each line of its input is a request in JSON, each line of its output the answer.
"""

from __future__ import annotations

import base64
import json
import sys
import traceback
from typing import Any

from keysh import LocalFS, Shell, image_of

MAX_SECONDS = 20.0  # for a command
# Environment, directory and files are those of keysh.testing.page_runner.
KEPT_FILES = {"/tmp/.keep": ""}


def main() -> None:
    kept: Shell | None = None  # whose jobs or descriptors no image holds
    for line in sys.stdin:
        try:
            answer, kept = answered(json.loads(line), kept)
        except Exception:  # noqa: BLE001 - the test shows it
            answer = {"error": traceback.format_exc()}
        print(json.dumps(answer), flush=True)


def answered(request: dict[str, Any], kept: Shell | None) -> tuple[dict[str, object], Shell | None]:
    """Run one command; return the answer, and the shell if only this process can go on with it."""
    home, image, directory = request["home"], request["image"], LocalFS(request["directory"])
    if image is not None:
        shell = Shell.restore(base64.b64decode(image), {home: directory})
    elif request["begins"]:
        shell = Shell(
            fs={home: directory}, files=KEPT_FILES, cwd=home, env=request["environment"],
            dialect=request["dialect"],
        )  # fmt: skip
    else:
        assert kept is not None
        shell = kept
    result = shell.run(request["command"], timeout=MAX_SECONDS)
    made = shell.snapshot()
    is_whole = not image_of(made).left_out
    answer = {
        "stdout": result.stdout, "stderr": result.stderr, "status": result.code,
        "image": base64.b64encode(made).decode() if is_whole else None,
    }  # fmt: skip
    return answer, None if is_whole else shell


if __name__ == "__main__":
    main()
