// Keys of the tracker: c files an item, / finds, j and k walk the rows, J and K
// move one of a queue, Enter opens one, e edits the title, a s p go to assignee,
// status and priority. And the sentence under a text that is too long, before
// anything is sent.
let rowAt = -1;

function rows() {
  return [...document.querySelectorAll("[data-row]")];
}

function walk(by) {
  const all = rows();
  if (!all.length) return false;
  const here = all.indexOf(document.activeElement?.closest("[data-row]"));
  document.querySelector("[data-row].is-at")?.classList.remove("is-at");
  rowAt = Math.min(Math.max((here < 0 ? rowAt : here) + by, 0), all.length - 1);
  all[rowAt].classList.add("is-at");
  all[rowAt].querySelector("[data-row-link]")?.focus();
  return true;
}

function reach(selector) {
  const field = document.querySelector(selector);
  field?.focus();
  return Boolean(field);
}

function openInPlace(key) {
  const box = document.querySelector(`[data-open-key="${key}"]`);
  if (!box) return false;
  box.open = true;
  box.querySelector("input:not([type=hidden]), textarea")?.focus();
  return true;
}

// move presses a button of the row one stands at.
function move(way) {
  const button = document.activeElement?.closest("[data-row]")?.querySelector(`[data-place=${way}]`);
  if (button && !button.disabled) button.click();
  return Boolean(button);
}

// A row that was moved keeps the focus where it goes: on the button pressed,
// else on its link; beside a row that left, on the one now in its place.
let placedRow = null; // { id, at: its place in the list, way: of the button, where that was pressed itself }

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  const row = ctx.request.submitter?.closest?.("[data-row]:has([data-place])");
  if (!row || ctx.request.method === "GET") return;
  const focused = document.activeElement;
  placedRow = {
    id: row.id,
    at: [...row.parentElement.children].indexOf(row),
    way: focused === ctx.request.submitter ? focused.getAttribute("data-place") : null,
  };
});

function followPlaced() {
  if (!placedRow) return;
  const { id, at, way } = placedRow;
  placedRow = null;
  const left = [...document.querySelectorAll("[data-row]:has([data-place])")];
  const row = document.getElementById(id) ?? left[Math.min(at, left.length - 1)];
  const button = way && row?.querySelector(`[data-place=${way}]`);
  (button && !button.disabled ? button : row?.querySelector("[data-row-link]"))?.focus();
}

const workKeys = {
  c: () => {
    const to = document.querySelector("[data-create]")?.getAttribute("href");
    const may = document.body.hasAttribute("data-may-create");
    if (to || may) location.assign(to ?? "/work/new");
    return Boolean(to || may);
  },
  "/": () => reach("[data-find]"),
  j: () => walk(1),
  k: () => walk(-1),
  J: () => move("down"),
  K: () => move("up"),
  e: () => openInPlace("e"),
  a: () => reach("[data-fact=assignee] input:not([type=hidden])"),
  s: () => reach("[data-fact=status] select"),
  p: () => reach("[data-fact=priority] select"),
};

document.addEventListener("htmx:after:swap", () => {
  rowAt = -1;
  followPlaced();
});

// A field somebody once touched keeps what they put there, whatever its
// attributes say from then on. Drawn anew it shows what is; except what stands in
// another form, and what was typed on since its own was sent.
let chosenElsewhere = new Set();
const sentTexts = new WeakMap(); // field -> what it held when its form was sent

function choices(target) {
  return [...(target?.querySelectorAll?.("form select, form input[type=checkbox]") ?? [])];
}

function texts(form) {
  return [...(form.elements ?? [])].filter((e) => e.matches("textarea, input:not([type=hidden], [type=checkbox])"));
}

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (ctx.request.method !== "GET") texts(ctx.request.form ?? ctx.sourceElement).forEach((e) => sentTexts.set(e, e.value));
});

document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  const own = ctx.request.form ?? ctx.sourceElement;
  chosenElsewhere = new Set(choices(ctx.target).filter((e) => e.form !== own && fieldDirty(e)));
});
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  for (const field of choices(ctx.target)) {
    if (chosenElsewhere.has(field)) continue;
    if (field.options) for (const option of field.options) option.selected = option.defaultSelected;
    else field.checked = field.defaultChecked;
  }
  if (ctx.request.method === "GET") return;
  for (const field of texts(ctx.request.form ?? ctx.sourceElement)) {
    if (field.value === sentTexts.get(field)) field.value = field.defaultValue;
  }
});

// How far a text may go stands on its field: characters, or bytes of UTF-8.
const encoder = new TextEncoder();

function over(field) {
  const most = Number(field.getAttribute("data-most"));
  if (most) return [...field.value].length - most;
  const bytes = Number(field.getAttribute("data-most-bytes"));
  return bytes ? encoder.encode(field.value).length - bytes : 0;
}

document.addEventListener("input", ({ target }) => {
  if (!target.matches?.("[data-most], [data-most-bytes]")) return;
  const beyond = over(target);
  let note = target.parentElement.querySelector(".too-long");
  if (beyond <= 0) return note?.remove();
  if (!note) {
    note = document.createElement("p");
    note.className = "too-long";
    note.setAttribute("role", "status");
    target.after(note);
  }
  const unit = target.hasAttribute("data-most") ? "characters" : "bytes";
  note.textContent = `This is ${beyond} ${unit} too long.`;
});
