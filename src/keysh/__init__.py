"""keysh: a shell that lives inside Python programs.

    import keysh

    keysh.run("ls | head lines=3").stdout

What is here is the public interface. A name is imported when it is first used, so that a program
that needs little loads little. Each of its classes sets `__module__ = "keysh"`, so that tracebacks
show the name under which a host imports it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.audit.audit import Audit as Audit
    from keysh.audit.events import Events as Events
    from keysh.audit.verification import Verification as Verification
    from keysh.audit.verification import verify_audit as verify_audit
    from keysh.diagnostics.diagnostic import Diagnostic as Diagnostic
    from keysh.diagnostics.exceptions import ContentLost as ContentLost
    from keysh.diagnostics.exceptions import GlobLimit as GlobLimit
    from keysh.diagnostics.exceptions import ImageError as ImageError
    from keysh.diagnostics.exceptions import Incomplete as Incomplete
    from keysh.diagnostics.exceptions import KeyshError as KeyshError
    from keysh.diagnostics.exceptions import MergeConflict as MergeConflict
    from keysh.diagnostics.exceptions import OverlayConflict as OverlayConflict
    from keysh.diagnostics.exceptions import RulesError as RulesError
    from keysh.diagnostics.exceptions import ScriptError as ScriptError
    from keysh.diagnostics.exceptions import UndoConflict as UndoConflict
    from keysh.diagnostics.exceptions import UndoRefused as UndoRefused
    from keysh.interp.run.cancel import Cancel as Cancel
    from keysh.interp.run.limits import Limits as Limits
    from keysh.interp.run.network import Network as Network
    from keysh.interp.state.call import Call as Call
    from keysh.process.confine.confinement import Confinement as Confinement
    from keysh.process.policy import Policy as Policy
    from keysh.rules.ask_request import AskRequest as AskRequest
    from keysh.rules.rule_set import Rules as Rules
    from keysh.schema.command import Command as Command
    from keysh.schema.command import OptionStyle as OptionStyle
    from keysh.schema.command import OutputStyle as OutputStyle
    from keysh.schema.command import Refusals as Refusals
    from keysh.schema.declare import DeclarationError as DeclarationError
    from keysh.schema.declare import command as command
    from keysh.schema.types import Code as Code
    from keysh.schema.types import Duration as Duration
    from keysh.schema.types import Json as Json
    from keysh.schema.types import Path as Path
    from keysh.schema.types import Pattern as Pattern
    from keysh.schema.types import Raw as Raw
    from keysh.schema.types import Regex as Regex
    from keysh.schema.types import Size as Size
    from keysh.shell.async_run import Job as Job
    from keysh.shell.history.entry import JournalEntry as JournalEntry
    from keysh.shell.history.journal import Journal as Journal
    from keysh.shell.history.run_changes import Changes as Changes
    from keysh.shell.host.mapping import Row as Row
    from keysh.shell.host.option_types import AsyncRunOptions as AsyncRunOptions
    from keysh.shell.host.option_types import MapOptions as MapOptions
    from keysh.shell.host.option_types import RunOptions as RunOptions
    from keysh.shell.host.option_types import ScriptOptions as ScriptOptions
    from keysh.shell.host.option_types import ShellOptions as ShellOptions
    from keysh.shell.host.option_types import StreamOptions as StreamOptions
    from keysh.shell.host.planned_commands import PlannedCommand as PlannedCommand
    from keysh.shell.host.planned_commands import PlannedRedirection as PlannedRedirection
    from keysh.shell.host.stream_pieces import StderrPiece as StderrPiece
    from keysh.shell.host.stream_pieces import StdoutPiece as StdoutPiece
    from keysh.shell.host.stream_pieces import StreamEnd as StreamEnd
    from keysh.shell.images.snapshot import Image as Image
    from keysh.shell.images.snapshot import image_of as image_of
    from keysh.shell.plan import Plan as Plan
    from keysh.shell.run_result import Failed as Failed
    from keysh.shell.run_result import ReachedLimit as ReachedLimit
    from keysh.shell.run_result import Result as Result
    from keysh.shell.shell import Shell as Shell
    from keysh.shell.shell import run as run
    from keysh.text.shell_quoting import quote as quote
    from keysh.version import __version__ as __version__
    from keysh.vfs.api import Entry as Entry
    from keysh.vfs.api import FileSystem as FileSystem
    from keysh.vfs.api import Stat as Stat
    from keysh.vfs.api import failure as failure
    from keysh.vfs.local.filesystem import LocalFS as LocalFS
    from keysh.vfs.memory.filesystem import MemoryFS as MemoryFS
    from keysh.vfs.overlay.changes import Change as Change
    from keysh.vfs.overlay.filesystem import OverlayFS as OverlayFS
    from keysh.vfs.readonly import ReadOnlyFS as ReadOnlyFS
    from keysh.vfs.router import Router as Router
    from keysh.vfs.sqlite.filesystem import SqliteFS as SqliteFS
    from keysh.vfs.stream import Stream as Stream
    from keysh.vfs.synthetic.dev import DevFS as DevFS
    from keysh.worker.pool import Pool as Pool

# Where each name is; a test holds this against the imports above.
HOMES = {
    "AsyncRunOptions": "shell.host.option_types", "MapOptions": "shell.host.option_types",
    "RunOptions": "shell.host.option_types", "ScriptOptions": "shell.host.option_types",
    "ShellOptions": "shell.host.option_types", "StreamOptions": "shell.host.option_types",
    "Plan": "shell.plan", "PlannedCommand": "shell.host.planned_commands",
    "PlannedRedirection": "shell.host.planned_commands",
    "ReachedLimit": "shell.run_result", "Row": "shell.host.mapping",
    "StderrPiece": "shell.host.stream_pieces", "StdoutPiece": "shell.host.stream_pieces",
    "StreamEnd": "shell.host.stream_pieces",
    "AskRequest": "rules.ask_request", "Audit": "audit.audit",
    "Call": "interp.state.call", "Cancel": "interp.run.cancel",
    "Change": "vfs.overlay.changes", "Changes": "shell.history.run_changes",
    "Code": "schema.types", "Command": "schema.command",
    "Confinement": "process.confine.confinement", "ContentLost": "diagnostics.exceptions",
    "DeclarationError": "schema.declare", "DevFS": "vfs.synthetic.dev",
    "Diagnostic": "diagnostics.diagnostic", "Duration": "schema.types",
    "Entry": "vfs.api", "Events": "audit.events", "Failed": "shell.run_result",
    "FileSystem": "vfs.api",
    "GlobLimit": "diagnostics.exceptions", "Image": "shell.images.snapshot",
    "ImageError": "diagnostics.exceptions", "Incomplete": "diagnostics.exceptions",
    "Job": "shell.async_run", "Journal": "shell.history.journal",
    "JournalEntry": "shell.history.entry", "Json": "schema.types",
    "KeyshError": "diagnostics.exceptions",
    "Limits": "interp.run.limits", "LocalFS": "vfs.local.filesystem",
    "MemoryFS": "vfs.memory.filesystem", "MergeConflict": "diagnostics.exceptions",
    "Network": "interp.run.network",
    "OptionStyle": "schema.command", "OutputStyle": "schema.command",
    "OverlayConflict": "diagnostics.exceptions", "OverlayFS": "vfs.overlay.filesystem",
    "Path": "schema.types", "Pattern": "schema.types", "Policy": "process.policy",
    "Pool": "worker.pool",
    "Raw": "schema.types", "ReadOnlyFS": "vfs.readonly", "Refusals": "schema.command",
    "Regex": "schema.types", "Result": "shell.run_result", "Router": "vfs.router",
    "Rules": "rules.rule_set", "RulesError": "diagnostics.exceptions",
    "ScriptError": "diagnostics.exceptions", "Shell": "shell.shell", "Size": "schema.types",
    "SqliteFS": "vfs.sqlite.filesystem", "Stat": "vfs.api", "Stream": "vfs.stream",
    "UndoConflict": "diagnostics.exceptions",
    "UndoRefused": "diagnostics.exceptions", "Verification": "audit.verification",
    "__version__": "version", "command": "schema.declare", "failure": "vfs.api",
    "image_of": "shell.images.snapshot", "quote": "text.shell_quoting", "run": "shell.shell",
    "verify_audit": "audit.verification",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    home = HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'keysh' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - when the first name is asked for

    found = getattr(import_module(f"keysh.{home}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *HOMES})


def load_ipython_extension(ipython: Any) -> None:
    """Give a kernel of IPython the magics %keysh and %%keysh: `%load_ext keysh`."""
    from keysh.repl.notebook import load_magics  # noqa: PLC0415 - few programs have IPython

    load_magics(ipython)


def unload_ipython_extension(ipython: Any) -> None:
    """Take the magics away, and end the shell of the kernel: `%unload_ext keysh`."""
    from keysh.repl.notebook import unload_magics  # noqa: PLC0415 - as above

    unload_magics(ipython)
