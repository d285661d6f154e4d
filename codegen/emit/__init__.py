"""From a plan to files: templates are rendered, laid out, and written where they differ."""
