"""Schema files as text: places in them, TOML that remembers its places, imports, and the report."""
