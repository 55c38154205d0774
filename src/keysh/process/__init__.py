"""Real processes: started, fed, read, limited and killed to the last descendant. Knows no shell.

    spec -> resolve, policy -> launch -> Process, attended by a Loop -> ProcessResult

Nothing here starts a thread, except a Keeper that is given processes to attend in the background.
"""

from __future__ import annotations

from keysh.process.policy import Policy as Policy
from keysh.process.result import NotStarted as NotStarted
from keysh.process.result import ProcessResult as ProcessResult
from keysh.process.run import arun as arun
from keysh.process.run import run as run
from keysh.process.run import start as start
from keysh.process.spec import CAPTURE as CAPTURE
from keysh.process.spec import DISCARD as DISCARD
from keysh.process.spec import MERGE as MERGE
from keysh.process.spec import OPEN as OPEN
from keysh.process.spec import PRIVATE as PRIVATE
from keysh.process.spec import STREAM as STREAM
from keysh.process.spec import ProcessSpec as ProcessSpec
from keysh.process.wakeup import Flag as Flag
