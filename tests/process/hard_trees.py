"""Ten kinds of process trees that are hard to kill, used by tests and by benchmarks/kills.py.

Each prints "ready" when it is there. A tree with a next command would make the file NEXT.
"""

from __future__ import annotations

SLEEP = "sleep 6000"

TREES = {
    "plain": f"{SLEEP} & echo ready; {SLEEP}; touch NEXT",
    "setsid": f"setsid sh -c '{SLEEP}; touch NEXT' & echo ready; {SLEEP}; touch NEXT",
    "double fork": f"(sh -c '{SLEEP}; touch NEXT' &) & wait; echo ready; {SLEEP}; touch NEXT",
    "setsid and double fork": f"(setsid sh -c '{SLEEP}; touch NEXT' &); echo ready; {SLEEP}",
    "TERM ignored": f"trap '' TERM; setsid sh -c '{SLEEP}; touch NEXT' & echo ready; {SLEEP}",
    "nohup": f"nohup sh -c '{SLEEP}; touch NEXT' >/dev/null & echo ready; {SLEEP}; touch NEXT",
    "stopped": f"setsid sh -c 'kill -STOP $$; {SLEEP}; touch NEXT' & echo ready; {SLEEP}",
    "200 children": (
        f"i=0; while [ $i -lt 200 ]; do {SLEEP} & i=$((i+1)); done; echo ready; wait; touch NEXT"
    ),
    "chain of 30": (
        "f() { if [ $1 -gt 0 ]; then (f $(($1-1)); touch NEXT); else echo ready; "
        f"{SLEEP}; fi; }}; f 30"
    ),
    "respawner": f"trap 'setsid {SLEEP} & exit' TERM; echo ready; {SLEEP} & wait",
}  # fmt: skip


def tree_script(name: str, next_file: str) -> str:
    """The script of a tree for `sh -c`."""
    return TREES[name].replace("NEXT", next_file)
