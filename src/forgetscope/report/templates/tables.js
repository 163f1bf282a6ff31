// ---- tables that sort ----
function sortKey(row, column) {
  const text = row.cells[column].dataset.sort ?? "";
  if (text === "") return null;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

function sortTable(table, column, head) {
  const numeric = head.classList.contains("num");
  const now = head.getAttribute("aria-sort");
  const descending = now === null ? numeric : now === "ascending";
  for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row, place) => ({ row, place, key: sortKey(row, column) }));
  rows.sort((one, two) => {
    if (one.key === null || two.key === null) return (one.key === null) - (two.key === null) || one.place - two.place;
    return (descending ? -1 : 1) * compare(one.key, two.key) || one.place - two.place;
  });
  body.append(...rows.map((entry) => entry.row));
}

for (const table of document.querySelectorAll("table.data")) {
  for (const button of table.querySelectorAll("thead button")) {
    const head = button.closest("th");
    button.addEventListener("click", () => sortTable(table, head.cellIndex, head));
  }
}

// ---- wide tables fade at the edge where there is more; only those that scroll are a stop for the keyboard ----
const edges = new ResizeObserver((entries) => entries.forEach((entry) => fade(entry.target.closest(".table-frame, .chart-frame"))));
function fade(frame) {
  if (frame.scrollWidth > frame.clientWidth + 2) frame.setAttribute("tabindex", "0"); else frame.removeAttribute("tabindex");
  frame.toggleAttribute("data-more", frame.scrollLeft + frame.clientWidth < frame.scrollWidth - 2);
}
function watchEdge(frame) {
  edges.observe(frame);
  for (const child of frame.children) edges.observe(child);
  frame.addEventListener("scroll", () => fade(frame), { passive: true });
  return frame;
}
document.querySelectorAll(".table-frame, .chart-frame").forEach(watchEdge);

// ---- where we are in the contents ----
const links = [...document.querySelectorAll(".contents a")];
const placeOf = (link) => { const place = document.getElementById(link.hash.slice(1)); return place?.closest(".headed") ?? place; };
const linkOf = new Map(links.map((link) => [placeOf(link), link]));
const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    for (const link of links) link.removeAttribute("aria-current");
    linkOf.get(entry.target).setAttribute("aria-current", "true");
  }
}, { rootMargin: "0px 0px -75% 0px" });
for (const place of linkOf.keys()) if (place !== null) watcher.observe(place);

// ---- what is folded opens for a link into it (also in browsers that do not by themselves), for print, and all at once ----
function follow() {
  const place = document.getElementById(location.hash.slice(1));
  for (let fold = place?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  place?.scrollIntoView();
}
window.addEventListener("hashchange", follow);
if (location.hash !== "") follow();
const folds = [...document.querySelectorAll(".headed, .words, .fold:not(.case)")];
let opened = [];
window.addEventListener("beforeprint", () => { opened = folds.filter((fold) => !fold.open); opened.forEach((fold) => { fold.open = true; }); });
window.addEventListener("afterprint", () => opened.forEach((fold) => { fold.open = false; }));
const parts = folds.filter((fold) => fold.matches(".headed"));
const all = make("button", { type: "button", class: "button", text: "Open all parts", onclick: () => {
  const open = parts.some((part) => !part.open);
  parts.forEach((part) => { part.open = open; });
} });
document.querySelector(".contents").append(all);
const named = () => { all.textContent = parts.some((part) => !part.open) ? "Open all parts" : "Close all parts"; };
parts.forEach((part) => part.addEventListener("toggle", named));
