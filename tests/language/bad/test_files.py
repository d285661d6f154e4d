"""Generated files are written on change only, in whole, and nothing of the user's is removed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from emit.files import MARK, WriteError, diff_tree, touch_file, write_file, write_tree

A = f"{MARK}a.\nint a;\n"
B = f"{MARK}b.\nint b;\n"
OLD = 1_000_000_000  # a time stamp in seconds that no write leaves


def age(path: Path) -> None:
    os.utime(path, (OLD, OLD))


def is_aged(path: Path) -> bool:
    return path.stat().st_mtime == OLD


def test_writes_what_is_new_and_leaves_what_is_equal(tmp_path: Path) -> None:
    out = str(tmp_path / "generated")
    files = {"w/a.h": A, "w/b.h": B}
    assert write_tree(out, files).written == ("w/a.h", "w/b.h")
    for path in files:
        age(tmp_path / "generated" / path)
    changes = write_tree(out, {"w/a.h": A, "w/b.h": A})
    assert changes.written == ("w/b.h",)
    assert is_aged(tmp_path / "generated/w/a.h")
    assert (tmp_path / "generated/w/b.h").read_text() == A
    assert sorted(os.listdir(tmp_path / "generated/w")) == ["a.h", "b.h"]


def test_removes_only_marked_files_in_its_own_folders(tmp_path: Path) -> None:
    kept = {
        "w/mine.h": "int mine;\n",
        "w/empty.h": "",
        "other/old.h": A,
        "old.h": A,
        "w/in/old.h": A,
    }
    for path, text in {**kept, "w/old.h": A}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "w/link.h").symlink_to(tmp_path / "old.h")
    changes = write_tree(str(tmp_path), {"w/a.h": A})
    assert changes.removed == ("w/old.h",)
    assert not (tmp_path / "w/old.h").exists()
    assert all((tmp_path / path).read_text() == text for path, text in kept.items())
    assert (tmp_path / "w/link.h").is_symlink()


def test_a_file_of_the_users_own_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "w/b.h").write_text("int mine;\n")
    with pytest.raises(WriteError, match=r"'.*/w/b\.h' is in the way, and was not generated"):
        write_tree(str(tmp_path), {"w/a.h": A, "w/b.h": B})
    assert (tmp_path / "w/b.h").read_text() == "int mine;\n"
    assert os.listdir(tmp_path / "w") == ["b.h"]
    (tmp_path / "w/b.h").write_text("")  # nothing to lose
    assert write_tree(str(tmp_path), {"w/a.h": A, "w/b.h": B}).written == ("w/a.h", "w/b.h")


def test_a_file_without_the_mark_is_a_bug(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"w/a\.h"):
        write_tree(str(tmp_path), {"w/a.h": "int a;\n"})
    assert not list(tmp_path.iterdir())


def test_replaces_rather_than_overwrites(tmp_path: Path) -> None:
    """A reader that has the file open keeps the old text in whole."""
    path = tmp_path / "a.h"
    write_file(str(path), A)
    with path.open() as reader:
        assert write_file(str(path), B)
        assert reader.read() == A
    assert path.read_text() == B


def test_new_files_have_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "by_hand").write_text("")
    write_file(str(tmp_path / "a.h"), A)
    assert (tmp_path / "a.h").stat().st_mode == (tmp_path / "by_hand").stat().st_mode


def test_touch_brings_the_time_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "stamp"
    for text in ("a\n", "a\n", "b\n"):
        touch_file(str(path), text)
        assert path.read_text() == text
        assert not is_aged(path)
        age(path)


@pytest.mark.parametrize(
    ("file", "out", "said"),
    [
        ("file", "file", r"cannot make the folder '.*/file/w': not a directory"),
        ("w", "", r"cannot make the folder '.*/w': file exists"),
        ("w/a.h/file", "", r"cannot write '.*/w/a\.h': is a directory"),
    ],
)
def test_what_cannot_be_written_is_said_with_its_path(
    tmp_path: Path, file: str, out: str, said: str
) -> None:
    """A file where a folder must be, and a folder where a file must be."""
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text("mine")
    with pytest.raises(WriteError, match=said):
        write_tree(str(tmp_path / out), {"w/a.h": A})
    left = [path for path in tmp_path.rglob("*") if path.name.startswith(".")]
    assert not left


def test_an_interrupt_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_file(str(tmp_path / "a.h"), A)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_file(str(tmp_path / "a.h"), B)
    assert (tmp_path / "a.h").read_text() == A
    assert os.listdir(tmp_path) == ["a.h"]


def test_a_failed_rename_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_file(str(tmp_path / "a.h"), A)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(WriteError, match="no space left on device"):
        write_file(str(tmp_path / "a.h"), B)
    assert (tmp_path / "a.h").read_text() == A
    assert os.listdir(tmp_path) == ["a.h"]


def test_diff_says_what_would_change_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_tree("out", {"w/a.h": A, "w/old.h": A})
    (tmp_path / "out/w/bytes.h").write_bytes(MARK.encode() + b"\xff\n")
    diff = diff_tree("out", {"w/a.h": B, "w/new.h": "no end of line"})
    assert diff == (
        f"--- out/w/a.h\n+++ out/w/a.h\n@@ -1,2 +1,2 @@\n-{MARK}a.\n-int a;\n+{MARK}b.\n+int b;\n"
        f"--- out/w/bytes.h\n+++ /dev/null\n@@ -1 +0,0 @@\n-{MARK}\ufffd\n"
        "--- /dev/null\n+++ out/w/new.h\n@@ -0,0 +1 @@\n+no end of line\n"
        f"--- out/w/old.h\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-{MARK}a.\n-int a;\n"
    )
    assert sorted(os.listdir("out/w")) == ["a.h", "bytes.h", "old.h"]
    assert diff_tree("nowhere", {}) == ""
