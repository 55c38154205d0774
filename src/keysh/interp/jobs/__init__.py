"""interp/jobs"""
