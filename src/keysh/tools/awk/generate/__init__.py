"""tools/awk/generate"""
