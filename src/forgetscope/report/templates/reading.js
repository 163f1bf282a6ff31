// ---- how one sample is read ----

// A pattern for a wording as words of its own, whatever the case, the spacing and the kind of apostrophe.
function wordingPattern(wording) {
  const tokens = wording.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
  const escaped = tokens.map((token) => (/['’]/.test(token) ? "['’]" : token.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")));
  return escaped.length === 0 ? null : new RegExp(`(?<![\\p{L}\\p{N}_])${escaped.join("\\s*")}(?![\\p{L}\\p{N}_])`, "giu");
}

// The wordings of a sample that are to be marked, in order of precedence.
function markingsOf(samples, row) {
  const found = [];
  for (const marking of samples.data.markings) {
    const value = samples.get(marking.key, row);
    const wordings = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string" && one.trim() !== "");
    for (const wording of wordings) found.push({ pattern: wordingPattern(wording), label: marking.label, weak: marking.is_weak });
  }
  return found.filter((entry) => entry.pattern !== null);
}

// Where the wordings stand in a text: parts that do not overlap, from left to right.
function placesOf(text, markings) {
  const taken = [];
  for (const marking of markings) {
    for (const match of text.matchAll(marking.pattern)) {
      const [from, to] = [match.index, match.index + match[0].length];
      if (taken.every((other) => to <= other.from || from >= other.to)) taken.push({ from, to, marking });
    }
  }
  return taken.sort((one, two) => one.from - two.from);
}

// Writes a text with its wordings marked; gives what was marked, each wording once.
function writeMarked(element, text, markings, quiet = false) {
  const places = placesOf(text, markings);
  let done = 0;
  for (const { from, to, marking } of places) {
    write(element, text.slice(done, from));
    element.append(make("mark", { class: quiet || marking.weak ? "weak" : "strong", title: marking.label, text: text.slice(from, to) }));
    done = to;
  }
  write(element, text.slice(done));
  return [...new Map(places.map(({ from, to, marking }) => [text.slice(from, to).toLowerCase(), `“${text.slice(from, to)}” (${marking.label})`])).values()];
}

// A reply or a further answer, and under it in words what is marked in it.
function textBlock(text, label, markings, isProse) {
  const pre = make("pre", { class: isProse ? "prose" : null, dir: "auto", tabindex: "0", "aria-label": label });
  if (text === "") pre.append(make("em", { text: "empty" }));
  const marked = writeMarked(pre, text, markings);
  if (markings.length === 0 || text === "") return [pre];
  const said = marked.length > 0 ? `Marked: ${marked.join(", ")}.` : "Nothing is marked: none of the wordings stands here.";
  return [pre, make("p", { class: "note", text: said })];
}

// One sample as named blocks, in the order they are read; side by side, blocks of one name stand in one row.
// What is shared with the samples beside it (facts by label, a number of leading turns) is left to whoever shows them.
function readingOf(samples, row, statusLabel, filters, shared = { facts: new Set(), turns: 0 }) {
  const { data } = samples;
  const get = (name) => samples.get(name, row);
  const markings = markingsOf(samples, row);
  const isDialogue = data.parts.length > 0;
  const blocks = new Map();
  const told = factsOf(samples, row, statusLabel, filters).filter(([label]) => !shared.facts.has(label));
  blocks.set("facts", [factList(told), ...whyBlock(get)]);
  if (isDialogue) blocks.set("dialogue", dialogueBlock(samples, row, markings, shared.turns));
  if (samples.picture(row) !== null && !shared.picture) blocks.set("picture", pictureBlock(samples, row));
  blocks.set("reply", replyBlock(samples, row, markings));
  if (get("reasoning")) {
    const inner = textBlock(get("reasoning"), "Reasoning", markings, isDialogue);
    const holds = inner.length > 1 && inner[0].querySelector("mark.strong") !== null;
    blocks.set("reasoning", [make("details", { open: holds }, make("summary", { text: "Reasoning" }), ...inner)]);
  }
  for (const answer of data.answers) {
    const text = get(answer.key);
    if (text === null || text === undefined) continue;
    const head = make("h4", { text: answer.label });
    if (answer.status && get(answer.status)) head.append(" ", chip(get(answer.status)));
    const asked = answer.asked && get(answer.asked) ? [make("p", { class: "asked", dir: "auto", text: get(answer.asked) })] : [];
    blocks.set(answer.key, [head, ...asked, ...textBlock(text, answer.label, markings, isDialogue)]);
  }
  for (const choice of data.choices) blocks.set(choice.options, choiceBlock(samples, row, choice));
  for (const checklist of data.checklists) blocks.set(checklist.done, checklistBlock(samples, row, checklist));
  blocks.set("checks", [...checksBlock(get), ...taskBlock(get)]);
  if (!isDialogue) {
    const prompt = [make("h4", { text: "Prompt" })];
    for (const message of samples.messages(row)) prompt.push(make("p", { class: "role", text: message.role }), make("pre", { dir: "auto", tabindex: "0", "aria-label": message.role + " message", text: message.content }));
    blocks.set("prompt", prompt);
  }
  blocks.set("rest", [restBlock(samples, row)]);
  return blocks;
}

// The picture that was sent, small, and where the whole one lies.
function pictureBlock(samples, row) {
  const name = samples.picture(row);
  return [make("h4", { text: "Picture" }), make("span", { class: "shot large" }, pictureOf(samples.pictures, name, `the picture shown: ${name}`)), make("p", { class: "note path", text: name })];
}

const TOLD = new Set(["status", "raw_pass", "finish_reason", "mechanism", "looped"]);

// What there is to know of a sample beside its texts: labels with words or a status.
function factsOf(samples, row, statusLabel, filters) {
  const get = (name) => samples.get(name, row);
  const facts = [[statusLabel, { status: get("status") }]];
  const labelOf = (name) => (filters.find((filter) => filter.key === name) ?? samples.data.answers.find((answer) => answer.status === name))?.label ?? name.replaceAll("_", " ");
  for (const name of Object.keys(samples.data.columns)) if (name.endsWith("_status") && get(name)) facts.push([labelOf(name), { status: get(name) }]);
  if (samples.has("raw_pass")) facts.push(["Paper's scorer", get("raw_pass") === null ? "no verdict" : get("raw_pass") ? "pass" : "fail"]);
  for (const filter of filters) {
    const value = get(filter.key) ?? "";
    if ((value !== "" || filter.names?.[""] !== undefined) && !TOLD.has(filter.key) && !filter.key.endsWith("_status")) facts.push([filter.label, spaced(value, filter)]);
  }
  facts.push(["Ended by", String(get("finish_reason") ?? "–").replaceAll("_", " ")]);
  facts.push(["Tokens in, out", `${words(get("input_tokens"))}, ${words(get("output_tokens"))}`]);
  if (get("looped")) facts.push(["Loop", "repeats itself at the end"]);
  return facts;
}

function factList(facts) {
  return make("dl", { class: "short" }, ...facts.map(([label, value]) => make("div", {}, make("dt", { text: label }),
    make("dd", {}, typeof value === "object" ? chip(value.status) : make("span", { text: value })))));
}

// The facts that all samples side by side share, but for their statuses, and how many of their first turns are the same.
function sharedBy(samples, rows, statusLabel, filters) {
  const all = rows.map((row) => new Map(factsOf(samples, row, statusLabel, filters)));
  const facts = [...all[0]].filter(([label, value]) => typeof value !== "object" && all.every((other) => other.get(label) === value));
  const picture = rows.every((row) => samples.picture(row) === samples.picture(rows[0])) && samples.picture(rows[0]) !== null;
  if (samples.data.parts.length === 0) return { facts, turns: 0, picture };
  const turns = rows.map((row) => samples.get("messages", row) ?? []);
  let same = 0;
  while (turns.every((list) => same < list.length - 1 && list[same] === turns[0][same])) same += 1;
  return { facts, turns: same, picture };
}

function whyBlock(get) {
  const parts = [];
  const why = [get("reason"), get("error")].filter(Boolean);
  if (why.length > 0) parts.push(make("p", { class: "why", text: why.join("; ") }));
  if (get("mechanism")) parts.push(make("p", { class: "note", text: "Mechanism: " + get("mechanism").replaceAll("_", " ") + (get("evidence") && get("evidence") !== get("reason") ? " (" + get("evidence") + ")" : "") }));
  return parts;
}

// The turns before the reply from one of them on, each with the name of its part and the colour that goes with it.
function dialogueBlock(samples, row, markings, from = 0) {
  const messages = samples.messages(row).slice(from);
  return [make("h4", { text: from > 0 ? "Then" : "Dialogue" }), turnList(samples.data.parts, messages, markings, "Dialogue")];
}

function turnList(parts, messages, markings, label) {
  const turns = make("ol", { class: "turns", "aria-label": label });
  for (const message of messages) {
    const place = parts.findIndex((part) => part.key === message.part);
    const name = place < 0 ? message.part : parts[place].label;
    const who = make("p", { class: "who" }, make("span", { class: "part", text: name || message.role }));
    if (name && message.role) who.append(make("span", { text: message.live ? `${message.role}, live answer of this model` : message.role }));
    const said = make("div", { class: "said", dir: "auto" });
    if (message.content === "") said.append(make("em", { text: "empty" })); else writeMarked(said, message.content, markings, true);
    if (message.content.length > 1200) said.setAttribute("tabindex", "0");
    turns.append(make("li", { class: `turn part-${place < 0 ? "none" : place % 8}${message.role === "assistant" ? " theirs" : ""}` }, who, said));
  }
  return turns;
}

function replyBlock(samples, row, markings) {
  const get = (name) => samples.get(name, row);
  const reply = get("reply") ?? "";
  const length = get("reply_length") ?? reply.length;
  const from = get("broke_from");
  const to = Math.max(get("broke_to") ?? from, from ?? 0);
  const head = make("h4", { text: "Reply" });
  const parts = [head];
  if (samples.data.parts.length > 0) head.append(" ", chip(get("status")));
  if (typeof from === "number" && length > 0) parts.push(...axis(from, to, Math.max(length, to), get("output_tokens"), get("finish_reason")));
  if (typeof from === "number" && from < reply.length) {
    const pre = make("pre", { dir: "auto", tabindex: "0", "aria-label": "Reply" });
    write(pre, reply.slice(0, from));
    pre.append(make("mark", { text: reply.slice(from, Math.max(to, from + 1)) }));
    write(pre, reply.slice(Math.max(to, from + 1)));
    parts.push(pre);
  } else parts.push(...textBlock(reply, "Reply", markings, samples.data.parts.length > 0));
  if (length > reply.length && [...reply].length < length) parts.push(make("p", { class: "note", text: `Shown and exported: the first ${samples.data.reply_limit.toLocaleString("en")} of ${length.toLocaleString("en")} characters. The whole reply is in samples.parquet.` }));
  return parts;
}

function choiceBlock(samples, row, choice) {
  const options = samples.get(choice.options, row) ?? [];
  if (options.length === 0) return [];
  const chosen = samples.get(choice.chosen, row);
  const list = make("ol", choice.is_counted ? { class: "options digits", start: "0", "aria-label": choice.label } : { class: "options", "aria-label": choice.label });
  options.forEach((option, place) => {
    const names = choice.places.filter((column) => samples.get(column.key, row) === place).map((column) => column.label);
    if (place === chosen) names.unshift("chosen");
    list.append(make("li", { class: place === chosen ? "chosen" : null, dir: "auto" }, make("span", { text: option }),
      ...names.flatMap((name) => [" ", make("span", { class: "tag", text: name })])));
  });
  const none = chosen === null || chosen === undefined ? [make("p", { class: "note", text: "The reply chooses none of them that can be read." })] : [];
  return [make("h4", { text: choice.label }), list, ...none];
}

function checklistBlock(samples, row, checklist) {
  const done = samples.get(checklist.done, row) ?? [];
  const names = samples.get(checklist.names, row) ?? [];
  if (done.length === 0) return [];
  const list = make("ul", { class: "checklist", "aria-label": checklist.label });
  done.forEach((flag, place) => {
    const mark = flag === null ? "not judged" : flag ? "done" : "not done";
    list.append(make("li", { class: flag ? "done" : flag === null ? null : "not-done" }, make("span", { class: "flag", text: mark }), " ", make("span", { dir: "auto", text: names[place] ?? String(place + 1) })));
  });
  return [make("h4", { text: checklist.label }), list];
}

function checksBlock(get) {
  const checks = get("instruction_types") ?? [];
  if (checks.length === 0) return [];
  const kwargs = parsed(get("kwargs"));
  const followed = get("strict_by_type") ?? [];
  const rows = checks.map((name, index) => make("tr", {},
    make("th", { scope: "row" }, make("code", { text: name })),
    make("td", { text: settingsOf(kwargs, index) }),
    make("td", { text: followed[index] === undefined || followed[index] === null ? "–" : followed[index] ? "followed" : "broken" })));
  return [make("h4", { text: "Checked" }), small(["Instruction", "Settings", "Strict"], rows)];
}

function settingsOf(kwargs, index) {
  const entry = Array.isArray(kwargs) ? kwargs[index] : kwargs;
  if (entry === null || entry === undefined || typeof entry !== "object") return "–";
  const pairs = Object.entries(entry).filter(([, value]) => value !== null);
  return pairs.map(([name, value]) => `${name} = ${typeof value === "string" ? value : JSON.stringify(value)}`).join("; ") || "–";
}

function taskBlock(get) {
  const gold = get("task_gold") ?? [];
  if (gold.length === 0) return [];
  const found = get("task_found") ?? [];
  const right = get("task_parts") ?? [];
  const rows = gold.map((answer, index) => make("tr", {},
    make("th", { scope: "row", text: String(index + 1) }),
    make("td", { text: clip(answer) }), make("td", { text: clip(found[index] ?? "–") }),
    make("td", { text: right[index] === undefined || right[index] === null ? "–" : right[index] ? "right" : "wrong" })));
  return [make("h4", { text: "Task" }), small(["Part", "Asked for", "Found", "Repaired scorer"], rows)];
}

function restBlock(samples, row) {
  const rest = make("dl", { class: "rest" });
  const shown = new Set(["messages", "reply", "reply_length", "reasoning", "sample_id", "error", "reason", "evidence", "mechanism", "task_gold", "task_found", "task_parts", "instruction_types", "kwargs", "strict_by_type", ...samples.data.answers.map((answer) => answer.key)]);
  for (const name of Object.keys(samples.data.columns)) if (!shown.has(name)) rest.append(make("div", {}, make("dt", { text: name }), make("dd", { text: words(samples.get(name, row)) })));
  return make("details", {}, make("summary", { text: "All columns" }), rest);
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
