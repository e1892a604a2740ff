// What the page says to the server, and what it hears.

export class Refusal extends Error {
  constructor(status, sentence, item) {
    super(sentence);
    this.status = status;
    this.item = item;
  }
}

// Sends a request; a refusal is thrown with the server's sentence.
export async function ask(method, path, body) {
  const options = { method, headers: { "X-Requested-By": "lootlogger" } };
  if (body instanceof Blob) {
    options.headers["Content-Type"] = "application/octet-stream";
    options.body = body;
  } else if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
    // What is typed last arrives although the window is being closed.
    options.keepalive = options.body.length < 32000;
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refusal(0, "The server cannot be reached: is it running?");
  }
  const isJSON = (response.headers.get("Content-Type") ?? "").startsWith("application/json");
  if (!response.ok) {
    if (response.status === 409 && isJSON) {
      throw new Refusal(409, "Another window was faster.", await response.json());
    }
    throw new Refusal(response.status, (await response.text()).trim());
  }
  return isJSON ? response.json() : null;
}

// Calls back with each message of the events' worker.
export function listen(receive) {
  if ("SharedWorker" in window) {
    const { port } = new SharedWorker("/events-worker.js");
    port.onmessage = (event) => receive(event.data);
    addEventListener("pagehide", () => port.postMessage("leave"));
    // From the browser's memory of pages: what was missed meanwhile is not known.
    addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  } else {
    new Worker("/events-worker.js").onmessage = (event) => receive(event.data);
  }
}
