"""Commands: one file each, named as the command is; the folder's listing is the registry."""
