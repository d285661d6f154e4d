"""Turns a plan into files: renders templates, lays out the text, and writes files that differ."""
