"""A frame's bytes, with the faults that were asked for."""
from mjpeg import Mjpeg, files_by_size, without_huffman_tables
from pictures import Yuyv

NOISE_PERIOD = 4096
TRAILING_GARBAGE = 1000


def pseudo_random_bytes(count):
    """No 0xff among them, so that noise holds no JPEG marker."""
    out, seed = bytearray(), 1
    while len(out) < count:
        seed = (seed * 1103515245 + 12345) & 0x7fffffff
        out.append((seed >> 16) % 255)
    return bytes(out)


NOISE = pseudo_random_bytes(NOISE_PERIOD)


def noise(count, seed=0):
    """The same noise in every run."""
    return (NOISE * (count // NOISE_PERIOD + 2))[seed * 7 % NOISE_PERIOD:][:count]


class FrameSource:
    def __init__(self, picture_folder, least_bytes):
        self.files = files_by_size(picture_folder)
        self.generators = dict(yuyv=Yuyv(), mjpeg=Mjpeg(least_bytes))

    def frame(self, number, pixel_format, size, faults):
        if 'empty' in faults:
            return b''
        width, height = size
        if 'wrongsize' in faults:
            height = height // 2 // 8 * 8
            if pixel_format == 'mjpeg':
                width = width // 2 // 16 * 16
        files = self.files.get((width, height))
        if pixel_format == 'mjpeg' and files and 'black' not in faults:
            data = files[number % len(files)]
        else:
            data = self.generators[pixel_format].frame(number, width, height, 'black' in faults)
        return self.spoil(data, number, pixel_format, faults)

    @staticmethod
    def spoil(data, number, pixel_format, faults):
        if 'nodht' in faults and pixel_format == 'mjpeg':
            data = without_huffman_tables(data)
        if 'corrupt' in faults:
            size = max(16, len(data) // 8)
            middle = len(data) // 2
            data = data[:middle] + noise(size, number + 1) + data[middle + size:]
        if 'garbage' in faults:
            data += noise(TRAILING_GARBAGE)
        if 'truncate' in faults:
            data = data[:len(data) // 2]
        return data
