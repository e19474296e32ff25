"use strict";
document.documentElement.classList.add("js");
const table = document.getElementById("students");
const body = table.tBodies[0];
const rows = Array.from(body.rows);
const heads = Array.from(table.tHead.rows[0].cells);
const said = document.getElementById("said");
const search = document.getElementById("search");
const show = document.getElementById("show");
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const keys = new Map();

// what a column is sorted by: a number where the head says so, else its text
function columnKeys(index) {
  if (!keys.has(index)) {
    const numeric = heads[index].dataset.kind === "number";
    keys.set(index, new Map(rows.map((row) => {
      const cell = row.cells[index];
      const text = cell.dataset.key ?? cell.textContent.trim();
      return [row, numeric ? parseFloat(text) || 0 : text];
    })));
  }
  return keys.get(index);
}

function sortBy(index) {
  const head = heads[index];
  const numeric = head.dataset.kind === "number";
  const before = head.getAttribute("aria-sort");
  // numbers begin with the largest: those are looked for
  const down = before ? before === "ascending" : numeric;
  const key = columnKeys(index);
  const sign = down ? -1 : 1;
  rows.sort((a, b) => sign * (numeric ? key.get(a) - key.get(b) : collator.compare(key.get(a), key.get(b))));
  heads.forEach((other) => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const fragment = document.createDocumentFragment();
  rows.forEach((row) => fragment.append(row));
  body.append(fragment);
}

const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const kind = show.value;
  let count = 0;
  for (const row of rows) {
    const kinds = row.dataset.is ? row.dataset.is.split(" ") : [];
    const fits = (!kind || kinds.includes(kind)) && words.every((word) => texts.get(row).includes(word));
    row.hidden = !fits;
    count += fits;
  }
  said.textContent = `${count} of ${rows.length} students shown`;
}

heads.forEach((head, index) => head.querySelector("button").addEventListener("click", () => sortBy(index)));
let waiting;
search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 120); });
show.addEventListener("change", filter);
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((item) => { item.open = true; }));
filter();
