"""Changes saves and corrects their checksums, so that the loader reads the change."""

from __future__ import annotations

from saves.sections import WORD, checksum


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
