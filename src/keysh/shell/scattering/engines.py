"""The engines of a shell beyond its own threads."""

from __future__ import annotations

from keysh.interp.state.call import CommandFailure
from keysh.shell.scattering.chunk_engine import ChunkEngine
from keysh.shell.scattering.mapper import ClusterError
from keysh.shell.scattering.payload import payload_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.scatter.engine import Engine
    from keysh.interp.scatter.mailbox import Mailbox
    from keysh.interp.scatter.options import ScatterOptions
    from keysh.interp.state.state import State
    from keysh.shell.run_options import ShellOptions
    from keysh.shell.scattering.mapper import Mapper
    from keysh.shell.scattering.payload import Payload


def engine_of(
    state: State,
    words: Sequence[object],
    options: ScatterOptions,
    mailbox: Mailbox,
) -> Engine:
    """Return the engine that the options name; CommandFailure if it cannot run the items."""
    if options.engine == "processes":
        from keysh.shell.scattering.process_mapper import ProcessMapper  # noqa: PLC0415 - brings in workers

        processes = ProcessMapper(state, words, options)
        return ChunkEngine(processes, None, processes.width, mailbox)
    host: ShellOptions = state.session.host
    payload = payload_of(state, host, words, options)
    try:
        mapper = mapper_of(host, options, payload)
        return ChunkEngine(mapper, payload, options.workers or mapper.width, mailbox)
    except ClusterError as error:
        raise CommandFailure(str(error)) from None


def mapper_of(host: ShellOptions, options: ScatterOptions, payload: Payload) -> Mapper:
    """Return what carries the items to workers."""
    if options.on is None and host.mapper is None:
        raise CommandFailure("engine=dask needs a scheduler\nfix: on=tcp://HOST:8786", 2)
    if options.on is None and not hasattr(host.mapper, "run_on_scheduler"):
        mapper: Mapper = host.mapper
        return mapper
    from keysh.shell.scattering.dask_mapper import DaskMapper  # noqa: PLC0415 - few shells have a cluster

    return DaskMapper(options.on or host.mapper, payload)
