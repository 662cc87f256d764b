// Light, dark or as the system: kept in this browser, applied before the first
// paint. It stands alone in the head, so it stays tiny; it also tells the
// stylesheet that scripts run.
(() => {
  "use strict";
  const root = document.documentElement;
  root.setAttribute("data-js", "");

  const stored = () => {
    try {
      return localStorage.getItem("theme") ?? "system";
    } catch {
      return "system"; // storage is refused: follow the system
    }
  };

  const apply = () => {
    const theme = stored();
    if (theme === "light" || theme === "dark") root.setAttribute("data-theme", theme);
    else root.removeAttribute("data-theme");
    for (const input of document.querySelectorAll("input[name=theme]")) input.checked = input.value === theme;
  };

  document.addEventListener("change", (event) => {
    if (!event.target.matches("input[name=theme]")) return;
    try {
      localStorage.setItem("theme", event.target.value);
    } catch {
      return;
    }
    apply();
  });
  addEventListener("storage", (event) => event.key === "theme" && apply());
  addEventListener("pageshow", apply);
  document.addEventListener("DOMContentLoaded", apply);
  document.addEventListener("htmx:after:swap", apply);
  apply();
})();
