"""Files in one SQLite file, in the schema of the Agent Filesystem Specification.

`filesystem.SqliteFS` is the way in. It knows no shell and no other file system.
"""
