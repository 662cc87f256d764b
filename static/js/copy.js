// Copy buttons: data-copy names the element whose text is taken. Where the
// browser refuses (a page not on https), the text is selected for the hand.
async function copyFrom(button) {
  const source = document.getElementById(button.getAttribute("data-copy"));
  if (!source) return;
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    getSelection().selectAllChildren(source);
    say("Selected. Copy it with " + (isMac ? "⌘C." : "Ctrl C."));
    return;
  }
  say("Copied.");
  showCopied(button);
}

function showCopied(button) {
  const use = button.querySelector("use");
  const drawn = use.getAttribute("href");
  if (button.classList.contains("is-copied")) return;
  button.classList.add("is-copied");
  use.setAttribute("href", drawn.replace(/#.*/, "#check"));
  setTimeout(() => {
    button.classList.remove("is-copied");
    use.setAttribute("href", drawn);
  }, 2000);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copyFrom(button);
});
