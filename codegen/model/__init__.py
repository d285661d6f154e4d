"""This package holds the meaning of a schema, and what follows from it without any C."""
