"""Files in memory. Enter at `filesystem.MemoryFS`; `tree` looks paths up, `quota` counts.

Shells without other files use it, and so does the upper layer of an overlay. It knows the contract
of vfs.api and nothing of mounts or of the machine.
"""
