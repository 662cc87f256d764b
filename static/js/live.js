// The one stream of this tab. The server says which topics changed and at which
// position of its log; this dispatches "live:<topic>" on the body, and regions
// fetch themselves again by hx-trigger="live:tools from:body". (htmx reads an
// event's name up to the first blank, and only "[" begins a filter, so topics
// such as item:ENG-412 are names like any other.)
const liveJitter = 300; // ms
const retryFirst = 500; // ms, doubled by every failure
const retryMost = 30000; // ms

let stream = null;
let streamTopics = "";
let retryTimer = 0;
let failures = 0;
let signedOut = false;

// livePosition is where this tab stands in the log: the page's as_of first, the
// last event's position after. It is the next stream's since.
let livePosition = null;

const accounted = new WeakSet(); // elements whose data-as-of was taken in
const topicTimers = new Map();

function pageTopics() {
  const all = [...document.querySelectorAll("[data-live-topics]")];
  return [...new Set(all.flatMap((e) => e.getAttribute("data-live-topics").split(/\s+/)))].filter(Boolean).sort();
}

// takePositions goes back to the oldest drawing that newly came in: what
// happened between it and now has to be heard again.
function takePositions() {
  for (const element of document.querySelectorAll("[data-as-of]")) {
    if (accounted.has(element)) continue;
    accounted.add(element);
    const asOf = Number(element.getAttribute("data-as-of"));
    if (asOf > 0) livePosition = Math.min(livePosition ?? asOf, asOf);
  }
}

function openStream() {
  closeStream();
  const topics = pageTopics();
  streamTopics = topics.join(",");
  if (!streamTopics || document.hidden || signedOut) return;
  const query = new URLSearchParams({ topics: streamTopics });
  if (livePosition !== null) query.set("since", livePosition);
  stream = new EventSource("/live?" + query);
  stream.addEventListener("open", () => (failures = 0));
  stream.addEventListener("change", hear);
  stream.addEventListener("resync", hear);
  // Never the browser's own retry: it waits the same three seconds in every tab.
  stream.addEventListener("error", () => retryStream());
}

function closeStream() {
  clearTimeout(retryTimer);
  stream?.close();
  stream = null;
}

function retryStream() {
  closeStream();
  const wait = Math.min(retryFirst * 2 ** failures++, retryMost);
  retryTimer = setTimeout(reviveStream, wait * (0.5 + Math.random()));
}

// An EventSource does not tell its status, so another request asks first
// whether this browser is still signed in.
async function reviveStream() {
  if (document.hidden) return; // shown again, it opens at once
  let answer;
  try {
    answer = await fetch("/viewer", { headers: { Accept: "application/json" }, cache: "no-store" });
  } catch {
    return retryStream();
  }
  if (answer.status === 401) return offerSignIn();
  openStream();
}

// hear takes one event. A resync names no topics: all of them may have changed.
function hear(event) {
  const { topics = pageTopics(), position } = JSON.parse(event.data);
  livePosition = Math.max(livePosition ?? 0, position);
  for (const topic of topics) {
    if (topicTimers.has(topic)) continue; // told soon, with the newest position
    // Topics of one thing have few readers; those without an object have all
    // tabs of the company, which must not ask in the same instant.
    const wait = topic.includes(":") ? 0 : Math.random() * liveJitter;
    topicTimers.set(topic, setTimeout(() => tell(topic), wait));
  }
}

function tell(topic) {
  topicTimers.delete(topic);
  const detail = { topic, position: livePosition };
  document.body.dispatchEvent(new CustomEvent("live:" + topic, { detail }));
}

function offerSignIn() {
  signedOut = true;
  closeStream();
  const box = document.createElement("div");
  box.className = "signed-out";
  box.setAttribute("role", "status");
  box.textContent = "You are signed out. What you typed is kept. ";
  const link = document.createElement("a");
  link.href = "/sign-in";
  link.textContent = "Sign in";
  box.append(link);
  document.body.append(box);
}

function followPage() {
  const before = livePosition;
  takePositions();
  if (pageTopics().join(",") !== streamTopics || livePosition !== before) openStream();
}

document.addEventListener("visibilitychange", () => (document.hidden ? closeStream() : openStream()));
addEventListener("pagehide", closeStream);
addEventListener("pageshow", (event) => event.persisted && openStream());
document.addEventListener("htmx:after:swap", followPage);
followPage();
