"""JPEG: the picture's encoder, and what the faults need to know of a file."""
import os
import struct

from pictures import CELL_WIDTH, RGB, RowCache, cells, ycc

SOF0, DHT, RST0, SOI, EOI = 0xc0, 0xc4, 0xd0, 0xd8, 0xd9
SOS, DQT, DRI, APP4 = 0xda, 0xdb, 0xdd, 0xe4
ROWS_KEPT = 1000
QUANTUM = 8    # every DC coefficient's, so that the coefficient is the sample less 128

# Class and identifier, number of codes of each length, values: ITU-T T.81, annex K.
TABLES = [(kind, bytes.fromhex(lengths), bytes.fromhex(values)) for kind, lengths, values in (
    (0x00, '00010501010101010100000000000000', '000102030405060708090a0b'),
    (0x10, '0002010303020403050504040000017d', '''
        01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a
        25262728292a3435363738393a434445464748494a535455565758595a636465666768696a73747576777879
        7a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9
        cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa'''),
    (0x01, '00030101010101010101010000000000', '000102030405060708090a0b'),
    (0x11, '00020102040403040705040400010277', '''
        0001020311040521310612415107617113223281081442 91a1b1c109233352f0156272d10a162434e125f1
        1718191a262728292a35363738393a434445464748494a535455565758595a636465666768696a7374757677
        78797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6
        c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa'''))]
LUMA_DC, LUMA_AC, CHROMA_DC, CHROMA_AC = (table[1:] for table in TABLES)


def huffman_codes(lengths, values):
    """The code and its length, by value."""
    codes, code, at = {}, 0, 0
    for bits, count in enumerate(lengths, 1):
        for _ in range(count):
            codes[values[at]] = (code, bits)
            code, at = code + 1, at + 1
        code <<= 1
    return codes


def segment(marker, body):
    return struct.pack('>BBH', 0xff, marker, len(body) + 2) + body


class Mjpeg:
    """Baseline 4:2:2 of flat cells: only DC coefficients, one restart interval a row."""

    def __init__(self, least_bytes=0):
        self.least_bytes = least_bytes
        self.dc = [huffman_codes(*LUMA_DC), huffman_codes(*CHROMA_DC)]
        self.end = [huffman_codes(*LUMA_AC)[0], huffman_codes(*CHROMA_AC)[0]]
        self.colour = [tuple(max(-128, min(127, round(v))) for v in (y - 128, cb, cr))
                       for y, cb, cr in map(ycc, RGB)]
        self.rows = RowCache(self.encode, ROWS_KEPT)

    def encode(self, row):
        acc, bits = 1, 0    # a leading one keeps the leading zeros
        last = [0, 0, 0]
        for cell in row:
            for part in (0, 0, 1, 2):
                table = part > 0
                diff = self.colour[cell][part] - last[part]
                last[part] = self.colour[cell][part]
                size = abs(diff).bit_length()
                code, n = self.dc[table][size]
                acc = (acc << n | code) << size | (diff if diff >= 0 else diff + (1 << size) - 1)
                code, m = self.end[table]
                acc = acc << m | code
                bits += n + size + m
        fill = -bits % 8
        acc = (acc << fill | (1 << fill) - 1) ^ 1 << bits + fill
        return acc.to_bytes((bits + fill) // 8, 'big').replace(b'\xff', b'\xff\x00')

    def headers(self, width, height):
        table = bytes([QUANTUM]) * 64
        return ([bytes((0xff, SOI)), segment(DQT, b'\0' + table + b'\1' + table)]
                + [segment(DHT, bytes([kind]) + lengths + values)
                   for kind, lengths, values in TABLES]
                + [segment(SOF0, struct.pack('>BHHB', 8, height, width, 3)
                           + b'\1\x21\0\2\x11\1\3\x11\1'),
                   segment(DRI, struct.pack('>H', width // CELL_WIDTH)),
                   segment(SOS, b'\3\1\x00\2\x11\3\x11\0\x3f\0')])

    def frame(self, number, width, height, black=False):
        out = self.headers(width, height)
        for y, row in enumerate(cells(number, width, height, black)):
            if y:
                out.append(bytes((0xff, RST0 + (y - 1) % 8)))
            out.append(self.rows[row])
        out.append(bytes((0xff, EOI)))
        missing = self.least_bytes - sum(map(len, out))
        while missing > 0:
            out.insert(1, segment(APP4, bytes(min(missing, 60000))))
            missing -= 60000
        return b''.join(out)


def segments(jpeg):
    """(marker, start, end) of the segments before the scan; the last one is SOS."""
    at = 2
    while at + 4 <= len(jpeg):
        marker, size = jpeg[at + 1], int.from_bytes(jpeg[at + 2:at + 4], 'big')
        yield marker, at, at + 2 + size
        if marker == SOS:
            return
        at += 2 + size


def picture_size(jpeg):
    for marker, start, _ in segments(jpeg):
        if SOF0 <= marker <= SOF0 + 3:
            height, width = struct.unpack('>HH', jpeg[start + 5:start + 9])
            return width, height
    return None


def without_huffman_tables(jpeg):
    out, end = [jpeg[:2]], 2
    for marker, start, end in segments(jpeg):
        if marker != DHT:
            out.append(jpeg[start:end])
    return b''.join(out) + jpeg[end:]


def files_by_size(folder):
    found = {}
    for name in sorted(os.listdir(folder)) if folder else ():
        if name.lower().endswith(('.jpg', '.jpeg')):
            with open(os.path.join(folder, name), 'rb') as file:
                jpeg = file.read()
            found.setdefault(picture_size(jpeg), []).append(jpeg)
    return found
