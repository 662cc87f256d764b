// Forms: one send at a time, a word when it fails, and the focus where a person
// would look next. The operation key makes a second send harmless; this only
// keeps it from being made by accident.
const sendsByHtmx = "[hx-post],[hx-put],[hx-patch],[hx-delete]";

// A navigation that never came (Escape, a download) frees the form again.
const freeAfter = 15000;
const busyTimers = new WeakMap();

// lastPressed is the button whose request ran last: regions.js lets the result
// be drawn around it, since that is what its presser waits for.
let lastPressed = null;

function submitButtons(form) {
  return [...form.elements].filter((e) => e.type === "submit");
}

function beginSend(form, submitter) {
  lastPressed = submitter ?? null;
  form.setAttribute("data-busy", "");
  submitter?.setAttribute("data-running", "");
  // Only after this event: a button disabled now would not be sent with its form.
  setTimeout(() => {
    if (form.hasAttribute("data-busy")) submitButtons(form).forEach((b) => (b.disabled = true));
  });
  clearTimeout(busyTimers.get(form));
  busyTimers.set(form, setTimeout(() => endSend(form), freeAfter));
}

function endSend(form) {
  clearTimeout(busyTimers.get(form));
  if (!form.hasAttribute("data-busy")) return;
  form.removeAttribute("data-busy");
  for (const button of submitButtons(form)) {
    button.disabled = false;
    button.removeAttribute("data-running");
  }
  const lostFocus = document.activeElement === document.body || !document.activeElement;
  if (lostFocus && lastPressed?.isConnected && form.contains(lastPressed)) lastPressed.focus();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.getAttribute("method")?.toLowerCase() !== "post" && !form.matches(sendsByHtmx)) return;
  if (form.hasAttribute("data-busy")) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  if (!form.matches(sendsByHtmx)) beginSend(form, event.submitter);
}, true);

function writes(ctx) {
  return ctx.request.method !== "GET";
}

function formOf(ctx) {
  return ctx.request.form ?? ctx.sourceElement.closest?.("form");
}

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (!writes(ctx)) return;
  const form = formOf(ctx);
  if (form) beginSend(form, ctx.request.submitter);
});

document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (!writes(ctx)) return;
  if (ctx.hx?.redirect || ctx.hx?.location) return; // the page is leaving
  const form = formOf(ctx);
  if (form) endSend(form);
  sayFailure(ctx);
});

// sayFailure speaks for answers that swap nothing: the page would stay silent.
function sayFailure(ctx) {
  const status = ctx.response?.status;
  const kept = "What you typed is still here, and sending it again is safe.";
  if (!status) say("The server could not be reached. " + kept);
  else if (status < 400 || ctx.swap !== "none") return;
  else if (status === 403) say("That is not yours to do.");
  else if (status === 404) say("It is not there any more.");
  else if (status === 429) say("Too many tries. Wait a little. " + kept);
  else if (status >= 500) say("Something broke on our side. " + kept);
  else say("That was refused. " + kept);
}

// focusFirst leads to what is wrong: the first field, or the sentence above.
function focusFirst() {
  const wrong = document.querySelector("[aria-invalid='true']") ?? document.querySelector("[data-form-says]");
  wrong?.focus();
}

document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (writes(ctx)) focusFirst();
});

// Back may show this page as it was left, in the middle of a send.
addEventListener("pageshow", (event) => {
  if (event.persisted) document.querySelectorAll("form[data-busy]").forEach(endSend);
});

focusFirst();
