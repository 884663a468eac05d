"use strict";
// Shows the table of students: a hundred rows at a time, so that a class of thousands is as quick as one of ten.
(() => {
  const data = JSON.parse(document.getElementById("class-data").textContent);
  const FIRST = 20, STEP = 100, FEW = 6;
  const $ = (id) => document.getElementById(id);
  const number = (value) => String(Math.round(value * 100) / 100);
  const times = new Map();
  data.notebooks.forEach(([, problem]) => times.set(problem, (times.get(problem) ?? 0) + 1));
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  let sets = null, shown = FIRST, by = "name", up = true, rows = [];

  function lateWords(seconds) {
    const hours = seconds / 3600;
    if (hours < 1) return `${Math.ceil(seconds / 60)} min`;
    return hours < 48 ? `${Math.ceil(hours)} h` : `${Math.ceil(hours / 24)} days`;
  }

  // A problem that several of the shown sets have is named with its set.
  const label = ({ set, problem }) => (sets || times.get(problem) === 1 ? problem : `${set}/${problem}`);

  // What a row shows, of the chosen sets alone.
  function sum([name, entries]) {
    const row = { name, key: name.toLowerCase(), earned: 0, possible: 0, waiting: 0, missing: [], late: [], slowest: 0, pages: [] };
    entries.forEach((entry, at) => {
      const [set, problem, points] = data.notebooks[at];
      if (sets && set !== sets) return;
      row.possible += points;
      if (!entry) { row.missing.push({ set, problem }); return; }
      const [earned, waiting = 0, late = 0] = entry;
      row.earned += earned;
      row.waiting += waiting;
      if (late) { row.late.push(`${label({ set, problem })}, ${lateWords(late)}`); row.slowest = Math.max(row.slowest, late); }
      row.pages.push({ set, problem, earned, points, waiting });
    });
    row.share = row.possible > row.waiting ? row.earned / (row.possible - row.waiting) : 0;
    return row;
  }

  // A set of which nothing is there is named as a whole.
  function missingWords(row) {
    const whole = (set) => row.pages.every((page) => page.set !== set);
    const absent = [...new Set(row.missing.map((each) => each.set))];
    return absent.flatMap((set) => {
      const names = row.missing.filter((each) => each.set === set).map(label);
      return whole(set) && names.length > 1 ? [`all of ${set}`] : names;
    }).join(", ");
  }

  const keys = {
    name: (a, b) => collator.compare(a.name, b.name),
    share: (a, b) => a.share - b.share,
    missing: (a, b) => a.missing.length - b.missing.length,
    late: (a, b) => a.slowest - b.slowest,
    waiting: (a, b) => a.waiting - b.waiting,
  };

  function element(tag, text, name) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  }

  function link(row, page) {
    const made = element("a", `${label(page)} `);
    const path = [row.name, page.set, page.problem].map(encodeURIComponent).join("/");
    made.href = `feedback/${path}.html`;
    made.append(element("span", page.waiting === page.points ? "–" : number(page.earned), "points"));
    return made;
  }

  // Many pages are folded away, so that a row stays a line.
  function pagesOf(row) {
    const pages = element("td", undefined, "pages");
    const links = row.pages.map((page) => link(row, page));
    if (links.length <= FEW) { pages.append(...links); return pages; }
    const folded = element("details");
    folded.append(element("summary", `${links.length} pages`), ...links);
    pages.append(folded);
    return pages;
  }

  function draw(row) {
    const line = element("tr");
    const head = element("th", row.name);
    head.scope = "row";
    line.append(
      head,
      element("td", `${number(row.earned)} / ${number(row.possible)}`, "n"),
      element("td", row.possible > row.waiting ? `${Math.round(100 * row.share)} %` : "–", "n"),
      element("td", missingWords(row), "few missing"),
      element("td", row.late.join("; "), "few late"),
      element("td", row.waiting ? number(row.waiting) : "", "n waiting"),
      pagesOf(row),
    );
    return line;
  }

  function found() {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    return words.length ? rows.filter((row) => words.every((word) => row.key.includes(word))) : rows;
  }

  function show() {
    const matching = found();
    const some = matching.slice(0, shown);
    $("rows").replaceChildren(...some.map(draw));
    $("more").hidden = some.length === matching.length;
    $("more").textContent = `Show ${Math.min(STEP, matching.length - some.length)} more`;
    const of = matching.length === rows.length ? "" : ` of ${rows.length.toLocaleString("en")}`;
    $("found").textContent = matching.length
      ? `${matching.length.toLocaleString("en")}${of} student${rows.length === 1 ? "" : "s"}` +
        (some.length < matching.length ? `, the first ${some.length.toLocaleString("en")} are shown` : "")
      : "nobody of that name";
  }

  function sort() {
    const compare = keys[by];
    rows.sort((a, b) => (up ? compare(a, b) : compare(b, a)) || keys.name(a, b));
    document.querySelectorAll("#students-table button").forEach((button) => {
      const mine = button.dataset.by === by;
      button.closest("th").ariaSort = mine ? (up ? "ascending" : "descending") : "none";
    });
    shown = FIRST;
    show();
  }

  function choose() {
    sets = $("set") && $("set").value;
    rows = data.students.map(sum);
    // A column that says nothing of anybody is left out.
    const table = $("students-table").classList;
    table.toggle("no-missing", rows.every((row) => !row.missing.length));
    table.toggle("no-late", rows.every((row) => !row.slowest));
    table.toggle("no-waiting", rows.every((row) => !row.waiting));
    sort();
  }

  document.querySelectorAll("#students-table button").forEach((button) => {
    button.addEventListener("click", () => {
      up = by === button.dataset.by ? !up : button.dataset.by === "name";
      by = button.dataset.by;
      sort();
    });
  });
  $("search").addEventListener("input", () => { shown = FIRST; show(); });
  $("more").addEventListener("click", () => { shown += STEP; show(); });
  if ($("set")) $("set").addEventListener("change", choose);
  $("controls").hidden = false;
  $("students-table").hidden = false;
  choose();
})();
