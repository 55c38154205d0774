"""The worker: the program that a host starts to run shells in a process of their own.

`worker_program.main` prepares the process, `worker_shell.WorkerShell` does what the host asks for,
and `host_stubs` makes the commands and file systems that are the host's. `pool.Pool` is what hosts
import. Their side, and what the frames between them are, is in `keysh.shell.isolation`.
"""
