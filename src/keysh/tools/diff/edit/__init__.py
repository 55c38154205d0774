"""tools/diff/edit"""
