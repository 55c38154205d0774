"""Parse an awk program to a tree, and analyse its names."""
