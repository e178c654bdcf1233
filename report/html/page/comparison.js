// SPDX-License-Identifier: Apache-2.0
// Two runs compared: the verdict, both distributions, where the difference went, what changed, what became of findings.
{
  const {el} = kdiag;
  const normal_color = () => kdiag.kind_color("compute"), abnormal_color = () => kdiag.kind_color("blocking_call");
  const parts_of_axis = 60, few = 40;  // fewer values than `few` are drawn one by one

  /** Times of both runs above one axis: dots, or how many there are in each part of it. */
  const distributions = cycle => {
    const sides = [["normal", cycle.normal, normal_color()], ["abnormal", cycle.abnormal, abnormal_color()]].filter(([, side]) => side.times.length);
    if (sides.length < 2) return null;
    const all = sides.flatMap(([, side]) => side.times);
    const low = Math.min(...all), high = Math.max(...all, low + 1), left = 80, tall = 64;
    const label = sides.map(([name, side]) => `${name}: ${side.count} ${side.count === 1 ? "cycle" : "cycles"}, median ${kdiag.duration(side.median)}`).join("; ");
    const canvas = kdiag.canvas(sides.length * (tall + 8) + 24, label, (context, width) => {
      const x = time => left + (time - low) / (high - low) * (width - left - 40);
      context.font = kdiag.font;
      context.textBaseline = "middle";
      sides.forEach(([name, side, color], i) => {
        const top = i * (tall + 8), floor = top + tall;
        context.fillStyle = kdiag.color("soft");
        context.fillText(name, 0, top + tall / 2);
        context.fillStyle = color;
        if (side.times.length <= few)
          for (const time of side.times) context.fillRect(x(time) - 1.5, top + tall * 0.3, 3, tall * 0.7);
        else {
          const bins = new Array(parts_of_axis).fill(0);
          for (const time of side.times) ++bins[Math.min(Math.floor((time - low) / (high - low) * parts_of_axis), parts_of_axis - 1)];
          const most = Math.max(...bins), each = (width - left - 40) / parts_of_axis;
          bins.forEach((count, bin) => context.fillRect(left + bin * each, floor - count / most * (tall - 10), each - 1, count / most * (tall - 10)));
        }
        context.fillStyle = kdiag.color("line");
        context.fillRect(left, floor, width - left, 1);
        context.fillStyle = kdiag.color("ink");
        context.fillRect(x(side.median) - 1, top, 2, tall);
        context.fillText(kdiag.duration(side.median), Math.min(x(side.median) + 5, width - 60), top + 6);
      });
      context.fillStyle = kdiag.color("soft");
      context.fillText(kdiag.duration(low), left, sides.length * (tall + 8) + 10);
      const end = kdiag.duration(high);
      context.fillText(end, width - context.measureText(end).width, sides.length * (tall + 8) + 10);
    });
    return el("div", {}, el("h4", {}, "Times of cycles"), canvas,
      el("p", {class: "soft small"}, label + "."));
  };

  const signed = ns => (ns < 0 ? "−" : "+") + kdiag.duration(Math.abs(ns));

  /** From the normal run to the abnormal one, part by part. */
  const waterfall = comparison => {
    const {normal_ns, abnormal_ns} = comparison.decomposed;
    const parts = comparison.parts.filter(part => part.delta !== 0);
    if (parts.length === 0) return null;
    let sum = normal_ns, low = Math.min(0, normal_ns, abnormal_ns), high = Math.max(normal_ns, abnormal_ns);
    const rows = [{label: "normal", from: 0, to: normal_ns, text: kdiag.duration(normal_ns), color: normal_color()}];
    for (const part of parts) {
      rows.push({label: part.label, from: sum, to: sum + part.delta, text: signed(part.delta), color: kdiag.kind_color(part.name), verdict: part.verdict});
      sum += part.delta;
      high = Math.max(high, sum);
      low = Math.min(low, sum);
    }
    rows.push({label: "abnormal", from: 0, to: abnormal_ns, text: kdiag.duration(abnormal_ns), color: abnormal_color()});
    const percent = value => (value - low) / (high - low || 1) * 100;
    return el("div", {}, el("h4", {}, "Where the difference went"),
      rows.map(row => el("div", {class: "fall"}, el("span", {}, row.label),
        el("div", {class: "track", "aria-hidden": "true"}, el("i", {style: {background: row.color,
          left: percent(Math.min(row.from, row.to)) + "%", width: Math.max(percent(Math.max(row.from, row.to)) - percent(Math.min(row.from, row.to)), 0.2) + "%"}})),
        el("span", {class: "right"}, row.text, row.verdict === "neutral" && el("span", {class: "soft"}, " (noise)")))),
      el("p", {class: "soft small"}, comparison.decomposed.phrase));
  };

  const name = text => el("span", {class: "name"}, text);

  const changes = comparison => comparison.changes.length > 0 && el("div", {}, el("h4", {}, "What changed most"),
    kdiag.table(["Δ", "kind", "name", "how"], [true, false, false, false],
      comparison.changes.map(change => [signed(change.delta), change.kind, name(change.name), change.how])),
    comparison.unchanged && el("p", {class: "soft small"}, "Not changed: " + comparison.unchanged));

  const functions = comparison => comparison.functions.lines.length > 0 && el("div", {}, el("h4", {}, comparison.functions.heading),
    el("ul", {}, comparison.functions.lines.map(line => el("li", {class: "name"}, line))));

  const fates = comparison => comparison.fates.length > 0 && el("div", {}, el("h4", {}, "What became of the findings"),
    kdiag.table(["fate", "finding", "rule", "how"], [false, false, false, false], comparison.fates.map(fate =>
      [el("b", {}, fate.fate.replaceAll("_", " ")), fate.title, name(fate.rule), fate.how])));

  const comparable = comparison => el("details", {}, el("summary", {}, "How comparable the runs are"),
    el("p", {}, "Score " + comparison.score), el("ul", {}, comparison.differences.map(text => el("li", {}, text))));

  kdiag.comparison = comparison => el("section", {}, el("h2", {id: "comparison"}, "Comparison"),
    el("p", {class: "verdict", "data-severity": {regression: "critical", improvement: "low"}[comparison.verdict]},
      el("b", {}, comparison.word), " " + comparison.cycle.phrase),
    comparison.texts.map(text => el("p", {}, text)),
    distributions(comparison.cycle), waterfall(comparison), changes(comparison), functions(comparison), fates(comparison), comparable(comparison));
}
