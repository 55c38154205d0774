"""Switches: the options of a call as diff shows them before the files of two directories.

How they were written is not known any more: letters without a value stand together.
"""

from __future__ import annotations

from keysh.runtime.quoting import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.schema.command import Command


def switches_of(command: Command, given: Sequence[tuple[str, Any]]) -> str:
    """The options behind a blank each, or nothing."""
    parameters = {parameter.name: parameter for parameter in command.parameters}
    flags, words = "", []
    for name, value in given:
        parameter = parameters[name]
        for one in value if isinstance(value, list) else [value]:
            tail = "" if one is True else str(one)
            if parameter is command.number:
                words.append(f"-{tail}")
            elif parameter.letters and not tail:
                flags += parameter.letters[0]
            elif parameter.letters:
                words += [f"-{parameter.letters[0]}", tail]
            else:
                words.append(f"--{parameter.longs[0]}{tail and '='}{tail}")
    return "".join(f" {shown(word)}" for word in ([f"-{flags}"] if flags else []) + words)
