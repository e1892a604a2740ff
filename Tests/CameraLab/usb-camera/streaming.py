"""The stream: when a frame is due, and how it is cut into payloads and transfers."""
import struct
import time
from collections import deque

from negotiation import CLOCK
from usbip import ISO_DESCRIPTOR

# Bits of the payload header.
FRAME_ID, END_OF_FRAME, PTS, SCR, ERROR, END_OF_HEADER = 1, 2, 4, 8, 0x40, 0x80


class Stream:
    def __init__(self, options, negotiation, source, faults, link, log):
        self.options, self.negotiation = options, negotiation
        self.source, self.faults, self.link, self.log = source, faults, link, log
        self.unplug_before = options.unplug    # (frame, seconds until plugged in again), once
        self.due = 0
        self.reset()

    def reset(self):
        self.running = False
        self.pending = deque()    # the host's transfers that wait for data
        self.out = deque()        # what is left of the current frame

    def submit(self, urb):
        self.pending.append(urb)
        if not self.running:
            self.start()

    def cancel(self, seq):
        for urb in self.pending:
            if urb.seq == seq:
                self.pending.remove(urb)
                return True
        return False

    def start(self):
        self.format, self.size, self.interval = self.negotiation.chosen()
        self.payload_size = self.negotiation.payload_size(self.negotiation.frame_size(self.size))
        self.running, self.number, self.frame_id = True, 0, 0
        self.silence = self.options.stall
        self.out.clear()
        self.due = time.monotonic() + self.interval / 1e7 + self.options.slow
        self.log('start %s %dx%d' % ((self.format,) + self.size))

    def stop(self):
        if self.running:
            self.log('stop after %d frames' % self.number)
        self.running = False

    def waits(self):
        return self.running and bool(self.pending)

    def pump(self, unplug):
        """Sends what is due; `unplug` is called instead of sending the frame that asks for it."""
        while self.link.socket and self.waits():
            if not self.out:
                now = time.monotonic()
                if now < self.due:
                    return
                if self.unplug_before and self.number == self.unplug_before[0]:
                    _, again = self.unplug_before
                    self.unplug_before = None
                    unplug(again)
                else:
                    self.next_frame(now)
            elif self.options.isochronous:
                self.send_isochronous()
            else:
                self.send_bulk()

    def next_frame(self, now):
        if self.silence and self.number == self.silence[0]:
            seconds = self.silence[1]
            self.due = now + seconds
            self.log('stall %g s before frame %d' % (seconds, self.number))
            self.silence = None
            return
        self.due = max(self.due + self.interval / 1e7, now)
        faults = self.faults.take(self.number)
        data = self.source.frame(self.number, self.format, self.size, faults)
        if faults:
            self.log('frame %d %s (%d bytes)' % (self.number, ' '.join(faults), len(data)))
        self.number += 1
        flags = END_OF_HEADER | self.frame_id | (ERROR if 'error' in faults else 0)
        self.frame_id ^= FRAME_ID
        if self.options.isochronous:
            self.out.append((flags, memoryview(data)))
        else:
            self.cut(data, flags, now)

    def cut(self, data, flags, now):
        step = self.payload_size - self.options.header_size
        for at in range(0, max(len(data), 1), step):
            last = at + step >= len(data)
            self.out.append(memoryview(self.header(flags, last, now) + data[at:at + step]))

    def header(self, flags, last, now):
        flags |= END_OF_FRAME if last else 0
        if self.options.header_size < 12:
            return bytes((2, flags))
        clock = int(now * CLOCK) & 0xffffffff
        return struct.pack('<BBIIH', 12, flags | PTS | SCR, clock, clock, int(now * 1000) & 0x7ff)

    def send_bulk(self):
        payload = self.out.popleft()
        urb = self.pending.popleft()
        self.link.reply(urb.seq, 0, len(payload[:urb.length]), payload[:urb.length])
        # A payload that fills the transfer exactly, but is not the longest, ends with an empty one.
        full = len(payload.obj) >= self.payload_size
        if len(payload) > urb.length or (len(payload) == urb.length and not full):
            self.out.appendleft(payload[urb.length:])

    def send_isochronous(self):
        """Every packet has a payload header; packets after the frame's end are empty."""
        flags, data = self.out.popleft()
        urb = self.pending.popleft()
        now = time.monotonic()
        parts, descriptors, total = [], [], 0
        for offset, length, _, _ in ISO_DESCRIPTOR.iter_unpack(urb.body):
            used = 0
            if data is not None:
                chunk = data[:length - self.options.header_size]
                data = data[len(chunk):]
                head = self.header(flags, not data, now)
                parts += [head, chunk]
                used = len(head) + len(chunk)
                if not data:
                    data = None
            descriptors.append(ISO_DESCRIPTOR.pack(offset, length, used, 0))
            total += used
        self.link.reply(urb.seq, 0, total, b''.join(parts + descriptors), len(descriptors))
        if data is not None:
            self.out.appendleft((flags, data))
