# SPDX-License-Identifier: MIT
"""Reads and writes PNG images, without a library."""

import struct
import zlib

import numpy as np

from .character import FileError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_PIXELS = 64 << 20
_ROWS_AT_ONCE = 64


def chunk(kind, body):
    """Returns a PNG chunk."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _paeth(left, up, corner):
    to_left, to_up = up - corner, left - corner
    to_corner = np.abs(to_left + to_up)
    to_left, to_up = np.abs(to_left), np.abs(to_up)
    return np.where((to_left <= to_up) & (to_left <= to_corner), left, np.where(to_up <= to_corner, up, corner))


def _filtered_rows(pixels):
    """Yields the rows of a PNG, each with the filter whose residuals have the smallest absolute sum."""
    height, width, channels = pixels.shape
    above = np.zeros((1, width * channels), np.uint8)
    for first in range(0, height, _ROWS_AT_ONCE):
        raw = pixels[first:first + _ROWS_AT_ONCE].reshape(-1, width * channels)
        up = np.concatenate([above, raw[:-1]])
        above = raw[-1:]
        left, corner = np.zeros_like(raw), np.zeros_like(raw)
        left[:, channels:] = raw[:, :-channels]
        corner[:, channels:] = up[:, :-channels]
        average = (left & up) + ((left ^ up) >> 1)
        paeth = _paeth(left.astype(np.int16), up.astype(np.int16), corner.astype(np.int16)).astype(np.uint8)
        residuals = np.stack([raw, raw - left, raw - up, raw - average, raw - paeth])
        best = np.minimum(residuals, 0 - residuals).sum(axis=2, dtype=np.uint32).argmin(axis=0)
        rows = np.empty((len(raw), 1 + width * channels), np.uint8)
        rows[:, 0] = best
        rows[:, 1:] = residuals[best, np.arange(len(raw))]
        yield rows.tobytes()


def encode(pixels, level=6):
    """Returns an 8-bit RGBA PNG of uint8 [height, width, 4], the same bytes for the same pixels. `level` is that of
    zlib: 1 is fast, 9 is small."""
    pixels = np.ascontiguousarray(pixels, np.uint8)
    height, width, channels = pixels.shape
    if channels != 4 or not 0 < height < 65536 or not 0 < width < 65536:
        raise FileError(f"an image of {width} x {height} pixels with {channels} channels cannot be a PNG; "
                        "expected 1 to 65535 pixels in each direction, and 4 channels")
    deflate = zlib.compressobj(level, zlib.DEFLATED, 15, 9)
    body = b"".join([deflate.compress(rows) for rows in _filtered_rows(pixels)] + [deflate.flush()])
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def _unfilter_bytes(rows, step):
    """Does the same as _unfilter(), one byte after the other, which is faster for narrow images."""
    above, out = bytearray(rows.shape[1] - 1 + step), []
    for row in rows:
        kind, line = row[0], bytearray(step) + row[1:].tobytes()
        for at in range(step, len(line)):
            left, up, corner = line[at - step], above[at], above[at - step]
            to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            guess = (0, left, up, (left + up) >> 1,
                     left if to_left <= to_up and to_left <= to_corner else up if to_up <= to_corner else corner)[kind]
            line[at] = (line[at] + guess) & 255
        above = line
        out.append(np.frombuffer(bytes(line[step:]), np.uint8))
    return np.stack(out)


def _unfilter(rows, step, refuse):
    """Returns the bytes of [height, 1 + bytes] filtered rows. `step` is the distance to the pixel on the left."""
    height, stride = len(rows), rows.shape[1] - 1
    filters = rows[:, 0]
    if filters.max() > 4:
        row = int(np.argmax(filters > 4))
        refuse(f"row {row} has the filter {filters[row]}, expected 0 to 4")
    width = -(-stride // step)
    if min(width, height) * step < 64 and filters.max() > 2:
        return _unfilter_bytes(rows, step)
    # One pixel of zeros on the left and one row of zeros above stand for the pixels outside.
    out = np.zeros((height + 1, width + 1, step), np.uint8)
    padded = np.zeros((height, width * step), np.uint8)
    padded[:, :stride] = rows[:, 1:]
    out[1:, 1:] = padded.reshape(height, width, step)
    if filters.max() <= 2:
        for row in range(height):
            if filters[row] == 1:
                np.cumsum(out[row + 1], axis=0, dtype=np.uint8, out=out[row + 1])
            elif filters[row] == 2:
                out[row + 1] += out[row]
    else:
        # All pixels of a diagonal depend on earlier diagonals only, whatever the filters of their rows.
        flat = out.reshape(-1, step)
        is_sub, is_up, is_average, is_paeth = ((filters == kind)[:, None] for kind in (1, 2, 3, 4))
        for diagonal in range(width + height - 1):
            top = max(0, diagonal - width + 1)
            bottom = min(height, diagonal + 1)
            x = diagonal - top + 1
            at = (top + 1) * (width + 1) + x
            count = bottom - top

            def side(offset):
                start = at + offset
                return flat[start:start + (count - 1) * width + 1:width]

            here = slice(top, bottom)
            left, up, corner = side(-1).astype(np.int16), side(-width - 1).astype(np.int16), side(-width - 2)
            corner = corner.astype(np.int16)
            guess = is_sub[here] * left + is_up[here] * up + is_average[here] * ((left + up) >> 1)
            guess += is_paeth[here] * _paeth(left, up, corner)
            target = side(0)
            target += guess.astype(np.uint8)
    return np.ascontiguousarray(out[1:, 1:]).reshape(height, -1)[:, :stride]


def _samples(rows, width, depth, channels):
    """Returns uint8 or uint16 [height, width, channels] of unfiltered rows."""
    height = len(rows)
    if depth == 16:
        return rows.reshape(height, width, channels, 2).astype(np.uint16) @ np.array([256, 1], np.uint16)
    if depth < 8:
        bits = np.unpackbits(rows, axis=1)[:, :width * depth].reshape(height, width, depth)
        return (bits @ (1 << np.arange(depth - 1, -1, -1)).astype(np.uint8))[:, :, None]
    return rows.reshape(height, width, channels)


def _chunks(data, refuse):
    """Yields (offset, kind, body) up to IEND."""
    offset = len(SIGNATURE)
    while True:
        if len(data) - offset < 12:
            refuse(f"it ends at byte {len(data)}, where a chunk of at least 12 bytes is expected")
        length, kind = struct.unpack_from(">I4s", data, offset)
        if length > len(data) - offset - 12:
            refuse(f"the chunk at byte {offset} declares {length} bytes, but {len(data) - offset - 12} remain")
        body = data[offset + 8:offset + 8 + length]
        stored, = struct.unpack_from(">I", data, offset + 8 + length)
        found = zlib.crc32(data[offset + 4:offset + 8 + length])
        if stored != found:
            refuse(f"the chunk {kind.decode('latin-1')!r} at byte {offset} has the CRC {stored:08x}, "
                   f"but its bytes give {found:08x}")
        yield offset, kind, body
        if kind == b"IEND":
            return
        offset += 12 + length


def size(data, name="PNG"):
    """Returns (width, height) from the header of a PNG. Raises FileError."""
    if data[:8] != SIGNATURE or data[12:16] != b"IHDR" or len(data) < 24:
        raise FileError(f"{name}: it is not a PNG image: it starts with {bytes(data[:8]).hex(' ') or 'nothing'}")
    return struct.unpack_from(">II", data, 16)


def decode(data, name="PNG", max_pixels=MAX_PIXELS):
    """Returns the pixels of a PNG as uint8 [height, width, 4], straight alpha. All color types, depths and interlaced
    images are read; of 16 bits, the upper 8 remain. Raises FileError, whose message begins with `name`, if the image
    is damaged or has more than `max_pixels`."""
    def refuse(detail):
        raise FileError(f"{name}: {detail}")

    width, height = size(data, name)
    if not 0 < width < 65536 or not 0 < height < 65536:
        refuse(f"the image has {width} x {height} pixels, expected 1 to 65535 in each direction")
    if width * height > max_pixels:
        refuse(f"the image has {width} x {height} pixels, but the limit is {max_pixels} pixels")
    palette, transparency, packed, depth = None, None, [], 0
    for offset, kind, body in _chunks(data, refuse):
        if kind == b"IHDR":
            if len(body) != 13 or depth:
                refuse(f"the chunk IHDR at byte {offset} is repeated or has {len(body)} bytes, expected 13")
            depth, color, compression, filtering, interlace = struct.unpack_from(">5B", body, 8)
        elif kind == b"PLTE":
            if len(body) % 3 or not 0 < len(body) <= 768:
                refuse(f"the palette at byte {offset} has {len(body)} bytes, expected 3 for each of 1 to 256 colors")
            palette = np.frombuffer(body, np.uint8).reshape(-1, 3)
        elif kind == b"tRNS":
            transparency = body
        elif kind == b"IDAT":
            packed.append(body)
        elif not kind[0] & 0x20 and kind != b"IEND":
            refuse(f"the chunk {kind.decode('latin-1')!r} at byte {offset} is unknown, but marked as required")
    depths = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
    if depth not in depths.get(color, ()) or compression or filtering or interlace > 1:
        refuse(f"the header has the bit depth {depth}, color type {color}, compression {compression}, filter "
               f"{filtering} and interlacing {interlace}, a combination that PNG does not define")
    if color == 3 and palette is None:
        refuse("the colors are indices, but there is no palette (PLTE)")
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    bits = depth * channels
    passes = [(0, 0, 1, 1)] if not interlace else [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4),
                                                   (1, 0, 2, 2), (0, 1, 1, 2)]
    parts = [(x, y, dx, dy, len(range(x, width, dx)), len(range(y, height, dy))) for x, y, dx, dy in passes]
    parts = [part for part in parts if part[4] and part[5]]
    expected = sum((1 + (part[4] * bits + 7) // 8) * part[5] for part in parts)
    inflate = zlib.decompressobj()
    try:
        raw = inflate.decompress(b"".join(packed), expected + 1)
    except zlib.error as error:
        refuse(f"the compressed pixels are damaged: {error}")
    if len(raw) != expected or not inflate.eof:
        refuse(f"the compressed pixels have {'more than ' if len(raw) > expected else ''}{min(len(raw), expected)} "
               f"bytes, expected {expected}, and their checksum")

    raw = np.frombuffer(raw, np.uint8)
    values = np.empty((height, width, channels), np.uint16 if depth == 16 else np.uint8)
    start = 0
    for x, y, dx, dy, columns, rows in parts:
        stride = 1 + (columns * bits + 7) // 8
        lines = _unfilter(raw[start:start + stride * rows].reshape(rows, stride), max(1, bits // 8), refuse)
        values[y::dy, x::dx] = _samples(lines, columns, depth, channels)
        start += stride * rows

    pixels = np.full((height, width, 4), 255, np.uint8)
    if color == 3:
        if values.max() >= len(palette):
            refuse(f"a pixel has the color {values.max()}, but the palette has {len(palette)}")
        colors = np.full((len(palette), 4), 255, np.uint8)
        colors[:, :3] = palette
        alpha = np.frombuffer((transparency or b"")[:len(palette)], np.uint8)
        colors[:len(alpha), 3] = alpha
        return colors[values[:, :, 0]]
    if transparency is not None and color in (0, 2) and len(transparency) >= 2 * channels:
        key = np.frombuffer(transparency, ">u2", channels)
        pixels[:, :, 3] = np.where((values == key).all(axis=2), 0, 255)
    if depth == 16:
        values = (values >> 8).astype(np.uint8)
    elif depth < 8:
        values = values * np.uint8(255 // ((1 << depth) - 1))
    pixels[:, :, :3] = values[:, :, :3] if color & 2 else values[:, :, :1]
    if color & 4:
        pixels[:, :, 3] = values[:, :, -1]
    return pixels
