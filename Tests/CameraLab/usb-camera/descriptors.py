"""The descriptors by which the camera introduces itself (USB 2.0, USB 3.2, UVC 1.1 and 1.5)."""
import struct

from controls import CAMERA, OUTPUT, PROCESSING

DEVICE, CONFIGURATION, STRING, INTERFACE, ENDPOINT, ASSOCIATION = 1, 2, 3, 4, 5, 11
BOS, SUPER_SPEED_COMPANION = 15, 0x30
CS_INTERFACE, CS_ENDPOINT = 0x24, 0x25
VIDEO, VIDEO_CONTROL, VIDEO_STREAMING, VIDEO_COLLECTION = 14, 1, 2, 3
ISOCHRONOUS, BULK, INTERRUPT = 5, 2, 3    # isochronous with the asynchronous bit
STREAM_ENDPOINT, STATUS_ENDPOINT = 0x81, 0x82
STATUS_PACKET = 16
ISO_PACKET = 1024
YUY2_GUID = b'YUY2\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71'
US_ENGLISH = b'\x09\x04'
CAPABILITIES = bytes.fromhex('050f160002' '07100202000000' '0a1003000e00010a2000')


class Descriptors:
    def __init__(self, options, controls, max_packet):
        self.options, self.controls, self.max_packet = options, controls, max_packet
        self.protocol = 1 if options.version >= 0x150 else 0
        self.device = self.describe_device()
        self.configuration = self.describe_configuration()

    def get(self, kind, number):
        """What GET_DESCRIPTOR asks for; None is a STALL."""
        if kind == DEVICE:
            return self.device
        if kind == CONFIGURATION:
            return self.configuration
        if kind == STRING and number <= len(self.options.strings):
            text = self.options.strings[number - 1].encode('utf-16le') if number else US_ENGLISH
            return bytes((len(text) + 2, STRING)) + text
        if kind == BOS and self.options.super_speed:
            return CAPABILITIES
        return None

    def describe_device(self):
        fast = self.options.super_speed
        return struct.pack('<BBHBBBBHHHBBBB', 18, DEVICE, 0x300 if fast else 0x200, 0xef, 2, 1,
                           9 if fast else 64, self.options.vendor_id, self.options.product_id,
                           0x100, 1, 2, 3, 1)

    def describe_configuration(self):
        body = struct.pack('<BBBBBBBB', 8, ASSOCIATION, 0, 2, VIDEO, VIDEO_COLLECTION, 0, 2)
        body += self.interface(0, 0, 1, VIDEO_CONTROL, 2) + self.entities()
        body += self.endpoint(STATUS_ENDPOINT, INTERRUPT, STATUS_PACKET, 8)
        body += struct.pack('<BBBH', 5, CS_ENDPOINT, INTERRUPT, STATUS_PACKET)
        if self.options.isochronous:
            body += self.interface(1, 0, 0, VIDEO_STREAMING, 0) + self.stream()
            for mult in (1, 2, 3):
                body += self.interface(1, mult, 1, VIDEO_STREAMING, 0)
                body += self.endpoint(STREAM_ENDPOINT, ISOCHRONOUS, ISO_PACKET, 1, mult)
        else:
            body += self.interface(1, 0, 1, VIDEO_STREAMING, 0) + self.stream()
            body += self.endpoint(STREAM_ENDPOINT, BULK, self.max_packet, 0)
        return struct.pack('<BBHBBBBB', 9, CONFIGURATION, 9 + len(body), 2, 1, 0, 0x80, 50) + body

    def interface(self, number, alternate, endpoints, subclass, name):
        return struct.pack('<BBBBBBBBB', 9, INTERFACE, number, alternate, endpoints, VIDEO,
                           subclass, self.protocol, name)

    def endpoint(self, address, kind, packet, interval, mult=1):
        fast = self.options.super_speed
        data = struct.pack('<BBBBHB', 7, ENDPOINT, address, kind,
                           packet if fast else packet | mult - 1 << 11, interval)
        if fast:
            periodic = packet * mult if kind in (ISOCHRONOUS, INTERRUPT) else 0
            data += struct.pack('<BBBBH', 6, SUPER_SPEED_COMPANION, 0,
                                mult - 1 if kind == ISOCHRONOUS else 0, periodic)
        return data

    def entities(self):
        """The control interface: camera terminal, processing unit, output terminal."""
        version = self.options.version
        size = 3 if version >= 0x150 else 2
        data = struct.pack('<BBBBHBB', 18, CS_INTERFACE, 2, CAMERA, 0x201, 0, 0)
        data += bytes(6) + b'\3' + self.controls.bitmap(CAMERA, 3)
        data += struct.pack('<BBBBBHB', 8 + size + 1 + (version >= 0x110), CS_INTERFACE, 5,
                            PROCESSING, CAMERA, 0, size)
        data += self.controls.bitmap(PROCESSING, size) + b'\0'
        data += b'\0' if version >= 0x110 else b''
        data += struct.pack('<BBBBHBBB', 9, CS_INTERFACE, 3, OUTPUT, 0x101, 0, PROCESSING, 0)
        return struct.pack('<BBBHHIBB', 13, CS_INTERFACE, 1, version, 13 + len(data), 48000000,
                           1, 1) + data

    def stream(self):
        """The streaming interface: formats and their sizes."""
        data = b''
        for index, name in enumerate(self.options.formats, 1):
            data += self.video_format(index, name)
            for number, size in enumerate(self.options.sizes, 1):
                data += self.frame(number, name, size)
            data += bytes((6, CS_INTERFACE, 13, 1, 1, 4))    # BT.709, BT.709, BT.601
        count = len(self.options.formats)
        head = struct.pack('<BBBBHBBBBBBB', 13 + count, CS_INTERFACE, 1, count,
                           13 + count + len(data), STREAM_ENDPOINT, 0, OUTPUT, 1, 1, 1, 1)
        return head + bytes(count) + data

    def video_format(self, index, name):
        count = len(self.options.sizes)
        if name == 'mjpeg':
            return bytes((11, CS_INTERFACE, 6, index, count, 1, 1, 0, 0, 0, 0))
        return bytes((27, CS_INTERFACE, 4, index, count)) + YUY2_GUID + bytes((16, 1, 0, 0, 0, 0))

    def frame(self, number, name, size):
        width, height = size
        intervals = self.options.intervals
        count = len(intervals)
        return struct.pack('<BBBBBHHIIIIB%dI' % count, 26 + 4 * count, CS_INTERFACE,
                           7 if name == 'mjpeg' else 5, number, 0, width, height,
                           width * height * 16, width * height * 16 * 30, width * height * 2,
                           intervals[0], count, *intervals)
