// SPDX-License-Identifier: Apache-2.0
// How long steps took: a chart of one rank with what stands out, and ranks by steps as a heat map.
{
  const {el, button} = kdiag;
  const chart_height = 170, axis = 64;
  const slow = 1.5;  // times the median: the darkest colour of the map (judgement)

  const is_steady = (rank, i) => rank.kind[i] === "" || rank.kind[i] === "steady";
  const is_outlier = (rank, i) => is_steady(rank, i) && rank.outlier_above !== null && rank.ns[i] > rank.outlier_above;
  const name_of = rank => rank.rank === null ? "all steps" : "rank " + rank.rank;
  const times_median = (rank, i) => rank.median > 0 ? `${(rank.ns[i] / rank.median).toFixed(2)} times the median` : "";

  /** Listens on a drawing: `at(x, y)` says what is there: {lines, act}. */
  const explain = (canvas, at) => {
    const found = event => {
      const bounds = canvas.getBoundingClientRect();
      return at(event.clientX - bounds.left, event.clientY - bounds.top, bounds.width);
    };
    canvas.addEventListener("pointermove", event => {
      const one = found(event);
      kdiag.tip(event, one && one.lines);
    });
    canvas.addEventListener("pointerleave", event => kdiag.tip(event, null));
    canvas.addEventListener("click", event => {
      const one = found(event);
      if (one) one.act();
    });
    return canvas;
  };

  const show_step = (timeline, rank, i) => timeline && timeline.show_step(rank.rank, rank.index[i]);

  const chart = (rank, timeline) => {
    const high = Math.max(...rank.ns, 1), count = rank.ns.length;
    const outliers = rank.ns.map((_, i) => i).filter(i => is_outlier(rank, i));
    const label = `Times of ${count} steps, median ${kdiag.duration(Math.round(rank.median))}, ${outliers.length} stand out`;
    const canvas = kdiag.canvas(chart_height, label, (context, width, height) => {
      const room = height - 24, each = (width - axis) / count;
      context.font = kdiag.font;
      context.textBaseline = "middle";
      for (let i = 0; i < count; ++i) {
        context.fillStyle = is_outlier(rank, i) ? kdiag.kind_color("blocking_call") : is_steady(rank, i) ? kdiag.kind_color("step") : kdiag.kind_color("partial");
        const tall = rank.ns[i] / high * room;
        context.fillRect(axis + i * each, 8 + room - tall, Math.max(each - (each > 4 ? 1 : 0), 1), tall);
      }
      context.fillStyle = kdiag.color("soft");
      context.fillText(kdiag.duration(high), 0, 10);
      context.fillText("0", 0, 8 + room - 4);
      context.fillText("step " + rank.index[0], axis, height - 7);
      const last = "step " + rank.index[count - 1];
      context.fillText(last, Math.max(width - context.measureText(last).width, axis + 90), height - 7);
      if (rank.median !== null) {
        const y = 8 + room - rank.median / high * room;
        context.fillRect(axis, y, width - axis, 1);
        context.fillText(kdiag.duration(Math.round(rank.median)), 0, Math.min(Math.max(y, 26), room - 14));
      }
    });
    explain(canvas, (x, _, width) => {
      const i = Math.floor((x - axis) / ((width - axis) / count));
      if (i < 0 || i >= count) return null;
      return {lines: [`step ${rank.index[i]}: ${kdiag.duration(rank.ns[i])}`, times_median(rank, i), rank.kind[i]].filter(Boolean),
        act: () => show_step(timeline, rank, i)};
    });
    outliers.sort((a, b) => rank.ns[b] - rank.ns[a]);
    return el("div", {}, canvas,
      kdiag.legend(null, [["steady", kdiag.kind_color("step")], ["stands out", kdiag.kind_color("blocking_call")], ["warm-up or cut", kdiag.kind_color("partial")]]),
      outliers.length > 0 && el("p", {class: "small"}, "Stand out: ", outliers.slice(0, 8).map((i, at) => [at ? ", " : "",
        button(`step ${rank.index[i]} (${kdiag.duration(rank.ns[i])})`, () => show_step(timeline, rank, i), {class: "plain"})]),
        outliers.length > 8 && ` and ${outliers.length - 8} more`),
      rank.left_out > 0 && el("p", {class: "soft small"}, `${kdiag.count(rank.left_out)} shorter neighbours are not drawn.`));
  };

  /** From light to dark: as long as the median of all, to `slow` times as long. */
  const heat = part => {
    const mix = (a, b) => Math.round(a + (b - a) * Math.min(Math.max(part, 0), 1));
    return `rgb(${mix(253, 127)}, ${mix(231, 0)}, ${mix(190, 40)})`;
  };

  const map = (ranks, timeline) => {
    const indices = [...new Set(ranks.flatMap(rank => rank.index))].sort((a, b) => a - b);
    const place = new Map(indices.map((index, at) => [index, at]));
    const all = ranks.flatMap(rank => rank.ns.filter((_, i) => is_steady(rank, i))).sort((a, b) => a - b);
    const median = all[Math.floor(all.length / 2)] || 1;
    const tall = Math.max(14, Math.min(24, Math.floor(420 / ranks.length)));
    const columns = ranks.map(rank => new Map(rank.index.map((index, i) => [place.get(index), i])));
    const slowest = ranks.reduce((worst, rank) => rank.median > worst.median ? rank : worst);
    const canvas = kdiag.canvas(ranks.length * tall + 20, `Times of ${ranks.length} ranks by ${indices.length} steps; ${name_of(slowest)} has the longest median`,
      (context, width) => {
        const each = (width - axis) / indices.length;
        context.font = kdiag.font;
        context.textBaseline = "middle";
        ranks.forEach((rank, row) => {
          context.fillStyle = kdiag.color("soft");
          if (tall >= 14) context.fillText(name_of(rank), 0, row * tall + tall / 2);
          rank.index.forEach((index, i) => {
            context.fillStyle = heat((rank.ns[i] / median - 1) / (slow - 1));
            context.fillRect(axis + place.get(index) * each, row * tall + 1, Math.max(each - (each > 4 ? 1 : 0), 1), tall - 2);
          });
        });
        context.fillStyle = kdiag.color("soft");
        const end = "step " + indices[indices.length - 1];
        context.fillText("step " + indices[0], axis, ranks.length * tall + 12);
        context.fillText(end, width - context.measureText(end).width, ranks.length * tall + 12);
      });
    explain(canvas, (x, y, width) => {
      const row = Math.floor(y / tall), column = Math.floor((x - axis) / ((width - axis) / indices.length));
      const i = row >= 0 && row < ranks.length ? columns[row].get(column) : undefined;
      if (i === undefined) return null;
      const rank = ranks[row];
      return {lines: [`${name_of(rank)}, step ${rank.index[i]}: ${kdiag.duration(rank.ns[i])}`, `${(rank.ns[i] / median).toFixed(2)} times the median of all`],
        act: () => show_step(timeline, rank, i)};
    });
    return el("div", {}, el("h4", {}, "Ranks by steps"), canvas,
      kdiag.legend(null, [["the median of all, or less", heat(0)], [`${slow} times as long, or more`, heat(1)]]));
  };

  kdiag.steps = (run, timeline) => {
    const ranks = (run.steps || []).filter(rank => rank.ns.length > 0);
    if (!ranks.some(rank => rank.ns.length > 1)) return null;
    const place = el("div", {}, chart(ranks[0], timeline));
    const choice = ranks.length > 1 && el("div", {class: "bar"}, el("label", {}, "Rank ",
      el("select", {on: {change: event => place.replaceChildren(chart(ranks[Number(event.target.value)], timeline))}},
        ranks.map((rank, i) => el("option", {value: i}, name_of(rank))))));
    return el("section", {}, el("h2", {id: "steps"}, "Steps"), choice, place, ranks.length > 1 && map(ranks, timeline));
  };
}
