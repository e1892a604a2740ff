"""Which frames are spoiled, and which requests are refused."""

KINDS = ('truncate', 'corrupt', 'nodht', 'garbage', 'empty', 'error', 'wrongsize', 'black')


def frame_test(text):
    """WHEN as a function of the frame number."""
    tests = []
    for part in text.split('+'):
        if part == '*':
            tests.append(lambda n: True)
        elif part.startswith('/'):
            tests.append(lambda n, k=int(part[1:]): n % k == k - 1)
        elif part:
            first, _, last = part.partition('-')
            tests.append(lambda n, a=int(first), b=int(last or first): a <= n <= b)
    return lambda n: any(test(n) for test in tests)


class FrameFaults:
    """The faults by frame: those of the SPEC, and those asked for by command."""

    def __init__(self, when):
        self.when = {kind: frame_test(when[kind]) for kind in KINDS}
        self.next = dict.fromkeys(KINDS, 0)

    def take(self, number):
        """The faults of this frame; uses up one of those asked for by command."""
        faults = [kind for kind in KINDS if self.next[kind] > 0 or self.when[kind](number)]
        for kind in faults:
            self.next[kind] = max(0, self.next[kind] - 1)
        return faults


class Refusals:
    """The requests that are answered with STALL, and the reason that UVC then gives."""

    OUT_OF_RANGE = 4

    def __init__(self, text, log):
        self.log = log
        self.reason = 0
        self.set(text)

    def set(self, text):
        self.codes = {}
        for item in filter(None, text.replace('none', '').split('+')):
            name, _, code = item.partition(':')
            self.codes[name] = int(code or 0)

    def refuses(self, name, request=''):
        if name not in self.codes:
            return False
        self.reason = self.codes[name]
        self.log('STALL ' + request + name)
        return True
