// The list: only the rows that can be seen exist, however many items there are.
import { ask } from "/server.js";
import { items, item, place } from "/store.js";
import { say, money } from "/notices.js";

const height = 60;
const list = document.getElementById("list");
const rows = document.getElementById("rows");
const shown = new Map();
let selected = null;
let open = () => {};
let wantsDeletion = () => {};
let planned = false;

export const selection = () => selected;

export function begin(handlers) {
  open = handlers.open;
  wantsDeletion = handlers.remove;
  list.addEventListener("scroll", plan, { passive: true });
  new ResizeObserver(plan).observe(list);
}

// Draws before the next picture of the screen, once; a window that nobody sees has none.
export function plan() {
  if (document.hidden) return draw();
  if (planned) return;
  planned = true;
  requestAnimationFrame(() => { planned = false; draw(); });
}

export function draw() {
  rows.style.height = `${items.length * height}px`;
  document.getElementById("empty").hidden = items.length > 0;
  const first = Math.max(0, Math.floor(list.scrollTop / height) - 5);
  const last = Math.min(items.length, Math.ceil((list.scrollTop + list.clientHeight) / height) + 5);
  const wanted = new Set();
  for (let index = first; index < last; index += 1) wanted.add(items[index].key);
  for (const [key, row] of shown) {
    if (!wanted.has(key)) { row.remove(); shown.delete(key); }
  }
  for (let index = first; index < last; index += 1) drawRow(items[index], index);
  const active = shown.get(selected);
  if (active) list.setAttribute("aria-activedescendant", active.id);
  else list.removeAttribute("aria-activedescendant");
}

function drawRow(item, index) {
  let row = shown.get(item.key);
  if (!row) {
    row = make("div", "row");
    row.id = `row-${item.key}`;
    row.dataset.key = item.key;
    row.setAttribute("role", "option");
    row.append(make("span", "blank"), make("span", "words"), make("span", "value"));
    row.children[1].append(make("span", "name"), make("span", "serial"));
    rows.append(row);
    shown.set(item.key, row);
  }
  if (row.item !== item) fill(row, item);
  row.style.transform = `translateY(${index * height}px)`;
  row.setAttribute("aria-posinset", index + 1);
  row.setAttribute("aria-setsize", items.length);
  row.setAttribute("aria-selected", item.key === selected);
}

function fill(row, item) {
  row.item = item;
  row.querySelector(".name").textContent = item.name || "Without a name";
  row.querySelector(".serial").textContent = item.serial;
  row.querySelector(".value").textContent = money(item.value);
  const picture = row.firstElementChild;
  if (item.photo) {
    const source = `/api/items/${encodeURIComponent(item.key)}/thumbnail?v=${encodeURIComponent(item.photo)}`;
    if (picture.getAttribute("src") === source) return;
    const image = make("img");
    image.alt = "";
    image.src = source;
    picture.replaceWith(image);
  } else if (picture.tagName === "IMG") {
    picture.replaceWith(make("span", "blank"));
  }
}

function make(tag, name) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  return element;
}

export function select(key, { scrolls = true } = {}) {
  selected = key;
  const index = place(key);
  if (index >= 0 && scrolls) {
    const top = index * height;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + height > list.scrollTop + list.clientHeight) {
      list.scrollTop = top + height - list.clientHeight;
    }
  }
  draw();
}

export async function move(key, index) {
  if (index < 0 || index >= items.length || index === place(key)) return;
  try {
    await ask("POST", `/api/items/${encodeURIComponent(key)}/move`, { index });
    say(`Moved to place ${index + 1} of ${items.length}.`);
  } catch (refusal) { say(refusal.message); }
}

list.addEventListener("keydown", (event) => {
  const index = place(selected);
  const page = Math.max(1, Math.floor(list.clientHeight / height) - 1);
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
  if (event.key in steps && items.length) {
    event.preventDefault();
    const bounded = Math.max(0, Math.min(items.length - 1, index + steps[event.key]));
    if (event.altKey && index >= 0) move(selected, bounded);
    else select(items[index < 0 && event.key !== "End" ? 0 : bounded].key);
  } else if ((event.key === "Enter" || event.key === " ") && item(selected)) {
    event.preventDefault();
    open(selected, { focuses: true });
  } else if (event.key === "Delete" && item(selected)) wantsDeletion(selected);
});

// A press chooses; where the pointer moves, the row goes with it.
list.addEventListener("pointerdown", (event) => {
  const row = event.target.closest(".row");
  if (!row || event.button !== 0) return;
  const [key, start] = [row.dataset.key, event.clientY];
  const index = place(key);
  let offset = 0;
  const isDrag = () => row.classList.contains("dragged");
  const follow = (moved) => {
    offset = moved.clientY - start;
    if (moved.pointerType === "touch" || (!isDrag() && Math.abs(offset) < 8)) return;
    row.classList.add("dragged");
    row.style.transform = `translateY(${index * height + offset}px)`;
  };
  const finish = (last) => {
    for (const [kind, handler] of [["pointermove", follow], ["pointerup", finish], ["pointercancel", finish]]) {
      removeEventListener(kind, handler);
    }
    const wasDrag = isDrag();
    row.classList.remove("dragged");
    if (last.type === "pointercancel") return draw();
    if (wasDrag) {
      move(key, Math.max(0, Math.min(items.length - 1, index + Math.round(offset / height)))).then(draw);
    } else {
      select(key, { scrolls: false });
      open(key, { focuses: false });
    }
  };
  addEventListener("pointermove", follow);
  addEventListener("pointerup", finish);
  addEventListener("pointercancel", finish);
});
