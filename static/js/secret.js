// A secret made in place: what names one that is not stored opens a dialog over
// the form, so that all that was typed stays. The dialog's form is the server's
// own, fetched each time with a key of its own; the value is nowhere but in its
// field. Without this, links lead to where secrets are stored.
const asPart = { "HX-Request": "true", "HX-Request-Type": "partial", Accept: "text/html" };

let making = null; // {name, opener, typed}

function makingDialog() {
  return document.getElementById("make-secret");
}

// openMaking answers false where the form cannot be had here.
async function openMaking(name, opener) {
  const dialog = makingDialog();
  if (!dialog) return false;
  const query = new URLSearchParams({ part: "make", name });
  const answer = await fetch(dialog.getAttribute("data-from") + "?" + query, { headers: asPart }).catch(() => null);
  if (!answer?.ok) return false;
  making = { name, opener, typed: "" };
  drawMaking(await answer.text());
  dialog.showModal();
  focusMaking();
  return true;
}

// drawMaking puts the value back that was typed: no answer ever holds it.
function drawMaking(html) {
  const drawn = new DOMParser().parseFromString(html, "text/html");
  makingDialog().querySelector("[data-part]").replaceChildren(...drawn.body.childNodes);
  const value = makingDialog().querySelector("[data-secret]:not([type=password])");
  if (value) value.value = making.typed;
}

function focusMaking() {
  const dialog = makingDialog();
  const next = dialog.querySelector("[aria-invalid='true']") ?? dialog.querySelector("[data-form-says]") ?? dialog.querySelector("[data-secret]");
  next?.focus();
}

async function sendMaking(form) {
  const value = form.querySelector("[data-secret]:not([type=password])");
  if (value) making.typed = value.value;
  const answer = await fetch(form.action, { method: "POST", headers: asPart, body: new URLSearchParams(new FormData(form)) }).catch(() => null);
  if (!making) return; // closed meanwhile
  if (answer?.status === 204) return madeSecret();
  const shown = answer && [403, 409, 422, 503].includes(answer.status) && !answer.headers.has("HX-Redirect");
  if (shown) {
    drawMaking(await answer.text());
    return focusMaking();
  }
  endSend(form);
  if (answer?.status === 401) offerSignIn();
  else say("It could not be stored. What you typed is still here, and sending it again is safe.");
}

function madeSecret() {
  const { name, opener } = making;
  secretNames = null; // asked for again: there is one more
  makingDialog().close();
  for (const need of document.querySelectorAll(`[data-need="${CSS.escape(name)}"]`)) {
    need.querySelector("[data-need-says]").textContent = "is stored.";
    need.querySelector("a")?.remove();
  }
  const next = opener.isConnected ? opener : document.querySelector("a[data-make-secret]") ?? document.querySelector("main form button[type=submit]");
  next?.focus();
  say("The secret " + name + " is stored.");
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-make-secret]");
  if (!link || !makingDialog() || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!(await openMaking(link.getAttribute("data-make-secret"), link))) location.assign(link.href);
});
document.addEventListener("submit", (event) => {
  const dialog = makingDialog();
  if (!dialog?.contains(event.target) || event.target.method !== "post") return;
  event.preventDefault();
  sendMaking(event.target);
});
document.addEventListener("close", (event) => {
  if (event.target !== makingDialog()) return;
  making = null;
  event.target.querySelector("[data-part]").replaceChildren(); // and with it the value
}, true);
