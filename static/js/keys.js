// Keys: Ctrl or ⌘ K for the palette, ? for help, g and a letter to go, Ctrl or
// ⌘ Enter to send a form. Plain letters are ignored while somebody types.
const goWithin = 1200; // ms between g and its letter
let goUntil = 0;

const isMac = /mac|iphone|ipad/i.test(navigator.userAgentData?.platform ?? navigator.platform);

function nameKeys() {
  for (const key of document.querySelectorAll("[data-mod-key]")) {
    const name = key.getAttribute("data-mod-key");
    key.textContent = isMac ? "⌘" + name : "Ctrl " + name;
  }
}

function typing(element) {
  return element.isContentEditable || element.matches("input:not([type=checkbox], [type=radio]), textarea, select");
}

function modifiedKey(event) {
  if (event.key.toLowerCase() === "k" && !event.shiftKey && !event.altKey) {
    event.preventDefault();
    openPalette();
  } else if (event.key === "Enter" && event.target.form?.getAttribute("method") === "post") {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
}

function plainKey(event) {
  if (event.key === "?") {
    event.preventDefault();
    return openKeys();
  }
  if (event.timeStamp < goUntil) {
    goUntil = 0;
    const key = CSS.escape(event.key.toLowerCase());
    return document.querySelector(`#nav [data-go="${key}"]`)?.click();
  }
  if (event.key === "g") goUntil = event.timeStamp + goWithin;
  else if (workKeys[event.key]?.()) event.preventDefault();
}

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.defaultPrevented) return;
  if (event.ctrlKey || event.metaKey) return modifiedKey(event);
  if (event.altKey || typing(event.target) || document.querySelector("dialog[open]")) return;
  plainKey(event);
});
document.addEventListener("htmx:after:swap", nameKeys);
nameKeys();
