// The page: the list, the chosen item, and what happens between them.
import { ask } from "/server.js";
import { follow, item, items, load, observe, place } from "/store.js";
import * as list from "/list.js";
import * as detail from "/detail.js";
import * as picture from "/picture.js";
import { categories, money, say } from "/notices.js";

const byId = (id) => document.getElementById(id);
const key = (name) => encodeURIComponent(name);
// What this window has added, which comes with the next changes.
let awaited = null;

function open(name, options) {
  list.select(name);
  detail.show(name, options);
}

function close() {
  const name = detail.shownKey();
  detail.hide();
  byId("list").focus();
  if (name) list.select(name);
}

observe(({ keys, removed, conflicts }) => {
  const shown = detail.shownKey();
  if (shown && !item(shown)) {
    if (removed.has(shown) && !deleting.has(shown)) say("The item was deleted in another window.");
    detail.hide();
  } else if (shown) detail.render();
  if (awaited && item(awaited)) {
    const added = awaited;
    awaited = null;
    open(added, { focuses: true });
  }
  if (conflicts) say("Another program has changed the same item: both are kept.");
  renderTotals();
  list.plan();
  document.body.dataset.items = items.length;
});

function renderTotals() {
  let sum = 0;
  const sums = {};
  for (const { value, category } of items) {
    sum += value;
    sums[category] = (sums[category] ?? 0) + value;
  }
  byId("totals").textContent = `${items.length} ${items.length === 1 ? "item" : "items"}, ${money(sum)}`;
  byId("by-category").textContent = Object.keys(categories).filter((name) => name in sums)
    .map((name) => `${categories[name]} ${money(sums[name])}`).join(" · ");
}

byId("add").addEventListener("click", async () => {
  try {
    const added = await ask("POST", "/api/items", { name: "New item", value: 0, category: "other" });
    if (item(added.key)) open(added.key, { focuses: true });
    else awaited = added.key;
  } catch (refusal) { say(refusal.message); }
});

// Deleting asks first; the next item is then chosen.
const deleting = new Set();
function remove(name) {
  const victim = item(name);
  if (!victim) return;
  byId("confirm-title").textContent = `Delete “${victim.name || "Without a name"}”?`;
  byId("confirm-delete").onclick = async () => {
    const next = items[place(name) + 1] ?? items[place(name) - 1];
    byId("confirm").close();
    deleting.add(name);
    try {
      await ask("DELETE", `/api/items/${key(name)}`);
      say(`“${victim.name || "Without a name"}” is deleted.`);
      if (next) list.select(next.key);
      byId("list").focus();
    } catch (refusal) { say(refusal.message); }
  };
  byId("confirm").showModal();
}

byId("confirm-cancel").addEventListener("click", () => byId("confirm").close());
byId("delete").addEventListener("click", () => remove(detail.shownKey()));
byId("back").addEventListener("click", close);
byId("choose").addEventListener("click", () => { detail.flush(); picture.choose(detail.shownKey()); });
byId("detail").addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
});

list.begin({ open, remove });
follow((kind, status) => {
  if (kind === "connected") byId("offline").hidden = true;
  else if (kind === "lost") byId("offline").hidden = false;
  else if (kind === "camera") picture.fail(status.sentence);
});
async function begin() {
  try {
    await load();
    list.draw();
    document.body.dataset.ready = "";
  } catch (refusal) {
    say(refusal.message);
    setTimeout(begin, 2000);
  }
}
begin();
ask("GET", "/api/camera").then((camera) => { byId("simulated").hidden = !camera.isSimulated; }).catch(() => {});
