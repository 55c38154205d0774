"""Scatter beyond this process: what travels to a worker, what runs there, and who carries it.

payload      the shell as an image, the command, the host's grants: sent once
item_shell   a shell of a payload on a worker, which runs items
chunk_engine the engine: items in chunks, sized by measured time, over a Mapper
mapper       what carries a call to a worker: a host's own, or one of these
dask_mapper  distributed
"""
