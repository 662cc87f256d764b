// Completion of ${NAME}: in a field with data-complete, typing "$" offers the
// names of the secrets there are, and to make one there is not. Arrow keys,
// Enter or Tab take one, Escape closes. Without this the field is plain text.
const completeMost = 8; // names shown at once
const references = /\$\{?([A-Za-z0-9_]*)$/;

let completing = null; // {field, list, from, options, at}
let secretNames = null; // a promise; asked for once a page

function knownSecrets(from) {
  secretNames ??= fetch(from, { headers: { Accept: "application/json" } })
    .then((answer) => (answer.ok ? answer.json() : { secrets: [] }))
    .then((body) => [...body.secrets, ...(body.missing ?? [])].map((s) => s.name))
    .catch(() => []);
  return secretNames;
}

function closeCompletion() {
  if (!completing) return;
  completing.list.remove();
  for (const name of ["aria-controls", "aria-activedescendant"]) completing.field.removeAttribute(name);
  completing = null;
}

async function offerCompletion(field) {
  const typed = references.exec(field.value.slice(0, field.selectionStart));
  if (!typed || field.selectionStart !== field.selectionEnd) return closeCompletion();
  const names = await knownSecrets(field.getAttribute("data-complete"));
  if (document.activeElement !== field) return;
  const prefix = typed[1].toUpperCase();
  const options = names.filter((n) => n.toUpperCase().includes(prefix)).sort((a, b) => a.toUpperCase().indexOf(prefix) - b.toUpperCase().indexOf(prefix));
  drawCompletion(field, typed, options.slice(0, completeMost));
}

function drawCompletion(field, typed, options) {
  closeCompletion();
  const list = document.createElement("div");
  list.id = field.id + "-names";
  list.className = "complete";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Secrets");
  options.forEach((name) => list.append(completionEntry(list, name, "${" + name + "}")));
  const fresh = typed[1];
  if (fresh && !options.includes(fresh) && field.hasAttribute("data-complete-make")) {
    const entry = completionEntry(list, fresh, "Create the secret " + fresh);
    entry.setAttribute("data-make", "");
    list.append(entry);
  }
  if (!list.children.length) return;
  completing = { field, list, from: typed.index, at: 0 };
  field.after(list);
  field.setAttribute("aria-controls", list.id);
  markCompletion(0);
}

function completionEntry(list, name, label) {
  const entry = document.createElement("div");
  entry.id = list.id + "-" + list.children.length;
  entry.className = "complete-entry";
  entry.setAttribute("role", "option");
  entry.setAttribute("data-name", name);
  entry.textContent = label;
  return entry;
}

function markCompletion(at) {
  const entries = [...completing.list.children];
  completing.at = (at + entries.length) % entries.length;
  entries.forEach((e, i) => e.setAttribute("aria-selected", String(i === completing.at)));
  completing.field.setAttribute("aria-activedescendant", entries[completing.at].id);
}

function takeCompletion(entry) {
  const { field, from } = completing;
  const name = entry.getAttribute("data-name");
  const rest = field.value.slice(field.selectionStart).replace(/^[A-Za-z0-9_]*\}?/, "");
  field.setRangeText("${" + name + "}", from, field.value.length - rest.length, "end");
  closeCompletion();
  field.dispatchEvent(new Event("input", { bubbles: true }));
  closeCompletion();
  if (entry.hasAttribute("data-make")) makeSecret(field, name);
}

// makeSecret stores it over this page, or leads to where it is stored and from
// there back; what is typed here is kept meanwhile.
async function makeSecret(field, name) {
  if (await openMaking(name, field)) return;
  const to = new URL(field.getAttribute("data-complete-make"), location.href);
  to.searchParams.set("name", name);
  location.assign(to);
}

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-complete]")) offerCompletion(event.target);
});
document.addEventListener("keydown", (event) => {
  if (!completing || event.target !== completing.field || event.isComposing) return;
  if (event.key === "ArrowDown") markCompletion(completing.at + 1);
  else if (event.key === "ArrowUp") markCompletion(completing.at - 1);
  else if ((event.key === "Enter" && !event.ctrlKey && !event.metaKey) || event.key === "Tab") takeCompletion(completing.list.children[completing.at]);
  else if (event.key === "Escape") closeCompletion();
  else return;
  event.preventDefault();
  event.stopPropagation();
}, true);
// Before the field loses its focus to the press.
document.addEventListener("pointerdown", (event) => {
  const entry = event.target.closest?.(".complete-entry");
  if (!entry || !completing) return;
  event.preventDefault();
  takeCompletion(entry);
});
document.addEventListener("focusout", (event) => completing && event.target === completing.field && closeCompletion());
