"""Parse an awk program to a tree, and find out what its names mean.

`parser` is the way in; `names`, `needs` and `effects` analyse the tree for `generate`. Nothing here
knows the code that is generated, or the machine that runs it.
"""
