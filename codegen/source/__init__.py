"""This package holds schema files as text: places, TOML that keeps them, imports, the report."""
