"""C identifiers, and the words that a schema must not use as names."""
