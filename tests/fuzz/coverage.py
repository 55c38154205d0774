"""Fuzz a target with atheris, which keeps the inputs that reach new branches and changes these.

    python -m fuzz.coverage TARGET SECONDS SEED FOLDER

libFuzzer ends the process it runs in, and keysh must be imported by atheris, which adds counters to
its code: so this is a process of its own, which `python -m tests.fuzz --engine atheris` starts.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fuzz.targets import Input, Target

FIRST_INPUTS = 300
MOST_BYTES = 4096  # of a changed input, or as many as the largest of the first has
# The tables of the parser are data, and too large to count branches in.
WITHOUT_COUNTERS = ["keysh.syntax._tables"]


def main() -> None:
    name, seconds, seed, folder = sys.argv[1:]
    import atheris  # type: ignore[import-not-found]

    # Commands are imported when they first run, so imports are watched until the process ends.
    atheris.instrument_imports(include=["keysh"], exclude=WITHOUT_COUNTERS).__enter__()
    from fuzz.targets import all_targets

    run(atheris, all_targets()[name], float(seconds), int(seed), Path(folder))


def run(atheris: Any, target: Target, seconds: float, seed: int, folder: Path) -> None:
    """Fuzz until the time is over, print what was found, and end the process."""
    from fuzz.campaign import Campaign, report_to, stored_bytes
    from fuzz.seeds import kept
    from keysh.text.chunks import text_of_bytes

    random = Random(seed)
    make = target.maker(random)
    first = [make() for _ in range(FIRST_INPUTS)]
    is_text = isinstance(first[0], str)
    known = [*map(stored_bytes, first), *(path.read_bytes() for path in kept(target.name))]
    inputs = folder / "inputs"
    inputs.mkdir()
    for number, data in enumerate(known):
        (inputs / str(number)).write_bytes(data)

    campaign = Campaign(target, folder / "current", report_to(target.name))
    end = time.monotonic() + seconds

    def take(data: bytes) -> None:
        if time.monotonic() > end:
            print(campaign.summary(seed), flush=True)
            os._exit(bool(campaign.kinds))
        campaign.take(text_of_bytes(data) if is_text else data)

    changed = change_of(first, random)

    def mutate(data: bytes, size: int, _seed: int) -> bytes:
        """Change an input in libFuzzer's ways, which know the branches, or in our own."""
        return bytes(atheris.Mutate(data, size)) if random.random() < 0.5 else changed(data)[:size]

    options = [
        f"-seed={seed % 2**32}", f"-max_len={max(MOST_BYTES, *map(len, known))}",
        "-rss_limit_mb=4096", f"-artifact_prefix={folder}/",
    ]  # fmt: skip
    atheris.Setup(["fuzz", *options, str(inputs)], take, custom_mutator=mutate)
    atheris.Fuzz()


def change_of(inputs: Sequence[Input], random: Random) -> Callable[[bytes], bytes]:
    """Return a function that changes stored inputs in the ways of a target's maker."""
    from fuzz.mutation import ByteMutator, Mutator
    from keysh.text.chunks import bytes_of_text, text_of_bytes

    texts = [text for text in inputs if isinstance(text, str)]
    if texts:
        mutator = Mutator(texts, random)
        return lambda data: bytes_of_text(mutator.changed(text_of_bytes(data)))
    samples = [data for data in inputs if isinstance(data, bytes)]
    return ByteMutator(samples, random).changed


if __name__ == "__main__":
    main()
