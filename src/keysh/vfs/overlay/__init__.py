"""Changes kept apart from a lower file system until `commit`. Enter at `filesystem.OverlayFS`.

Hosts use it to review what a script did before it takes effect. It works on any two file systems of
vfs.api and knows neither where they are stored nor how they are mounted.
"""
