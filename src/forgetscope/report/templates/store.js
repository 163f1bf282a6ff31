// ---- the sample table of the page: every column is a list of distinct values and a list of places in it ----
const SEARCHED = ["sample_id", "reply", "reason", "evidence", "error", "mechanism"];

class Samples {
  constructor(data) {
    this.data = data;
    this.together = data.together.filter((name) => this.has(name));
    this.groups = null;
  }
  has(name) { return name in this.data.columns; }
  get(name, row) {
    const column = this.data.columns[name];
    return column === undefined ? undefined : column.values[column.rows[row]];
  }
  // The name of the picture that was shown; null where none was.
  picture(row) {
    const parts = this.data.picture.map((name) => this.get(name, row));
    return parts.length === 0 || parts.some((part) => !part) ? null : parts.join("/");
  }
  messages(row) {
    const list = this.get("messages", row) ?? [];
    return list.map((place) => {
      const [role, said, part, live] = this.data.turns[place];
      return { role, content: said.map((one) => this.data.paragraphs[one]).join("\n\n"), part, live };
    });
  }
  // What samples that belong side by side have in common.
  group(row) { return this.together.map((name) => this.data.columns[name].rows[row]).join(" "); }
  // The rows that belong beside this one, in the order of what tells them apart.
  beside(row) {
    if (this.together.length === 0) return [row];
    if (this.groups === null) {
      this.groups = new Map();
      for (let other = 0; other < this.data.rows; other += 1) {
        const group = this.group(other);
        if (this.groups.has(group)) this.groups.get(group).push(other); else this.groups.set(group, [other]);
      }
    }
    const { apart } = this.data;
    const order = Object.keys(apart?.names ?? {});
    const place = (value) => (order.includes(value) ? order.indexOf(value) : order.length);
    return [...this.groups.get(this.group(row))].sort((one, two) => {
      const [first, second] = [one, two].map((other) => (apart === null ? "" : this.get(apart.key, other)));
      return place(first) - place(second) || compare(first ?? "", second ?? "") || one - two;
    });
  }
  // Rows whose id, texts, reasons or prompt paragraphs hold the words.
  search(needle) {
    const found = new Uint8Array(this.data.rows);
    for (const name of [...SEARCHED, ...this.data.answers.map((answer) => answer.key)]) {
      const column = this.data.columns[name];
      if (column === undefined) continue;
      const hits = column.values.map((value) => typeof value === "string" && value.toLowerCase().includes(needle));
      column.rows.forEach((place, row) => { if (hits[place]) found[row] = 1; });
    }
    const messages = this.data.columns.messages;
    if (messages !== undefined) {
      const said = this.data.paragraphs.map((text) => text.toLowerCase().includes(needle));
      const turns = this.data.turns.map(([, parts]) => parts.some((part) => said[part]));
      const rows = messages.values.map((list) => list.some((place) => turns[place]));
      messages.rows.forEach((place, row) => { if (rows[place]) found[row] = 1; });
    }
    return found;
  }
}
