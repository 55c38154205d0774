"""Archive and compression formats: gzip, bzip2, xz, lzma, tar and zip, as streams of bytes.

Enter at the module of a format. Data comes in as a `byte_source.ByteSource` and goes out as
iterators of chunks; damaged data raises DamagedData. Called by tar, zip, unzip, gzip, bzip2 and
xz. Nothing here opens a file or knows a command; zip and xz indexes are read from a
seekable file that the caller opened.
"""
