"""A directory of this machine. Enter at `filesystem.LocalFS`; `descent` keeps it confined.

Hosts mount it, and the program mounts the whole machine. It is the only part of vfs that opens real
files, and it follows no symbolic link: that is the router's task.
"""
