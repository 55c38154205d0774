"""The command `fromyaml`, declared in `command.py`.

`documents` builds values from the events of PyYAML, which is imported only there. It knows nothing
of commands; aliases that grow without bound are refused there.
"""
