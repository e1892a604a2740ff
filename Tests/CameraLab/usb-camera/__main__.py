"""A virtual USB Video Class camera for the Linux kernel's vhci_hcd (USB/IP).

usage: python3 usb-camera [--dir DIR] [--ready FILE] SPEC...

Each SPEC plugs in one camera; the kernel's own uvcvideo driver binds to it.
Camera N reads commands from the FIFO DIR/uvcN.ctl and writes what happens to
DIR/uvcN.log.  A SPEC is a comma-separated list of KEY=VALUE:

  name= vendor= serial= vid= pid=   identity (default: Lab Camera, 1d6b:0102)
  formats=mjpeg+yuyv  sizes=640x480+320x240+1280x720  fps=30+15+5
  mjpeg=DIR        send the .jpg files of DIR whose size is the negotiated one
                   (default, and for other sizes: colour bars with a counter)
  bytes=N          pad generated MJPEG frames to at least N bytes
  uvc=1.1|1.5  speed=high|super  transfer=bulk|iso  header=2|12
  payload=N        bulk: bytes in one payload (default: the whole frame)
  plug=no          start unplugged

Faults by frame.  WHEN is the frame since stream start, counted from 0, or
A-B, or /K (every K-th), or *, joined with + :

  truncate=WHEN    only the first half of the frame's bytes
  corrupt=WHEN     noise in the middle of the frame
  nodht=WHEN       MJPEG without Huffman tables
  garbage=WHEN     1000 bytes of noise after the frame
  empty=WHEN       no bytes
  error=WHEN       error bit in the payload header
  wrongsize=WHEN   MJPEG of half the width and height; YUYV of half the lines
  black=WHEN       a black picture

Other faults:

  slow=T           the first frame comes T s late
  stall=N:T        T s without data before frame N
  unplug=N[:T]     unplug instead of sending frame N; plug in T s later (once)
  negotiate=WxH    answer every negotiation with this size
  stallctl=NAME[:CODE][+...]   STALL requests for the current value of a control
                   (brightness ..., or probe, commit); CODE: UVC request error

Commands (FIFO, one a line): the faults by frame as `truncate 3` (next 3 frames),
`stall T`, `negotiate WxH|none`, `stallctl NAME|none`, `unplug`, `plug`,
`replug T`, `button` (still image button), `set NAME VALUE` (control changes by itself).
"""
import os
import sys
import time
import traceback

from camera import Camera
from options import parse_spec

NODES_PER_CAMERA = 2    # pictures and metadata
NODES_DEADLINE = 20     # seconds


def video_nodes():
    folder = '/sys/class/video4linux'
    return set(os.listdir(folder)) if os.path.isdir(folder) else set()


def run_in_child(camera):
    """Each camera gets a process of its own, so that none delays another."""
    if os.fork():
        return
    try:
        if camera.options.plugged:
            camera.plug()
        camera.run()
    except BaseException:
        traceback.print_exc()
    os._exit(1)


def await_nodes(before):
    """Cameras come up one after the other, so that their nodes' numbers are predictable."""
    until = time.monotonic() + NODES_DEADLINE
    while len(video_nodes() - before) < NODES_PER_CAMERA and time.monotonic() < until:
        time.sleep(0.02)


def main(arguments):
    folder, ready = '.', None
    while len(arguments) >= 2 and arguments[0] in ('--dir', '--ready'):
        if arguments[0] == '--dir':
            folder = arguments[1]
        else:
            ready = arguments[1]
        arguments = arguments[2:]
    if not arguments or arguments[0].startswith('-'):
        raise SystemExit(__doc__)
    cameras = [Camera(i, parse_spec(spec), folder) for i, spec in enumerate(arguments)]
    for camera in cameras:
        before = video_nodes()
        run_in_child(camera)
        if camera.options.plugged:
            await_nodes(before)
    if ready:
        open(ready, 'w').close()
    while True:
        os.wait()


if __name__ == '__main__':
    main(sys.argv[1:])
