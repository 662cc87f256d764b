// Drafts: text being typed is kept in this browser under the form's name, with
// all hidden fields of that drawing: the operation key, and what the text was
// written over. They come back together, so a form sent twice lands once, and an
// edit over something newer is still seen as one. Passwords and secrets are
// never kept.
const draftPrefix = "draft:";
const draftMaxAge = 7 * 24 * 3600 * 1000;
const neverKept = "[type=password], [type=file], [type=submit], [type=button], [data-secret], :not([name])";

const drawnHidden = new WeakMap(); // form -> the hidden values the server drew
const draftTimers = new Map(); // form -> timer of a save to come

function draftFields(form) {
  return [...form.elements].filter((e) => e.name && !e.matches(neverKept));
}

function isBox(field) {
  return field.type === "checkbox" || field.type === "radio";
}

function fieldDirty(field) {
  if (field.type === "hidden" || !field.name) return false;
  if (isBox(field)) return field.checked !== field.defaultChecked;
  if (field.options) {
    const drawn = [...field.options].findIndex((o) => o.defaultSelected);
    return field.selectedIndex !== Math.max(drawn, 0);
  }
  return field.value !== field.defaultValue;
}

// formDirty says whether somebody changed anything; regions.js asks too.
function formDirty(form) {
  return [...form.elements].some((e) => e.matches("input, select, textarea") && fieldDirty(e));
}

// Each person has drafts of their own: the next one at this browser sees none
// of them.
function draftName(form) {
  return draftPrefix + (document.body.getAttribute("data-viewer") ?? "") + ":" + form.getAttribute("data-draft");
}

function readDraft(name) {
  try {
    const draft = JSON.parse(localStorage.getItem(name));
    return draft && Date.now() - draft.at < draftMaxAge ? draft : null;
  } catch {
    return null;
  }
}

function saveDraft(form) {
  clearTimeout(draftTimers.get(form));
  draftTimers.delete(form);
  if (!form.isConnected) return;
  const fields = draftFields(form).map((f) => [f.name, isBox(f) ? f.checked : f.value]);
  const key = form.elements.namedItem("_key")?.value ?? "";
  try {
    if (formDirty(form) || form.hasAttribute("data-redrawn")) {
      localStorage.setItem(draftName(form), JSON.stringify({ key, fields, at: Date.now() }));
    } else {
      localStorage.removeItem(draftName(form));
    }
  } catch {
    // Storage is full or refused: typing goes on without a draft.
  }
}

function restoreDraft(form) {
  const fields = draftFields(form);
  drawnHidden.set(form, fields.filter((f) => f.type === "hidden").map((f) => [f, f.value]));
  if (form.hasAttribute("data-redrawn")) return saveDraft(form);
  const draft = readDraft(draftName(form));
  if (!draft) return;
  const left = draft.fields.slice();
  for (const field of fields) {
    const at = left.findIndex(([name]) => name === field.name);
    if (at < 0) continue;
    const [[, value]] = left.splice(at, 1);
    if (isBox(field)) field.checked = value;
    else field.value = value;
  }
  form.closest("details")?.setAttribute("open", "");
  offerDiscard(form);
}

function offerDiscard(form) {
  const note = document.createElement("p");
  note.className = "draft-note";
  note.textContent = "What you typed here before is back. ";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Start over";
  button.addEventListener("click", () => {
    localStorage.removeItem(draftName(form));
    form.reset();
    for (const [field, value] of drawnHidden.get(form) ?? []) field.value = value;
    note.remove();
  });
  note.append(button);
  form.prepend(note);
}

// forgetLanded drops the drafts whose write has landed.
function forgetLanded(key) {
  if (!key) return;
  for (const name of Object.keys(localStorage).filter((n) => n.startsWith(draftPrefix))) {
    const draft = readDraft(name);
    if (!draft || draft.key === key) localStorage.removeItem(name);
  }
}

// cleanAddress takes the key out of a landing page's address: it was for this
// script, not for bookmarks.
function cleanAddress() {
  const url = new URL(location.href);
  if (!url.searchParams.has("landed")) return;
  url.searchParams.delete("landed");
  history.replaceState(history.state, "", url);
}

function meetForms() {
  cleanAddress();
  try {
    document.querySelectorAll("[data-landed]").forEach((e) => forgetLanded(e.getAttribute("data-landed")));
  } catch {
    return; // no storage, no drafts
  }
  for (const form of document.querySelectorAll("form[data-draft]")) {
    if (!drawnHidden.has(form)) restoreDraft(form);
  }
}

document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (!form?.hasAttribute("data-draft")) return;
  clearTimeout(draftTimers.get(form));
  draftTimers.set(form, setTimeout(() => saveDraft(form), 250));
});
document.addEventListener("landed", (event) => forgetLanded(event.detail.value));
document.addEventListener("htmx:after:swap", meetForms);
addEventListener("pagehide", () => [...draftTimers.keys()].forEach(saveDraft));
meetForms();
