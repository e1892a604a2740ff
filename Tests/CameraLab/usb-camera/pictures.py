"""The picture: rows of cells, 16 by 8 pixels each.

Colour bars that move by one cell a frame; along the top edge the frame number in
binary (a white and a black cell, then 16 bits, white is 1); below it the number in
digits.
"""

RGB = [(255, 255, 255), (255, 255, 0), (0, 255, 255), (0, 255, 0),
       (255, 0, 255), (255, 0, 0), (0, 0, 255), (0, 0, 0)]
WHITE, BLACK = 0, 7
CELL_WIDTH, CELL_HEIGHT = 16, 8
# Each digit is five lines of three dots; an octal digit is a line.
DIGITS = [0o75557, 0o26227, 0o71747, 0o71717, 0o55711,
          0o74717, 0o74757, 0o71111, 0o75757, 0o75717]
ROWS_KEPT = 400


def cells(number, width, height, black):
    """The rows of the picture, as tuples of indices into RGB."""
    columns, rows = width // CELL_WIDTH, height // CELL_HEIGHT
    if black:
        return [(BLACK,) * columns] * rows
    bars = tuple((x + number) * 8 // columns % 8 for x in range(columns))
    picture = [bars] * rows
    strip = counter(number, min(16, columns - 2))
    picture[0] = picture[1] = strip + bars[len(strip):]
    if columns >= 18 and rows >= 16:
        for y in range(-1, 6):
            row = digits(number, y)
            picture[4 + 2 * y] = picture[5 + 2 * y] = row + bars[len(row):]
    return picture


def counter(number, bits):
    ones = tuple(WHITE if number >> bit & 1 else BLACK for bit in range(bits - 1, -1, -1))
    return (WHITE, BLACK) + ones


def digits(number, y):
    """Line `y` of the last four digits, with a black margin; lines -1 and 5 are margin."""
    row = [BLACK]
    for digit in '%04d' % (number % 10000):
        line = DIGITS[int(digit)] >> 3 * (4 - y) & 7 if 0 <= y < 5 else 0
        row += [WHITE if line & dot else BLACK for dot in (4, 2, 1)] + [BLACK]
    return tuple(row)


def ycc(rgb):
    """BT.601, full range, chroma around 0."""
    r, g, b = rgb
    return (0.299 * r + 0.587 * g + 0.114 * b,
            -0.1687 * r - 0.3313 * g + 0.5 * b,
            0.5 * r - 0.4187 * g - 0.0813 * b)


class RowCache:
    """Rows in their encoded form: a moving picture repeats them."""

    def __init__(self, encode, limit):
        self.encode, self.limit, self.rows = encode, limit, {}

    def __getitem__(self, row):
        if row not in self.rows:
            if len(self.rows) > self.limit:
                self.rows.clear()
            self.rows[row] = self.encode(row)
        return self.rows[row]


class Yuyv:
    """YUYV in limited range."""

    def __init__(self):
        self.cell = []
        for y, cb, cr in map(ycc, RGB):
            y, cb, cr = (round(16 + y * 219 / 255), round(128 + cb * 224 / 255),
                         round(128 + cr * 224 / 255))
            self.cell.append(bytes((y, cb, y, cr)) * (CELL_WIDTH // 2))
        self.rows = RowCache(self.encode, ROWS_KEPT)

    def encode(self, row):
        return b''.join([self.cell[colour] for colour in row]) * CELL_HEIGHT

    def frame(self, number, width, height, black=False):
        return b''.join([self.rows[row] for row in cells(number, width, height, black)])
