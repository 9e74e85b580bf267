// Saves a figure as SVG with the colours of the page, or its data as CSV.
const drawn = {fill: "", "fill-opacity": "1", stroke: "none", "stroke-width": "1px", "stroke-linecap": "butt", "stroke-linejoin": "miter", opacity: "1"};

function standalone(svg) {
  const copy = svg.cloneNode(true);
  const from = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, i) => {
    if (element.tagName === "title") return;
    const style = getComputedStyle(from[i]);
    const own = Object.keys(drawn).filter(name => style.getPropertyValue(name) !== drawn[name]);
    if (element.tagName === "text") own.push("font-family", "font-size");
    element.setAttribute("style", own.map(name => `${name}:${style.getPropertyValue(name)}`).join(";"));
    element.removeAttribute("class");
  });
  const [, , width, height] = svg.getAttribute("viewBox").split(" ");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  copy.setAttribute("style", `background:${getComputedStyle(document.body).backgroundColor}`);
  return new XMLSerializer().serializeToString(copy);
}

function save(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

document.addEventListener("click", event => {
  const kind = event.target.dataset?.get;
  if (!kind) return;
  const figure = event.target.closest("figure");
  if (kind === "svg") {
    save(`${figure.dataset.name}.svg`, "image/svg+xml", standalone(figure.querySelector("svg")));
  } else {
    save(`${figure.dataset.name}.csv`, "text/csv", figure.querySelector("pre").textContent);
  }
});
