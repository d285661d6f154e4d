"""Follows the how-to pages that need build systems, compilers or libraries of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages import do_as_the_page_says, name, needs_more, pages


@pytest.mark.parametrize("page", [page for page in pages() if needs_more(page)], ids=name)
def test_a_reader_can_do_what_the_page_says(page: Path, tmp_path: Path) -> None:
    do_as_the_page_says(page, tmp_path)
