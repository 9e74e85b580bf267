// Keyboard and mouse input of the studio's pages. Every key has a corresponding button on the page.

const card = () => document.querySelector("#card");
const cells = () => [...document.querySelectorAll(".cell input")];
const isTyping = element => element.matches("input:not([type=checkbox]):not([type=hidden]), textarea, select");

function openHelp() {
  document.querySelector("#help")?.showModal();
}

/** Returns the number of cells in a row of the grid. */
function columns() {
  const all = cells().map(cell => cell.closest(".cell").offsetTop);
  return Math.max(1, all.filter(top => top === all[0]).length);
}

function move(by) {
  const all = cells();
  const at = all.indexOf(document.activeElement);
  all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]?.focus();
}

/** Selects every cell with the same predicted class as the focused one. */
function selectSamePrediction() {
  const wanted = document.activeElement?.dataset?.predicted;
  if (wanted) cells().forEach(cell => { cell.checked = cell.dataset.predicted === wanted; });
}

const gridKeys = {
  ArrowLeft: () => move(-1),
  ArrowRight: () => move(1),
  ArrowUp: () => move(-columns()),
  ArrowDown: () => move(columns()),
  Enter: selectSamePrediction,
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

// Keys are ignored while an answer is being sent: they are meant for the current item but would answer the next one.
const setBusy = busy => { document.body.toggleAttribute("data-busy", busy); };
// Highlighted words arrive beside the answers, which never wait for them.
const isForHighlights = event => event.detail?.requestConfig?.path?.endsWith("/highlights");
document.addEventListener("htmx:beforeRequest", event => {
  if (event.target.closest("#card") && !isForHighlights(event)) setBusy(true);
});
for (const end of ["htmx:afterSettle", "htmx:responseError", "htmx:sendError", "htmx:sendAbort", "htmx:timeout"]) {
  document.addEventListener(end, event => { if (!isForHighlights(event)) setBusy(false); });
}

// Only htmx sends forms; before it has processed a form, the browser would submit it.
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
  // Focused controls keep the usual behaviour of Enter and Space.
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

// Rejects an answer without selected items.
document.addEventListener("htmx:confirm", event => {
  const all = cells();
  const answers = event.target.matches?.("form.answers");
  if (answers && all.length && !all.some(cell => cell.checked)) {
    event.preventDefault();
    showMessage(text("selectFirst"));
  }
});

// Moves the focus to new content.
document.addEventListener("htmx:afterSwap", event => {
  if (event.target.id !== "card" && !event.detail.elt?.matches?.("#card")) return;
  if (event.detail.requestConfig?.verb === "get") return; // a check for new items
  showMessage("");
  (cells()[0] ?? card())?.focus({preventScroll: true});
});

// Visible clips play in a loop; preloaded ones do not play.
function playClips() {
  for (const video of document.querySelectorAll("#card video")) {
    video.muted = true;
    if (!video.closest(".ahead") && !matchMedia("(prefers-reduced-motion: reduce)").matches) video.play().catch(() => {});
  }
}
playClips();
document.addEventListener("htmx:afterSwap", playClips);

// The page contains the texts, in its language.
const text = key => document.querySelector("#trouble")?.dataset[key] ?? "";

function showMessage(message) {
  const trouble = document.querySelector("#trouble");
  if (!trouble) return;
  trouble.textContent = message;
  trouble.hidden = !message;
}

document.addEventListener("htmx:responseError", event => {
  let message = text("failed");
  try { message = JSON.parse(event.detail.xhr.responseText).error; } catch { /* not JSON */ }
  showMessage(message);
});

// The answer remains on the page: the same key sends it again with the same identifier, so it counts once.
document.addEventListener("htmx:sendError", () =>
  showMessage(text("unreachable")));
