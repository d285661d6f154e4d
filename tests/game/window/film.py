"""Makes the film and the large picture of the colony that READMEs show.

Run it after the picture of the colony has changed:

    ninja build/film && .venv/bin/python3 tests/game/window/film.py

It needs no packages: the film is an animated PNG, which browsers play. Look at both files before
you commit them.
"""

from __future__ import annotations

import struct
import subprocess
import zlib
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILM = HERE.parent.parent.parent / "build" / "film"
FIRST_HOUR = 8  # of the colony's first day
DAY_HOURS, SEASON_DAYS = 24, 3
COLOURS = 255  # besides the transparent one
KEPT = 0  # the colour of pixels that are as in the frame before

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Scene:
    """Some pictures of one colony: where, and at which hours since it began."""

    name: str
    bytes_max: int
    size: tuple[int, int]
    at: tuple[float, float, float]  # x, y and the pixels of a tile
    hours: tuple[float, ...]
    options: tuple[str, ...]
    milliseconds: int = 0  # of a frame


def hour_of(day: int, hour: float) -> float:
    """Returns the hours from the beginning to an hour of a day, of which the first is 0."""
    return day * DAY_HOURS + hour - FIRST_HOUR


LAND = ("--villagers", "800", "--map", "256", "--seed", "1")
DAY = Scene(
    name="day.png",
    bytes_max=1_500_000,
    size=(640, 360),
    at=(144, 120, 14),
    hours=tuple(hour_of(SEASON_DAYS + 1, 4 + frame * 0.5) for frame in range(40)),
    options=LAND,
    milliseconds=160,
)
WINTER = Scene(
    name="winter.png",
    bytes_max=600_000,
    size=(1280, 720),
    at=(119, 114, 12),
    hours=(hour_of(3 * SEASON_DAYS + 1, 16.5),),
    options=LAND,
)


def paint(scene: Scene) -> list[array[int]]:
    """Returns the pixels of each picture, 0xffrrggbb."""
    width, height = scene.size
    lines = [f"{width} {height}"]
    for before, hours in pairwise((0.0, *scene.hours)):
        lines.append(" ".join(str(number) for number in (hours - before, *scene.at)))
    done = subprocess.run(
        [str(FILM), *scene.options],
        input="\n".join(lines).encode(),
        capture_output=True,
        check=True,
    )
    pixels = array("I", done.stdout)
    count = width * height
    return [pixels[at : at + count] for at in range(0, len(pixels), count)]


# ---- colours


def rgb(pixel: int) -> Colour:
    return pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255


def spread(box: list[int]) -> tuple[int, int]:
    """Returns the greatest difference between colours along red, green or blue, and along which."""
    return max(
        (max(channel) - min(channel), which)
        for which, channel in enumerate(zip(*map(rgb, box), strict=True))
    )


def halves(box: list[int], counts: Counter[int], channel: int) -> tuple[list[int], list[int]]:
    """Splits colours into darker and lighter ones, which are about as frequent."""
    box = sorted(box, key=lambda pixel: rgb(pixel)[channel])
    weights = [counts[pixel] ** 0.5 for pixel in box]
    half, seen, at = sum(weights) / 2, 0.0, 0
    while at < len(box) - 1 and (at == 0 or seen + weights[at] <= half):
        seen += weights[at]
        at += 1
    return box[:at], box[at:]


def mean(box: list[int], counts: Counter[int]) -> Colour:
    all_of = sum(counts[pixel] for pixel in box)
    sums = (sum(rgb(pixel)[channel] * counts[pixel] for pixel in box) for channel in range(3))
    red, green, blue = (channel // all_of for channel in sums)
    return red, green, blue


def choose(counts: Counter[int]) -> tuple[list[Colour], dict[int, int]]:
    """Returns at most COLOURS colours and, for each pixel, the number of its colour from 1 on."""
    boxes = [list(counts)]
    while len(boxes) < COLOURS:
        widest = max(range(len(boxes)), key=lambda at: spread(boxes[at])[0])
        difference, channel = spread(boxes[widest])
        if difference == 0:
            break
        boxes.extend(halves(boxes.pop(widest), counts, channel))
    palette: list[Colour] = []
    numbers: dict[int, int] = {}
    for number, box in enumerate(boxes, 1):
        palette.append(mean(box, counts))
        numbers.update(dict.fromkeys(box, number))
    return palette, numbers


# ---- files


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def packed(rows: bytes, width: int) -> bytes:
    lines = (b"\0" + rows[at : at + width] for at in range(0, len(rows), width))
    return zlib.compress(b"".join(lines), 9)


def frames(scene: Scene, pictures: list[bytes]) -> Iterator[bytes]:
    """Yields the chunks of an animated PNG. Each frame has only the pixels that have changed."""
    width, height = scene.size
    number = 0
    yield chunk(b"acTL", struct.pack(">II", len(pictures), 0))
    for at, picture in enumerate(pictures):
        shape = struct.pack(">IIIII", number, width, height, 0, 0)
        over = 0 if at == 0 else 1
        yield chunk(b"fcTL", shape + struct.pack(">HHBB", scene.milliseconds, 1000, 0, over))
        number += 1
        if at == 0:
            yield chunk(b"IDAT", packed(picture, width))
            continue
        before = pictures[at - 1]
        changed = bytes(KEPT if a == b else b for a, b in zip(before, picture, strict=True))
        yield chunk(b"fdAT", struct.pack(">I", number) + packed(changed, width))
        number += 1


def write(scene: Scene) -> None:
    painted = paint(scene)
    counts: Counter[int] = Counter()
    for picture in painted:
        counts.update(picture)
    palette, numbers = choose(counts)
    pictures = [bytes(map(numbers.__getitem__, picture)) for picture in painted]
    width, height = scene.size
    parts = [
        b"\x89PNG\r\n\x1a\n",
        chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        chunk(b"PLTE", bytes(3) + b"".join(map(bytes, palette))),
    ]
    if len(pictures) == 1:
        parts.append(chunk(b"IDAT", packed(pictures[0], width)))
    else:
        parts += [chunk(b"tRNS", b"\0"), *frames(scene, pictures)]
    data = b"".join([*parts, chunk(b"IEND", b"")])
    if len(data) > scene.bytes_max:
        raise SystemExit(f"film.py: {scene.name} has {len(data)} bytes, {scene.bytes_max} at most")
    (HERE / scene.name).write_bytes(data)
    print(f"{scene.name}: {len(data)} bytes")


if __name__ == "__main__":
    write(DAY)
    write(WINTER)
