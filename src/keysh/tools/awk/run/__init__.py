"""tools/awk/run"""
