"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { replies } = data;
  const at = (id) => document.getElementById(id);
  const store = `forgetscope-annotation/${data.study}/${data.annotator}`;
  const given = new Map();
  const known = new Set(replies.map((reply) => reply.key));
  let current = 0;
  let unsaved = 0;

  // Elements are made here and filled with text only: nothing from the data is ever parsed as markup.
  function make(tag, options = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(options)) {
      if (name === "text") element.textContent = value;
      else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  function tell(words) { at("told").textContent = words; }
  function judged() { return replies.filter((reply) => given.get(reply.key)?.judgement).length; }
  function entry(key) { return given.get(key) ?? { judgement: null, comment: "" }; }

  // ---- what was entered ----
  function content() {
    const judgements = replies.map(({ key }) => ({ key, ...entry(key) }));
    return { format: data.format, version: data.version, study: data.study, seed: data.seed, annotator: data.annotator, saved: new Date().toISOString(), judgements };
  }

  function keep() {
    try { localStorage.setItem(store, JSON.stringify(content())); return true; } catch (error) {
      tell(`This browser does not keep what you enter (${error.name}): save to a file before you close the page.`);
      return false;
    }
  }

  // Takes over the judgements of a stored text. Returns how many, or says what is wrong with it.
  function take(text) {
    let held;
    try { held = JSON.parse(text); } catch (error) { if (error instanceof SyntaxError) return "it is not JSON"; throw error; }
    if (held === null || typeof held !== "object" || held.format !== data.format || !Array.isArray(held.judgements)) return "it is not an annotation";
    if (held.study !== data.study) return "it is of another study";
    if (held.annotator !== data.annotator) return `it is by annotator ${Number(held.annotator)}`;
    let taken = 0;
    for (const one of held.judgements) {
      if (!known.has(one?.key)) continue;
      const judgement = data.answers.includes(one.judgement) ? one.judgement : null;
      const comment = typeof one.comment === "string" ? one.comment : "";
      if (judgement === null && comment === "") continue;
      given.set(one.key, { judgement, comment });
      if (judgement !== null) taken += 1;
    }
    return taken;
  }

  function enter(change) {
    const { key } = replies[current];
    given.set(key, { ...entry(key), ...change });
    unsaved += 1;
    if (keep()) tell("");
    count();
  }

  function count() {
    const done = judged();
    at("bar").value = done;
    at("count").textContent = `${done} of ${replies.length} judged` + (unsaved > 0 ? ", not all saved to a file" : "");
    at("undone").disabled = done === replies.length;
  }

  // ---- what is shown ----
  function show(place, focus = true) {
    current = Math.min(Math.max(place, 0), replies.length - 1);
    const reply = replies[current];
    at("number").textContent = `Reply ${current + 1} of ${replies.length}`;
    at("jump").value = String(current + 1);
    at("turns").replaceChildren(...reply.turns.map(([role, text], index) => make("div", { class: `turn ${/^[a-z]+$/.test(role) ? role : "note"}${index === reply.turns.length - 1 ? " last" : ""}` },
      make("p", { class: "role", text: role === "note" ? "" : index === reply.turns.length - 1 ? `${role}, last message` : role }),
      make("div", { class: "text", dir: "auto", text }))));
    at("reply").textContent = reply.reply;
    at("question").textContent = reply.question;
    at("guidance").textContent = reply.guidance;
    at("points").replaceChildren(...reply.points.flatMap(([heading, lines]) => [make("h3", { text: heading }), make("ol", {}, ...lines.map((text) => make("li", { text })))]));
    const { judgement, comment } = entry(reply.key);
    for (const input of document.querySelectorAll("#choices input")) input.checked = input.value === judgement;
    at("comment").value = comment;
    at("previous").disabled = current === 0;
    at("next").disabled = current === replies.length - 1;
    for (const part of document.querySelectorAll(".dialogue, .read")) part.scrollTop = 0;
    count();
    more();
    if (focus) {
      at("number").focus({ preventScroll: true });
      const top = document.querySelector("main").offsetTop;
      if (window.scrollY > top) window.scrollTo(0, top);
    }
  }

  // Criteria below the edge are easily missed.
  const read = document.querySelector(".read");
  function more() { at("more").hidden = read.scrollHeight - read.scrollTop - read.clientHeight < 8; }
  read.addEventListener("scroll", more, { passive: true });
  new ResizeObserver(more).observe(read);

  function toUndone() {
    for (let step = 1; step <= replies.length; step += 1) {
      const place = (current + step) % replies.length;
      if (!entry(replies[place].key).judgement) { show(place); return; }
    }
  }

  at("choices").append(...data.answers.map((answer, index) => make("label", { class: "choice" },
    make("input", { type: "radio", name: "judgement", value: answer, onchange: () => enter({ judgement: answer }) }),
    make("span", { text: answer }), make("kbd", { text: String(index + 1), "aria-hidden": "true" }))));
  at("comment").addEventListener("input", () => enter({ comment: at("comment").value }));
  at("previous").addEventListener("click", () => show(current - 1));
  at("next").addEventListener("click", () => show(current + 1));
  at("undone").addEventListener("click", toUndone);
  at("jump").addEventListener("change", () => { if (at("jump").valueAsNumber >= 1) show(at("jump").valueAsNumber - 1); });
  at("keys").addEventListener("change", () => tell(at("keys").checked ? "Keys are on." : "Keys are off."));

  document.addEventListener("keydown", (event) => {
    if (event.target === at("comment") && event.key === "Escape") { at("number").focus({ preventScroll: true }); return; }
    if (!at("keys").checked || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("textarea, button, summary, a, label.button, input:not([type=radio])")) return;
    const answer = data.answers[Number(event.key) - 1];
    const act = { n: () => show(current + 1), Enter: () => show(current + 1), p: () => show(current - 1), u: toUndone, c: () => at("comment").focus() }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (answer !== undefined) document.querySelectorAll("#choices input")[Number(event.key) - 1].click();
    else if (act !== undefined) act();
    else return;
    event.preventDefault();
  });

  // ---- files ----
  at("save").addEventListener("click", () => {
    const link = make("a", { href: URL.createObjectURL(new Blob([JSON.stringify(content(), null, 2) + "\n"], { type: "application/json" })), download: `annotator-${data.annotator}.json` });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    unsaved = 0;
    count();
    const open = replies.length - judged();
    tell(open === 0 ? "Saved; all replies are judged. Please send the file back." : `Saved; ${open} are still to be judged.`);
  });
  at("load").addEventListener("change", async () => {
    const [file] = at("load").files;
    if (file === undefined) return;
    const taken = take(await file.text());
    at("load").value = "";
    if (typeof taken === "string") { tell(`Nothing was loaded from ${file.name}: ${taken}.`); return; }
    if (keep()) tell(`${taken} judgements loaded from ${file.name}.`);
    show(current);
  });

  let stored = null;
  try { stored = localStorage.getItem(store); } catch (error) { tell(`This browser does not keep what you enter (${error.name}): save to a file before you close the page.`); }
  if (stored !== null) {
    const taken = take(stored);
    if (typeof taken === "number" && taken > 0) {
      tell(`${taken} judgements are back from this browser.`);
      at("help").open = false;
      unsaved = taken;
    }
  }
  const first = replies.findIndex((reply) => !entry(reply.key).judgement);
  show(Math.max(first, 0), false);
  document.body.dataset.ready = "true";
})();
