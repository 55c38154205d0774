"""The command `basenc`, declared in `command.py`; `base64` and `base32` do the same.

`encoding` has the encodings, `conversion` applies one to the files of a call. The encodings know
neither calls nor line lengths.
"""
