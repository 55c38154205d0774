"""vfs/remote"""
