"""The part for lldb: summaries of types, and the command."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from debugger.inside.commands import context, run
from debugger.inside.core import Layout, WeftError, World, enum_word, number

lldb = import_module("lldb")
FRAMES = 64  # frames that are searched for a world
LOST = (
    "lldb cannot find its Python modules. For lldb 14 of Debian 12, set "
    "PYTHONPATH=/usr/lib/llvm-14/lib/python3.11/dist-packages"
)
STATE: dict[str, Any] = {}  # for the functions that lldb calls by name


class LldbMemory:
    """The memory of a stopped program in lldb, or of its core file."""

    def __init__(self, target: Any) -> None:
        self.target, self.process = target, target.GetProcess()
        self.order = "<" if target.GetByteOrder() == lldb.eByteOrderLittle else ">"
        self.pointer = target.GetAddressByteSize()
        self._layouts: dict[str, Layout] = {}
        self._sizes: dict[str, int] = {}

    def read(self, address: int, size: int) -> bytes:
        error = lldb.SBError()
        data = self.process.ReadMemory(address, size, error) if size else b""
        if error.Fail():  # a core file may lack constants, which the program's file contains
            place = self.target.ResolveLoadAddress(address)
            error = lldb.SBError()
            data = self.target.ReadMemory(place, size, error)
        if error.Fail() or data is None or len(data) != size:
            raise WeftError(f"cannot read {size} bytes at {address:#x}")
        return bytes(data)

    def layout(self, name: str) -> Layout:
        if name not in self._layouts:
            found = self._type(name)
            fields = [found.GetFieldAtIndex(i) for i in range(found.GetNumberOfFields())]
            self._sizes[name] = found.GetByteSize()
            self._layouts[name] = {
                one.GetName(): (one.GetOffsetInBytes(), one.GetType().GetByteSize())
                for one in fields
            }
        return self._layouts[name]

    def size(self, name: str) -> int:
        self.layout(name)
        return self._sizes[name]

    def _type(self, name: str) -> Any:
        for one in self.target.FindTypes(name):
            found = one.GetCanonicalType()
            if found.GetNumberOfFields():
                return found
        raise WeftError(f"no debug information for {name}: compile with -g")


def _open(target: Any, address: int) -> World:
    """Returns the world at an address. It is cached until the program continues."""
    stamp = (target.GetProcess().GetUniqueID(), target.GetProcess().GetStopID())
    if STATE.get("stamp") != stamp:
        STATE["stamp"], STATE["opened"] = stamp, {}
    opened: dict[int, World] = STATE["opened"]
    if address not in opened:
        opened[address] = World(LldbMemory(target), STATE["data"], address)
    return opened[address]


def _world(target: Any) -> World:
    """Returns the world that the user named, else one that a frame can reach."""
    thread = target.GetProcess().GetSelectedThread()
    if STATE["named"]:
        value = thread.GetSelectedFrame().EvaluateExpression(STATE["named"])
        if value.GetError().Fail():
            raise WeftError(f"'{STATE['named']}': {value.GetError().GetCString()}")
        return _open(target, value.GetValueAsUnsigned())
    why: WeftError | None = None
    for address in _candidates(thread):
        try:
            return _open(target, address)
        except WeftError as error:
            why = error
    raise why or WeftError("no world found: name one, for example `weft world w`")


def _candidates(thread: Any) -> Iterator[int]:
    """Yields possible addresses of worlds, from the selected frame outwards."""
    first = thread.GetSelectedFrame().GetFrameID()
    for at in range(first, min(first + FRAMES, thread.GetNumFrames())):
        for value in thread.GetFrameAtIndex(at).GetVariables(True, True, True, False):
            yield from _of_value(value.GetNonSyntheticValue())


def _of_value(value: Any) -> Iterator[int]:
    data, type = STATE["data"], value.GetType().GetCanonicalType()
    is_pointer = type.IsPointerType()
    target = (type.GetPointeeType() if is_pointer else type).GetUnqualifiedType()
    name = target.GetCanonicalType().GetName().removeprefix("const ").removeprefix("struct ")
    if value.GetError().Fail():
        return
    if is_pointer and name in (data["world"], "weft_world"):
        yield value.GetValueAsUnsigned()
    elif name in data["contexts"]:
        yield value.GetValueForExpressionPath(
            f"{'->' if is_pointer else '.'}sealed.world"
        ).GetValueAsUnsigned()
    elif name == data["hook_context"]:
        yield value.GetValueForExpressionPath(
            f"{'->' if is_pointer else '.'}world"
        ).GetValueAsUnsigned()


def _plain(value: Any) -> tuple[Any, str]:
    """Returns a value without synthetic children, and the name of its type."""
    value = value.GetNonSyntheticValue()
    type = value.GetType()
    return value, type.GetUnqualifiedType().GetName().removeprefix("struct ")


def weft_handle(value: Any, _: Any) -> str:
    value = _plain(value)[0]
    handle = value.GetChildMemberWithName("bits").GetValueAsUnsigned()
    try:
        return _world(value.GetTarget()).entity(handle)
    except WeftError as error:
        bits = STATE["data"]["index_bits"]
        words = f"{handle & (1 << bits) - 1}:{handle >> bits}"
        return f"{words} ({error})" if handle else "none"


def weft_enum(value: Any, _: Any) -> str:
    value, name = _plain(value)
    return enum_word(dict(STATE["data"]["enums"])[name], value.GetValueAsUnsigned())


def weft_list(value: Any, _: Any) -> str:
    value, name = _plain(value)
    most = STATE["data"]["lists"][name]
    count = value.GetChildMemberWithName("count").GetValueAsUnsigned()
    return f"{min(count, most)} of {most}"


class WeftArrays:
    """The children of a struct with arrays by an enum: elements appear next to the other
    members.
    """

    def __init__(self, value: Any, _: Any) -> None:
        self.value, name = _plain(value)
        self.arrays: dict[str, list[str]] = STATE["data"]["by_enum"][name]
        self.places: list[tuple[str, int, int]] = []  # name, member, element or -1

    def update(self) -> bool:
        self.places.clear()
        for member in range(self.value.GetNumChildren()):
            name = self.value.GetChildAtIndex(member).GetName()
            values = self.arrays.get(name)
            if values is None:
                self.places.append((name, member, -1))
            else:
                elements = enumerate(values)
                self.places += [(f"{name}[{value}]", member, i) for i, value in elements]
        return False

    def has_children(self) -> bool:
        return True

    def num_children(self) -> int:
        return len(self.places)

    def get_child_index(self, name: str) -> int:
        names = [place[0] for place in self.places]
        return names.index(name) if name in names else -1

    def get_child_at_index(self, index: int) -> Any:
        name, member, element = self.places[index]
        child = self.value.GetChildAtIndex(member)
        if element < 0:
            return child
        type = child.GetChildAtIndex(element).GetType()
        field = self.value.GetType().GetCanonicalType().GetFieldAtIndex(member)
        offset = field.GetOffsetInBytes() + element * type.GetByteSize()
        return self.value.CreateChildAtOffset(name, offset, type)


def weft_context(value: Any, _: Any) -> str:
    value, name = _plain(value)
    about = STATE["data"]["contexts"][name]
    sealed = value.GetChildMemberWithName("sealed")
    first, count, table, address = (
        sealed.GetChildMemberWithName(member).GetValueAsUnsigned()
        for member in ("first", "count", "table", "world")
    )
    try:
        world, rows = _open(value.GetTarget(), address), ""
        if table:
            offset, size = world.memory.layout("weft_table")["id"]
            at = number(world.memory, world.memory.read(table + offset, size))
            rows = f", rows {first} to {first + count - 1} of table {at}"
        dt = value.GetChildMemberWithName("dt").GetData()
        return context(world, about, dt.GetDouble(lldb.SBError(), 0), rows)
    except WeftError as error:
        return f"{about['system']} ({error}): it {about['grants']}"


def weft(debugger: Any, command: str, result: Any, _: Any) -> None:
    """Shows entities, rows, tables and the schedule of a world: `weft` lists the commands."""
    target, words = debugger.GetSelectedTarget(), command.split()
    try:
        if words[:1] == ["world"]:
            STATE["named"] = " ".join(words[1:]) or STATE["named"]
            words = []
            where = f"{_world(target).address:#x}"
            result.AppendMessage(f"world '{STATE['data']['name']}' at {where}")
            return
        for line in run(_world(target), words):
            result.AppendMessage(line)
    except WeftError as error:
        result.SetError(str(error))


def start_lldb(data: dict[str, Any], module: str, debugger: Any) -> None:
    """Adds the summaries and the command."""
    if not hasattr(lldb, "SBDebugger"):
        raise ImportError(LOST)
    STATE.update(data=data, named="")
    names = {
        "weft_handle": [data["entity"]],
        "weft_enum": [name for name, _ in data["enums"]],
        "weft_list": [*data["lists"]],
        "weft_context": [*data["contexts"]],
    }
    for function, types in names.items():
        open_up = " --expand" if function == "weft_list" else ""
        for name in types:
            debugger.HandleCommand(
                f"type summary add --skip-pointers{open_up} -F {module}.{function} {name}"
            )
    for name in data["by_enum"]:
        debugger.HandleCommand(f"type synthetic add --skip-pointers -l {module}.WeftArrays {name}")
    debugger.HandleCommand(f"command script add -f {module}.weft weft")
