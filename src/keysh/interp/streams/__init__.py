"""Streams: readers, writers, descriptors and redirections.

`streams` has `Reader` and `Writer`, which every command uses; `descriptors` what the numbers of
redirections lead to; `descriptor_table` connects, saves and restores those numbers. The engine and
compiled redirections call in. They know nothing of variables, jobs and the engine, and a state only
as a type.
"""
