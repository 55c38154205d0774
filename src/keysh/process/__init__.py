"""Real processes: started, fed, read, limited and killed to the last descendant. Knows no shell.

    spec -> resolve, policy -> launch -> Process, attended by a Loop -> ProcessResult

Nothing here starts a thread, except a Keeper that is given processes to attend in the background.
"""

from __future__ import annotations

from .flag import Flag as Flag
from .policy import Policy as Policy
from .result import NotStarted as NotStarted
from .result import ProcessResult as ProcessResult
from .run import arun as arun
from .run import run as run
from .run import start as start
from .spec import CAPTURE as CAPTURE
from .spec import DISCARD as DISCARD
from .spec import MERGE as MERGE
from .spec import OPEN as OPEN
from .spec import PRIVATE as PRIVATE
from .spec import STREAM as STREAM
from .spec import ProcessSpec as ProcessSpec
