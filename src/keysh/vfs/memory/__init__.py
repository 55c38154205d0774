"""vfs/memory"""
