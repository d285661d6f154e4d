"""The command jsonschema writes a file, writes into a folder, or writes nothing."""

from __future__ import annotations

from pathlib import Path

from command_line import ACCEPTED, fields, run

HERE = Path(__file__).parent


def test_jsonschema_writes_a_file_or_into_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "of_files.json"
    assert fields(run("jsonschema", "--out", str(file))) == (0, f"{file}: written\n", "")
    assert fields(run("jsonschema", "--out", str(file))) == (0, f"{file}: unchanged\n", "")
    folder, world = f"{tmp_path}/new/", f"{tmp_path}/new/colony.schema.json"
    done = run("jsonschema", ACCEPTED, "--out", folder)
    assert fields(done) == (0, f"{world}: written\n", "")
    language = f"{tmp_path}/new/weft.schema.json"
    done = run("jsonschema", "--out", folder.removesuffix("/"))
    assert fields(done) == (0, f"{language}: written\n", "")
    assert Path(language).read_text() == file.read_text() != Path(world).read_text()


def test_jsonschema_makes_no_folders_for_a_file(tmp_path: Path) -> None:
    file = f"{tmp_path}/nope/deep/x.json"
    said = f"error: cannot write '{file}': there is no folder '{tmp_path}/nope/deep'\n"
    assert fields(run("jsonschema", "--out", file)) == (2, "", said)
    assert not list(tmp_path.iterdir())
    done = run("jsonschema", "--out", "x.json", cwd=tmp_path)  # here
    assert fields(done) == (0, "x.json: written\n", "")


def test_jsonschema_diff_exits_1_if_anything_would_change(tmp_path: Path) -> None:
    file = tmp_path / "weft.schema.json"
    arguments = ("jsonschema", "--out", str(file), "--diff")
    code, diff, said = fields(run(*arguments))
    assert (code, said, file.exists()) == (1, "", False)
    assert diff.startswith(f"--- /dev/null\n+++ {file}\n")
    run("jsonschema", "--out", str(file))
    assert fields(run(*arguments)) == (0, "", "")


def test_jsonschema_of_a_wrong_schema_writes_nothing(tmp_path: Path) -> None:
    expected = (HERE / "every-range.expected").read_text(encoding="utf-8")
    done = run("jsonschema", "every-range.toml", "--out", f"{tmp_path}/x.json", cwd=HERE)
    assert fields(done) == (1, "", expected)
    assert not list(tmp_path.iterdir())


def test_jsonschema_leaves_a_file_of_somebody_s_own_alone(tmp_path: Path) -> None:
    file = tmp_path / "weft.schema.json"
    file.write_text("{}")
    help = "move it away, or generate into another folder"
    said = f"error: '{file}' was not generated: {help}\n"
    assert fields(run("jsonschema", "--out", str(tmp_path))) == (2, "", said)
    assert file.read_text() == "{}"
    gone = run("jsonschema", "nowhere.toml", "--out", str(tmp_path))
    assert fields(gone)[0] == 2
