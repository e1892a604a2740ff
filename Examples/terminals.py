"""What the tests of programs that show pictures in a terminal share: tmux, terminals of their own, and what is seen."""
import base64, errno, fcntl, os, pty, re, select, signal, struct, subprocess, sys, tempfile, termios, time

WORK = tempfile.mkdtemp()
PROGRAM = os.path.basename(sys.argv[0])
failures = []
checks = 0


def check(holds, text):
    global checks
    checks += 1
    if not holds:
        failures.append(text)
        print(f"{PROGRAM}: {text}", file=sys.stderr)
    return holds


def summary(start):
    """Says how it went; the status to exit with."""
    print(f"{PROGRAM}: {checks} checks in {time.monotonic() - start:.0f} s" + (", failed" if failures else ""))
    subprocess.run(["rm", "-rf", WORK])
    return 1 if failures else 0


# The simulated camera's picture: eight bars down to three quarters of the height, as the television standards have them.
# Where the camera looks at its user, the preview is a mirror.
PICTURE = (1280, 720)
BARS = [tuple(191 * bit for bit in bits) for bits in
        ((1, 1, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1), (0, 0, 0))]


def place(gravity, width, height):
    """Where the picture lies on a canvas of square pixels: left, top, width, height."""
    if gravity == "resize":
        return 0, 0, width, height
    ratios = width / PICTURE[0], height / PICTURE[1]
    scale = min(ratios) if gravity == "resizeAspect" else max(ratios)
    size = PICTURE[0] * scale, PICTURE[1] * scale
    return (width - size[0]) / 2, (height - size[1]) / 2, *size


def expected(gravity, width, height, mirrored=True):
    """The colours of those pixels that lie within a bar, or beside the picture, and not near an edge."""
    left, top, wide, high = place(gravity, width, height)
    pixels = {}
    for y in range(height):
        for x in range(width):
            outside = max(left - x - 1, x - left - wide, top - y - 1, y - top - high)
            if outside > 0.01:
                pixels[x, y] = (0, 0, 0)
            bar = (x + 0.5 - left) / wide * 8
            if mirrored:
                bar = 8 - bar
            down = (y + 0.5 - top) / high
            near = min(bar % 1, 1 - bar % 1) * wide / 8
            if 0 <= bar < 8 and near > 1.6 and 2 / 24 < down < 0.72 and 1.6 < y + 0.5 - top:
                pixels[x, y] = BARS[int(bar)]
    return pixels


def distance(one, other):
    return max(abs(a - b) for a, b in zip(one, other))


def differences(seen, gravity, width, height, tolerance=14, mirrored=True):
    """None where a picture of this size is seen; else what is wrong with it."""
    if len(seen) != width * height:
        return f"{len(seen)} pixels instead of {width}x{height}"
    wrong = [(at, seen[at], color) for at, color in expected(gravity, width, height, mirrored).items()
             if seen[at] is None or distance(seen[at], color) > tolerance]
    return f"{len(wrong)} pixels, as {wrong[0]}" if wrong else None


# MARK: tmux

class Tmux:
    def __init__(self):
        self.name = f"{PROGRAM}-{os.getpid()}"
        self.runs = 0
        self("-f", "/dev/null", "-u", "new-session", "-d", "-x", "80", "-y", "24",
             f"cd {WORK} && ulimit -c 0; COLORTERM=truecolor SWIFT_BACKTRACE=enable=no PS1='$ ' exec sh -i")

    def __call__(self, *words):
        return subprocess.run(["tmux", "-L", self.name, *words], check=True, stdout=subprocess.PIPE,
                              env={**os.environ, "LANG": "C.UTF-8"}).stdout.decode()

    def type(self, text):
        self("send-keys", "-l", text)
        self("send-keys", "Enter")

    def says(self, form):
        return self("display-message", "-p", form).strip()

    def text(self):
        return self("capture-pane", "-p")

    def pixels(self):
        """The colours of half cells, upper and lower, as the pane shows them."""
        rows = self("capture-pane", "-e", "-p", "-N").rstrip("\n").split("\n")
        front = back = None
        seen = {}
        for row, line in enumerate(rows):
            column = 0
            for code, character in re.findall(r"\x1b\[([\d;]*)m|([^\x1b])", line):
                if character:
                    upper, lower = {"▀": (front, back), "▄": (back, front)}.get(character, (back, back))
                    seen[column, 2 * row], seen[column, 2 * row + 1] = upper, lower
                    column += 1
                    continue
                numbers = [int(number or 0) for number in code.split(";")]
                while numbers:
                    number = numbers.pop(0)
                    if number in (38, 48) and numbers[:1] == [2]:
                        color, numbers = tuple(numbers[1:4]), numbers[4:]
                        front, back = (color, back) if number == 38 else (front, color)
                    elif number == 0:
                        front = back = None
                    elif number in (39, 49):
                        front, back = (None, back) if number == 39 else (front, None)
        return seen

    def child(self):
        """The process that the shell has begun; None where there is none."""
        shell = self.says("#{pane_pid}")
        with open(f"/proc/{shell}/task/{shell}/children") as file:
            return next((int(word) for word in file.read().split()), None)


def state(process):
    """A letter, as T for stopped; None where there is no process."""
    if process is None:
        return None
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return None


def eventually(what, holds, seconds=15):
    """Waits until something is so; the last that was wrong about it otherwise."""
    end = time.monotonic() + seconds
    while True:
        wrong = holds()
        if not wrong:
            return True
        if time.monotonic() > end:
            check(False, f"{what}: {wrong}")
            return False
        time.sleep(0.03)


def mode(name):
    """What stty(1) has written, but for the terminal's size."""
    with open(f"{WORK}/{name}") as file:
        return file.read().split("\n", 1)[1]


# MARK: Terminals of our own

class Terminal:
    """A terminal of 80 by 24 cells of 10 by 20 pixels, which says and reads what the test wants."""

    def __init__(self, *command, term="xterm-256color", **environment):
        self.output = bytearray()
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            self.descriptor = 0
            self.resize(80, 24)
            os.environ.pop("TMUX", None)
            os.environ.pop("COLORTERM", None)
            os.execvpe(command[0], command, {**os.environ, "TERM": term, **environment})
        self.status = None

    def resize(self, columns, rows):
        size = struct.pack("HHHH", rows, columns, 10 * columns, 20 * rows)
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, size)

    def read(self, text, count=1, seconds=15):
        """Reads until some text has come so often."""
        end = time.monotonic() + seconds
        while self.output.count(text) < count:
            if not select.select([self.descriptor], [], [], max(0, end - time.monotonic()))[0]:
                return False
            try:
                self.output += os.read(self.descriptor, 65536)
            except OSError as error:
                if error.errno == errno.EIO:
                    return False
                raise
        return True

    def write(self, text):
        os.write(self.descriptor, text.encode())

    def ends(self, what, seconds, *statuses):
        end = time.monotonic() + seconds
        while self.status is None and time.monotonic() < end:
            done, state = os.waitpid(self.process, os.WNOHANG)
            if done:
                self.status = os.waitstatus_to_exitcode(state)
            time.sleep(0.01)
        check(self.status in statuses, f"{what}: ends with {self.status}, not {statuses}, within {seconds} s")
        if self.status is None:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)

    def close(self):
        os.close(self.descriptor)


END = b"\x1b[?1049l"


def is_left(terminal, what):
    """Whether all that was set is set back, last of all the screen."""
    terminal.read(END)
    output = bytes(terminal.output)
    for mode in b"?25", b"?7", b"?1049":
        there, back = (b"l", b"h") if mode != b"?1049" else (b"h", b"l")
        check(0 <= output.find(b"\x1b[" + mode + there) < output.rfind(b"\x1b[" + mode + back), f"{what}: {mode} stays")
    check(b"\x1b[m" in output[output.rfind(b"\x1b\\"):], f"{what}: colours stay")


def images(output):
    """The images that the output shows: their keys, and their pixels."""
    shown, payload = [], b""
    for body in re.findall(rb"\x1b_G(.*?)\x1b\\", output, re.S):
        keys, _, data = body.partition(b";")
        keys = dict(pair.split(b"=") for pair in keys.split(b","))
        if keys.get(b"a") == b"T":
            first, payload = keys, b""
        elif b"a" in keys:
            continue
        payload += data
        if keys.get(b"m") == b"0":
            shown.append((first, base64.b64decode(payload)))
    return shown
