"""Every identifier that generated code defines, and the words that no name in a schema may be."""
