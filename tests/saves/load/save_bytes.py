"""A save as sections of bytes, each with the checksum it says; and what is taken from one."""

from __future__ import annotations

import struct
from collections.abc import Iterator

WORD = 8
MASK = 2**64 - 1
KNOWN = {
    "SCHM", "VERS", "ENTS", "TABL", "SPRS", "SING", "CLKS", "SWCH", "SEED", "EVNT", "RELA", "MRKS",
    "RMVD", "END ",
}  # fmt: skip
MAY_SKIP = 1


class DamagedError(Exception):
    """Tells in words what is wrong with a save."""


def need(good: bool, words: str) -> None:
    if not good:
        raise DamagedError(words)


def checksum(data: bytes) -> int:
    lanes = [1, 2, 3, 4, 5, 6, 7, 8]
    words = struct.unpack(f"<{len(data) // WORD}Q", data)
    for i, word in enumerate(words):
        x = lanes[i % 8] ^ word
        x = x + (x << 7) & MASK
        lanes[i % 8] = (x << 29 | x >> 35) & MASK
    h = len(words)
    for lane in lanes:
        h = (h ^ lane) * 0x9E3779B97F4A7C15 & MASK
        h ^= h >> 32
    return h


def mended(data: bytearray, change: int) -> bytes:
    """Returns a save with the right checksum behind the section in which a byte was changed.

    A length that is no whole words has no checksum."""
    at = 32
    while at < len(data) - 16:
        end = at + 16 + int.from_bytes(data[at + 8 : at + 16], "little")
        if at <= change < end < len(data) and (end - at) % WORD == 0:
            data[end : end + 8] = checksum(bytes(data[at:end])).to_bytes(8, "little")
        at = end + 8
    return bytes(data)


class Body:
    """The bytes of a section, taken from the front."""

    def __init__(self, kind: str, data: bytes) -> None:
        self.kind, self.data, self.at = kind, data, 0

    def read(self, count: int) -> bytes:
        """Bytes, and zeros up to the next whole word."""
        end = self.at + count
        whole = -(-end // WORD) * WORD
        need(whole <= len(self.data), f"section '{self.kind}' ends too early")
        need(not any(self.data[end:whole]), f"section '{self.kind}' is filled up with something")
        taken, self.at = self.data[self.at : end], whole
        return taken

    def word(self) -> int:
        return int.from_bytes(self.read(WORD), "little")

    def words(self, count: int) -> list[int]:
        need(count <= len(self.data) // WORD, f"section '{self.kind}' ends too early")
        return [self.word() for _ in range(count)]

    def flag(self) -> bool:
        number = self.word()
        need(number <= 1, f"section '{self.kind}' has {number} where 0 or 1 belongs")
        return number == 1

    def text(self) -> str:
        length = self.word()
        data = self.read(length + 1)
        need(data.find(0) == length, f"section '{self.kind}' has a text that is none")
        return data[:length].decode()

    def numbers(self, count: int, size: int) -> list[int]:
        data = self.read(count * size)
        return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]

    def double(self) -> float:
        return float(struct.unpack("<d", self.read(WORD))[0])

    def rows(self, count: int, size: int) -> list[bytes]:
        data = self.read(count * size)
        return [data[i * size : (i + 1) * size] for i in range(count)]

    def bits(self, rows: int) -> set[int]:
        """The rows whose bit is set."""
        data = int.from_bytes(self.read((rows + 63) // 64 * WORD), "little")
        need(data >> rows == 0, f"section '{self.kind}' has bits of rows that there are not")
        return {row for row in range(rows) if data >> row & 1}

    def end(self) -> None:
        need(self.at == len(self.data), f"section '{self.kind}' has more than belongs there")


def sections(data: bytes) -> Iterator[Body]:
    need(data[:WORD] == b"WEFTSAVE" and len(data) >= 4 * WORD, "this is no save")
    version, size, stated = struct.unpack("<3Q", data[WORD : 4 * WORD])
    need(checksum(data[: 3 * WORD]) == stated, "the head has changed")
    need(version == 1, f"the save is of format {version}, and only 1 is known here")
    need(size == len(data), f"the save has {len(data)} bytes of {size}")
    need(size % WORD == 0, "the save does not end with a whole word")
    at = 4 * WORD
    while at < size:
        need(at + 3 * WORD <= size, "the save ends within a section")
        kind, flags, length = struct.unpack("<4sIQ", data[at : at + 2 * WORD])
        end = at + 2 * WORD + length
        need(length % WORD == 0 and end + WORD <= size, "a section does not end")
        name = kind.decode("latin-1")
        stated = int.from_bytes(data[end : end + WORD], "little")
        need(checksum(data[at:end]) == stated, f"section '{name}' has changed")
        need(name in KNOWN or flags & MAY_SKIP != 0, f"section '{name}' is not known")
        if name in KNOWN:
            yield Body(name, data[at + 2 * WORD : end])
        at = end + WORD
