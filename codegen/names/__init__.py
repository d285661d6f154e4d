"""This package makes every C identifier, and knows the words that no name in a schema may be."""
