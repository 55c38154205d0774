"""check/splitting"""
