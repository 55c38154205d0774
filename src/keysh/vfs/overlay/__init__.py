"""vfs/overlay"""
