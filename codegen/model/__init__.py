"""The meaning of a schema, and what follows from it without any C."""
