"""What several GNU tools share: options, quoting of choices, sizes, owners, backups, checksums.

Each module is a topic, such as `modes` for chmod, install and tar, or `compressors` for gzip,
bzip2 and xz; `copy` holds cp, mv and install. Called by the tools. It knows `Call`, streams and
the file system, but no particular tool and nothing of the language.
"""
