// The items as the server has them, and who hears of changes.
import { ask, listen } from "/server.js";

export const items = [];
const places = new Map();
const observers = [];
let epoch = null;
let revision = -1;
// Changes that come before the list is there.
let early = [];
let isLoading = false;

export const item = (key) => (places.has(key) ? items[places.get(key)] : undefined);
export const place = (key) => places.get(key) ?? -1;

// Calls `changed({ keys, removed, conflicts })`; without keys anything may have changed.
export function observe(changed) { observers.push(changed); }

function tell(change) { for (const changed of observers) changed(change); }

function number() {
  places.clear();
  items.forEach((item, index) => places.set(item.key, index));
}

// The same that ListChange says.
export function apply(list, change) {
  const gone = new Set([...change.removed, ...change.placed.map((place) => place.item.key)]);
  const updated = new Map(change.updated.map((item) => [item.key, item]));
  let result = gone.size ? list.filter((item) => !gone.has(item.key)) : list.slice();
  if (updated.size) result = result.map((item) => updated.get(item.key) ?? item);
  for (const { index, item } of change.placed) result.splice(index, 0, item);
  if (change.order) {
    const byKey = new Map(result.map((item) => [item.key, item]));
    result = change.order.map((key) => byKey.get(key)).filter((item) => item);
  }
  return result;
}

function take({ revision: number_, change }) {
  if (isLoading) return early.push({ revision: number_, change });
  if (number_ <= revision) return;
  if (number_ !== revision + 1) return load();
  revision = number_;
  const next = apply(items, change);
  items.length = 0;
  for (const item of next) items.push(item);
  number();
  const keys = [...change.placed.map((place) => place.item.key), ...change.updated.map((item) => item.key)];
  tell({ keys: new Set(keys), removed: new Set(change.removed), conflicts: change.conflicts ?? 0 });
}

export async function load() {
  if (isLoading) return;
  isLoading = true;
  early = [];
  try {
    const all = await ask("GET", "/api/items");
    epoch = all.epoch;
    revision = all.revision;
    items.length = 0;
    for (const item of all.items) items.push(item);
    number();
    tell({ removed: new Set(), conflicts: 0 });
  } finally {
    isLoading = false;
    for (const change of early.splice(0)) take(change);
  }
}

// Begins to follow the server; `status` hears of the connection and of the camera.
export function follow(status) {
  listen(({ kind, data }) => {
    if (kind === "change") take(data);
    else if (kind === "hello" || kind === "reset") {
      if (kind === "reset" || data.epoch !== epoch || data.revision !== revision) {
        if (epoch !== null) load().catch(() => {});
      }
    } else status(kind, data);
  });
}
