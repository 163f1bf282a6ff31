// ---- the sample browser ----
const PAGE = 50;

function startBrowser(frame) {
  const samples = new Samples(JSON.parse(document.getElementById(frame.dataset.source).textContent));
  const { data } = samples;
  samples.pictures = picturesOf(frame);
  const filters = [...data.filters];
  if (!filters.some((filter) => filter.key === "status") && samples.has("status")) filters.push({ key: "status", label: "Status" });
  const statusLabel = filters.find((filter) => filter.key === "status")?.label ?? "Status";
  const usable = filters.filter((filter) => samples.has(filter.key) && data.columns[filter.key].values.length > 1);
  const columns = data.shown.filter((column) => samples.has(column.key) && !["sample_id", "reply", "messages", "status", "output_tokens"].includes(column.key));
  const state = { chosen: new Map(), needle: "", page: 0, sort: null, rows: [], beside: false };

  const run = [...(frame.closest("article")?.querySelectorAll("h1, .model") ?? [])].map((part) => part.textContent).join(", ");
  const controls = make("div", { class: "controls", role: "search", "aria-label": `Filter samples: ${run}` });
  for (const filter of usable) {
    const select = make("select", { "data-filter": filter.key, onchange: () => {
      if (select.value === "") state.chosen.delete(filter.key); else state.chosen.set(filter.key, Number(select.value));
      refresh();
    } }, make("option", { value: "", text: "all" }));
    const order = Object.keys(filter.names ?? {});
    const rank = ({ value }) => (order.includes(value ?? "") ? order.indexOf(value ?? "") : order.length);
    data.columns[filter.key].values
      .map((value, place) => ({ value, place }))
      .sort((one, two) => rank(one) - rank(two) || compare(one.value ?? "", two.value ?? ""))
      .forEach(({ value, place }) => select.append(make("option", { value: String(place), text: spaced(value, filter).slice(0, 80) })));
    controls.append(make("label", {}, make("span", { text: filter.label }), select));
  }
  let timer = 0;
  const search = make("input", { type: "search", placeholder: "words in prompt, reply or reason", oninput: () => {
    clearTimeout(timer);
    timer = setTimeout(() => { state.needle = search.value.toLowerCase(); refresh(); }, 160);
  } });
  controls.append(make("label", { class: "wide" }, make("span", { text: "Search" }), search));

  const body = make("tbody");
  const heads = make("tr");
  const list = make("table", { class: "data list" }, make("caption", { class: "unseen", text: "Samples" }), make("thead", {}, heads), body);
  const layout = [{ key: "sample_id", label: "Sample" }, { key: "status", label: statusLabel }, ...columns, { key: "output_tokens", label: "Tokens", kind: "integer" }, { key: "reply", label: "Reply" }].filter((column) => samples.has(column.key));
  for (const column of layout) {
    const numeric = isNumeric(column);
    const head = make("th", { scope: "col", class: numeric ? "num" : "text" },
      make("button", { type: "button", onclick: () => sortBy(column, head, numeric) }, make("span", { text: column.label }), make("span", { class: "arrow", "aria-hidden": "true" })));
    heads.append(head);
  }
  const count = make("span", { role: "status", "aria-live": "polite", class: "count" });
  const back = make("button", { type: "button", class: "button", text: "Previous 50", onclick: () => { state.page -= 1; show(); } });
  const next = make("button", { type: "button", class: "button", text: "Next 50", onclick: () => { state.page += 1; show(); } });

  function isNumeric(column) { return column.kind !== undefined && column.kind !== "text"; }

  function sortBy(column, head, numeric) {
    const now = head.getAttribute("aria-sort");
    const descending = now === null ? numeric : now === "ascending";
    for (const other of heads.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    state.sort = { key: column.key, descending };
    refresh();
  }

  function refresh() {
    const found = state.needle === "" ? null : samples.search(state.needle);
    const chosen = [...state.chosen].map(([name, place]) => [data.columns[name].rows, place]);
    state.rows = [];
    for (let row = 0; row < data.rows; row += 1) {
      if ((found === null || found[row]) && chosen.every(([rows, place]) => rows[row] === place)) state.rows.push(row);
    }
    if (state.sort !== null) {
      const { key: name, descending } = state.sort;
      const order = data.columns[name].values.map((value, place) => ({ value, place }));
      order.sort((one, two) => {
        const empty = (entry) => entry.value === null || entry.value === "";
        if (empty(one) || empty(two)) return (descending ? -1 : 1) * (empty(one) - empty(two));
        return compare(one.value, two.value);
      });
      const rank = new Int32Array(order.length);
      order.forEach((entry, place) => { rank[entry.place] = place; });
      const places = data.columns[name].rows;
      state.rows.sort((one, two) => (descending ? -1 : 1) * (rank[places[one]] - rank[places[two]]) || one - two);
    }
    state.page = 0;
    show();
  }

  function show() {
    const start = state.page * PAGE;
    const rows = state.rows.slice(start, start + PAGE);
    body.replaceChildren(...rows.map((row, offset) => line(row, start + offset)));
    const total = state.rows.length.toLocaleString("en");
    count.textContent = rows.length === 0 ? "No sample fits." : `${(start + 1).toLocaleString("en")}–${(start + rows.length).toLocaleString("en")} of ${total} samples`;
    back.disabled = state.page === 0;
    next.disabled = start + PAGE >= state.rows.length;
  }

  function line(row, place) {
    const cells = layout.map((column) => {
      const value = samples.get(column.key, row);
      if (column.key === "sample_id") {
        const shown = samples.picture(row);
        return make("th", { scope: "row" }, data.picture.length === 0 ? null : make("span", { class: "shot mini" }, shown === null ? null : pictureOf(samples.pictures, shown, "")), make("button", { type: "button", class: "open", "aria-label": "Open " + value, text: samples.get("item", row) || value }));
      }
      if (column.key === "status" || column.key.endsWith("_status")) return make("td", {}, chip(value));
      if (column.key === "reply") return make("td", { class: "reply", dir: "auto", text: (value ?? "").slice(0, 90).replaceAll("\n", " ") || "–" });
      const text = isNumeric(column) ? String(words(value, column)) : spaced(value, column);
      return make("td", { class: isNumeric(column) ? "num" : text.length > 24 ? "long" : "text", text: text.length > 140 ? text.slice(0, 139) + "…" : text });
    });
    return make("tr", { onclick: () => open(place) }, ...cells);
  }

  // ---- one sample, or those that belong side by side ----
  const title = make("h3", { tabindex: "-1" });
  const inside = make("div", { class: "inside" });
  let current = 0;
  const earlier = make("button", { type: "button", class: "button", text: "Previous", onclick: () => step(-1) });
  const later = make("button", { type: "button", class: "button", text: "Next", onclick: () => step(1) });
  const both = samples.together.length === 0 ? null : make("button", { type: "button", class: "button both", "aria-pressed": "false", text: "Side by side", onclick: () => { state.beside = !state.beside; open(current, both); } });
  const dialog = make("dialog", { "aria-label": "Sample" },
    make("div", { class: "bar" }, title, both, earlier, later,
      make("button", { type: "button", class: "button export", text: "Export", onclick: () => download(state.rows[current]) }),
      make("button", { type: "button", class: "button", text: "Close", onclick: () => dialog.close() })),
    inside);
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("keydown", (event) => {
    if (event.target.closest("pre, .said, .columns")) return;
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  });

  // The next place in the list; side by side, the next that is not on the screen already.
  function placeAfter(by) {
    let place = current + by;
    if (state.beside && samples.together.length > 0) {
      const group = samples.group(state.rows[current]);
      while (state.rows[place] !== undefined && samples.group(state.rows[place]) === group) place += by;
    }
    return state.rows[place] === undefined ? null : place;
  }

  function step(by) {
    const place = placeAfter(by);
    if (place !== null) open(place);
  }

  function open(place, focused = title) {
    current = place;
    const row = state.rows[place];
    const rows = state.beside ? samples.beside(row) : [row];
    title.replaceChildren();
    write(title, samples.get("sample_id", row));
    earlier.disabled = placeAfter(-1) === null;
    later.disabled = placeAfter(1) === null;
    both?.setAttribute("aria-pressed", String(state.beside));
    dialog.classList.toggle("broad", rows.length > 1);
    if (rows.length > 1) inside.replaceChildren(...sideBySide(rows, row));
    else inside.replaceChildren(...(state.beside ? [make("p", { class: "note", text: "Nothing else of this item is in the run." })] : []), ...[...readingOf(samples, row, statusLabel, filters).values()].flat());
    inside.querySelectorAll(".table-frame").forEach(watchEdge);
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    focused.focus();
  }

  // What all of them share once, then a column a sample; blocks of one name begin at the same height.
  function sideBySide(rows, opened) {
    const shared = sharedBy(samples, rows, statusLabel, filters);
    const readings = rows.map((row) => readingOf(samples, row, statusLabel, filters, { facts: new Set(shared.facts.map(([label]) => label)), turns: shared.turns, picture: shared.picture }));
    const names = [...new Set(readings.flatMap((reading) => [...reading.keys()]))].filter((name) => readings.some((reading) => reading.get(name)?.length > 0));
    const order = ["facts", "picture", "dialogue", "reply", "reasoning", ...data.answers.map((answer) => answer.key)];
    const rank = (name) => (order.includes(name) ? order.indexOf(name) : name === "rest" ? 99 : order.length);
    names.sort((one, two) => rank(one) - rank(two));
    const columns = rows.map((row, place) => {
      const label = data.apart === null ? String(samples.get("sample_id", row)) : spaced(samples.get(data.apart.key, row), data.apart);
      const head = make("h4", { class: "column-head" }, make("span", { text: label }), row === opened ? make("span", { class: "tag", text: "opened" }) : null);
      const blocks = names.map((name) => make("div", { class: "block" }, ...(readings[place].get(name) ?? [])));
      const column = make("section", { class: "column", "aria-label": label }, head, ...blocks);
      column.style.gridRow = `span ${names.length + 1}`;
      return column;
    });
    const parts = [factList(shared.facts), ...(shared.picture ? pictureBlock(samples, opened) : [])];
    if (shared.turns > 0) parts.push(make("h4", { text: "The same in all of them" }), turnList(data.parts, samples.messages(opened).slice(0, shared.turns), markingsOf(samples, opened), "The same in all of them"));
    return [...parts, make("div", { class: "columns", role: "group", "aria-label": "Side by side", tabindex: rows.length > 2 ? "0" : null }, ...columns)];
  }

  // An answer elsewhere in the chapter opens its sample here, whatever is filtered.
  function openFromOutside() {
    const ids = data.columns.sample_id;
    frame.closest("article")?.addEventListener("click", (event) => {
      const wanted = event.target.closest("button[data-sample]")?.dataset.sample;
      const row = wanted === undefined ? -1 : ids.rows.indexOf(ids.values.indexOf(wanted));
      if (row < 0) return;
      for (const select of controls.querySelectorAll("select")) select.value = "";
      state.chosen.clear();
      state.needle = search.value = "";
      refresh();
      open(state.rows.indexOf(row));
    });
  }

  function download(row) {
    const text = JSON.stringify(reproduction(row), null, 2) + "\n";
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: String(samples.get("sample_id", row)).replace(/[^A-Za-z0-9._=-]+/g, "_").slice(0, 120) + ".json" });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  // Enough to send the sample again and to check the reply again, and nothing more.
  function reproduction(row) {
    const get = (name) => samples.get(name, row) ?? null;
    const reply = get("reply") ?? "";
    const verdict = {};
    const declared = [...data.answers.flatMap((answer) => [answer.key, answer.status]), ...data.checklists.map((list) => list.done), ...data.choices.map((choice) => choice.chosen), ...data.markings.map((marking) => marking.key)];
    for (const name of ["status", "raw_pass", "reason", "strict", "loose", "strict_repaired", "loose_repaired", "task_status", "task_paper", "task_repaired", "task_gold", "task_found", "mechanism", ...declared]) if (samples.has(name)) verdict[name] = get(name);
    const checker = samples.has("instruction_types") ? { instruction_id_list: get("instruction_types"), kwargs: parsed(get("kwargs")) } : null;
    const messages = samples.messages(row).map(({ role, content, part, live }) => ({ role, content, ...(part ? { part } : {}), ...(live ? { live } : {}) }));
    return { format: "forgetscope-sample-1", ...data.run, sample_id: get("sample_id"), seed: get("seed"), messages, checker, reply, reply_is_cut: [...reply].length < (get("reply_length") ?? 0), finish_reason: get("finish_reason"), verdict };
  }

  frame.replaceChildren(controls, watchEdge(make("div", { class: "table-frame", role: "group", tabindex: "0", "aria-label": "Samples" }, list)), make("div", { class: "pager" }, back, next, count), dialog);
  refresh();
  openFromOutside();
  frame.dataset.ready = "true";
}

// The page is painted first; large tables of samples are read after that.
requestAnimationFrame(() => setTimeout(() => document.querySelectorAll(".browser").forEach(startBrowser), 0));
