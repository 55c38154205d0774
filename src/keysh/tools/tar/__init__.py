"""The command `tar`, declared in `command.py`.

`settings` checks the options, `carrier` opens and decompresses the archive, and `create`, `extract`
and `edit` do the work on the members that `archive.tar_reader` and `tar_writer` give. Only `files`
writes to the file system while extracting.
"""
