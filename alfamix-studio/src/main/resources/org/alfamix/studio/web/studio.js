// Keys and clicks for the studio's pages. Whatever a key does, a button on the page does, too.

const card = () => document.querySelector("#card");
const cells = () => [...document.querySelectorAll(".cell input")];
const isTyping = element => element.matches("input:not([type=checkbox]):not([type=hidden]), textarea, select");

function openHelp() {
  document.querySelector("#help")?.showModal();
}

/** In the grid: how many cells there are in a row. */
function columns() {
  const all = cells().map(cell => cell.closest(".cell").offsetTop);
  return Math.max(1, all.filter(top => top === all[0]).length);
}

function move(by) {
  const all = cells();
  const at = all.indexOf(document.activeElement);
  all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]?.focus();
}

/** Selects every cell that the model thinks the same of as of the one that has the focus. */
function selectAlike() {
  const wanted = document.activeElement?.dataset?.predicted;
  if (wanted) cells().forEach(cell => { cell.checked = cell.dataset.predicted === wanted; });
}

const gridKeys = {
  ArrowLeft: () => move(-1),
  ArrowRight: () => move(1),
  ArrowUp: () => move(-columns()),
  ArrowDown: () => move(columns()),
  Enter: selectAlike,
  Escape: () => cells().forEach(cell => { cell.checked = false; }),
  " ": () => { const at = document.activeElement; if (at?.matches(".cell input")) at.checked = !at.checked; },
};

function press(key) {
  const name = key === " " ? "Space" : key.length === 1 ? key.toLowerCase() : key;
  const button = key === "Enter"
    ? card()?.querySelector("[data-confirm]")
    : card()?.querySelector(`[data-key="${CSS.escape(name)}"]`);
  if (!button) return false;
  const all = cells();
  if (button.name === "class" && all.length && !all.some(cell => cell.checked)) {
    const at = document.activeElement;
    if (at?.matches(".cell input")) at.checked = true;
  }
  button.click();
  return true;
}

// While an answer is on its way, keys count for nothing: they would be meant for what is on the screen, and
// answer what comes next, which nobody has seen yet.
const busy = is => { document.body.toggleAttribute("data-busy", is); };
document.addEventListener("htmx:beforeRequest", event => { if (event.target.closest("#card")) busy(true); });
for (const end of ["htmx:afterSettle", "htmx:responseError", "htmx:sendError", "htmx:sendAbort", "htmx:timeout"]) {
  document.addEventListener(end, () => busy(false));
}

// Forms are sent by htmx or not at all: in the moment before it has seen a form, the browser would.
document.addEventListener("submit", event => {
  if (event.target.hasAttribute("hx-post")) event.preventDefault();
});

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
  if (document.body.hasAttribute("data-busy")) {
    if ([" ", "Enter", "Backspace"].includes(event.key)) event.preventDefault();
    return;
  }
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "?") { openHelp(); return; }
  // Whoever goes from button to button presses them as everywhere.
  if (["Enter", " "].includes(event.key) && event.target.matches("button, a, summary, video")) return;
  if (cells().length && gridKeys[event.key]) {
    event.preventDefault();
    gridKeys[event.key]();
    return;
  }
  if (event.repeat) { if (event.key === " ") event.preventDefault(); return; }
  if (press(event.key)) event.preventDefault();
});

document.addEventListener("click", event => {
  if (event.target.closest("#help-button")) openHelp();
  const dot = event.target.closest(".map circle");
  if (dot) location.href = dot.closest(".map").dataset.items + dot.dataset.item;
});

// An answer for nothing is not sent.
document.addEventListener("htmx:confirm", event => {
  const all = cells();
  const answers = event.target.matches?.("form.answers");
  if (answers && all.length && !all.some(cell => cell.checked)) {
    event.preventDefault();
    tell(text("selectFirst"));
  }
});

// What has come is where the reader goes on.
document.addEventListener("htmx:afterSwap", event => {
  if (event.target.id !== "card" && !event.detail.elt?.matches?.("#card")) return;
  if (event.detail.requestConfig?.verb === "get") return; // it only looked whether there is more
  tell("");
  (cells()[0] ?? card())?.focus({preventScroll: true});
});

// Clips play over and over while they are on the screen; those that come next only load.
function playClips() {
  for (const video of document.querySelectorAll("#card video")) {
    video.muted = true;
    if (!video.closest(".ahead") && !matchMedia("(prefers-reduced-motion: reduce)").matches) video.play().catch(() => {});
  }
}
playClips();
document.addEventListener("htmx:afterSwap", playClips);

// Texts come with the page, in the language of the page.
const text = key => document.querySelector("#trouble")?.dataset[key] ?? "";

function tell(words) {
  const trouble = document.querySelector("#trouble");
  if (!trouble) return;
  trouble.textContent = words;
  trouble.hidden = !words;
}

document.addEventListener("htmx:responseError", event => {
  let words = text("failed");
  try { words = JSON.parse(event.detail.xhr.responseText).error; } catch { /* no JSON */ }
  tell(words);
});

// The answer stays on the page; the same key sends it again, under the same name, and it counts once.
document.addEventListener("htmx:sendError", () =>
  tell(text("unreachable")));
