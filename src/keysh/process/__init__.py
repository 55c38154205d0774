"""Real processes: start, feed, read, limit and kill them, down to the last descendant.

    ProcessSpec -> resolve, policy -> launch -> Process, attended by a PollLoop -> ProcessResult

Entry: `run`, `start`, `arun`; `keeper.Keeper` for processes in the background, whose thread is the
only one that is ever started here. Called by external/ and by hosts, to whom it is documented in
docs/processes.md. It knows no shell, and reads no environment of its own.
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
