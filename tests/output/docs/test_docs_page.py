"""The page of a schema contains all declarations in valid HTML, and escapes markup in the
schema.
"""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from docs import docs_files
from docs.picture import draw
from generated import COLONY, GOLDEN, ROOT, golden_cases, model_of
from model.model import Model
from model.named import declarations, fields
from schedule import make_schedule

HERE = Path(__file__).parent
SCHEMAS = [COLONY, *(GOLDEN / case / "schema.toml" for case in golden_cases())]
VOID = {"meta", "input"}  # elements that have no end
PARENTS = {"li": {"ul", "ol"}, "dt": {"div"}, "dd": {"div"}, "tr": {"thead", "tbody"},
           "td": {"tr"}, "th": {"tr"}, "rect": {"a"}, "text": {"a"}, "thead": {"table"},
           "tbody": {"table"}, "marker": {"defs"}}  # fmt: skip
NASTY = '<b>bold</b> & "quoted" </script><script>alert(1)</script> `x<y`'


class Page(HTMLParser):
    """A page that was read, which asserts that its elements are balanced."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.anchors: list[str] = []
        self.targets: list[str] = []
        self.elements: set[str] = set()
        self.outside: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        assert len(known) == len(attrs), f"an attribute twice in <{tag}>"
        if tag in PARENTS:
            assert self.open[-1] in PARENTS[tag], f"<{tag}> in <{self.open[-1]}>"
        assert not (tag == "a" and "a" in self.open)
        self.elements.add(tag)
        self.anchors += [known["id"]] if "id" in known else []
        self.targets += [known["href"]] if "href" in known else []
        self.outside += [known[name] for name in ("src", "onclick", "onload") if name in known]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self.open, f"<{tag}/> is no end in HTML"
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("script", "style"):
            self.texts.append(data)


def text_of(model: Model) -> str:
    (text,) = docs_files(model).values()
    return text


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda path: path.parent.name)
def test_every_name_is_there_and_every_link_leads_to_one(schema: Path) -> None:
    model = model_of(schema)
    page = Page(text_of(model))
    kinds = {"component": lambda name: "tag" if model.is_tag(name) else "component"}
    named = [
        (kinds[one.kind](one.name) if one.kind in kinds else one.kind, one.name)
        for one in declarations(model)
    ]
    wanted = {f"{kind}-{name}" for kind, name in named}
    wanted |= {f"phase-{phase.name}" for phase in model.world.phases}
    assert wanted <= set(page.anchors)
    assert len(page.anchors) == len(set(page.anchors))
    assert {target.removeprefix("#") for target in page.targets} <= set(page.anchors)
    words = set(" ".join(page.texts).split())
    assert {field.name for field, _ in fields(model)} <= words
    assert {value.name for enum in model.types.enums.values() for value in enum.values} <= words


def curve(path: str) -> list[tuple[float, float]]:
    """Returns points of a path of cubic curves and vertical lines, from one end to the other."""
    words = path.replace("M", "").split()
    points = [(float(words.pop(0)), float(words.pop(0)))]
    while words:
        word, (x, y) = words.pop(0), points[-1]
        if word[0] == "V":
            ends = [(x, y), (x, y), (x, float(word[1:])), (x, float(word[1:]))]
        else:
            numbers = [float(one) for one in (word[1:], *(words.pop(0) for _ in range(5)))]
            ends = [(x, y), *zip(numbers[::2], numbers[1::2], strict=True)]
        for t in (i / 50 for i in range(1, 51)):
            parts = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            along = [
                sum(p * end[axis] for p, end in zip(parts, ends, strict=True)) for axis in (0, 1)
            ]
            points.append((along[0], along[1]))
    return points


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda path: path.parent.name)
def test_no_arrow_passes_through_a_system(schema: Path) -> None:
    """Or it would seem to lead there."""
    for phase in make_schedule(model_of(schema)):
        picture = draw(phase)
        for arrow in picture.arrows:
            for x, y in curve(arrow.path):
                assert not [
                    box.name
                    for box in picture.boxes
                    if box.x < x < box.x + box.size.width and box.y < y < box.y + box.size.height
                ], arrow.title


@pytest.mark.parametrize("schema", SCHEMAS[:2], ids=lambda path: path.parent.name)
def test_the_page_is_equal_each_time_and_needs_no_network(schema: Path) -> None:
    text = text_of(model_of(schema))
    page = Page(text)
    assert text == text_of(model_of(schema))
    assert all(target.startswith("#") for target in page.targets)
    assert not page.outside
    assert not {"link", "img", "iframe", "object"} & page.elements
    assert not [word for word in ("http:", "https:", "@import", "url(/", str(ROOT)) if word in text]


def test_who_uses_what_is_linked_both_ways() -> None:
    text = text_of(model_of(COLONY))
    worker = text.partition('<article id="component-worker">')[2].partition("</article>")[0]
    eat = text.partition('<article id="system-eat">')[2].partition("</article>")[0]
    assert '<dt>written by</dt><dd><a href="#system-seek_food">seek_food</a>' in worker
    assert '<dt>writes</dt><dd><a href="#component-worker">worker</a>' in eat
    assert '<dt>where</dt><dd><a href="#tag-arrived">arrived</a></dd>' in eat
    assert '<dt>waits for</dt><dd><a href="#system-produce">produce</a>: produce writes' in eat
    assert "title>eat waits for produce: " in text.replace("<title>", "title>")


def test_who_hears_and_reads_removals_is_told() -> None:
    text = text_of(model_of(GOLDEN / "events/schema.toml"))
    died = text.partition('<article id="event-died">')[2].partition("</article>")[0]
    heard = died.partition("<dt>heard by</dt><dd>")[2].partition("</dd>")[0]
    assert re.findall('href="#([^"]*)"', heard) == [
        "listener-sounds", "listener-obituary", "system-answer", "system-mourn",
    ]  # fmt: skip
    seen = text.partition('<article id="tag-seen">')[2].partition("</article>")[0]
    assert '<dt>removals read by</dt><dd><a href="#listener-sounds">sounds</a></dd>' in seen


def facts_of(text: str) -> list[str]:
    """Returns each article of a page with what it tells, without markup."""
    lines = []
    for name, article in re.findall('<article id="([^"]*)">(.*?)</article>', text, re.DOTALL):
        lines.append(name)
        told = re.findall("<dt>(.*?)</dt>((?:<dd>.*?</dd>)+)", article, re.DOTALL)
        for label, words in told:
            plain = re.sub("<.*?>", "", words.replace("</dd><dd>", "; "))
            lines.append(f"  {label}: {unescape(plain)}")
    return lines


def test_each_fact_is_told(update: bool) -> None:
    lines = facts_of(text_of(model_of(HERE / "facts.toml")))
    if update:
        (HERE / "facts.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert lines == (HERE / "facts.txt").read_text(encoding="utf-8").splitlines()


def test_facts_of_every_kind_are_among_these() -> None:
    shown = {line.partition(":")[0] for line in facts_of(text_of(model_of(HERE / "facts.toml")))}
    for schema in SCHEMAS:
        other = {line.partition(":")[0] for line in facts_of(text_of(model_of(schema)))}
        assert not [one for one in other - shown if one.startswith(" ")]


def test_units_ranges_and_defaults_are_told() -> None:
    text = text_of(model_of(COLONY))
    row = text.partition('<th scope="row">lifespan</th>')[2].partition("</tr>")[0]
    assert row.startswith("<td>f32</td><td>day</td><td>at least 1.0</td><td>50.0</td>")


def test_docs_of_values_are_told() -> None:
    text = text_of(model_of(GOLDEN / "enums/schema.toml"))
    job = text.partition('<article id="enum-job">')[2].partition("</article>")[0]
    assert re.findall("<li>(.*?)</li>", job) == [
        "idle",
        "gather<span>: Looks for food.</span>",
        "haul",
    ]


def test_texts_of_the_schema_are_texts(tmp_path: Path) -> None:
    quoted = NASTY.replace('"', '\\"')
    schema = tmp_path / "nasty.toml"
    schema.write_text(
        f'[world]\nname = "nasty"\ndoc = "{quoted}"\n[component.a]\ndoc = "{quoted}"\n'
        f'[component.a.fields]\nx = {{ type = "f32", unit = "{quoted}", doc = "{quoted}" }}\n'
        f's = {{ type = "char[90]", default = "{quoted}" }}\n'
        f'[enum.b]\nvalues = [{{ name = "one", doc = "{quoted}" }}]\n',
        encoding="utf-8",
    )
    text = text_of(model_of(schema))
    assert "<b>" not in text
    assert "alert(1)</" not in text
    page = Page(text)
    shown = NASTY.replace("`", "")
    words = "".join(page.texts)
    assert words.count(shown) == 4
    assert words.count(NASTY) == 2  # the unit and the default are no docs


def test_a_page_of_another_hand_is_left_alone(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "codegen"), "docs", str(COLONY), "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.endswith("colony.html: written\n")
    (tmp_path / "colony.html").write_text("<p>mine</p>", encoding="utf-8")
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "was not generated" in refused.stderr
