"""What keysh offers to tests of others."""
