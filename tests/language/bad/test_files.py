"""Generated files are written only if they change, always whole, and files of the user are never
removed.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from emit.files import MARK, WriteError, diff_tree, touch_file, write_file, write_tree

A = f"{MARK}a.\nint a;\n"
B = f"{MARK}b.\nint b;\n"
CODEGEN = Path(__file__).resolve().parents[3] / "codegen"
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
    with pytest.raises(WriteError, match=r"'.*/w/b\.h' was not generated"):
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
        ("w/a.h/file", "", r"'.*/w/a\.h' is a folder: move it away, or generate into"),
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


def special(path: Path, kind: str) -> None:
    """Makes something that is no file and no folder."""
    if kind == "a FIFO":
        os.mkfifo(path)
    elif kind == "a socket":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
    else:
        path.symlink_to("/dev/zero")


@pytest.mark.parametrize("kind", ["a FIFO", "a socket", "a device"])
def test_what_is_no_file_is_neither_read_nor_replaced(tmp_path: Path, kind: str) -> None:
    """Reading it could wait for ever; replacing it could take it from its owner."""
    (tmp_path / "w").mkdir()
    special(tmp_path / "w/b.h", kind)
    said = rf"'.*/w/b\.h' is {kind}: move it away, or generate into another folder"
    for action in (
        lambda: write_tree(str(tmp_path), {"w/a.h": A, "w/b.h": B}),
        lambda: diff_tree(str(tmp_path), {"w/a.h": A, "w/b.h": B}),
        lambda: write_file(str(tmp_path / "w/b.h"), B),
        lambda: touch_file(str(tmp_path / "w/b.h"), B),
    ):
        with pytest.raises(WriteError, match=said):
            action()
    assert os.listdir(tmp_path / "w") == ["b.h"]
    assert write_tree(str(tmp_path), {"w/a.h": A}).written == ("w/a.h",)
    assert sorted(os.listdir(tmp_path / "w")) == ["a.h", "b.h"]


def test_folders_nest_as_deep_as_the_system_allows(tmp_path: Path) -> None:
    most = os.pathconf(tmp_path, "PC_PATH_MAX") - len(os.fsencode(tmp_path)) - len("/w/a.h") - 1
    deep = "d/" * ((most - 64) // 2)  # 64 for the longer name under which a file is written
    assert write_tree(f"{tmp_path}/{deep}", {"w/a.h": A}).written == ("w/a.h",)
    with pytest.raises(WriteError, match="file name too long: generate into a folder with"):
        write_tree(f"{tmp_path}/{'e/' * 2500}", {"w/a.h": A})
    assert os.listdir(tmp_path) == ["d"]
    subprocess.run(["rm", "-rf", tmp_path / "d"], check=True)  # Python's rmtree recurses


def test_another_run_may_write_the_same_tree_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another run does all its work while this one is about to rename each of its files."""
    files = {"w/a.h": A, "w/b.h": B}
    rename, depth = os.replace, 0

    def meanwhile(*paths: str) -> None:
        nonlocal depth
        depth += 1
        if depth == 1:
            write_tree(str(tmp_path), files)
        depth -= 1
        rename(*paths)

    monkeypatch.setattr(os, "replace", meanwhile)
    assert write_tree(str(tmp_path), files).written == ("w/a.h",)
    assert {path.name: path.read_text() for path in (tmp_path / "w").iterdir()} == {
        "a.h": A,
        "b.h": B,
    }


def test_another_run_may_remove_an_old_file_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tree(str(tmp_path), {"w/old.h": A})
    unlink = os.unlink

    def late(path: str) -> None:
        unlink(path)
        unlink(path)

    monkeypatch.setattr(os, "unlink", late)
    assert write_tree(str(tmp_path), {"w/a.h": A}).removed == ("w/old.h",)
    assert os.listdir(tmp_path / "w") == ["a.h"]


def test_what_a_killed_run_left_is_removed_when_it_is_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", killed)
        patched.setattr(os, "unlink", killed)
        with pytest.raises(Killed):
            write_tree(str(tmp_path), {"w/a.h": A})
    (draft,) = (tmp_path / "w").iterdir()
    assert write_tree(str(tmp_path), {"w/a.h": A}).removed == ()
    assert draft.exists()  # its run may still be at work
    age(draft)
    assert write_tree(str(tmp_path), {"w/a.h": A}).removed == (f"w/{draft.name}",)
    assert os.listdir(tmp_path / "w") == ["a.h"]


def test_runs_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    schema = tmp_path / "many.toml"
    parts = "".join(f"[component.c{i}]\n" for i in range(40))
    schema.write_text(f'[world]\nname = "many"\n{parts}')
    command = [sys.executable, "-B", str(CODEGEN), "generate", str(schema), "--out", str(tmp_path)]
    runs = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(8)]
    said = [run.communicate()[1].decode() for run in runs]
    assert [run.returncode for run in runs] == [0] * 8, said
    assert subprocess.run([*command[:3], "diff", *command[4:]]).returncode == 0
    assert not [path for path in (tmp_path / "many").iterdir() if path.name.startswith(".")]


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
