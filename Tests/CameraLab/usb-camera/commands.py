"""The commands that a running camera takes from its FIFO."""
import os
import time

from faults import KINDS
from options import parse_size

BUTTON_DOWN, BUTTON_UP = b'\2\1\0\1', b'\2\1\0\0'
REPLUG_AFTER = 0.5    # seconds


class CommandPipe:
    def __init__(self, path):
        if not os.path.exists(path):
            os.mkfifo(path)
        # Open for writing too: the FIFO never ends when its last writer closes it.
        self.descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.rest = b''

    def read(self):
        """The commands that are complete, as lists of words."""
        self.rest += os.read(self.descriptor, 4096)
        *lines, self.rest = self.rest.split(b'\n')
        return list(filter(None, (line.decode('utf-8', 'replace').split() for line in lines)))


def carry_out(camera, words):
    verb, arguments = words[0], words[1:]
    camera.log('command ' + ' '.join(words))
    try:
        if verb in KINDS:
            camera.faults.next[verb] = int(arguments[0]) if arguments else 1
        else:
            COMMANDS[verb](camera, *arguments)
    except (Exception, SystemExit) as error:
        camera.log('bad command %r: %r' % (' '.join(words), error))


def stall(camera, seconds):
    camera.stream.due = time.monotonic() + float(seconds)


def negotiate(camera, size):
    camera.negotiation.forced_size = None if size == 'none' else parse_size(size)


COMMANDS = dict(
    unplug=lambda camera: camera.unplug(),
    plug=lambda camera: camera.plug_in(0),
    replug=lambda camera, seconds=REPLUG_AFTER: camera.unplug(float(seconds)),
    stall=stall,
    negotiate=negotiate,
    stallctl=lambda camera, text: camera.refusals.set(text),
    button=lambda camera: camera.report(BUTTON_DOWN, BUTTON_UP),
    set=lambda camera, name, value: camera.report(camera.controls.change(name, int(value))))
