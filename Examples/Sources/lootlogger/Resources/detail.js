// One item: what is typed is saved by itself, and never taken away by another window's change.
import { ask } from "/server.js";
import { items, item, place } from "/store.js";
import { move } from "/list.js";
import { say } from "/notices.js";

const byId = (id) => document.getElementById(id);
const names = ["name", "serial", "value", "category"];
const labels = { name: "name", serial: "serial number", value: "value", category: "category" };
let shown = null;
// Of each field that is being edited: what it was, what is being sent, the next save's timer.
const edits = new Map();

export const shownKey = () => shown;

export function show(key, { focuses = false } = {}) {
  if (shown !== key) { flush(); edits.clear(); clearProblems(); }
  shown = key;
  byId("detail").hidden = false;
  byId("nothing").hidden = true;
  document.body.classList.add("shows-item");
  render();
  if (focuses) { byId("name").focus(); byId("name").select(); }
}

export function hide() {
  flush();
  edits.clear();
  clearProblems();
  shown = null;
  byId("detail").hidden = true;
  byId("nothing").hidden = false;
  document.body.classList.remove("shows-item");
}

// Shows the item as it is now; what somebody types stays.
export function render() {
  const now = item(shown);
  if (!now) return;
  for (const name of names) {
    const edit = edits.get(name);
    if (!edit) write(name, now[name]);
    else if (now[name] === edit.was || now[name] === edit.sent) edit.was = now[name];
    else if (now[name] === read(name)) finish(name);
    else showConflict(name, now[name]);
  }
  byId("detail-title").textContent = now.name || "Without a name";
  byId("date").textContent = new Date(now.date * 1000).toLocaleString(undefined, { dateStyle: "long", timeStyle: "short" });
  byId("up").disabled = place(shown) === 0;
  byId("down").disabled = place(shown) === items.length - 1;
  renderPhoto(now);
}

function renderPhoto(now) {
  const photo = byId("photo");
  byId("no-photo").hidden = Boolean(now.photo);
  photo.hidden = !now.photo;
  if (!now.photo) return photo.removeAttribute("src");
  const source = `/api/items/${encodeURIComponent(now.key)}/picture?v=${encodeURIComponent(now.photo)}`;
  if (photo.getAttribute("src") !== source) photo.src = source;
  photo.alt = `Picture of ${now.name || "the item"}`;
}

function write(name, value) {
  const field = byId(name);
  if (field.value !== String(value)) field.value = value;
}

// undefined where it cannot be a value.
function read(name) {
  const text = byId(name).value;
  if (name !== "value") return text;
  const number = Number(text.replace(/[\s$,]/g, ""));
  return text.trim() !== "" && Number.isSafeInteger(number) ? number : undefined;
}

for (const name of names) {
  const field = byId(name);
  field.addEventListener("input", () => {
    const now = item(shown);
    if (!now) return;
    if (!edits.has(name)) edits.set(name, { was: now[name] });
    const edit = edits.get(name);
    clearTimeout(edit.timer);
    if (!edit.isConflict) {
      clearProblem(name);
      edit.timer = setTimeout(save, 400, shown, name);
    }
  });
  field.addEventListener("change", () => { if (edits.has(name)) save(shown, name); });
}
byId("fields").addEventListener("submit", (event) => { event.preventDefault(); flush(); });
addEventListener("pagehide", () => flush());

export function flush() {
  for (const name of edits.keys()) save(shown, name);
}

async function save(key, name) {
  const edit = edits.get(name);
  if (!edit || edit.isConflict || key !== shown) return;
  clearTimeout(edit.timer);
  const value = read(name);
  if (value === undefined) {
    return showProblem(name, "Whole dollars, please: 450 for instance.", []);
  }
  // One after the other: the answer begins the next.
  if (edit.sent !== undefined) { edit.again = true; return; }
  if (value === edit.was) return finish(name);
  edit.sent = value;
  try {
    await ask("PATCH", `/api/items/${encodeURIComponent(key)}`, { was: { [name]: edit.was }, set: { [name]: value } });
    if (edits.get(name) !== edit) return;
    edit.was = value;
    edit.sent = undefined;
    if (read(name) === value) finish(name);
    else if (edit.again) { edit.again = false; save(key, name); }
  } catch (refusal) {
    if (edits.get(name) !== edit) return say(refusal.message);
    edit.sent = undefined;
    if (refusal.status === 409) showConflict(name, refusal.item[name]);
    else if (refusal.status === 404) say(refusal.message);
    else {
      showProblem(name, refusal.message, [["Try again", () => { clearProblem(name); save(key, name); }]]);
    }
  }
}

function finish(name) {
  clearTimeout(edits.get(name)?.timer);
  edits.delete(name);
  clearProblem(name);
}

function showConflict(name, theirs) {
  const edit = edits.get(name);
  clearTimeout(edit.timer);
  edit.isConflict = true;
  const text = theirs === "" ? "empty" : `“${theirs}”`;
  showProblem(name, `Another window has made the ${labels[name]} ${text}.`, [
    ["Use that", () => { finish(name); write(name, item(shown)?.[name] ?? theirs); byId(name).focus(); }],
    ["Keep mine", () => {
      edit.isConflict = false;
      edit.was = item(shown)?.[name] ?? theirs;
      clearProblem(name);
      byId(name).focus();
      save(shown, name);
    }],
  ]);
}

// A sentence below a field; it is an alert, so screen readers say it.
function showProblem(name, sentence, actions) {
  clearProblem(name);
  const problem = document.createElement("div");
  problem.className = "problem";
  problem.id = `${name}-problem`;
  problem.setAttribute("role", "alert");
  problem.textContent = sentence;
  const buttons = document.createElement("div");
  for (const [title, action] of actions) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = title;
    button.addEventListener("click", action);
    buttons.append(button);
  }
  problem.append(buttons);
  byId(name).after(problem);
  byId(name).setAttribute("aria-invalid", "true");
  byId(name).setAttribute("aria-describedby", problem.id);
}

function clearProblem(name) {
  byId(`${name}-problem`)?.remove();
  byId(name).removeAttribute("aria-invalid");
  byId(name).removeAttribute("aria-describedby");
}

function clearProblems() { for (const name of names) clearProblem(name); }

byId("up").addEventListener("click", () => move(shown, place(shown) - 1));
byId("down").addEventListener("click", () => move(shown, place(shown) + 1));
