// The palette: every page by a few letters of its name, and once somebody types
// every server and tool. Its entries are the links of the navigation, and those
// the server finds; this shows those that fit and moves a mark among them.
const paletteMost = 50; // entries shown at once
function paletteParts() {
  const dialog = document.getElementById("palette");
  return {
    dialog,
    ask: dialog?.querySelector("input"),
    entries: dialog ? [...dialog.querySelectorAll("[role=option]")] : [],
    none: dialog?.querySelector(".palette-none"),
  };
}

// folded compares without case and accents.
function folded(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

// places are the pages the navigation leads to.
function places() {
  return [...document.querySelectorAll("#nav a[data-go]")].map((link) => ({
    link,
    label: link.textContent.trim(),
    heading: link.closest("ul")?.previousElementSibling?.textContent ?? "",
    key: link.getAttribute("data-go"),
  }));
}

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const goKeys = (key) => [element("kbd", {}, "g"), " ", element("kbd", {}, key)];

function placeEntry({ link, label, heading, key }) {
  const entry = element("a", {
    id: "palette-" + key, class: "palette-entry", role: "option", tabindex: "-1",
    href: link.getAttribute("href"), "data-words": heading + " " + label,
  }, element("span", {}, label), element("span", { class: "palette-keys" }, ...goKeys(key)));
  const icon = link.querySelector("svg");
  if (icon) entry.prepend(icon.cloneNode(true));
  return entry;
}

// openKeys shows the keyboard help, with the keys of the places.
function openKeys() {
  const help = document.getElementById("keys");
  if (!help || help.open) return;
  help.querySelectorAll("[data-go-row]").forEach((row) => row.remove());
  help.querySelector("dl > div")?.after(...places().map(({ label, key }) =>
    element("div", { "data-go-row": "" }, element("dt", {}, "Go to " + label), element("dd", {}, ...goKeys(key)))));
  help.showModal();
}

function openPalette() {
  const { dialog, ask } = paletteParts();
  if (!dialog || dialog.open) return;
  dialog.querySelector("[role=listbox]").replaceChildren(...places().map(placeEntry));
  ask.value = "";
  filterPalette();
  dialog.showModal();
  ask.focus();
  findMore(dialog);
}

// findMore fetches what there is besides pages, each time anew: tools come and
// go. Without it the pages are still found.
async function findMore(dialog) {
  const from = dialog.getAttribute("data-more");
  if (!from) return;
  try {
    const answer = await fetch(from, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const found = new DOMParser().parseFromString(await answer.text(), "text/html");
    dialog.querySelectorAll("[data-found]").forEach((e) => e.remove());
    dialog.querySelector("[role=listbox]").append(...found.body.childNodes);
  } catch {
    return;
  }
  filterPalette();
}

function filterPalette() {
  const { ask, entries, none } = paletteParts();
  const words = folded(ask.value).split(/\s+/).filter(Boolean);
  let left = paletteMost;
  for (const entry of entries) {
    const text = folded(entry.getAttribute("data-words"));
    const fits = words.every((w) => text.includes(w)) && (words.length > 0 || !entry.hasAttribute("data-found"));
    entry.hidden = !fits || left-- <= 0;
  }
  const shown = entries.filter((e) => !e.hidden);
  none.hidden = shown.length > 0;
  markEntry(shown[0]);
}

function markEntry(entry) {
  const { ask, entries } = paletteParts();
  for (const e of entries) e.setAttribute("aria-selected", String(e === entry));
  if (entry) {
    ask.setAttribute("aria-activedescendant", entry.id);
    entry.scrollIntoView({ block: "nearest" });
  } else {
    ask.removeAttribute("aria-activedescendant");
  }
}

function moveMark(by) {
  const shown = paletteParts().entries.filter((e) => !e.hidden);
  if (!shown.length) return;
  const at = shown.findIndex((e) => e.getAttribute("aria-selected") === "true");
  markEntry(shown[(at + by + shown.length) % shown.length]);
}

function paletteKey(event) {
  if (event.isComposing) return; // Enter belongs to the input method
  if (event.key === "ArrowDown") moveMark(1);
  else if (event.key === "ArrowUp") moveMark(-1);
  else if (event.key === "Enter") {
    const marked = paletteParts().entries.find((e) => !e.hidden && e.getAttribute("aria-selected") === "true");
    marked?.click();
  } else return;
  event.preventDefault();
}

document.addEventListener("input", (event) => event.target.id === "palette-ask" && filterPalette());
document.addEventListener("keydown", (event) => {
  if (event.target.id === "palette-ask") paletteKey(event);
});
document.addEventListener("pointermove", (event) => {
  const entry = event.target.closest?.(".palette-entry");
  if (entry && entry.getAttribute("aria-selected") !== "true") markEntry(entry);
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-palette-open]")) openPalette();
  // A click on the dialog itself is one beside its content.
  else if (event.target.matches("dialog:not(#make-secret)")) event.target.close();
});
addEventListener("pagehide", () => document.querySelectorAll("dialog[open]").forEach((d) => d.close()));
