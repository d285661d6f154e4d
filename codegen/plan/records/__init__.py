"""Frozen records with everything that templates print. All decisions about C are made in them."""
