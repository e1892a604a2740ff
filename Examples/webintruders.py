"""The part of web-test about those who must not, and about what goes wrong."""
import http.server, json, os, socket, struct, threading, time
from lootserver import Server
from webchecks import PROGRAM, WORK, check, equal, open_page, png, until


def refuses_others(browser, server):
    own = f"127.0.0.1:{server.port}"
    before = server.items()
    new = {"name": "intruder"}
    for what, headers, wanted in (
        ("another origin", {"Origin": "http://evil.example"}, 403),
        ("another port", {"Origin": f"http://127.0.0.1:{server.port + 1}"}, 403),
        ("no origin", {"Origin": "null"}, 403),
        ("another site", {"Sec-Fetch-Site": "cross-site"}, 403),
        ("the same site", {"Sec-Fetch-Site": "same-site"}, 403),
        ("a form", {"X-Requested-By": None}, 403),
        ("a name that leads here", {"Host": f"evil.example:{server.port}"}, 421),
        ("another port's name", {"Host": "127.0.0.1:1"}, 421),
    ):
        equal(server.ask("POST", "/api/items", new, headers)[0], wanted, f"the status for {what}")
    for path in ("/api/items", "/camera.mjpg", "/events"):
        equal(server.ask("GET", path, headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"})[0], 403,
              f"the status of {path} for another page")
    equal(server.ask("OPTIONS", "/api/items", None, {"Origin": "http://evil.example", "X-Requested-By": None})[0], 403,
          "the status of a preflight")
    equal(server.ask("GET", "/api/items", headers={"Host": f"localhost:{server.port}"})[0], 200, "localhost's status")

    class Evil(http.server.BaseHTTPRequestHandler):
        page = f"""<!doctype html><form id=f method=post action="http://{own}/api/items" enctype="text/plain"
          target=_blank><input name='{{"name":"form","a":"' value='"}}'></form><img id=i src="http://{own}/camera.mjpg">
          <script>const r = []; document.getElementById('i').onerror = () => r.push('image');
          const send = (mode, headers) => fetch("http://{own}/api/items", {{ method: "POST", mode, headers,
            body: '{{"name":"fetch"}}' }}).then(() => r.push(mode + ' sent'), () => r.push(mode + ' failed'));
          send("no-cors", {{}}); send("cors", {{ "X-Requested-By": "evil", "Content-Type": "application/json" }});
          window.results = r;</script>"""

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(self.page.encode())

        def log_message(self, *_):
            pass

    evil = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil)
    threading.Thread(target=evil.serve_forever, daemon=True).start()
    first = browser.tab()
    browser.new_tab(f"http://localhost:{evil.server_port}/")
    until(browser, "results.length === 3", "the other page has tried")
    check("image" in browser.value("results"), "another page shows the camera")
    check("cors failed" in browser.value("results"), "another page may write")
    equal(server.items(), before, "the items after another page's tries")
    browser.close_tab()
    browser.switch(first)
    evil.shutdown()


def leads_to_no_file(browser, server):
    with open(os.path.join(WORK, "secret"), "w") as out:
        out.write("secret")
    for path in ("/../secret", "/%2e%2e/secret", "/..%2fsecret", "//etc/passwd", "/etc/passwd", "/index.html%00.css",
                 "/api/items/..%2f..%2fsecret/picture", "/api/items/%2e%2e/picture", "/api/drafts/..%2fsecret",
                 "/api/items//picture", "/api/items/" + "a" * 5000 + "/picture", "/Resources/app.css"):
        status, answer, _ = server.ask("GET", path)
        check(status == 404 and b"secret" not in answer, f"GET {path}: {status}")
    for method, path in (("DELETE", "/api/items/..%2f..%2fsecret"), ("DELETE", "/api/items/..%2fsecret/picture"),
                         ("PATCH", "/api/items/..")):
        status = server.ask(method, path, {"set": {}})[0]
        check(status == 404, f"{method} {path}: {status}")
    check(os.path.exists(os.path.join(WORK, "secret")), "a file is gone")


def is_bounded(browser, server):
    large = bytes(30 << 20)
    equal(server.ask("POST", "/api/drafts", large)[0], 413, "the status of a large upload")
    equal(server.ask("POST", "/api/items", b"{" * (5 << 20))[0], 413, "the status of large JSON")
    equal(server.ask("POST", "/api/items", {"name": "a" * 1001})[0], 422, "the status of a long name")
    equal(server.ask("POST", "/api/items", b"{}{")[0], 400, "the status of what is no JSON")
    equal(server.ask("POST", "/api/items", {"category": "weapons"})[0], 422, "the status of no category")
    equal(server.ask("PUT", "/api/items", {})[0], 405, "the status of another method")
    bomb = png(64, 48).replace(struct.pack(">II", 64, 48), struct.pack(">II", 60000, 60000))
    equal(server.ask("POST", "/api/drafts", bomb)[0], 422, "the status of a picture that declares too much")
    check(" 4" in server.raw("GET / HTTP/1.1\r\nHost: a\r\nX: " + "a" * 70000 + "\r\n\r\n")[:14], "large headers")
    check(" 4" in server.raw("nonsense\r\n\r\n") or server.raw("nonsense\r\n\r\n") == "", "nonsense")
    # One that does not read loses frames; the camera and the others do not notice.
    slow, fast = server.stream(), server.stream()
    end, count = time.monotonic() + 2, 0
    while time.monotonic() < end:
        count += fast.recv(1 << 20).count(b"Content-Type: image/jpeg")
    check(count > 40, f"{count} frames in 2 s beside a client that is slow")
    slow.close(), fast.close()
    idle = []
    for _ in range(150):
        idle.append(socket.create_connection(("127.0.0.1", server.port)))
    for connection in idle:
        connection.close()
    check(server.wait_until(lambda: server.ask("GET", "/")[0] == 200), "the server is gone after many connections")


def asks_for_a_token(browser, server):
    own = Server(PROGRAM, os.path.join(WORK, "token"), "--token", "0123456789abcdefghij")
    try:
        equal(own.token, "0123456789abcdefghij", "the token")
        equal(own.ask("GET", "/api/items")[0], 401, "the status without a token")
        equal(own.ask("GET", "/?token=0123456789abcdefghik")[0], 401, "the status with another one")
        equal(own.ask("GET", "/api/items", headers={"Authorization": "Bearer " + own.token})[0], 200, "with a header")
        cookie = own.ask("GET", "/?token=" + own.token)[2].get("Set-Cookie", "")
        check("HttpOnly" in cookie and "SameSite=Strict" in cookie, f"the cookie: {cookie}")
        open_page(browser, own.url)
        equal(browser.value("location.search"), "", "what is left of the token in the address")
        browser.click("#add")
        check(own.wait_until(lambda: own.ask("GET", "/api/items", headers={
            "Authorization": "Bearer " + own.token})[1].count(b'"key"') == 1), "a page with a token cannot write")
    finally:
        own.end()
    other = Server(PROGRAM, os.path.join(WORK, "token"), "--address", "0.0.0.0")
    check(other.token and len(other.token) == 32, f"another address has no token: {other.greeting}")
    equal(other.ask("GET", "/")[0], 401, "another address's status")
    other.end()


def says_what_is_wrong(browser, server):
    own = Server(PROGRAM, os.path.join(WORK, "nothing"), "--camera", "/nowhere/video7", simulated=False)
    try:
        check("simulated" not in own.greeting, "a real camera is said to be simulated")
        own.add(name="Chair")
        open_page(browser, own.url)
        browser.click(".row")
        browser.click("#choose")
        until(browser, "document.getElementById('sheet-message').textContent.includes('/nowhere/video7')", "no camera")
        check(browser.value("document.getElementById('use-camera').disabled"), "a camera that is none can be used")
        status, sentence, _ = own.ask("GET", "/camera.mjpg")
        check(status == 503 and b"/nowhere/video7" in sentence, f"the stream of no camera: {status} {sentence}")
    finally:
        own.end()
