// One stream of events for all windows: a browser opens only a few connections to one server.
const ports = new Set();
let source = null;
let isConnected = false;

function tell(message) {
  for (const port of ports) port.postMessage(message);
}

function listen() {
  source = new EventSource("/events");
  source.onopen = () => { isConnected = true; tell({ kind: "connected" }); };
  source.onerror = () => {
    isConnected = false;
    tell({ kind: "lost" });
    // Refused, not interrupted: the browser does not try again by itself.
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  };
  for (const kind of ["hello", "reset", "change", "camera"]) {
    source.addEventListener(kind, (event) => tell({ kind, data: JSON.parse(event.data) }));
  }
}

function join(port) {
  ports.add(port);
  port.onmessage = (event) => { if (event.data === "leave") ports.delete(port); };
  if (!source) listen();
  port.postMessage({ kind: isConnected ? "connected" : "lost" });
}

// As a shared worker for all windows; where a browser has none, as a worker of each.
if ("onconnect" in self) {
  self.onconnect = (event) => join(event.ports[0]);
} else {
  join({ postMessage: (message) => self.postMessage(message) });
}
