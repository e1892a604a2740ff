"""USB/IP with the kernel's vhci_hcd: plugging in, URBs in, answers out."""
import socket
import struct
from collections import namedtuple

VHCI = '/sys/devices/platform/vhci_hcd.0'
PORT_FREE = '004'
HIGH_SPEED, SUPER_SPEED = 3, 5          # enum usb_device_speed
FIRST_DEVICE_ID = 0x10001
SEND_BUFFER = 1 << 20

EPIPE, ECONNRESET = -32, -104
CMD_UNLINK, RET_SUBMIT, RET_UNLINK = 2, 3, 4
COMMAND = struct.Struct('>IIIIIIiiii8s')
HEADER_SIZE = COMMAND.size
ISO_DESCRIPTOR = struct.Struct('>IIII')    # offset, length, actual length, status

# The body holds an OUT transfer's bytes, or an isochronous transfer's packet descriptors.
Submit = namedtuple('Submit', 'seq endpoint setup length body')
Unlink = namedtuple('Unlink', 'seq victim')


class Link:
    """The plug: a socket pair whose other end the kernel holds."""

    def __init__(self, index, super_speed, isochronous_endpoint):
        self.index, self.super_speed = index, super_speed
        self.isochronous_endpoint = isochronous_endpoint    # None if there is none
        self.socket = None

    def plug(self):
        """The port, or None while the kernel still tears down what was there before."""
        with open(VHCI + '/status') as file:
            ports = [line.split() for line in file][1:]
        hub = 'ss' if self.super_speed else 'hs'
        _, port, status = [p for p in ports if p[0] == hub][self.index][:3]
        if status != PORT_FREE:
            return None
        self.socket, kernel = socket.socketpair()
        for end in (self.socket, kernel):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        speed = SUPER_SPEED if self.super_speed else HIGH_SPEED
        with open(VHCI + '/attach', 'w') as file:
            file.write('%d %d %d %d' % (int(port), kernel.fileno(), FIRST_DEVICE_ID + self.index,
                                        speed))
        kernel.close()
        self.buffer = b''
        return int(port)

    def unplug(self):
        self.socket.close()
        self.socket = None

    def receive(self):
        """Reads once; False if the kernel has let go of the device."""
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionError:
            data = b''
        self.buffer += data
        return bool(data)

    def messages(self):
        """The complete messages; ends when one of them led to an unplug."""
        while self.socket and len(self.buffer) >= HEADER_SIZE:
            command, seq, _, is_in, endpoint, word, length, _, packets, _, setup = (
                COMMAND.unpack(self.buffer[:HEADER_SIZE]))
            size = HEADER_SIZE
            if command != CMD_UNLINK:
                size += 0 if is_in else length
                if endpoint == self.isochronous_endpoint and packets > 0:
                    size += ISO_DESCRIPTOR.size * packets
            if len(self.buffer) < size:
                return
            body, self.buffer = self.buffer[HEADER_SIZE:size], self.buffer[size:]
            if command == CMD_UNLINK:
                yield Unlink(seq, word)
            else:
                yield Submit(seq, endpoint, setup, length, body)

    def reply(self, seq, status=0, actual=0, data=b'', packets=0):
        head = struct.pack('>IIIIIiiiii8x', RET_SUBMIT, seq, 0, 0, 0, status, actual, 0, packets, 0)
        self.socket.sendmsg([head, data])

    def reply_to_unlink(self, seq, found):
        self.socket.sendall(struct.pack('>IIIIIi24x', RET_UNLINK, seq, 0, 0, 0,
                                        ECONNRESET if found else 0))
