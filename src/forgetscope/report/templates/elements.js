// Elements are made here and filled with text only: nothing from the data is ever parsed as markup.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

function make(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name === "text") write(element, value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

// Text with its unseen characters spelled out.
function write(element, value) {
  const text = String(value);
  let done = 0;
  for (const match of text.matchAll(UNSEEN)) {
    element.append(text.slice(done, match.index));
    const sign = document.createElement("span");
    sign.className = "unseen-char";
    sign.textContent = "U+" + match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    element.append(sign);
    done = match.index + match[0].length;
  }
  element.append(text.slice(done));
  return element;
}

// Numbers by size, texts by their beginnings; one collator serves twenty thousand of them in a moment.
const collator = new Intl.Collator("en", { numeric: true });
function compare(one, two) {
  if (typeof one === "number" && typeof two === "number") return one - two;
  return collator.compare(String(one).slice(0, 120), String(two).slice(0, 120));
}

// A value as a person reads it; `column` may say how it is written, or what its values are called.
function words(value, column = {}) {
  const { kind, names = {} } = column;
  const name = names[value ?? ""];
  if (name !== undefined) return name;
  if (value === null || value === undefined || value === "") return "–";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) return value.map((entry) => words(entry, column)).join(", ") || "–";
  if (typeof value === "number") {
    if (kind === "percent") return (100 * value).toFixed(1) + "%";
    if (kind === "points") return (100 * value).toFixed(1);
    if (Number.isInteger(value)) return value.toLocaleString("en");
    return value.toFixed(2);
  }
  return value;
}

// The same for a column of a few fixed values, which are written with underscores.
function spaced(value, column) {
  const text = String(words(value, column));
  return /^[a-z0-9]+(_[a-z0-9]+)+$/.test(text) ? text.replaceAll("_", " ") : text;
}

function chip(status) {
  if (!status) return make("span", { text: "–" });
  const known = /^[a-z_]+$/.test(status);
  return make("span", { class: "chip" },
    make("span", { class: "dot" + (known ? " bar-" + status : ""), "aria-hidden": "true" }),
    make("span", { text: status.replaceAll("_", " ") }));
}

function small(heads, rows, label) {
  return make("div", { class: "table-frame" }, make("table", { class: "data" },
    label === undefined ? null : make("caption", { class: "unseen", text: label }),
    make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col", text })))), make("tbody", {}, ...rows)));
}

function clip(text) {
  const value = String(text);
  return value.length > 400 ? value.slice(0, 399) + "…" : value;
}

function parsed(text) {
  if (typeof text !== "string") return text ?? null;
  try { return JSON.parse(text); } catch (error) { if (error instanceof SyntaxError) return text; throw error; }
}
