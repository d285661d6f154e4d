"""Schema files as text: reading TOML with places, resolving imports, and reporting mistakes."""
