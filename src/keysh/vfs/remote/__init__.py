"""Storages of fsspec: S3, archives, HTTP and others. Enter at `fsspec.FsspecFS`.

Hosts mount it; it needs the extra `keysh[fsspec]`, which nothing else may import. It turns whole
files and their exceptions into the streams and errors of vfs.api.
"""
