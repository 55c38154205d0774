"""Count the errors in a thousand log files: on threads, in processes or on a Dask cluster.

    python examples/crunch_logs.py [threads|processes|dask]

Only the word changes: the same function runs here, or in workers, which get the shell with its
files. Here the cluster is one of this machine.
"""

import random
import sys
from contextlib import ExitStack
from typing import Any

import keysh

FILES = 1000
CRUNCH = """
    # The number of errors in a log, and which one comes most often.
    crunch(log) {
        local n=$(grep -c ERROR "$log")
        local most=$(grep -o 'ERROR [a-z]*' "$log" | sort | uniq -c | sort -rn | head -n 1)
        echo "$n$most"
    }
"""


def logs() -> dict[str, str]:
    """Make the logs, the same ones each time."""
    chance = random.Random(1)
    words = ("disk", "net", "auth")
    return {
        f"/logs/{number:04}.log": "".join(
            f"{minute:02} {f'ERROR {chance.choice(words)}' if chance.random() < 0.3 else 'ok'}\n"
            for minute in range(20)
        )
        for number in range(FILES)
    }


def main(engine: str) -> None:
    with ExitStack() as stack:
        mapper = stack.enter_context(cluster()) if engine == "dask" else None
        shell = stack.enter_context(keysh.Shell(files=logs(), mapper=mapper))
        shell.run(CRUNCH)
        names = shell.run("echo /logs/*").stdout.split()
        errors, kinds = 0, dict.fromkeys(("disk", "net", "auth"), 0)
        for row in shell.map("crunch", names, workers=4, engine=engine):
            count, *most = row.data.split()
            errors += int(count)
            if most:
                kinds[most[-1]] += 1
    print(f"{len(names)} logs, {errors} errors; most often: {kinds}")


def cluster() -> Any:
    """Return a client of a cluster of this machine."""
    from distributed import Client, LocalCluster  # noqa: PLC0415 - an extra

    return Client(LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "threads")
