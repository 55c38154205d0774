"""Archives: the formats of gzip, bzip2, xz, tar and zip, as bytes. Nothing here opens a file."""
