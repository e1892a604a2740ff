"""One camera: its parts, the events that reach it, and its loop."""
import selectors
import time
from collections import deque

from commands import CommandPipe, carry_out
from controls import Controls
from descriptors import STATUS_ENDPOINT, STREAM_ENDPOINT, Descriptors
from faults import FrameFaults, Refusals
from frames import FrameSource
from negotiation import Negotiation
from requests import Requests
from streaming import Stream
from usbip import EPIPE, Link, Unlink

ENDPOINT_NUMBER = 0x0f
TEARDOWN_POLL = 0.05    # seconds


class Camera:
    def __init__(self, index, options, folder):
        self.options = options
        self.log_file = open('%s/uvc%d.log' % (folder, index), 'w', buffering=1)
        self.pipe = CommandPipe('%s/uvc%d.ctl' % (folder, index))
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.pipe.descriptor, selectors.EVENT_READ)

        stream_number = STREAM_ENDPOINT & ENDPOINT_NUMBER
        max_packet = 1024 if options.super_speed or options.isochronous else 512
        self.link = Link(index, options.super_speed,
                         stream_number if options.isochronous else None)
        self.refusals = Refusals(options.stalled_controls, self.log)
        self.controls = Controls(self.refusals, self.log)
        self.faults = FrameFaults(options.faults)
        self.negotiation = Negotiation(options, max_packet, self.refusals, self.log)
        self.stream = Stream(options, self.negotiation,
                             FrameSource(options.picture_folder, options.least_bytes),
                             self.faults, self.link, self.log)
        descriptors = Descriptors(options, self.controls, max_packet)
        self.requests = Requests(descriptors, self.controls, self.negotiation, self.refusals,
                                 self.stream)
        self.plug_at = None
        self.status, self.waiting_for_status = deque(), deque()

    def log(self, text):
        self.log_file.write('%.3f %s\n' % (time.monotonic(), text))

    # ---- plugging ----

    def plug(self):
        self.plug_at = None
        if self.link.socket:
            return
        port = self.link.plug()
        if port is None:
            self.plug_at = time.monotonic() + TEARDOWN_POLL
            return
        self.selector.register(self.link.socket, selectors.EVENT_READ)
        self.status.clear()
        self.waiting_for_status.clear()
        self.negotiation.reset()
        self.stream.reset()
        self.refusals.reason = 0
        self.log('plug port %d' % port)

    def plug_in(self, seconds):
        self.plug_at = time.monotonic() + seconds

    def unplug(self, again=None):
        """Pulls the plug; `again` seconds later it is put in again."""
        if self.link.socket:
            self.selector.unregister(self.link.socket)
            self.link.unplug()
            self.stream.running = False
            self.log('unplug')
        self.plug_at = None if again is None else time.monotonic() + again

    # ---- what the kernel sends ----

    def receive(self):
        if not self.link.receive():
            self.unplug()    # detached from the kernel's side
            return
        for message in self.link.messages():
            if isinstance(message, Unlink):
                self.unlink(message)
            elif message.endpoint == 0:
                self.control(message)
            elif message.endpoint == STREAM_ENDPOINT & ENDPOINT_NUMBER:
                self.stream.submit(message)
            else:
                self.waiting_for_status.append(message.seq)
                self.send_status()

    def unlink(self, message):
        found = self.stream.cancel(message.victim)
        if message.victim in self.waiting_for_status:
            self.waiting_for_status.remove(message.victim)
            found = True
        self.link.reply_to_unlink(message.seq, found)

    def control(self, urb):
        answer = self.requests.answer(urb.setup, urb.body)
        if answer is None:
            self.link.reply(urb.seq, EPIPE)
        elif isinstance(answer, int):
            self.link.reply(urb.seq, 0, answer)
        else:
            answer = answer[:urb.length]
            self.link.reply(urb.seq, 0, len(answer), answer)

    def report(self, *messages):
        """Sends messages on the status endpoint, as soon as the host listens."""
        self.status.extend(messages)
        self.send_status()

    def send_status(self):
        while self.link.socket and self.status and self.waiting_for_status:
            message = self.status.popleft()
            self.link.reply(self.waiting_for_status.popleft(), 0, len(message), message)

    # ---- the loop ----

    def run(self):
        while True:
            for key, _ in self.selector.select(self.time_to_wait()):
                if key.fileobj == self.pipe.descriptor:
                    for words in self.pipe.read():
                        carry_out(self, words)
                elif key.fileobj is self.link.socket:
                    self.receive()
            if self.plug_at is not None and time.monotonic() >= self.plug_at:
                self.plug()
            if self.link.socket:
                try:
                    self.stream.pump(self.unplug)
                except ConnectionError:
                    self.unplug()

    def time_to_wait(self):
        """Until something has to be done without an event; None is for ever."""
        wake = [] if self.plug_at is None else [self.plug_at]
        if self.link.socket and self.stream.waits():
            wake.append(self.stream.due)
        return max(0, min(wake) - time.monotonic()) if wake else None
