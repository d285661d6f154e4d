"""This package holds what templates print: frozen records in which all of C is decided."""
