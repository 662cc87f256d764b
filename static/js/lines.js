// Editors: numbers beside their lines, and links to one of them. A link with
// data-line="7" and the editor's id as its fragment selects that line; without
// this script it leads to the editor.
function numbered(area) {
  const gutter = document.createElement("div");
  const numbers = gutter.appendChild(document.createElement("div"));
  gutter.className = "gutter";
  gutter.setAttribute("aria-hidden", "true");
  let drawn = 0;
  const draw = () => {
    const lines = area.value.split("\n").length;
    if (lines === drawn) return;
    drawn = lines;
    numbers.textContent = Array.from({ length: lines }, (_, i) => i + 1).join("\n");
  };
  draw();
  const frame = document.createElement("div");
  frame.className = "numbered";
  const focused = document.activeElement === area;
  area.before(frame);
  frame.append(gutter, area); // its cell is as tall as the editor, however that is drawn larger
  if (focused) area.focus({ preventScroll: true }); // moving it took the focus away
  area.addEventListener("input", draw);
  area.addEventListener("scroll", () => (gutter.scrollTop = area.scrollTop));
  document.addEventListener("click", () => requestAnimationFrame(draw)); // a draft is thrown away by one
}

function showLine(area, line) {
  const lines = area.value.split("\n");
  const at = Math.min(line, lines.length) - 1;
  const from = lines.slice(0, at).reduce((sum, text) => sum + text.length + 1, 0);
  area.focus({ preventScroll: true });
  area.setSelectionRange(from, from + lines[at].length);
  area.scrollIntoView({ block: "nearest" });
  area.scrollTo(0, at * parseFloat(getComputedStyle(area).lineHeight) - area.clientHeight / 2);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-line]");
  const area = link && document.getElementById(link.hash.slice(1));
  if (!(area instanceof HTMLTextAreaElement)) return;
  event.preventDefault();
  showLine(area, Number(link.dataset.line));
});

document.querySelectorAll("textarea.is-editor").forEach(numbered);
