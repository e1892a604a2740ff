// Chooses the part of a picture that is kept; the server cuts it, in the picture's own pixels.
const byId = (id) => document.getElementById(id);
const dialog = byId("crop");
const image = byId("draft");
const frame = byId("frame");
const sides = ["x", "y", "width", "height"];
let size = { width: 1, height: 1 };
let part = { x: 0, y: 0, width: 1, height: 1 };
let least = 1;

const bounded = (value, low, high) => Math.min(Math.max(Math.round(value), low), Math.max(low, high));

// Calls `use(part)` and closes when that has worked.
// Returns the part, or null where the user has cancelled.
export function crop(draft, use) {
  size = { width: draft.width, height: draft.height };
  least = Math.min(16, size.width, size.height);
  byId("crop-message").textContent = "";
  image.src = `/api/drafts/${draft.draft}`;
  set({ x: 0, y: 0, ...size });
  dialog.showModal();
  frame.focus();
  return new Promise((resolve) => {
    let result = null;
    byId("crop-use").onclick = async () => {
      byId("crop-use").disabled = true;
      try {
        await use(part);
        result = part;
        dialog.close();
      } catch (refusal) { byId("crop-message").textContent = refusal.message; }
      byId("crop-use").disabled = false;
    };
    byId("crop-all").onclick = () => set({ x: 0, y: 0, ...size });
    byId("crop-cancel").onclick = () => dialog.close();
    dialog.onclose = () => { image.removeAttribute("src"); resolve(result); };
  });
}

function set(wish) {
  const width = bounded(wish.width, least, size.width);
  const height = bounded(wish.height, least, size.height);
  part = { x: bounded(wish.x, 0, size.width - width), y: bounded(wish.y, 0, size.height - height), width, height };
  for (const side of sides) byId(`crop-${side}`).value = part[side];
  draw();
}

function draw() {
  const scale = image.clientWidth / size.width || 0;
  frame.style.left = `${part.x * scale}px`;
  frame.style.top = `${part.y * scale}px`;
  frame.style.width = `${part.width * scale}px`;
  frame.style.height = `${part.height * scale}px`;
}

image.addEventListener("load", draw);
new ResizeObserver(draw).observe(image);

for (const side of sides) {
  byId(`crop-${side}`).addEventListener("change", (event) => set({ ...part, [side]: Number(event.target.value) || 0 }));
}
byId("edges").addEventListener("submit", (event) => event.preventDefault());

frame.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (!(event.key in steps)) return;
  event.preventDefault();
  const step = Math.max(1, Math.round(Math.max(size.width, size.height) / 64));
  const [x, y] = steps[event.key].map((direction) => direction * step);
  if (event.shiftKey) set({ ...part, width: part.width + x, height: part.height + y });
  else set({ ...part, x: part.x + x, y: part.y + y });
});

frame.addEventListener("pointerdown", (event) => {
  event.preventDefault();
  frame.focus();
  frame.setPointerCapture(event.pointerId);
  const corner = event.target.dataset.corner;
  const start = { ...part, pointerX: event.clientX, pointerY: event.clientY };
  frame.onpointermove = (moved) => {
    const scale = image.clientWidth / size.width || 1;
    const x = (moved.clientX - start.pointerX) / scale;
    const y = (moved.clientY - start.pointerY) / scale;
    if (!corner) return set({ ...start, x: start.x + x, y: start.y + y });
    const [right, bottom] = [start.x + start.width, start.y + start.height];
    const left = corner.includes("w") ? bounded(start.x + x, 0, right - least) : start.x;
    const top = corner.includes("n") ? bounded(start.y + y, 0, bottom - least) : start.y;
    const end = corner.includes("e") ? bounded(right + x, left + least, size.width) : right;
    const foot = corner.includes("s") ? bounded(bottom + y, top + least, size.height) : bottom;
    set({ x: left, y: top, width: end - left, height: foot - top });
  };
  frame.onpointerup = frame.onpointercancel = () => { frame.onpointermove = null; };
});
