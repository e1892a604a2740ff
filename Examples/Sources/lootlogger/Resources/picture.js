// An item's picture: of the server's camera or a file of the browser's, cropped, or none.
import { ask } from "/server.js";
import { item } from "/store.js";
import { say } from "/notices.js";
import { crop } from "/crop.js";

const byId = (id) => document.getElementById(id);
const largest = 24 * 1024 * 1024;
let key = null;

function address(rest) { return `/api/items/${encodeURIComponent(key)}/${rest}`; }

// The action sheet. Without a camera it says why, and offers the rest.
export async function choose(itemKey) {
  key = itemKey;
  byId("sheet-message").textContent = "";
  byId("use-camera").disabled = false;
  byId("clear").hidden = !item(key)?.photo;
  byId("sheet").showModal();
  const camera = await ask("GET", "/api/camera").catch((refusal) => ({ sentence: refusal.message }));
  if (!camera.sentence) return;
  byId("use-camera").disabled = true;
  byId("sheet-message").textContent = camera.sentence;
}

byId("sheet-cancel").addEventListener("click", () => byId("sheet").close());
byId("use-file").addEventListener("click", () => byId("file").click());
byId("use-camera").addEventListener("click", () => { byId("sheet").close(); openCamera(); });
byId("clear").addEventListener("click", async () => {
  byId("sheet").close();
  try {
    await ask("DELETE", address("picture"));
    say("The picture is cleared.");
  } catch (refusal) { say(refusal.message); }
});

byId("file").addEventListener("change", async () => {
  const file = byId("file").files[0];
  byId("file").value = "";
  if (!file) return;
  if (file.size > largest) {
    byId("sheet-message").textContent = `That file is too large: the most that is taken here is ${largest >> 20} MB.`;
    return;
  }
  byId("sheet-message").textContent = "";
  try {
    const draft = await ask("POST", "/api/drafts", file);
    byId("sheet").close();
    edit(draft);
  } catch (refusal) { byId("sheet-message").textContent = refusal.message; }
});

// The camera runs as long as the dialog is open.
async function openCamera() {
  byId("camera-message").textContent = "";
  byId("shoot").disabled = false;
  byId("camera").showModal();
  byId("shoot").focus();
  const status = await ask("GET", "/api/camera").catch((refusal) => ({ sentence: refusal.message }));
  if (!byId("camera").open) return;
  if (status.sentence) return fail(status.sentence);
  byId("live").classList.toggle("mirror", Boolean(status.isMirror));
  byId("live").hidden = false;
  byId("live").src = `/camera.mjpg?n=${Date.now()}`;
}

// Says why there is no picture of the camera.
export function fail(sentence) {
  if (!byId("camera").open) return;
  byId("live").removeAttribute("src");
  byId("live").hidden = true;
  byId("shoot").disabled = true;
  byId("camera-message").textContent = sentence;
}

byId("live").addEventListener("error", async () => {
  if (!byId("camera").open || !byId("live").hasAttribute("src")) return;
  const stop = new AbortController();
  try {
    const response = await fetch("/camera.mjpg", { signal: stop.signal });
    if (response.ok) stop.abort();
    fail(response.ok ? "The camera's picture was interrupted: close this and open it again." : (await response.text()).trim());
  } catch { fail("The server cannot be reached: is it running?"); }
});
byId("camera").addEventListener("close", () => byId("live").removeAttribute("src"));
byId("camera-cancel").addEventListener("click", () => byId("camera").close());
byId("shoot").addEventListener("click", async () => {
  byId("shoot").disabled = true;
  try {
    const draft = await ask("POST", "/api/camera/photo");
    byId("camera").close();
    edit(draft);
  } catch (refusal) {
    byId("camera-message").textContent = refusal.message;
    byId("shoot").disabled = false;
  }
});

async function edit(draft) {
  const part = await crop(draft, async (part) => {
    await ask("POST", address("picture"), { draft: draft.draft, crop: part });
  });
  if (part) say("The picture is saved.");
  else ask("DELETE", `/api/drafts/${draft.draft}`).catch(() => {});
}
