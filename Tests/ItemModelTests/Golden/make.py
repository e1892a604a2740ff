#!/usr/bin/env python3
"""Makes the golden files beside it: lists of items as other programs write them.

    ./make.py

Nothing here is our own code: plistlib and json write, and one binary list is put together byte by byte.
The expected items are in GoldenFileTests.swift.
"""
import datetime
import json
import pathlib
import plistlib
import struct

here = pathlib.Path(__file__).parent
DAY = datetime.datetime(2024, 5, 1, 10, 0, 0)
SINCE_1970 = DAY.replace(tzinfo=datetime.timezone.utc).timestamp()
SINCE_2001 = SINCE_1970 - 978_307_200


def items(date, null):
    """Complete; without a serial number; one written as null; from before keys and categories."""
    return [
        {"name": "Bicycle", "valueInDollars": 450, "serialNumber": "A1", "dateCreated": date(0.25),
         "category": "other", "itemKey": "11111111-1111-4111-8111-111111111111"},
        {"name": "Bücher 📚", "valueInDollars": 0, "dateCreated": date(0),
         "category": "book", "itemKey": "22222222-2222-4222-8222-222222222222"},
        {"name": "$null", "valueInDollars": -7, "serialNumber": null, "dateCreated": date(1),
         "category": "furniture", "itemKey": "33333333-3333-4333-8333-333333333333",
         "rooms": ["attic", 2, 2.0, True, {"floor": 3}]},
        {"name": "Old <camera> & case", "valueInDollars": 12, "dateCreated": date(2)},
    ]


def write_lists():
    """plistlib writes whole seconds in XML, as Apple's XML has them; microseconds in binary."""
    def dated(fraction):
        return DAY + datetime.timedelta(seconds=fraction)

    (here / "python-xml.plist").write_bytes(
        plistlib.dumps(items(dated, "$null"), fmt=plistlib.FMT_XML))
    (here / "python-binary.plist").write_bytes(
        plistlib.dumps(items(dated, "$null"), fmt=plistlib.FMT_BINARY, sort_keys=False))


def write_json():
    def text(fraction):
        return (DAY + datetime.timedelta(seconds=fraction)).isoformat() + "Z"

    for name, date in {
        "deferred": lambda f: SINCE_2001 + f,
        "seconds": lambda f: SINCE_1970 + f,
        "milliseconds": lambda f: (SINCE_1970 + f) * 1000,
        "iso8601": text,
    }.items():
        (here / f"python-{name}.json").write_text(
            json.dumps(items(date, None), indent=1, ensure_ascii=name == "iso8601"),
            encoding="utf-8")


def write_by_hand():
    """Widths, forms and places that no common writer has: 8-byte counts, UTF-8 text, a 4-byte real,
    a null byte, a 16-byte integer, wide references, the root in the middle."""
    def text(word):
        data = word.encode("ascii")
        head = bytes([0x50 | len(data)]) if len(data) < 15 else b"\x5f\x10" + bytes([len(data)])
        return head + data

    def refs(*numbers):
        return b"".join(struct.pack(">I", number) for number in numbers)

    objects = [
        text("name"), text("valueInDollars"), text("dateCreated"), text("serialNumber"),
        text("later"), b"\xa1" + refs(6),
        b"\xd5" + refs(0, 1, 2, 3, 4) + refs(7, 8, 9, 10, 11),
        b"\x7f\x13" + struct.pack(">q", 6) + "Häuß".encode(),
        b"\x14" + struct.pack(">qq", 0, 77),
        b"\x33" + struct.pack(">d", 700_000_000.123456),
        b"\x00",
        b"\xa4" + refs(12, 13, 14, 15),
        b"\x22" + struct.pack(">f", 1.5), b"\x14" + struct.pack(">qQ", 0, 2**63),
        b"\x4f\x11" + struct.pack(">H", 3) + b"\x00\x01\x02", b"\x13" + struct.pack(">q", -2),
    ]
    body, offsets = b"bplist00", []
    for part in objects:
        offsets.append(len(body))
        body += part
    table = len(body)
    body += b"".join(struct.pack(">H", offset) for offset in offsets)
    body += bytes(6) + bytes([2, 4]) + struct.pack(">QQQ", len(objects), 5, table)
    (here / "by-hand.plist").write_bytes(body)


write_lists()
write_json()
write_by_hand()
