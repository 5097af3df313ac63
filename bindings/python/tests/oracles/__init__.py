"""Robots as read by packages that share no code with boxwood, and the comparison."""
