"""Virtual file systems: what a script sees as files, wherever they are kept."""
