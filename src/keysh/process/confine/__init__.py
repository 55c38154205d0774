"""Confinement: the kernel holds a program to the files, sockets and system calls that it may use.

    ProgramConfinement -> Confinement -> LaunchingThread: no_new_privs, Landlock, seccomp
                                             and starts programs, which inherit all three

`program_confinement` is a policy's, `confinement` says what programs may reach, `kernel` what this
machine can hold, `landlock` and `seccomp` are the two parts of the kernel, `system_calls` the
numbers of what is refused, `thread_restriction` applies both to a thread, `launching_thread` is the
thread that is confined, and `collection_pause` keeps finalizers of the host from it. The other
threads of the host stay free. docs/confinement.md.
"""
