"""Scatter: run a command for all items of a source, many at once."""

from __future__ import annotations

from keysh.interp.run.control_flow import STATUS_NOT_FOUND
from keysh.interp.scatter.item_command import ItemCommand, UnfitItem
from keysh.interp.scatter.job_log import JobLog
from keysh.interp.scatter.mailbox import Mailbox
from keysh.interp.scatter.options import USAGE_STATUS
from keysh.interp.scatter.progress_line import ProgressLine
from keysh.interp.scatter.returned_files import ReturnedFiles
from keysh.interp.scatter.rows import FAILED_STATUS
from keysh.interp.scatter.scatter_run import ScatterRun
from keysh.interp.scatter.thread_engine import thread_engine
from keysh.interp.state.call import CommandFailure
from keysh.interp.state.state_of_call import state_of
from keysh.text.gnu_quoting import shell_message_name
from keysh.text.shell_quoting import quoted_if_needed
from keysh.values import ABSENT, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.scatter.engine import Engine
    from keysh.interp.scatter.items import Items
    from keysh.interp.scatter.options import ScatterOptions
    from keysh.interp.scatter.rows import Row
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State


def scatter_items(
    sh: Call, called: object, source: Items, options: ScatterOptions
) -> Iterator[Row | str]:
    """Run a command, or a list of it and its first arguments; yield the rows."""
    options.check(sh)
    state = state_of(sh)
    words = called if isinstance(called, list) and called else [called]
    command = ItemCommand(state, words)
    if not command.is_known:
        raise sh.fail(f"{shell_message_name(command.name)}: command not found", STATUS_NOT_FOUND)
    check_items(sh, command, source)
    if options.dry_run:
        yield from dry_lines(command, source)
        return
    mailbox = Mailbox()
    log = None if options.log is None else JobLog(sh, options.log, words, resumes=options.resume)
    engine = engine_of(state, command.name, words, options, mailbox)
    progress = ProgressLine(sh, len(source.known_items))
    returned = ReturnedFiles(sh)
    scatter = ScatterRun(command, source, engine, mailbox, options, progress, returned, log)
    try:
        yield from scatter.rows(state.budget, sh.out.flush)
    except BaseException:
        engine.cancel()
        raise
    finally:
        engine.close()
        progress.close()
        if log is not None:
            log.close()
    sh.out.end_rows()
    sh.status = FAILED_STATUS if scatter.failed else 0


def engine_of(
    state: State, name: str, words: Sequence[object], options: ScatterOptions, mailbox: Mailbox
) -> Engine:
    """Return the engine that runs the items."""
    host = state.session.host
    leaves = options.on is not None or (host is not None and host.mapper is not None)
    if options.engine == "threads" or not (options.engine or leaves):
        return thread_engine(state, f"scatter {name}", options.workers, mailbox)
    if host is None:
        raise CommandFailure("this shell has only its own threads", USAGE_STATUS)
    engine: Engine = host.make_engine(state, words, options, mailbox)
    return engine


def check_items(sh: Call, command: ItemCommand, source: Items) -> None:
    """Refuse items that are known and do not fit the command, before the first one runs."""
    for index, item in enumerate(source.known_items):
        try:
            command.words_for(item)
        except UnfitItem as unfit:
            shown = shell_message_name(text_of(item))
            fact = f"item {index}, {shown}: {command.name}: {unfit.reason}"
            raise sh.fail(fact, USAGE_STATUS) from None


def dry_lines(command: ItemCommand, source: Items) -> Iterator[str]:
    """Yield the commands that would run."""
    while (item := source.take()) is not ABSENT:
        try:
            words = command.words_for(item)
        except UnfitItem as unfit:
            yield f"# {text_of(item)}: {unfit.reason}\n"
        else:
            yield " ".join(quoted_if_needed(text_of(word)) for word in words) + "\n"
