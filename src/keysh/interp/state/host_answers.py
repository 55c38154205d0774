"""What commands of a host return, as values of keysh: dataclasses, members of an Enum, models."""

from __future__ import annotations

import datetime as dt
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import PurePath
from types import AsyncGeneratorType

from keysh.interp.streams.streams import output_text
from keysh.values import json_of, value_of_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.state.call import Call


def answer_of_host(answer: object, call: Call) -> object:
    """Return the answer of a command as a value; write what an asynchronous generator yields."""
    if isinstance(answer, AsyncGeneratorType):
        return call.run_coroutine(write_async_chunks(answer, call))
    return plain_value(answer)


async def write_async_chunks(chunks: AsyncGeneratorType[object, None], call: Call) -> None:
    """Write what an asynchronous generator yields: text as it is, values as lines of JSON."""
    try:
        async for chunk in chunks:
            if isinstance(chunk, str | bytes):
                call.out.write(output_text(chunk))
            else:
                value = plain_value(chunk)
                call.out.write_row(value, f"{json_of(value)}\n")
    finally:
        await chunks.aclose()


def plain_value(answer: Any) -> object:
    """Return an object of the host as a value; raise TypeError if it is none.

    A dataclass, a named tuple or a model of pydantic is a record, a member of an Enum its value, a
    date its ISO form.
    """
    if isinstance(answer, Enum):
        return plain_value(answer.value)
    if is_dataclass(answer) and not isinstance(answer, type):
        return {one.name: plain_value(getattr(answer, one.name)) for one in fields(answer)}
    if isinstance(answer, tuple) and hasattr(answer, "_asdict"):
        return plain_value(answer._asdict())
    if isinstance(answer, list | tuple):
        return [plain_value(one) for one in answer]
    if isinstance(answer, dict):
        return {value_of_python(str(key)): plain_value(one) for key, one in answer.items()}
    if isinstance(answer, dt.date | dt.time):
        return answer.isoformat()
    if isinstance(answer, dt.timedelta):
        return answer.total_seconds()
    if isinstance(answer, PurePath):
        return str(answer)
    if hasattr(type(answer), "model_dump"):
        return value_of_python(answer.model_dump(mode="json"))
    return value_of_python(answer)
