// SPDX-License-Identifier: Apache-2.0
// Tables of what ran: sorted by a column, filtered by a text, copied as CSV.
{
  const {el, button} = kdiag;
  const first_rows = 30;

  const one_table = (data, timeline) => {
    const {columns, rows} = data;
    let by = columns.findIndex(column => column.unit === "ns"), down = true, filter = "", all = false;
    const holder = el("div", {class: "scroll", tabindex: 0, role: "group", "aria-label": data.title}), count = el("span", {class: "soft small", role: "status"});
    const chosen = () => {
      const words = filter.toLowerCase();
      const found = rows.filter(row => !words || row.some(cell => typeof cell === "string" && cell.toLowerCase().includes(words)));
      const compare = (a, b) => a === b ? 0 : a === null ? 1 : b === null ? -1 : (a < b) === down ? 1 : -1;
      return by < 0 ? found : found.sort((a, b) => compare(a[by], b[by]));
    };
    const name_cell = name => timeline && data.title !== "Collectives"
      ? button(name, () => timeline.search(name), {class: "plain name", title: "Find it on the timeline"})
      : el("span", {class: "name"}, name);
    const draw = () => {
      const found = chosen(), drawn = all ? found : found.slice(0, first_rows);
      const head = columns.map((column, i) => el("th", {scope: "col", class: column.unit === "text" ? null : "right",
        "aria-sort": i === by ? (down ? "descending" : "ascending") : null},
        button(column.name.replaceAll("_", " ") + (i === by ? (down ? " ▾" : " ▴") : ""), () => {
          down = i === by ? !down : column.unit !== "text";
          by = i;
          draw();
        }, {class: "plain"})));
      const body = drawn.map(row => el("tr", {}, row.map((cell, i) => columns[i].unit === "text"
        ? el("td", {class: i === 0 ? "wide" : null}, i === 0 && cell !== null ? name_cell(cell) : cell === null ? "" : cell)
        : el("td", {class: "right"}, cell === null ? "" : kdiag.value(cell, columns[i].unit)))));
      holder.replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, body)));
      count.textContent = `${kdiag.count(drawn.length)} of ${kdiag.count(found.length)} rows` +
        (data.left_out ? `; ${kdiag.count(data.left_out)} more with less time are not in this page` : "");
      more.hidden = all || found.length <= first_rows;
    };
    const more = button("Show all", () => { all = true; draw(); });
    const as_csv = () => [kdiag.csv_row(columns.map(column => ["text", "1"].includes(column.unit) ? column.name
      : `${column.name} (${column.unit})`)), ...chosen().map(kdiag.csv_row)].join("\n") + "\n";
    const copied = kdiag.copy_button("Copy as CSV", as_csv);
    const box = el("input", {type: "search", placeholder: "Filter", "aria-label": "Filter " + data.title,
      on: {input: event => { filter = event.target.value; draw(); }}});
    draw();
    return {element: el("div", {}, el("div", {class: "bar"}, box, copied, more, count), holder), as_csv};
  };

  kdiag.tables = (run, timeline) => {
    if (!run.tables || run.tables.length === 0) return null;
    const place = el("div", {role: "tabpanel"}), tabs = el("div", {class: "tabs", role: "tablist"});
    const choose = i => {
      const table = one_table(run.tables[i], timeline);
      place.replaceChildren(table.element);
      kdiag.current_csv = table.as_csv;
      [...tabs.children].forEach((tab, at) => {
        tab.setAttribute("aria-selected", String(at === i));
        tab.tabIndex = at === i ? 0 : -1;
      });
    };
    tabs.append(...run.tables.map((table, i) => button(table.title, () => choose(i), {role: "tab", on: {
      click: () => choose(i),
      keydown: event => {
        const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (!by) return;
        const next = (i + by + run.tables.length) % run.tables.length;
        choose(next);
        tabs.children[next].focus();
      },
    }})));
    choose(0);
    return el("section", {}, el("h2", {id: "tables"}, "What ran"), tabs, place);
  };
}
