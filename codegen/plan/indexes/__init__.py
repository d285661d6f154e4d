"""This package plans indexes: for each its iterator and calls, of the game and of systems."""
