// A region fetches itself again when told, but never under somebody's hands:
// while a form in it is changed, or the focus stands in it, the change is
// offered instead. What the focus alone held back is drawn when it leaves.
const offers = new Map(); // region -> the offer above it
const overtaken = new WeakSet(); // regions whose change came while a form of theirs was on its way
const wanted = new WeakSet(); // regions whose change somebody asked to see

function causedByLive(ctx) {
  return Boolean(ctx.sourceEvent?.type?.startsWith("live:"));
}

function occupied(region) {
  const active = document.activeElement;
  const standsIn = active?.matches("a, button, input, select, textarea, summary, [contenteditable]") && region.contains(active);
  // The button just pressed waits for its own result.
  if (standsIn && active !== lastPressed) return true;
  if (region.querySelector("details[data-confirm][open], [aria-invalid=true], [data-form-says]")) return true;
  return [...region.querySelectorAll("form")].some(formDirty);
}

// drawnAt is the position a region was last drawn at, where it says so.
function drawnAt(region) {
  return Number(region.querySelector("[data-drawn]")?.getAttribute("data-drawn") ?? 0);
}

function holdBack(event) {
  const { ctx } = event.detail;
  const region = ctx.sourceElement;
  if (!causedByLive(ctx) || wanted.has(region)) return;
  const known = drawnAt(region) >= ctx.sourceEvent.detail.position;
  // A form of it that is on its way is answered with the region as it is then.
  if (region.querySelector("form[data-busy][hx-target]")) overtaken.add(region);
  else if (!known && !occupied(ctx.target)) return;
  else if (!known) offer(region);
  event.preventDefault();
}

// catchUp draws what came while a form of a region was on its way, and is not in
// its answer.
function catchUp(region) {
  if (!overtaken.delete(region) || drawnAt(region) >= livePosition) return;
  if (occupied(region)) offer(region);
  else refresh(region);
}

function offer(region) {
  if (offers.has(region)) return;
  const box = document.createElement("div");
  box.className = "live-offer";
  box.setAttribute("role", "status");
  const words = document.createElement("span");
  words.textContent = "This changed while you were in it.";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button is-small";
  button.textContent = "Show";
  button.addEventListener("click", () => {
    refresh(region);
    region.setAttribute("tabindex", "-1");
    region.focus({ preventScroll: true });
  });
  box.append(words, button);
  offers.set(region, box);
  region.before(box);
}

function refresh(region) {
  wanted.add(region);
  htmx.ajax("GET", region.getAttribute("hx-get"), {
    source: region,
    values: livePosition === null ? {} : { min_position: livePosition },
  });
}

function settle(region) {
  wanted.delete(region);
  offers.get(region)?.remove();
  offers.delete(region);
}

// The answer must hold at least the change that caused the question.
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  if (causedByLive(ctx)) ctx.request.body.set("min_position", ctx.sourceEvent.detail.position);
});
document.addEventListener("htmx:before:request", holdBack);
document.addEventListener("htmx:before:swap", holdBack); // typing may have begun meanwhile
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  for (const region of offers.keys()) {
    if (region === ctx.target || !region.isConnected) settle(region);
  }
});

document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  const region = ctx.target?.closest?.("[data-live-region]");
  if (region && ctx.request.method !== "GET") setTimeout(() => catchUp(region)); // after the form is free again
});

document.addEventListener("focusout", () => {
  // After the focus has arrived elsewhere.
  setTimeout(() => {
    for (const region of offers.keys()) {
      if (!wanted.has(region) && !occupied(region)) refresh(region);
    }
  });
});
