// Keys for the labelling view: every button that has a key is pressed by it.
const name = event => event.key === " " ? "Space" : event.key;

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.matches("input:not([type=hidden]), textarea, select")) return;
  if (event.key === "?") {
    document.querySelector("#help")?.showModal?.();
    return;
  }
  const wanted = name(event);
  const button = wanted === "Enter" && !event.target.matches("button, a")
    ? document.querySelector("#card [data-confirm]")
    : document.querySelector(`#card [data-key="${CSS.escape(wanted)}"]`);
  if (!button) return;
  event.preventDefault();
  if (!event.repeat) button.click();
});

// A card that has come is where the reader goes on.
document.addEventListener("htmx:afterSwap", event => {
  document.querySelector("#card")?.setAttribute("tabindex", "-1");
  document.querySelector("#card")?.focus({preventScroll: true});
});

document.addEventListener("htmx:responseError", event => {
  const said = document.querySelector(".said");
  if (said) said.textContent = JSON.parse(event.detail.xhr.responseText).error;
});
