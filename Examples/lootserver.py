"""Runs lootlogger, and talks to it without a browser."""
import http.client, json, re, select, signal, socket, subprocess, time


class Server:
    def __init__(self, program, data, *arguments, simulated=True, port=0, environment=None):
        command = [program, "--data", data, "--port", str(port)] + (["--simulated"] if simulated else [])
        self.process = subprocess.Popen(command + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env=environment)
        readable, _, _ = select.select([self.process.stdout], [], [], 20)
        self.greeting = self.process.stdout.readline().strip() if readable else ""
        found = re.match(r"Open (http://(.*):(\d+)/(\?token=(\S+))?)", self.greeting)
        if not found:
            self.process.kill()
            raise RuntimeError(f"lootlogger does not start: {self.process.stderr.read()}")
        self.url, self.host, self.port, self.token = found[1], found[2], int(found[3]), found[5]
        self.origin = f"http://{self.host}:{self.port}"

    def ask(self, method, path, body=None, headers=None, timeout=20):
        """Returns status, body and headers; `headers` with None for a value leave one out."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        sent = {"Host": f"127.0.0.1:{self.port}"}
        if method not in ("GET", "HEAD"):
            sent |= {"X-Requested-By": "web-test", "Content-Type": "application/json"}
        sent |= headers or {}
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in sent.items():
            if value is not None:
                connection.putheader(name, value)
        if data is not None:
            connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        response = connection.getresponse()
        answer = response.read()
        connection.close()
        return response.status, answer, dict(response.getheaders())

    def items(self):
        return json.loads(self.ask("GET", "/api/items")[1])["items"]

    def item(self, key):
        return next((item for item in self.items() if item["key"] == key), None)

    def add(self, **values):
        return json.loads(self.ask("POST", "/api/items", values)[1])["key"]

    def raw(self, text, timeout=5):
        """Sends bytes as they are; returns the answer's first line."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            connection.sendall(text if isinstance(text, bytes) else text.encode())
            answer = b""
            while b"\r\n" not in answer:
                piece = connection.recv(4096)
                if not piece:
                    break
                answer += piece
        return answer.split(b"\r\n")[0].decode("latin-1")

    def events(self, last=None, wanted=b"\n\n"):
        """What the stream of events begins with, up to what is wanted of it."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            header = f"Last-Event-ID: {last}\r\n" if last else ""
            connection.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{header}\r\n".encode())
            answer = b""
            while wanted not in answer:
                piece = connection.recv(65536)
                if not piece:
                    break
                answer += piece
        return answer.decode()

    def stream(self):
        """A socket that gets the camera's stream."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        connection.sendall(f"GET /camera.mjpg HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        return connection

    def wait_until(self, holds, seconds=5):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def end(self, how=signal.SIGTERM):
        """Returns the exit status, negative for a signal."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None
