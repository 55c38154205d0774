"""Files that no storage holds: each is made at the moment when it is read.

`dev` has the devices, `machine_dev` those of a shell that sees the whole machine, `job_files` the
jobs of a shell, and `program_files` the commands as programs.
"""
