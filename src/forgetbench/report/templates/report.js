"use strict";
(() => {
  const PAGE = 50;
  const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

  // Elements are made here and filled with text only: nothing from the data is ever parsed as markup.
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

  function compare(one, two) {
    if (typeof one === "number" && typeof two === "number") return one - two;
    return String(one).localeCompare(String(two), "en", { numeric: true });
  }

  // ---- tables that sort ----
  function key(row, column) {
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
    const rows = [...body.rows].map((row, place) => ({ row, place, key: key(row, column) }));
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
  const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(entry.target.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "0px 0px -75% 0px" });
  for (const section of document.querySelectorAll("article[id], section[id]")) if (links.has(section.id)) watcher.observe(section);

  // ---- the sample browser ----
  function words(value, kind) {
    if (value === null || value === undefined || value === "") return "–";
    if (value === true) return "yes";
    if (value === false) return "no";
    if (Array.isArray(value)) return value.map((entry) => words(entry, kind)).join(", ") || "–";
    if (typeof value === "number") {
      if (kind === "percent") return (100 * value).toFixed(1) + "%";
      if (kind === "points") return (100 * value).toFixed(1);
      if (Number.isInteger(value)) return value.toLocaleString("en");
      return value.toFixed(2);
    }
    return value;
  }

  function chip(status) {
    if (!status) return make("span", { text: "–" });
    const known = /^[a-z_]+$/.test(status);
    return make("span", { class: "chip" },
      make("span", { class: "dot" + (known ? " bar-" + status : ""), "aria-hidden": "true" }),
      make("span", { text: status.replaceAll("_", " ") }));
  }

  class Samples {
    constructor(data) {
      this.data = data;
      this.lower = new Map();
    }
    has(name) { return name in this.data.columns; }
    get(name, row) {
      const column = this.data.columns[name];
      return column === undefined ? undefined : column.values[column.rows[row]];
    }
    messages(row) {
      const list = this.get("messages", row) ?? [];
      return list.map(([role, parts]) => ({ role, content: parts.map((part) => this.data.paragraphs[part]).join("\n\n") }));
    }
    // Rows whose id, texts, reasons or prompt paragraphs hold the words.
    search(needle) {
      const found = new Uint8Array(this.data.rows);
      for (const name of ["sample_id", "reply", "reason", "evidence", "error", "mechanism"]) {
        const column = this.data.columns[name];
        if (column === undefined) continue;
        const hits = column.values.map((value) => typeof value === "string" && value.toLowerCase().includes(needle));
        column.rows.forEach((place, row) => { if (hits[place]) found[row] = 1; });
      }
      const messages = this.data.columns.messages;
      if (messages !== undefined) {
        const hits = this.data.paragraphs.map((text) => text.toLowerCase().includes(needle));
        const rows = messages.values.map((list) => list.some(([, parts]) => parts.some((part) => hits[part])));
        messages.rows.forEach((place, row) => { if (rows[place]) found[row] = 1; });
      }
      return found;
    }
  }

  function startBrowser(frame) {
    const samples = new Samples(JSON.parse(document.getElementById(frame.dataset.source).textContent));
    const { data } = samples;
    const filters = [...data.filters];
    if (!filters.some((filter) => filter.key === "status") && samples.has("status")) filters.push({ key: "status", label: "Status" });
    const statusLabel = filters.find((filter) => filter.key === "status")?.label ?? "Status";
    const usable = filters.filter((filter) => samples.has(filter.key) && data.columns[filter.key].values.length > 1);
    const columns = data.shown.filter((column) => samples.has(column.key) && !["sample_id", "reply", "messages", "status", "output_tokens"].includes(column.key));
    const state = { chosen: new Map(), needle: "", page: 0, sort: null, rows: [] };

    const controls = make("div", { class: "controls", role: "search", "aria-label": "Filter samples" });
    for (const filter of usable) {
      const select = make("select", { "data-filter": filter.key, onchange: () => {
        if (select.value === "") state.chosen.delete(filter.key); else state.chosen.set(filter.key, Number(select.value));
        refresh();
      } }, make("option", { value: "", text: "all" }));
      data.columns[filter.key].values
        .map((value, place) => ({ value, place }))
        .sort((one, two) => compare(words(one.value), words(two.value)))
        .forEach(({ value, place }) => select.append(make("option", { value: String(place), text: String(words(value)).replaceAll("_", " ").slice(0, 80) })));
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
      const numeric = column.kind !== undefined && column.kind !== "text";
      const head = make("th", { scope: "col", class: numeric ? "num" : "text" },
        make("button", { type: "button", onclick: () => sortBy(column, head, numeric) }, make("span", { text: column.label }), make("span", { class: "arrow", "aria-hidden": "true" })));
      heads.append(head);
    }
    const count = make("span", { role: "status", "aria-live": "polite", class: "count" });
    const back = make("button", { type: "button", class: "button", text: "Previous 50", onclick: () => { state.page -= 1; show(); } });
    const next = make("button", { type: "button", class: "button", text: "Next 50", onclick: () => { state.page += 1; show(); } });

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
          return make("th", { scope: "row" }, make("button", { type: "button", class: "open", "aria-label": "Open " + value, text: samples.get("item", row) || value }));
        }
        if (column.key === "status" || column.key.endsWith("_status")) return make("td", {}, chip(value));
        if (column.key === "reply") return make("td", { class: "reply", dir: "auto", text: (value ?? "").slice(0, 90).replaceAll("\n", " ") || "–" });
        const text = String(words(value, column.kind));
        const numeric = column.kind !== undefined && column.kind !== "text";
        return make("td", { class: numeric ? "num" : text.length > 24 ? "long" : "text", text: text.length > 140 ? text.slice(0, 139) + "…" : text });
      });
      return make("tr", { onclick: () => open(place) }, ...cells);
    }

    // ---- one sample ----
    const title = make("h3", { tabindex: "-1" });
    const inside = make("div", { class: "inside" });
    let current = 0;
    const step = (by) => { if (state.rows[current + by] !== undefined) open(current + by); };
    const earlier = make("button", { type: "button", class: "button", text: "Previous", onclick: () => step(-1) });
    const later = make("button", { type: "button", class: "button", text: "Next", onclick: () => step(1) });
    const dialog = make("dialog", { "aria-label": "Sample" },
      make("div", { class: "bar" }, title, earlier, later,
        make("button", { type: "button", class: "button export", text: "Export", onclick: () => download(state.rows[current]) }),
        make("button", { type: "button", class: "button", text: "Close", onclick: () => dialog.close() })),
      inside);
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("keydown", (event) => {
      if (event.target.closest("pre")) return;
      if (event.key === "ArrowLeft") step(-1);
      if (event.key === "ArrowRight") step(1);
    });

    function open(place) {
      current = place;
      const row = state.rows[place];
      title.replaceChildren();
      write(title, samples.get("sample_id", row));
      earlier.disabled = place === 0;
      later.disabled = place + 1 >= state.rows.length;
      inside.replaceChildren(...detail(row));
      if (!dialog.open) dialog.showModal();
      dialog.scrollTop = 0;
      title.focus();
    }

    function detail(row) {
      const get = (name) => samples.get(name, row);
      const parts = [];
      const facts = make("dl", { class: "short" });
      const fact = (label, value) => { facts.append(make("div", {}, make("dt", { text: label }), make("dd", {}, value instanceof Node ? value : make("span", { text: words(value) })))); };
      fact(statusLabel, chip(get("status")));
      for (const name of Object.keys(data.columns)) {
        if (name.endsWith("_status") && get(name)) fact(filters.find((filter) => filter.key === name)?.label ?? name.replaceAll("_", " "), chip(get(name)));
      }
      if (samples.has("raw_pass")) fact("Paper's scorer", get("raw_pass") === null ? "no verdict" : get("raw_pass") ? "pass" : "fail");
      const told = new Set(["status", "raw_pass", "finish_reason", "mechanism", "looped"]);
      for (const filter of filters) {
        const value = get(filter.key) ?? "";
        if (value !== "" && !told.has(filter.key) && !filter.key.endsWith("_status")) fact(filter.label, value);
      }
      fact("Ended by", String(get("finish_reason") ?? "–").replaceAll("_", " "));
      fact("Tokens in, out", `${words(get("input_tokens"))}, ${words(get("output_tokens"))}`);
      if (get("looped")) fact("Loop", "repeats itself at the end");
      parts.push(facts);

      const why = [get("reason"), get("error")].filter(Boolean);
      if (why.length > 0) parts.push(make("p", { class: "why", text: why.join("; ") }));
      if (get("mechanism")) parts.push(make("p", { class: "note", text: "Mechanism: " + get("mechanism").replaceAll("_", " ") + (get("evidence") && get("evidence") !== get("reason") ? " (" + get("evidence") + ")" : "") }));

      const reply = get("reply") ?? "";
      const length = get("reply_length") ?? reply.length;
      const from = get("broke_from");
      const to = Math.max(get("broke_to") ?? from, from ?? 0);
      parts.push(make("h4", { text: "Reply" }));
      if (typeof from === "number" && length > 0) parts.push(...axis(from, to, Math.max(length, to), get("output_tokens"), get("finish_reason")));
      const pre = make("pre", { dir: "auto", tabindex: "0", "aria-label": "Reply" });
      if (reply === "") pre.append(make("em", { text: "empty" }));
      else if (typeof from === "number" && from < reply.length) {
        write(pre, reply.slice(0, from));
        pre.append(make("mark", { text: reply.slice(from, Math.max(to, from + 1)) }));
        write(pre, reply.slice(Math.max(to, from + 1)));
      } else write(pre, reply);
      parts.push(pre);
      if (length > reply.length && [...reply].length < length) parts.push(make("p", { class: "note", text: `Shown and exported: the first ${data.reply_limit.toLocaleString("en")} of ${length.toLocaleString("en")} characters. The whole reply is in samples.parquet.` }));

      if (get("reasoning")) {
        parts.push(make("details", {}, make("summary", { text: "Reasoning" }), make("pre", { dir: "auto", text: get("reasoning") })));
      }
      const checks = get("instruction_types") ?? [];
      if (checks.length > 0) {
        const kwargs = parsed(get("kwargs"));
        const followed = get("strict_by_type") ?? [];
        const rows = checks.map((name, index) => make("tr", {},
          make("th", { scope: "row" }, make("code", { text: name })),
          make("td", { text: settingsOf(kwargs, index) }),
          make("td", { text: followed[index] === undefined || followed[index] === null ? "–" : followed[index] ? "followed" : "broken" })));
        parts.push(make("h4", { text: "Checked" }), small(["Instruction", "Settings", "Strict"], rows));
      }
      const gold = get("task_gold") ?? [];
      if (gold.length > 0) {
        const found = get("task_found") ?? [];
        const right = get("task_parts") ?? [];
        const rows = gold.map((answer, index) => make("tr", {},
          make("th", { scope: "row", text: String(index + 1) }),
          make("td", { text: clip(answer) }), make("td", { text: clip(found[index] ?? "–") }),
          make("td", { text: right[index] === undefined || right[index] === null ? "–" : right[index] ? "right" : "wrong" })));
        parts.push(make("h4", { text: "Task" }), small(["Part", "Asked for", "Found", "Repaired scorer"], rows));
      }
      parts.push(make("h4", { text: "Prompt" }));
      for (const message of samples.messages(row)) parts.push(make("p", { class: "role", text: message.role }), make("pre", { dir: "auto", tabindex: "0", "aria-label": message.role + " message", text: message.content }));

      const rest = make("dl", { class: "rest" });
      const shown = new Set(["messages", "reply", "reply_length", "reasoning", "sample_id", "error", "reason", "evidence", "mechanism", "task_gold", "task_found", "task_parts", "instruction_types", "kwargs", "strict_by_type"]);
      for (const name of Object.keys(data.columns)) if (!shown.has(name)) rest.append(make("div", {}, make("dt", { text: name }), make("dd", { text: words(get(name)) })));
      parts.push(make("details", {}, make("summary", { text: "All columns" }), rest));
      return parts;
    }

    function axis(from, to, length, tokens, ended) {
      const bar = make("div", { class: "axis", "aria-hidden": "true" });
      const intact = make("span");
      intact.style.width = `${100 * from / length}%`;
      const broken = make("span", { class: "broken" });
      broken.style.left = `min(${100 * from / length}%, 100% - 4px)`;
      broken.style.width = `${100 * (to - from) / length}%`;
      bar.append(intact, broken);
      const place = typeof tokens === "number" && tokens > 0
        ? `about token ${Math.max(1, Math.round(tokens * from / length)).toLocaleString("en")} of ${tokens.toLocaleString("en")}`
        : `character ${(from + 1).toLocaleString("en")} of ${length.toLocaleString("en")}`;
      return [bar, make("p", { class: "note", text: `Broke at ${place}${ended === "length" ? ", cut off by the limit" : ""}.` })];
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
      for (const name of ["status", "raw_pass", "reason", "strict", "loose", "strict_repaired", "loose_repaired", "task_status", "task_paper", "task_repaired", "task_gold", "task_found", "mechanism"]) if (samples.has(name)) verdict[name] = get(name);
      const checker = samples.has("instruction_types") ? { instruction_id_list: get("instruction_types"), kwargs: parsed(get("kwargs")) } : null;
      return { format: "forgetbench-sample-1", ...data.run, sample_id: get("sample_id"), seed: get("seed"), messages: samples.messages(row), checker, reply, reply_is_cut: [...reply].length < (get("reply_length") ?? 0), finish_reason: get("finish_reason"), verdict };
    }

    frame.replaceChildren(controls, watchEdge(make("div", { class: "table-frame", role: "region", tabindex: "0", "aria-label": "Samples" }, list)), make("div", { class: "pager" }, back, next, count), dialog);
    refresh();
    frame.dataset.ready = "true";
  }

  function parsed(text) {
    if (typeof text !== "string") return text ?? null;
    try { return JSON.parse(text); } catch (error) { if (error instanceof SyntaxError) return text; throw error; }
  }

  function settingsOf(kwargs, index) {
    const entry = Array.isArray(kwargs) ? kwargs[index] : kwargs;
    if (entry === null || entry === undefined || typeof entry !== "object") return "–";
    const pairs = Object.entries(entry).filter(([, value]) => value !== null);
    return pairs.map(([name, value]) => `${name} = ${typeof value === "string" ? value : JSON.stringify(value)}`).join("; ") || "–";
  }

  function clip(text) {
    const value = String(text);
    return value.length > 400 ? value.slice(0, 399) + "…" : value;
  }

  function small(heads, rows) {
    return make("div", { class: "table-frame" }, make("table", { class: "data" },
      make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col", text })))), make("tbody", {}, ...rows)));
  }

  // The page is painted first; large tables of samples are read after that.
  requestAnimationFrame(() => setTimeout(() => document.querySelectorAll(".browser").forEach(startBrowser), 0));
})();
