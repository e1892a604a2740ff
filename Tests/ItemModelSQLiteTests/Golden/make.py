#!/usr/bin/env python3
"""Makes the golden database beside it, as another program would write one: with Python's sqlite3 alone.

    ./make.py

The expected items are in GoldenDatabaseTests.swift.
"""
import pathlib
import plistlib
import sqlite3

path = pathlib.Path(__file__).parent / "python.sqlite"
path.unlink(missing_ok=True)
database = sqlite3.connect(path)
# The documented tables of version 1.
database.executescript("""
    PRAGMA application_id = 0x434B4954;
    PRAGMA user_version = 1;
    CREATE TABLE items (
      position INTEGER PRIMARY KEY,
      itemKey TEXT NOT NULL UNIQUE,
      name TEXT, valueInDollars INTEGER, serialNumber TEXT, dateCreated REAL, category TEXT,
      unknownValues BLOB, raw BLOB,
      CHECK (raw IS NOT NULL OR (name IS NOT NULL AND valueInDollars IS NOT NULL
        AND dateCreated IS NOT NULL AND category IS NOT NULL))
    ) STRICT;
""")


def plist(value):
    """What has no column: a binary property list of an array with one element."""
    return plistlib.dumps([value], fmt=plistlib.FMT_BINARY)


columns = "position, itemKey, name, valueInDollars, serialNumber, dateCreated, category, unknownValues, raw"
rows = [
    (30, "3", "$null", -7, None, 736_250_400.5, "furniture", plist({"rooms": ["attic", 2, 2.0, True]}), None),
    (-10, "1", "Bicycle", 450, "A1", 736_250_400.1, "other", None, None),
    (20, "2", "Bücher 📚\0", 2**62, None, 736_250_400, "book", None, None),
    (25, "raw", None, None, None, None, None, None, plist({"name": "b", "valueInDollars": "much"})),
]
database.executemany(f"INSERT INTO items ({columns}) VALUES (?,?,?,?,?,?,?,?,?)", rows)
# At the end, by the number that SQLite gives.
database.execute("INSERT INTO items (itemKey, name, valueInDollars, dateCreated, category)"
                 " VALUES ('4', 'last', 1, 0, 'clothing')")
database.commit()
database.close()
