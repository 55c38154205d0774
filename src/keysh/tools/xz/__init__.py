"""The commands `xz`, `unxz`, `xzcat` and `lzma`, declared in `command.py`.

`gnu.compressors` does what all compressors share, and `archive.bzip2_xz` the format. Nothing here
reads a stream itself.
"""
