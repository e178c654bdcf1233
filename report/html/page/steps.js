// SPDX-License-Identifier: Apache-2.0
// How long steps took: a chart of one rank with what stands out, and ranks by steps as a heat map.
{
  const {el, button} = kdiag;
  const chart_height = 170, axis = 64;
  const slow = 1.25;  // times the middle rank: the darkest colour of the map (judgement)

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

  /** From light to dark: as long as the middle rank in that step, to `slow` times as long. */
  const heat = part => {
    const mix = (a, b) => Math.round(a + (b - a) * Math.min(Math.max(part, 0), 1));
    return `rgb(${mix(253, 127)}, ${mix(231, 0)}, ${mix(190, 40)})`;
  };
  const range = (what, [first, last]) => first === last ? `${what} ${first}` : `${what}s ${first} to ${last}`;

  const map = ({ranks, steps, percent, worst, without_waiting}, choose) => {
    const tall = Math.max(1, Math.min(24, Math.floor(560 / ranks.length)));
    const label_rows = Math.ceil(14 / tall);  // so many rows have room for one name
    const longest = ranks.map((one, row) => percent[row].reduce((sum, value) => sum + value, 0));
    const slowest = longest.indexOf(Math.max(...longest));
    const what = "time" + (without_waiting ? " without waits" : "");
    const label = `${range("rank", [ranks[0][0], ranks[ranks.length - 1][1]])} by ${range("step", [steps[0][0], steps[steps.length - 1][1]])}; ` +
      `${range("rank", ranks[slowest])} ${ranks[slowest][0] === ranks[slowest][1] ? "has" : "have"} the longest ${what}`;
    const canvas = kdiag.canvas(ranks.length * tall + 20, label, (context, width) => {
      const each = (width - axis) / steps.length;
      context.font = kdiag.font;
      context.textBaseline = "middle";
      ranks.forEach((one, row) => {
        context.fillStyle = kdiag.color("soft");
        if (row % label_rows === 0) context.fillText("rank " + one[0], 0, (row + label_rows / 2) * tall);
        percent[row].forEach((value, at) => {
          if (value === null) return;
          context.fillStyle = heat((value / 100 - 1) / (slow - 1));
          context.fillRect(axis + at * each, row * tall, Math.max(each - (each > 4 ? 1 : 0), 1), Math.max(tall - (tall > 4 ? 2 : 0), 1));
        });
      });
      context.fillStyle = kdiag.color("soft");
      const end = "step " + steps[steps.length - 1][1];
      context.fillText("step " + steps[0][0], axis, ranks.length * tall + 12);
      context.fillText(end, width - context.measureText(end).width, ranks.length * tall + 12);
    });
    explain(canvas, (x, y, width) => {
      const row = Math.floor(y / tall), at = Math.floor((x - axis) / ((width - axis) / steps.length));
      const value = percent[row] && percent[row][at];
      if (value === null || value === undefined) return null;
      const rank = worst ? worst[row][at] : ranks[row][0];
      return {lines: [`rank ${rank}, ${range("step", steps[at])}: ${(value / 100).toFixed(2)} times the middle rank`,
        ranks[row][0] < ranks[row][1] && `the worst of ${range("rank", ranks[row])}`].filter(Boolean), act: () => choose(rank, steps[at])};
    });
    const grouped = [ranks, steps].some(ends => ends.some(([first, last]) => first !== last));
    return el("div", {}, el("h4", {}, "Ranks by steps"),
      el("p", {class: "soft small"}, `How long each rank took for a step${without_waiting ? ", less what it waited for others in collectives," : ""} over the middle rank in that step.` +
        (grouped ? " A cell is of neighbours, and shows the worst of them." : "")),
      canvas, kdiag.legend(null, [["the middle rank, or less", heat(0)], [`${slow} times as long, or more`, heat(1)]]));
  };

  kdiag.steps = (run, timeline) => {
    const ranks = (run.steps || []).filter(rank => rank.ns.length > 0);
    if (!ranks.some(rank => rank.ns.length > 1)) return null;
    const place = el("div", {}, chart(ranks[0], timeline));
    const show = i => place.replaceChildren(chart(ranks[i], timeline));
    const select = el("select", {on: {change: event => show(Number(event.target.value))}},
      ranks.map((rank, i) => el("option", {value: i}, name_of(rank))));
    const choose = (id, [first, last]) => {
      const at = ranks.findIndex(rank => rank.rank === id);
      if (at < 0) return;
      select.value = at;
      show(at);
      const step = ranks[at].index.findIndex(index => index >= first && index <= last);
      if (step >= 0) show_step(timeline, ranks[at], step);
    };
    const choice = ranks.length > 1 && el("div", {class: "bar"}, el("label", {}, "Rank ", select),
      run.ranks_left_out > 0 && el("span", {class: "soft small"}, `${kdiag.count(run.ranks_left_out)} ranks that are less far above the others are on the map alone.`));
    return el("section", {}, el("h2", {id: "steps"}, "Steps"), choice, place, run.step_map && map(run.step_map, choose));
  };
}
