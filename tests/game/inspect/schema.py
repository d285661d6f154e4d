"""The view of the schema: what it says, and that it looks like the page that `weft docs` writes.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from selenium import webdriver

from browser import PHONE
from docs import docs_files
from generated import COLONY, model_of
from inspector_page import Page

SIZES = [PHONE, (1280, 800), (1920, 1080)]
# The entries of a document: the names of their elements, and the cells of their tables by name.
ENTRIES = """
const page = arguments[0] === null ? document
  : new DOMParser().parseFromString(arguments[0], 'text/html');
const text = (node) => node.textContent.trim().replace(/\\s+/g, ' ');
const shape = (node) => [node.tagName, node.className,
  ...[...node.children].filter((one) => one.matches('div, table, thead, tbody, tr')).map(shape)];
return [...page.querySelectorAll('.entries article')].map((one) => {
  const table = one.querySelector('div.scroll');
  return [text(one.querySelector('h3')), table && shape(table).slice(0, 3),
    [...one.querySelectorAll('tr')].map((row) => [...row.children].map(text))];
});
"""
STYLES = """
const of = (selector) => {
  const style = getComputedStyle(document.querySelector(selector));
  return ['textAlign', 'verticalAlign', 'borderBottomStyle', 'borderCollapse', 'display',
    'whiteSpace', 'overflowWrap', 'paddingLeft'].map((name) => style[name]);
};
return ['table', 'thead th', 'tbody th', 'td', 'dl div', 'dt', 'dd', '.doc', 'article']
  .map((one) => of(`.entries ${one}`));
"""
# Words in tables and facts whose letters are on more than one line.
BROKEN = """
const found = [];
for (const cell of document.querySelectorAll('.entries :is(th, td, dt, h3)')) {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const word of node.data.matchAll(/[\\w.]+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((one) => one.top)).size > 1) found.push(word[0]);
    }
  }
}
return found;
"""


def docs_page() -> str:
    (text,) = docs_files(model_of(COLONY)).values()
    return text


def by_name(entries: list[list[Any]]) -> dict[str, list[Any]]:
    return {name: [shape, rows] for name, shape, rows in entries}


def without_zeros(cells: list[str]) -> list[str]:
    """Returns cells with numbers as JavaScript writes them: 2 instead of 2.0."""
    return [re.sub(r"(\d)\.0\b", r"\1", cell) for cell in cells]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_no_word_is_broken(page: Page, size: tuple[int, int]) -> None:
    page.resize(*size)
    try:
        page.open("schema")
        page.until(lambda: page.all(".entries article"))
        assert page.browser.execute_script(BROKEN) == []
        width = page.browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= size[0]
    finally:
        page.own_size()


def test_tables_are_those_of_weft_docs(page: Page) -> None:
    """The same elements with the same cells. `weft docs` leaves out defaults that are not given."""
    page.open("schema")
    page.until(lambda: page.all(".entries article"))
    shown = by_name(page.browser.execute_script(ENTRIES, None))
    written = by_name(page.browser.execute_script(ENTRIES, docs_page()))
    components = [one["name"] for one in page.colony.call("schema")["components"]]
    assert len(components) > 20
    for name in components:
        (shape, rows), (docs_shape, docs_rows) = shown[name], written[name]
        assert shape == docs_shape, name
        assert [row[:4] for row in rows] == [without_zeros(row[:4]) for row in docs_rows], name
        for row, docs_row in zip(rows, docs_rows, strict=True):
            assert row[4] == without_zeros(docs_row[4:5])[0] or docs_row[4] == "", name
            assert docs_row[5].startswith(row[5]), name  # it adds that a value is not saved


def test_the_style_is_that_of_weft_docs(page: Page, browser: webdriver.Chrome) -> None:
    """Both pages contain the same style sheet, which no other rule undoes."""
    page.open("schema")
    page.until(lambda: page.all(".entries article"))
    shown = browser.execute_script(STYLES)
    browser.get("about:blank")
    browser.execute_script(
        "document.open(); document.write(arguments[0]); document.close()", docs_page()
    )
    assert browser.execute_script(STYLES) == shown


def test_entries_lead_to_each_other_and_into_the_game(page: Page) -> None:
    page.open("schema")
    page.until(lambda: page.all("#components-needs"))
    facts = page.text("#components-needs dl")
    assert "written by\neat, get_hungry" in facts.replace("\t", "\n")
    page.browser.execute_script(
        "[...document.querySelectorAll('#components-needs dd a')]"
        ".find((one) => one.textContent === 'get_hungry').click()"
    )
    in_sight = """
        const top = document.getElementById('systems-get_hungry').getBoundingClientRect().top;
        return top >= 0 && top < innerHeight;
    """
    page.until(lambda: page.browser.execute_script(in_sight))
    page.one("#systems-get_hungry a[href='#/systems/get_hungry']").click()
    page.until(lambda: page.text("#detail h3") == "get_hungry")
    page.open("schema")
    page.one("input[type=search]").send_keys("no such thing")
    page.until(lambda: page.text("#none") == 'Nothing in the schema has "no such thing" in it.')
