"""Drives Chromium through chromedriver, by the W3C's WebDriver protocol; needs nothing but Python."""
import base64, json, os, re, shutil, subprocess, tempfile, time, urllib.error, urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = dict(enter="\ue007", escape="\ue00c", tab="\ue004", delete="\ue017", up="\ue013", down="\ue015",
            left="\ue012", right="\ue014", shift="\ue008", alt="\ue00a", control="\ue009", none="\ue000",
            end="\ue010", home="\ue011")


class WebDriverError(Exception):
    pass


class Browser:
    """A headless Chromium with a profile of its own."""

    def __init__(self, width=1200, height=800):
        self.profile = tempfile.mkdtemp()
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        self.session = None
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                break
        else:
            raise WebDriverError("chromedriver does not start")
        self.base = f"http://127.0.0.1:{found[1]}"
        arguments = ["--headless=new", "--disable-gpu", "--no-first-run", "--disable-background-networking",
                     "--disable-component-update", "--disable-dev-shm-usage", "--lang=en-US",
                     f"--user-data-dir={self.profile}", f"--window-size={width},{height}"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        capabilities = {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
                        "goog:chromeOptions": {"args": arguments}}
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = answer["sessionId"]

    def close(self):
        try:
            if self.session:
                self("DELETE", "")
        except Exception:
            pass
        self.driver.terminate()
        self.driver.wait(10)
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise WebDriverError(f"{value['error']}: {value['message'].splitlines()[0]}") from None

    def __call__(self, method, path, body=None):
        return self.call(method, f"/session/{self.session}{path}", body)

    # Pages and tabs.

    def go(self, url):
        self("POST", "/url", {"url": url})

    def tabs(self):
        return self("GET", "/window/handles")

    def tab(self):
        return self("GET", "/window")

    def new_tab(self, url):
        handle = self("POST", "/window/new", {"type": "tab"})["handle"]
        self.switch(handle)
        self.go(url)
        return handle

    def switch(self, handle):
        self("POST", "/window", {"handle": handle})

    def close_tab(self):
        self("DELETE", "/window")

    def devtools(self, command, **parameters):
        return self("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def resize(self, width, height, mobile=False):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                      mobile=mobile)

    def complaints(self):
        """What the browser has logged as an error or a warning since it was asked last."""
        entries = self("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

    # What is in a page.

    def script(self, text, *arguments):
        return self("POST", "/execute/sync", {"script": text, "args": list(arguments)})

    def value(self, expression):
        return self.script(f"return ({expression});")

    def wait(self, expression, seconds=5):
        """Until an expression is true. Returns how long it took; None where it never is."""
        begin = time.monotonic()
        while True:
            if self.value(expression):
                return time.monotonic() - begin
            if time.monotonic() - begin > seconds:
                return None
            time.sleep(0.01)

    def find(self, selector):
        return self("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self("POST", f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        """Types into a field; the name of a file into a file's."""
        self("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def replace(self, selector, text):
        self.click(selector)
        self.press("control", "a")
        self.type(selector, text)

    def press(self, *keys):
        """Presses keys together."""
        names = [KEYS.get(key, key) for key in keys]
        actions = [{"type": "keyDown", "value": key} for key in names]
        actions += [{"type": "keyUp", "value": key} for key in reversed(names)]
        self("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def drag(self, selector, x, y):
        """Drags the middle of an element by so many pixels."""
        origin = {ELEMENT: self.find(selector)}
        move = lambda dx, dy: {"type": "pointerMove", "duration": 50, "origin": origin, "x": dx, "y": dy}
        actions = [move(0, 0), {"type": "pointerDown", "button": 0}, move(x // 2, y // 2), move(x, y),
                   {"type": "pointerUp", "button": 0}]
        self("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]})

    def screenshot(self):
        """The bytes of a PNG file."""
        return base64.b64decode(self("GET", "/screenshot"))
