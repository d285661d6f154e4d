"""The files for debuggers are equal each time, valid, and replace only files that were
generated.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from debugger import debug_files
from generated import COLONY, GOLDEN, ROOT, Generated, generate, golden_cases, model_of

CAMP = Path(__file__).parent / "camp.toml"
NATVIS = "{http://schemas.microsoft.com/vstudio/debugger/natvis/2010}"


@pytest.fixture(scope="module")
def camp() -> Generated:
    return generate(CAMP)


def world_of(script: str) -> dict[str, object]:
    """The description in a script, as the debugger reads it."""
    for node in ast.parse(script).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "WORLD":
            found = ast.literal_eval(node.value)
            assert isinstance(found, dict)
            return found
    raise AssertionError("the script has no WORLD")


@pytest.mark.parametrize("schema", [COLONY, *(GOLDEN / c / "schema.toml" for c in golden_cases())])
def test_every_world_has_a_sound_script_and_sound_views(schema: Path) -> None:
    model = model_of(schema)
    script, views = debug_files(model).values()
    names = {*model.code.queries, *model.data.components}
    known = world_of(script)
    assert names <= {*known["selections"], *known["components"]}  # type: ignore[misc]
    assert str(ROOT) not in script + views
    assert ElementTree.fromstring(views).tag == f"{NATVIS}AutoVisualizer"


def test_files_are_equal_each_time(camp: Generated) -> None:
    assert debug_files(camp.model) == debug_files(model_of(CAMP))


def test_no_import_of_the_generator_is_left(camp: Generated) -> None:
    script = debug_files(camp.model)["camp_debug.py"]
    assert "from debugger" not in script
    compile(script, "camp_debug.py", "exec")


def test_expressions_keep_their_shape(camp: Generated) -> None:
    known = world_of(debug_files(camp.model)["camp_debug.py"])
    found = known["selections"]["sleepers"]  # type: ignore[index]
    hidden = ["!", ["has", "buried"]]
    assert found["where"] == ["&", ["has", "asleep"], ["!", ["has", "fever"]], hidden]
    assert found["needs"] == ["camper"]


def test_views_name_members_and_types_that_there_are(camp: Generated) -> None:
    views = ElementTree.fromstring(debug_files(camp.model)["camp.natvis"])
    code = "".join(camp.files.values())
    code += "".join(path.read_text(encoding="utf-8") for path in (ROOT / "runtime").rglob("*.h"))
    types = [one.attrib["Name"] for one in views.iter(f"{NATVIS}Type")]
    assert types == [
        "camp_entity", "camp_camper_rivals", "camp_camper_path", "camp_camper_marks", "camp_camper",
        "camp_weather",
        "camp_brood_ctx", "camp_stroll_ctx", "weft_table", "camp_world",
    ]  # fmt: skip
    words = {
        word
        for one in views.iter()
        if one.tag.removeprefix(NATVIS) in ("Size", "ValuePointer")
        for word in re.findall(r"[a-z_][a-z_0-9]{2,}", one.text or "")
    }
    assert words - {"void", "this", "int", "unsigned", "float"} <= set(re.findall(r"\w+", code))


def test_views_name_the_elements_of_arrays_by_an_enum(camp: Generated) -> None:
    views = ElementTree.fromstring(debug_files(camp.model)["camp.natvis"])
    [weather] = [one for one in views if one.get("Name") == "camp_weather"]
    items = [(one.get("Name"), one.text) for one in weather.iter(f"{NATVIS}Item")]
    days = [("calm", "days[0]"), ("merry", "days[1]"), ("grim", "days[2]")]
    assert items == [("rain", "rain"), ("wind", "wind"), ("mood", "mood"), *days]
    [array] = weather.iter(f"{NATVIS}Synthetic")
    assert array.get("Name") == "days"


def test_a_file_of_the_game_is_left_alone(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "codegen"), "debug", str(CAMP), "--out", str(tmp_path)]
    first = subprocess.run(command, capture_output=True, text=True, check=False)
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    (tmp_path / "camp.natvis").write_text("<mine/>", encoding="utf-8")
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert first.stdout.count(": written\n") == 2
    assert again.stdout.count(": unchanged\n") == 2
    assert refused.returncode == 2
    assert "'camp.natvis' was not generated" in refused.stderr.replace(f"{tmp_path}/", "")
