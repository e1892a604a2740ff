"""Video probe and commit: how host and camera agree on format, size and interval."""
import struct

from controls import GET_CUR, GET_DEF, GET_INFO, GET_LEN, GET_MAX, GET_MIN, SET_CUR, GET_AND_SET

SELECTORS = {1: 'probe', 2: 'commit'}
ISO_PAYLOAD = 3072       # three packets of 1024 bytes a microframe
CLOCK = 48000000         # Hz
MAX_DELAY = 32           # ms


class Negotiation:
    def __init__(self, options, max_packet, refusals, log):
        self.options, self.max_packet = options, max_packet
        self.refusals, self.log = refusals, log
        self.forced_size = options.negotiate
        self.reset()

    def reset(self):
        self.probe = self.commit = (1, 1, self.options.intervals[0])

    def chosen(self):
        """Format, size and interval (in 100 ns) that were agreed on."""
        index, number, interval = self.commit
        return self.options.formats[index - 1], self.options.sizes[number - 1], interval

    def request(self, request, selector, body):
        """The answer; None is a STALL."""
        name = SELECTORS.get(selector)
        if name is None:
            return None
        if request == SET_CUR:
            return self.write(name, body)
        if request == GET_LEN:
            return len(self.settings(self.probe)).to_bytes(2, 'little')
        if request == GET_INFO:
            return bytes([GET_AND_SET])
        index, number, interval = self.commit if name == 'commit' else self.probe
        intervals = self.options.intervals
        interval = {GET_CUR: interval, GET_MIN: min(intervals), GET_MAX: max(intervals),
                    GET_DEF: intervals[0]}.get(request, interval)
        return self.settings((index, number, interval))

    def write(self, name, body):
        if self.refusals.refuses(name):
            return None
        options = self.options
        _, index, number, interval = struct.unpack('<HBBI', body[:8])
        index = min(max(index, 1), len(options.formats))
        number = min(max(number, 1), len(options.sizes))
        if self.forced_size in options.sizes:
            number = options.sizes.index(self.forced_size) + 1
        interval = min(options.intervals, key=lambda i: abs(i - interval))
        self.probe = (index, number, interval)
        if name == 'commit':
            self.commit = self.probe
        width, height = options.sizes[number - 1]
        self.log('%s %s %dx%d %.3g fps' % (name, options.formats[index - 1], width, height,
                                           1e7 / interval))
        return b''

    def settings(self, chosen):
        """The body of the probe and commit controls."""
        index, number, interval = chosen
        size = self.frame_size(self.options.sizes[number - 1])
        data = struct.pack('<HBBIHHHHHII', 1, index, number, interval, 0, 0, 0, 0, MAX_DELAY,
                           size, self.payload_size(size))
        if self.options.version >= 0x110:
            data += struct.pack('<IBBBB', CLOCK, 3, 0, 0, 0)
        if self.options.version >= 0x150:
            data += bytes(14)
        return data

    @staticmethod
    def frame_size(size):
        """The most that a frame of this size can take: that of YUYV."""
        return size[0] * size[1] * 2

    def payload_size(self, frame_size):
        if self.options.isochronous:
            return ISO_PAYLOAD
        packets = -(-(frame_size + self.options.header_size) // self.max_packet)
        return self.options.payload or packets * self.max_packet
