"""gnu/copy"""
