"""What the parts of web-test share: checks, pictures, and words for pages."""
import json, os, struct, sys, tempfile, zlib

PROGRAM = os.path.abspath(sys.argv[1]) if len(sys.argv) == 2 else sys.exit("usage: web-test LOOTLOGGER")
WORK = tempfile.mkdtemp()
DATA = os.path.join(WORK, "data")
failures = []
checked = []


def check(holds, text):
    checked.append(text)
    if not holds:
        failures.append(text)
        print(f"web-test: {text}", file=sys.stderr)
    return holds


def equal(found, wanted, what):
    return check(found == wanted, f"{what} is {found!r}, not {wanted!r}")


def png(width, height):
    """A picture of two colours, left and right."""
    row = b"\0" + b"\xff\0\0" * (width // 2) + b"\0\0\xff" * (width - width // 2)
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(row * height))
            + chunk(b"IEND", b""))


def file(name, data):
    path = os.path.join(WORK, name)
    with open(path, "wb") as out:
        out.write(data)
    return path


def focused(browser):
    return browser.value("document.activeElement.id")


def names(server):
    return [item["name"] for item in server.items()]


def text(browser, selector):
    return browser.value(f"document.querySelector({json.dumps(selector)}).textContent.trim()")


def until(browser, expression, what, seconds=5):
    return check(browser.wait(expression, seconds) is not None, f"{what}: not so after {seconds} s: {expression}")


def open_page(browser, url):
    browser.go(url)
    until(browser, "'ready' in document.body.dataset", "the page is ready", 10)
