"""Requests on endpoint 0: USB's own, and those of the video class."""
import struct

from descriptors import STREAM_ENDPOINT

CLASS_OR_VENDOR, DEVICE_TO_HOST = 0x60, 0x80
GET_STATUS, CLEAR_FEATURE, GET_DESCRIPTOR, SET_INTERFACE = 0, 1, 6, 11
TO_ENDPOINT = 2
STREAMING_INTERFACE = 1
REQUEST_ERROR_CODE = 2    # selector, on the control interface


class Requests:
    def __init__(self, descriptors, controls, negotiation, refusals, stream):
        self.descriptors, self.controls = descriptors, controls
        self.negotiation, self.refusals, self.stream = negotiation, refusals, stream

    def answer(self, setup, body):
        """The bytes to send, or the count of bytes taken; None is a STALL."""
        kind, request, value, index, _ = struct.unpack('<BBHHH', setup)
        if kind & CLASS_OR_VENDOR:
            answer = self.video_class(request, value >> 8, index >> 8, index & 255, body)
        else:
            answer = self.standard(kind, request, value, index)
        if answer is None or kind & DEVICE_TO_HOST:
            return answer
        return len(body)

    def standard(self, kind, request, value, index):
        if request == GET_DESCRIPTOR:
            return self.descriptors.get(value >> 8, value & 255)
        if kind & DEVICE_TO_HOST:
            return bytes(2) if request == GET_STATUS else b'\1'
        # uvcvideo ends a bulk stream by clearing the endpoint's halt, an isochronous
        # one by choosing the alternate setting without bandwidth.
        clears = request == CLEAR_FEATURE and kind == TO_ENDPOINT and index == STREAM_ENDPOINT
        idles = request == SET_INTERFACE and index == STREAMING_INTERFACE and value == 0
        if clears or idles:
            self.stream.stop()
        return b''

    def video_class(self, request, selector, entity, interface, body):
        if interface == STREAMING_INTERFACE:
            return self.negotiation.request(request, selector, body)
        if entity == 0:
            return bytes((self.refusals.reason,)) if selector == REQUEST_ERROR_CODE else None
        return self.controls.request(request, selector, entity, body)
