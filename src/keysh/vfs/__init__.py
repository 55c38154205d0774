"""Virtual file systems: what a script sees as files, wherever they are stored.

`api` is the contract, and `router.Router` the tree that the interpreter uses: it mounts the file
systems of memory/, overlay/, local/, sqlite/ and remote/ and follows symbolic links among them.
Hosts and the interpreter call it. It knows no shell: no variables, no commands, no directory.
"""
