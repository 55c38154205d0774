"""Confinement: the kernel holds a program to the files, sockets and system calls that it may use.

    Confinement -> Rules (paths that exist) -> LaunchingThread: no_new_privs, Landlock, seccomp
                                                    \\-> starts programs, which inherit all three

`confinement` says what is asked, `kernel` what this machine can hold, `landlock` and `seccomp` are
the two parts of the kernel, `system_calls` the numbers of what is refused, and `launching_thread`
the thread that is confined. The other threads of the host stay free. docs/confinement.md.
"""
