// Ticks beside the tools a test found: each writes into the lists above, where
// it can be typed as well. A pattern such as get_* is never touched; what it
// decides is shown and fixed. Without this the lists are typed.
function offering() {
  const box = document.querySelector("[data-offers]");
  const form = box?.closest("form");
  const later = box?.querySelector("[data-offer-later]");
  return box && { box, form, later, include: form.elements.namedItem("include"), exclude: form.elements.namedItem("exclude") };
}

function toolTicks(form) {
  return [...form.querySelectorAll("input[data-offer]")];
}

function listed(area) {
  return area.value.split("\n").map((l) => l.trim()).filter(Boolean);
}

// asPattern reads a pattern as the engine does; null when it is none.
function asPattern(line) {
  if (!/[*?[\\]/.test(line)) return null;
  const pieces = line.match(/\[[^\]]*\]|\\.|[^]/gu).map((p) => {
    if (p === "*") return "[^/]*";
    if (p === "?") return "[^/]";
    if (p.length > 1) return p;
    return p.replace(/[.+^${}()|\\/]/, "\\$&");
  });
  try {
    return new RegExp("^(?:" + pieces.join("") + ")$");
  } catch {
    return null;
  }
}

function patternFor(lines, name) {
  return lines.find((l) => l !== name && asPattern(l)?.test(name));
}

// writeLines says that somebody changed a list, so that it is kept like typing.
function writeLines(area, lines) {
  area.value = lines.join("\n");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

// put has a name in a list or not, by itself: patterns stay as they are.
function put(area, names, wanted) {
  const lines = listed(area).filter((l) => !names.includes(l));
  writeLines(area, wanted ? [...lines, ...names.filter((n) => !patternFor(lines, n))] : lines);
}

function drawTicks() {
  const o = offering();
  if (!o) return;
  const include = listed(o.include), exclude = listed(o.exclude);
  if (include.length) o.later.value = "out";
  const only = o.later.value === "out";
  for (const tick of toolTicks(o.form)) {
    const name = tick.getAttribute("data-offer");
    const lines = only ? include : exclude;
    const by = patternFor(lines, name);
    const named = Boolean(by) || lines.includes(name);
    tick.checked = only ? named : !named;
    tick.disabled = Boolean(by);
    tick.title = by ? (only ? "Offered by " : "Left out by ") + by : "";
  }
  o.later.disabled = include.some(asPattern);
  o.later.title = o.later.disabled ? "A pattern above offers what fits it, and nothing else." : "";
  o.box.querySelector("[data-offer-none]").hidden = !(only && include.length === 0);
}

function offerTicked(ticks, wanted) {
  const o = offering();
  const names = ticks.filter((t) => !t.disabled).map((t) => t.getAttribute("data-offer"));
  if (o.later.value === "out") put(o.include, names, wanted);
  else put(o.exclude, names, !wanted);
  drawTicks();
}

// offerLater moves what is ticked from one list to the other.
function offerLater(o) {
  const free = toolTicks(o.form).filter((t) => !t.disabled);
  const names = (of) => of.map((t) => t.getAttribute("data-offer"));
  const ticked = names(free.filter((t) => t.checked)), not = names(free.filter((t) => !t.checked));
  if (o.later.value === "out") {
    put(o.exclude, not, false);
    put(o.include, ticked, true);
  } else {
    writeLines(o.include, []); // names alone: a pattern keeps this choice shut
    put(o.exclude, not, true);
  }
  drawTicks();
}

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-offer]")) offerTicked([event.target], event.target.checked);
  else if (event.target.matches("[data-offer-later]")) offerLater(offering());
});
document.addEventListener("click", (event) => {
  const all = event.target.closest("[data-offer-all]");
  if (all) offerTicked(toolTicks(all.form), all.getAttribute("data-offer-all") === "true");
});
document.addEventListener("input", (event) => {
  if (event.target.matches("[name=include], [name=exclude]")) drawTicks();
});

function meetTicks() {
  const o = offering();
  if (!o) return;
  o.box.hidden = false;
  for (const tick of toolTicks(o.form)) tick.hidden = false;
  drawTicks();
}

meetTicks();
