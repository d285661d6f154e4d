"""This package turns a plan into files: it renders, lays out, and writes what differs."""
