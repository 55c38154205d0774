"""The journal of files: what a run has changed, and the way back.

`file_journal.FileJournal` is the way in: `begin` before a run, `end` after it, `restore` to go back
or forth. A `version.FileVersion` is what was at a path, `changes.FileChanges` has one from before
and one from after a run for each path, and `restore` writes versions to the file systems. It knows
no shell. docs/internals/journal.md explains it with a picture.
"""
