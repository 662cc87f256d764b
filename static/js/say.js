// Says what happened in #say: read aloud politely, seen for a moment. The
// server says through HX-Trigger: {"say": "…"}, scripts through say().
let sayTimer = 0;

function say(text) {
  const region = document.getElementById("say");
  if (!region || !text) return;
  region.textContent = ""; // so that the same sentence is read a second time
  clearTimeout(sayTimer);
  sayTimer = setTimeout(() => {
    region.textContent = text;
    region.classList.add("is-seen");
    sayTimer = setTimeout(() => region.classList.remove("is-seen"), 6000);
  }, 50);
}

// What the page itself already shows is only read aloud.
function sayDone() {
  const done = document.querySelector("[data-say]:not([data-said])");
  const region = document.getElementById("say");
  if (!done || !region) return;
  done.setAttribute("data-said", "");
  region.classList.remove("is-seen");
  region.textContent = done.textContent.trim();
}

document.addEventListener("say", (event) => say(event.detail.value));
document.addEventListener("htmx:after:swap", sayDone);
sayDone();
