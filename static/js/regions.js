// A region fetches itself again when told, but never under somebody's hands:
// while a form in it is changed, or the focus stands in it, the change is
// offered instead. What the focus alone held back is drawn when it leaves.
const offers = new Map(); // region -> the offer above it
const wanted = new WeakSet(); // regions whose change somebody asked to see

function causedByLive(ctx) {
  return Boolean(ctx.sourceEvent?.type?.startsWith("live:"));
}

function occupied(region) {
  const active = document.activeElement;
  const standsIn = active?.matches("a, button, input, select, textarea, summary, [contenteditable]") && region.contains(active);
  // The button just pressed waits for its own result.
  if (standsIn && active !== lastPressed) return true;
  if (region.querySelector("details[data-confirm][open]")) return true;
  return [...region.querySelectorAll("form")].some(formDirty);
}

function holdBack(event) {
  const { ctx } = event.detail;
  if (!causedByLive(ctx) || wanted.has(ctx.sourceElement) || !occupied(ctx.target)) return;
  event.preventDefault();
  offer(ctx.sourceElement);
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

document.addEventListener("focusout", () => {
  // After the focus has arrived elsewhere.
  setTimeout(() => {
    for (const region of offers.keys()) {
      if (!wanted.has(region) && !occupied(region)) refresh(region);
    }
  });
});
