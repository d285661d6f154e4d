"""What users install: the runtime, its version, packages and new games."""
