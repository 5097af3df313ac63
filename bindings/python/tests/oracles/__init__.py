"""Robots as packages read them that share no code with boxwood, and the comparison."""
