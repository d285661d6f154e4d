"""The part for gdb: printers of types, and the command."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from debugger.inside.commands import context, run
from debugger.inside.core import Layout, WeftError, World, enum_word, number

gdb = import_module("gdb")
FRAMES = 64  # frames that are searched for a world


class GdbMemory:
    """The memory of a stopped program in gdb, or of its core file."""

    def __init__(self) -> None:
        self.order = "<" if "little" in gdb.execute("show endian", to_string=True) else ">"
        self.pointer = gdb.lookup_type("void").pointer().sizeof
        self._types: dict[str, Any] = {}
        self._layouts: dict[str, Layout] = {}

    def read(self, address: int, size: int) -> bytes:
        try:
            return bytes(gdb.selected_inferior().read_memory(address, size)) if size else b""
        except gdb.MemoryError:
            raise WeftError(f"cannot read {size} bytes at {address:#x}") from None

    def _type(self, name: str) -> Any:
        if name not in self._types:
            try:
                self._types[name] = gdb.lookup_type(name).strip_typedefs()
            except gdb.error:
                raise WeftError(f"no debug information for {name}: compile with -g") from None
        return self._types[name]

    def layout(self, name: str) -> Layout:
        if name not in self._layouts:
            fields = self._type(name).fields()
            self._layouts[name] = {f.name: (f.bitpos // 8, f.type.sizeof) for f in fields}
        return self._layouts[name]

    def size(self, name: str) -> int:
        return int(self._type(name).sizeof)


class Gdb:
    """The worlds of the program: the one that the user named, else one that a frame can reach."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.named = ""  # an expression
        self._opened: dict[int, World] = {}
        for event in ("cont", "exited", "memory_changed", "new_objfile", "inferior_call"):
            getattr(gdb.events, event).connect(lambda _: self._opened.clear())

    def open(self, address: int) -> World:
        """Returns the world at an address. It is cached until the program continues."""
        if address not in self._opened:
            self._opened[address] = World(GdbMemory(), self.data, address)
        return self._opened[address]

    def world(self) -> World:
        if self.named:
            try:
                return self.open(int(gdb.parse_and_eval(self.named)))
            except gdb.error as error:
                raise WeftError(f"'{self.named}': {error}") from None
        why: WeftError | None = None
        for address in _candidates(self.data):
            try:
                return self.open(address)
            except WeftError as error:
                why = error
        raise why or WeftError("no world found: name one, for example `weft world w`")


def _candidates(data: dict[str, Any]) -> Iterator[int]:
    """Yields possible addresses of worlds, from the selected frame outwards."""
    try:
        frame = gdb.selected_frame()
    except gdb.error:
        return
    for _ in range(FRAMES):
        if frame is None or not frame.is_valid():
            return
        yield from _in_frame(frame, data)
        frame = frame.older()


def _in_frame(frame: Any, data: dict[str, Any]) -> Iterator[int]:
    try:
        block = frame.block()
    except RuntimeError:
        return
    while block is not None:
        for symbol in block:
            if symbol.is_argument or symbol.is_variable:
                try:
                    yield from _of_value(symbol.value(frame), data)
                except (gdb.error, gdb.MemoryError):
                    continue
        block = block.superblock


def _of_value(value: Any, data: dict[str, Any]) -> Iterator[int]:
    type = value.type.strip_typedefs()
    if value.is_optimized_out or type.code not in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_STRUCT):
        return
    is_pointer = type.code == gdb.TYPE_CODE_PTR
    name = str((type.target() if is_pointer else type).unqualified()).removeprefix("struct ")
    if is_pointer and name in (data["world"], "weft_world"):
        yield int(value)
    elif name in data["contexts"]:
        yield int((value.dereference() if is_pointer else value)["sealed"]["world"])
    elif name == data["hook_context"]:
        yield int((value.dereference() if is_pointer else value)["world"])


class HandlePrinter:
    def __init__(self, value: Any, state: Gdb) -> None:
        self.bits, self.state = int(value["bits"]), state

    def to_string(self) -> str:
        try:
            return self.state.world().entity(self.bits)
        except WeftError as error:
            bits = self.state.data["index_bits"]
            words = f"{self.bits & (1 << bits) - 1}:{self.bits >> bits}"
            return f"{words} ({error})" if self.bits else "none"


class EnumPrinter:
    def __init__(self, value: Any, values: list[str]) -> None:
        self.value, self.values = int(value), values

    def to_string(self) -> str:
        return enum_word(self.values, self.value)


class ListPrinter:
    def __init__(self, value: Any, most: int) -> None:
        self.value, self.count, self.most = value, min(int(value["count"]), most), most

    def to_string(self) -> str:
        return f"{self.count} of {self.most}"

    def children(self) -> Iterator[tuple[str, Any]]:
        for i in range(self.count):
            yield f"[{i}]", self.value["items"][i]

    def display_hint(self) -> str:
        return "array"


class ArraysPrinter:
    """Prints a struct with arrays by an enum: elements have the names of the enum's values."""

    def __init__(self, value: Any, arrays: dict[str, list[str]]) -> None:
        self.value, self.arrays = value, arrays

    def children(self) -> Iterator[tuple[str, Any]]:
        for field in self.value.type.strip_typedefs().fields():
            value, names = self.value[field], self.arrays.get(field.name)
            yield field.name, self._named(value, names) if names else value

    def _named(self, value: Any, names: list[str]) -> str:
        items = (f"{name} = {value[i].format_string()}" for i, name in enumerate(names))
        return f"{{{', '.join(items)}}}"


class ContextPrinter:
    def __init__(self, value: Any, about: dict[str, str], state: Gdb) -> None:
        self.value, self.about, self.state = value, about, state

    def to_string(self) -> str:
        sealed = self.value["sealed"]
        try:
            world = self.state.open(int(sealed["world"]))
            rows = ""
            if int(sealed["table"]):
                memory = world.memory
                offset, size = memory.layout("weft_table")["id"]
                table = number(memory, memory.read(int(sealed["table"]) + offset, size))
                first, count = int(sealed["first"]), int(sealed["count"])
                rows = f", rows {first} to {first + count - 1} of table {table}"
            return context(world, self.about, float(self.value["dt"]), rows)
        except (WeftError, gdb.error) as error:
            return f"{self.about['system']} ({error}): it {self.about['grants']}"


class Printers:
    """Finds the printer of a value by the name of its type, which may be a typedef."""

    def __init__(self, state: Gdb) -> None:
        self.name, self.enabled, self.subprinters = f"weft {state.data['name']}", True, None
        self.state = state
        self.enums = dict(state.data["enums"])

    def __call__(self, value: Any) -> Any:
        data = self.state.data
        name = value.type.unqualified().name or ""
        if name == data["entity"]:
            return HandlePrinter(value, self.state)
        if name in self.enums:
            return EnumPrinter(value, self.enums[name])
        if name in data["lists"]:
            return ListPrinter(value, data["lists"][name])
        if name in data["by_enum"]:
            return ArraysPrinter(value, data["by_enum"][name])
        if name in data["contexts"]:
            return ContextPrinter(value, data["contexts"][name], self.state)
        return None


_Command: Any = gdb.Command


class Command(_Command):  # type: ignore[misc]
    """Shows entities, rows, tables and the schedule of a world: `weft` lists the commands."""

    def __init__(self, state: Gdb) -> None:
        super().__init__("weft", gdb.COMMAND_DATA)
        self.state = state

    def invoke(self, argument: str, from_tty: bool) -> None:
        words = argument.split()
        try:
            if words[:1] == ["world"]:
                self.state.named = " ".join(words[1:]) or self.state.named
                where = f"{self.state.world().address:#x}"
                gdb.write(f"world '{self.state.data['name']}' at {where}\n")
                return
            for line in run(self.state.world(), words):
                gdb.write(f"{line}\n")
        except WeftError as error:
            raise gdb.GdbError(str(error)) from None

    def complete(self, text: str, word: str) -> list[str]:
        known = [*self.state.data["selections"], *self.state.data["components"]]
        return [one for one in known if one.startswith(word)]


def start_gdb(data: dict[str, Any]) -> None:
    """Adds the printers and the command, replacing those of an earlier load of the script."""
    state = Gdb(data)
    printers = Printers(state)
    gdb.pretty_printers[:] = [
        one for one in gdb.pretty_printers if getattr(one, "name", "") != printers.name
    ]
    gdb.pretty_printers.insert(0, printers)
    Command(state)
