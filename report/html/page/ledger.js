// SPDX-License-Identifier: Apache-2.0
// The account of time: a stacked bar for each device, and its lines as a table.
{
  const {el} = kdiag;

  const bar = account => el("div", {class: "stack", role: "img",
    "aria-label": account.lines.map(line => `${line.label} ${line.share_text}`).join(", ")},
    account.lines.filter(line => line.share > 0).map(line => {
      const color = kdiag.kind_color(line.name);
      return el("i", {style: {width: line.share * 100 + "%", background: color, color: kdiag.ink_on(color)},
        on: {
          pointermove: event => kdiag.tip(event, [`${line.label} ${line.share_text}`, line.time, account.device]),
          pointerleave: event => kdiag.tip(event, null),
        }}, line.share > 0.12 ? `${line.label} ${kdiag.share(line.share)}` : "");
    }));

  const cause = (run, rule) => {
    if (!rule) return "";
    const finding = run.findings.find(one => one.rule === rule);
    return finding ? el("a", {href: "#finding-" + finding.rank}, rule) : rule;
  };

  kdiag.ledger = run => {
    const used = run.ledger.filter(account => !account.unused), unused = run.ledger.length - used.length;
    if (run.ledger.length === 0) return null;
    const kinds = new Map();
    for (const account of used) for (const line of account.lines) if (line.share > 0) kinds.set(line.name, line.label);
    return el("section", {},
      el("h2", {id: "time"}, "Where the time went"),
      used.map(account => el("div", {class: "account"},
        el("span", {}, account.device, account.wall !== null && el("span", {class: "soft small"}, " " + kdiag.duration(account.wall))),
        bar(account))),
      kdiag.legend(null, [...kinds].map(([name, label]) => [label, kdiag.kind_color(name)])),
      unused > 0 && el("p", {class: "soft small"}, `Nothing was recorded of ${unused} more devices.`),
      [...new Set(used.map(account => account.one_off).filter(Boolean))].map(text => el("p", {class: "small"}, text)),
      run.apart.map(text => el("p", {class: "small"}, text)),
      el("details", {}, el("summary", {}, "As a table"),
        kdiag.table(["device", "line", "time", "share", "explained by"], [false, false, true, true, false],
          used.flatMap(account => account.lines.map(line =>
            [account.device, line.label, line.time, line.share_text, cause(run, line.rule)])))),
      el("p", {class: "soft small"}, [...new Set(used.map(account => account.basis))].join("; ")),
      run.ledger_left_out > 0 && el("p", {class: "soft"}, `${run.ledger_left_out} more devices are in the JSON report.`));
  };
}
