"""A save as sections of bytes with checksums, and reading values from a section.

Nothing here requests more memory than the save has bytes: a count is compared with the rest of its
section before it is used.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterator, Sequence
from typing import NoReturn

from saves.damage import BACKUP, DamagedError, need
from saves.progress import SILENT, Progress

WORD = 8
HEAD_BYTES = 4 * WORD
SECTION_HEAD_BYTES = 2 * WORD
MASK = 2**64 - 1
LANES = 8
KNOWN = {
    "SCHM", "VERS", "ENTS", "TABL", "SPRS", "SING", "CLKS", "SWCH", "SEED", "EVNT", "RELA", "LINK",
    "MRKS", "RMVD", "AWAY", "PART", "END ",
}  # fmt: skip
MAY_SKIP = 1
NAME_BYTES_MAX = 256

NO_SAVE = "use a file that <world>_save, <world>_save_memory or <world>_save_begin wrote"
CUT = "it was cut off or is still being copied: copy it again, or use an older save"
NEWER = "a later Weft wrote it: use the tool of that version"
FIRST = "no later Weft can read it: load it with the Weft that wrote it"
UNKNOWN = "another Weft may have written it: use the tool of that version, or a backup"

# Format codes of unsigned numbers for array and memoryview, by size in bytes.
UNSIGNED = {1: "B", 2: "H", 4: "I", 8: "Q"}

# The checksum has eight lanes of 64 bits. They are kept in one Python number, because an operation
# on it costs little more than on a single lane. Each lane has 128 bits, so that nothing carries
# over.
_LANE = 128
_FIRST = sum(lane + 1 << _LANE * lane for lane in range(LANES))
_LOW_29 = sum(2**29 - 1 << _LANE * lane for lane in range(LANES))
_HIGH_35 = sum(2**64 - 2**29 << _LANE * lane for lane in range(LANES))
_STEP_BYTES = LANES * WORD
_CHECKED_BYTES = 1 << 20  # bytes between two updates of the progress

# The eight bits of each byte as eight bytes, the lowest bit first.
_BITS = [bytes(byte >> bit & 1 for bit in range(8)) for byte in range(256)]


def checksum(data: bytes | memoryview, progress: Progress = SILENT) -> int:
    view = memoryview(data)
    whole = len(view) // _STEP_BYTES * _STEP_BYTES
    lanes = _FIRST
    for start in range(0, whole, _CHECKED_BYTES):
        progress.step("checking", start, whole)
        lanes = _mixed(lanes, view[start : min(start + _CHECKED_BYTES, whole)])
    each = [lanes >> _LANE * lane & MASK for lane in range(LANES)]
    for lane, (word,) in enumerate(struct.iter_unpack("<Q", view[whole:])):
        x = (each[lane] ^ word) * 129 & MASK
        each[lane] = (x << 29 | x >> 35) & MASK
    h = len(view) // WORD
    for value in each:
        h = (h ^ value) * 0x9E3779B97F4A7C15 & MASK
        h ^= h >> 32
    return h


def _mixed(lanes: int, data: memoryview) -> int:
    """Mixes each lane with every eighth word: times 129, rotated by 29 bits."""
    spread = bytearray(2 * len(data))
    memoryview(spread).cast("Q")[::2] = data.cast("Q")
    for (words,) in struct.iter_unpack(f"{2 * _STEP_BYTES}s", spread):
        x = (lanes ^ int.from_bytes(words, "little")) * 129
        lanes = (x << 29) & _HIGH_35 | (x >> 35) & _LOW_29
    return lanes


def unsigned(data: memoryview, size: int) -> Sequence[int]:
    """Returns little-endian numbers of `size` bytes."""
    found = array(UNSIGNED[size])
    found.frombytes(data)
    if sys.byteorder == "big":
        found.byteswap()
    return found


class Body:
    """The bytes of a section, read from the start."""

    def __init__(self, kind: str, data: memoryview, start: int = 0) -> None:
        self.kind, self.data, self.at, self.start = kind, data, 0, start

    def fail(self, words: str, help: str = BACKUP) -> NoReturn:
        raise DamagedError(f"{self.where()} {words}", help)

    def where(self) -> str:
        return f"byte {self.start + self.at:,}: section '{self.kind}'"

    def need(self, good: bool, words: str) -> None:
        if not good:
            self.fail(words)

    def read(self, count: int) -> memoryview:
        """Returns `count` bytes, and skips the zeros up to the next full word."""
        end = self.at + count
        whole = -(-end // WORD) * WORD
        self.need(whole <= len(self.data), "ends too early")
        self.need(not any(self.data[end:whole]), "has padding that is not zero")
        taken, self.at = self.data[self.at : end], whole
        return taken

    def word(self) -> int:
        return int.from_bytes(self.read(WORD), "little")

    def words(self, count: int) -> list[int]:
        self.need(count <= len(self.data) // WORD, "ends too early")
        return [self.word() for _ in range(count)]

    def count(self, element: int = WORD) -> int:
        """Returns a count. Checks that the section has space for that many elements."""
        number = self.word()
        most = (len(self.data) - self.at) // element if element else 0
        self.need(number <= most, f"contains the count {number:,}, but is too short for it")
        return number

    def flag(self) -> bool:
        number = self.word()
        self.need(number <= 1, f"has {number:,} instead of 0 or 1")
        return number == 1

    def text(self) -> str:
        length = self.word()
        self.need(length <= NAME_BYTES_MAX, f"has a name of {length:,} bytes")
        data = bytes(self.read(length + 1))
        self.need(data.find(0) == length, "has a text that is not valid")
        try:
            return data[:length].decode()
        except UnicodeDecodeError:
            self.fail("has a text that is not valid")

    def numbers(self, count: int, size: int) -> Sequence[int]:
        return unsigned(self.rows(count, size), size)

    def double(self) -> float:
        return float(struct.unpack("<d", self.read(WORD))[0])

    def rows(self, count: int, size: int) -> memoryview:
        return self.read(count * size)

    def bits(self, rows: int) -> bytes:
        """Returns a byte for each row: 1 if its bit is set."""
        data = self.read((rows + 63) // 64 * WORD)
        each = b"".join(map(_BITS.__getitem__, data))
        self.need(not any(each[rows:]), "has bits of rows that do not exist")
        return each[:rows]

    def end(self) -> None:
        self.need(self.at == len(self.data), "has more bytes than expected")


def _first_checksum(head: bytes) -> int:
    """Returns the checksum of a head by the rule of the first saves, with four lanes."""
    lanes, total = [1, 2, 3, 4], 3

    def step(lane: int, word: int) -> int:
        x = (lane ^ word) * 0x9E3779B97F4A7C15 & MASK
        return (x << 29 | x >> 35) & MASK

    for i, word in enumerate(struct.unpack("<3Q", head[: 3 * WORD])):
        lanes[i] = step(lanes[i], word)
    for lane in lanes:
        total = step(total, lane)
    return total ^ total >> 32


def whole_size(head: bytes, found: int) -> int:
    """Checks the first four words of a save. Returns its size, which must equal `found`."""
    need(
        head[:WORD] == b"WEFTSAVE"[: len(head)] and len(head) >= WORD, "this is not a save", NO_SAVE
    )
    need(len(head) >= HEAD_BYTES, f"the save has only {len(head)} bytes", CUT)
    version, size, stated = struct.unpack("<3Q", head[WORD:HEAD_BYTES])
    if checksum(head[: 3 * WORD]) != stated:
        wrote = "a Weft of 2026-11-21, before 1.0.0, wrote the save"
        need(_first_checksum(head) != stated, wrote, FIRST)
        unknown = f"byte 0: the head has unknown bytes and an unknown format {version}"
        need(version == 1, unknown, UNKNOWN)
        need(False, "byte 0: the head has changed")
    need(version == 1, f"byte 8: the save has format {version}, but only 1 is known", NEWER)
    need(size <= found, f"the save has {found:,} of {size:,} bytes", CUT)
    need(size == found, f"the save has {found:,} bytes, but should have {size:,}")
    need(size % WORD == 0, "the save does not end with a full word")
    return int(size)


def section_end(head: bytes, at: int, size: int) -> tuple[str, int]:
    """Returns the kind of the section at a position, and the position of the next section."""
    need(at + SECTION_HEAD_BYTES + WORD <= size, f"byte {at:,}: the save ends within a section")
    kind, _, length = struct.unpack("<4sIQ", head)
    need(any(kind), f"byte {at:,}: a section has no name")  # a file with holes contains many zeros
    end = at + SECTION_HEAD_BYTES + length + WORD
    words = f"byte {at:,}: a section of {length:,} bytes does not end"
    need(length % WORD == 0 and end <= size, words)
    return kind.decode("latin-1"), end


def sections(data: bytes, progress: Progress = SILENT) -> Iterator[Body]:
    """Yields the sections in order, including unknown kinds."""
    size = whole_size(data[:HEAD_BYTES], len(data))
    view = memoryview(data)
    at = HEAD_BYTES
    while at < size:
        name, end = section_end(bytes(view[at : at + SECTION_HEAD_BYTES]), at, size)
        stated = int.from_bytes(view[end - WORD : end], "little")
        words = f"byte {at:,}: section '{name}' has changed: its checksum differs"
        need(checksum(view[at : end - WORD], progress) == stated, words)
        yield Body(name, view[at + SECTION_HEAD_BYTES : end - WORD], at + SECTION_HEAD_BYTES)
        at = end
