"""Services: what a state asks of modules that stand upon it; the session hands them down."""

from __future__ import annotations

from keysh.runtime.attributes import assign_by_attributes
from keysh.runtime.dispatch import run_words
from keysh.runtime.paths import read_text_path
from keysh.runtime.waiting import awaited


class Services:
    """The four acts of a state that need more than the state."""

    __slots__ = ()

    assign_by_attributes = staticmethod(assign_by_attributes)
    awaited = staticmethod(awaited)
    read_text_path = staticmethod(read_text_path)
    run_words = staticmethod(run_words)
