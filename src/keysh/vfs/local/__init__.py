"""vfs/local"""
