"""tools/awk/parse"""
