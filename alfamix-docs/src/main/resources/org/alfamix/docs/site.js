// Search, theme, menu and copy buttons. Pages also work without any of it.
const root = document.documentElement;
const up = document.body.dataset.up;

// The theme: that of the system, unless the reader has chosen one.
const stored = () => { try { return localStorage.getItem("alfamix-theme"); } catch { return null; } };
if (stored()) root.dataset.theme = stored();
document.getElementById("theme").addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("alfamix-theme", root.dataset.theme); } catch { /* private window */ }
});

const menu = document.getElementById("menu");
menu.addEventListener("click", () => {
  const open = document.getElementById("navigation").classList.toggle("open");
  menu.setAttribute("aria-expanded", open);
});

for (const table of document.querySelectorAll("main table")) {
  const box = document.createElement("div");
  box.className = "table";
  table.replaceWith(box);
  box.append(table);
}
for (const pre of document.querySelectorAll("main pre")) {
  const box = document.createElement("div");
  box.className = "code";
  pre.replaceWith(box);
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(pre.textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  box.append(pre, button);
}
for (const heading of document.querySelectorAll("main :is(h2, h3, h4)[id]")) {
  const link = document.createElement("a");
  link.className = "anchor";
  link.href = "#" + heading.id;
  link.textContent = "#";
  link.setAttribute("aria-label", "Link to this section");
  heading.append(link);
}

// Search: every word must occur; titles count more than headings, and headings more than text.
const input = document.getElementById("search");
const results = document.getElementById("results");
const MOST = 12;
const index = (window.searchIndex || []).map(each => ({
  ...each, lowPage: each.page.toLowerCase(), lowHeading: each.heading.toLowerCase(), lowText: each.text.toLowerCase(),
}));

function score(entry, words) {
  let sum = 0;
  for (const word of words) {
    const whole = new RegExp("(^|[^\\p{L}\\p{N}])" + word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "u");
    let best = 0;
    if (entry.lowText.includes(word)) best = whole.test(entry.lowText) ? 2 : 1;
    if (entry.lowPage.includes(word)) best = Math.max(best, whole.test(entry.lowPage) ? 8 : 3);
    if (entry.lowHeading.includes(word)) best = Math.max(best, whole.test(entry.lowHeading) ? 12 : 4);
    if (entry.lowHeading === word) best = 20;
    if (best === 0) return 0;
    sum += best;
  }
  return sum;
}

function highlighted(text, words) {
  const box = document.createElement("span");
  const pattern = new RegExp("(" + words.map(w => w.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|") + ")", "gi");
  text.split(pattern).forEach((part, i) => {
    if (i % 2) {
      const mark = document.createElement("mark");
      mark.textContent = part;
      box.append(mark);
    } else {
      box.append(part);
    }
  });
  return box;
}

function excerpt(entry, words) {
  const at = Math.max(0, Math.min(...words.map(w => entry.lowText.indexOf(w)).filter(i => i >= 0)) - 40);
  const from = Number.isFinite(at) ? at : 0;
  return (from > 0 ? "…" : "") + entry.text.slice(from, from + 140) + (entry.text.length > from + 140 ? "…" : "");
}

function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  results.replaceChildren();
  results.hidden = words.length === 0;
  input.setAttribute("aria-expanded", !results.hidden);
  if (results.hidden) return;
  const found = index.map(entry => [score(entry, words), entry]).filter(([s]) => s > 0)
    .sort((a, b) => b[0] - a[0]).slice(0, MOST);
  if (found.length === 0) {
    const none = document.createElement("li");
    none.className = "none";
    none.textContent = "No results.";
    results.append(none);
  }
  found.forEach(([, entry], i) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = up + entry.address;
    link.setAttribute("role", "option");
    link.setAttribute("aria-selected", i === 0);
    const title = document.createElement("strong");
    title.append(highlighted(entry.heading === entry.page ? entry.page : entry.page + " › " + entry.heading, words));
    const small = document.createElement("small");
    small.append(highlighted(excerpt(entry, words), words));
    link.append(title, small);
    item.append(link);
    results.append(item);
  });
}

function move(step) {
  const links = [...results.querySelectorAll("a")];
  if (links.length === 0) return;
  const at = links.findIndex(link => link.getAttribute("aria-selected") === "true");
  const next = (at + step + links.length) % links.length;
  links.forEach((link, i) => link.setAttribute("aria-selected", i === next));
  links[next].scrollIntoView({block: "nearest"});
}

input.addEventListener("input", search);
input.addEventListener("keydown", event => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    move(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter") {
    results.querySelector('a[aria-selected="true"]')?.click();
  } else if (event.key === "Escape") {
    input.value = "";
    search();
    input.blur();
  }
});
results.addEventListener("click", () => { results.hidden = true; });
document.addEventListener("click", event => {
  if (!event.target.closest(".search")) results.hidden = true;
});
document.addEventListener("keydown", event => {
  if (event.key === "/" && !["INPUT", "TEXTAREA", "SELECT"].includes(document.activeElement.tagName)) {
    event.preventDefault();
    input.focus();
  }
});
