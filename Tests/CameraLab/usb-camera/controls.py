"""The camera's controls, and the UVC requests that read and write them."""
from faults import Refusals

# Entities: camera terminal, processing unit, output terminal.
CAMERA, PROCESSING, OUTPUT = 1, 2, 3

# UVC requests.
SET_CUR, GET_CUR, GET_MIN, GET_MAX, GET_RES, GET_LEN, GET_INFO, GET_DEF = (
    0x01, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87)

# GET_INFO: get and set are supported; the value may change by itself.
GET_AND_SET, AUTO_UPDATE = 3, 8
AUTO_UPDATED = ('exposure', 'gain', 'focus', 'white_balance')


class Control:
    def __init__(self, entity, bit, selector, size, low, high, step, default):
        self.entity, self.bit, self.selector, self.size = entity, bit, selector, size
        self.low, self.high, self.step = low, high, step
        self.default = self.value = default

    def pack(self, value):
        return value.to_bytes(self.size, 'little', signed=value < 0)

    def unpack(self, data):
        return int.from_bytes(data[:self.size], 'little', signed=self.low < 0)


def all_controls():
    return dict(
        ae_mode=Control(CAMERA, 1, 2, 1, 1, 8, 9, 8),       # bitmap: 1 manual, 8 aperture priority
        exposure=Control(CAMERA, 3, 4, 4, 1, 10000, 1, 156),
        focus=Control(CAMERA, 5, 6, 2, 0, 250, 5, 0),
        focus_auto=Control(CAMERA, 17, 8, 1, 0, 1, 1, 1),
        zoom=Control(CAMERA, 9, 11, 2, 100, 400, 1, 100),
        backlight=Control(PROCESSING, 8, 1, 2, 0, 1, 1, 0),
        brightness=Control(PROCESSING, 0, 2, 2, -64, 64, 1, 0),
        contrast=Control(PROCESSING, 1, 3, 2, 0, 64, 1, 32),
        gain=Control(PROCESSING, 9, 4, 2, 0, 100, 1, 10),
        power_line=Control(PROCESSING, 10, 5, 1, 0, 2, 1, 1),
        saturation=Control(PROCESSING, 3, 7, 2, 0, 128, 1, 64),
        sharpness=Control(PROCESSING, 4, 8, 2, 0, 6, 1, 3),
        white_balance=Control(PROCESSING, 6, 10, 2, 2800, 6500, 10, 4600),
        white_balance_auto=Control(PROCESSING, 12, 11, 1, 0, 1, 1, 1))


class Controls:
    def __init__(self, refusals, log):
        self.all, self.refusals, self.log = all_controls(), refusals, log

    def bitmap(self, entity, size):
        bits = sum(1 << c.bit for c in self.all.values() if c.entity == entity)
        return bits.to_bytes(size, 'little')

    def request(self, request, selector, entity, body):
        """The answer; None is a STALL."""
        for name, control in self.all.items():
            if control.entity == entity and control.selector == selector:
                return self.request_of(name, control, request, body)
        return None

    def request_of(self, name, control, request, body):
        if request in (SET_CUR, GET_CUR):
            if self.refusals.refuses(name, 'set ' if request == SET_CUR else 'get '):
                return None
        if request == SET_CUR:
            return self.write(name, control, body)
        if request == GET_LEN:
            return control.size.to_bytes(2, 'little')
        if request == GET_INFO:
            return bytes([GET_AND_SET | (AUTO_UPDATE if name in AUTO_UPDATED else 0)])
        return control.pack({GET_CUR: control.value, GET_MIN: control.low, GET_MAX: control.high,
                             GET_RES: control.step, GET_DEF: control.default}[request])

    def write(self, name, control, body):
        value = control.unpack(body)
        if not control.low <= value <= control.high:
            self.refusals.reason = Refusals.OUT_OF_RANGE
            return None
        control.value = value
        self.log('set %s %d' % (name, value))
        return b''

    def change(self, name, value):
        """The control changes by itself; returns the message for the status endpoint."""
        control = self.all[name]
        control.value = value
        return bytes((1, control.entity, 0, control.selector, 0)) + control.pack(value)
