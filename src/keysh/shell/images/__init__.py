"""Images: a shell as bytes, and back.

`snapshot.snapshot` writes what scripts have made of a shell, `restore.restored_shell` makes a shell
of it on another machine or tomorrow. `container` is the format around both; `typed_values`,
`state_records`, `file_records` and `mount_records` each know one part of what is in it.
docs/state.md tells hosts what an image holds. Nothing of an image runs when it is read, and nothing
of it opens a door: what a shell may reach is up to the host that restores it.
"""
