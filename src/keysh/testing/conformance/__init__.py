"""Conformance: tests that each file system must pass, in parts by what they are about.

Entry: `FileSystemConformance`, from which a test class derives, here and in projects of others. The
parts are classes of `Kit`, which has what a file system need not have. They know the interface of
file systems, and no other part of keysh.
"""
