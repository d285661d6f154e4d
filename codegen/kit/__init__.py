"""This package knows what is handed to users: the runtime, its version, packages and new games."""
