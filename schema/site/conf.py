"""How Sphinx makes the site: every page of the repository, in the folders where it stands."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "Weft"
author = "the Weft authors"
project_copyright = author
extensions = ["myst_parser", "sphinx_design", "contents", "names", "headers"]
root_doc = "README"
source_suffix = {".md": "markdown"}
exclude_patterns = [".*", "build", "generated/*/**", "**/node_modules", "codegen/kit/game/**"]
language = "en"
# A schema name in a heading keeps its anchor as GitHub writes it: `every` is #every.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
# TOML, C and shell blocks carry a word that says how a test runs them.
suppress_warnings = ["misc.highlighting_failure"]
highlight_language = "text"
pygments_style = "friendly"
pygments_dark_style = "github-dark"

html_theme = "furo"
html_title = "Weft"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).parent / "scorer.js")
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_last_updated_fmt = None
html_theme_options = {"sidebar_hide_name": False, "navigation_with_keys": True}
