// SPDX-License-Identifier: Apache-2.0
// Draws the part of the timeline that is in view. Slices thinner than a pixel share one, so that a frame costs as many
// rectangles as the screen has columns.
{
  const row_height = 20, sample_height = 48, group_height = 26, lane_gap = 6;
  kdiag.ruler_height = 30;
  kdiag.font = "12px system-ui, sans-serif";
  const letter = 7.3;  // px: wider than the mean of this font, so that no name leaves its slice

  /** Where groups, lanes and rows stand, from the top. */
  kdiag.lay_out = groups => {
    let y = kdiag.ruler_height;
    for (const group of groups) {
      group.y = y;
      y += group_height;
      for (const lane of group.lanes) {
        lane.y = y;
        lane.height = lane.type === "sampled" ? sample_height : Math.max(lane.rows.length, 1) * row_height;
        if (group.open) y += lane.height + lane_gap;
      }
    }
    return y + 12;
  };

  kdiag.lane_at = (groups, y) => {
    for (const group of groups)
      if (group.open)
        for (const lane of group.lanes)
          if (y >= lane.y && y < lane.y + lane.height) return {group, lane, row: Math.floor((y - lane.y) / row_height)};
    return null;
  };

  /** The slice of a row at a time, or the nearest one within `near` of it; -1: none. */
  kdiag.slice_at = (row, time, near) => {
    let at = kdiag.first_above(row.ends, time - near);
    let best = -1, distance = Infinity;
    for (; at < row.starts.length && row.starts[at] <= time + near; ++at) {
      const away = Math.max(row.starts[at] - time, time - row.ends[at], 0);
      if (away < distance) [best, distance] = [at, away];
    }
    return best;
  };

  const clip = (text, width) => {
    const fits = Math.floor(width / letter);
    return fits < 3 ? "" : text.length <= fits ? text : text.slice(0, fits - 1) + "…";
  };

  /** The middle is left out: names of threads and streams differ in their ends as often as in their beginnings. */
  const clip_middle = (text, width) => {
    const fits = Math.floor(width / letter), tail = Math.floor((fits - 1) / 2);
    return text.length <= fits ? text : text.slice(0, fits - 1 - tail) + "…" + text.slice(text.length - tail);
  };

  const minute = 60e9;
  /** The least round time that is no shorter: 1, 2 or 5 of a unit, and parts of an hour. */
  const round_step = rough => {
    const long = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600].map(minutes => minutes * minute);
    if (rough > minute / 2) return long.find(one => one >= rough) || 1440 * minute * Math.ceil(rough / (1440 * minute));
    const power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 5, 10].map(times => times * power).find(one => one >= rough);
  };

  class Painter {
    constructor(context, frame) {
      Object.assign(this, frame);
      this.context = context;
      this.scale = (this.width - this.left) / (this.view.to - this.view.from);
    }
    x(time) { return this.left + (time - this.view.from) * this.scale; }

    row(row, y) {
      const {context, view, left, width, state} = this;
      let last = left;
      for (let i = kdiag.first_above(row.ends, view.from); i < row.starts.length && row.starts[i] < view.to; ++i) {
        const from = Math.max(this.x(row.starts[i]), left), to = Math.min(this.x(row.ends[i]), width);
        const dim = state.matches && !state.matches[row.names[i]];
        if (to < last + 0.5 && (dim || !state.matches)) continue;
        const thickness = Math.max(to - from, 1), color = state.colors[row.kinds[i]];
        const dense = row.counts[i] === 1 ? 1 : 0.4 + 0.6 * Math.min(1, row.busy[i] / Math.max(row.ends[i] - row.starts[i], 1));
        context.globalAlpha = dim ? 0.15 : dense;
        context.fillStyle = color;
        context.fillRect(from, y + 1, thickness > 3 ? thickness - 0.5 : thickness, row_height - 2);
        last = from + thickness;
        if (thickness > 24 && !dim) this.text(row, i, from, thickness, y, color);
      }
      context.globalAlpha = 1;
    }

    text(row, i, from, thickness, y, color) {
      const {context, state} = this;
      const name = state.labels[row.names[i]] || state.kind_labels[row.kinds[i]];
      const words = clip(row.counts[i] === 1 ? name : `${kdiag.count(row.counts[i])} × ${name}`, thickness - 6);
      if (!words) return;
      context.globalAlpha = 1;
      context.fillStyle = row.counts[i] === 1 ? kdiag.ink_on(color) : state.ink;
      context.fillText(words, from + 3, y + row_height / 2 + 0.5);
    }

    samples(lane, y) {
      const {context, view, state} = this;
      const begin = Math.max(kdiag.first_above(lane.times, view.from) - 1, 0);
      const end = Math.min(kdiag.first_above(lane.times, view.to) + 1, lane.times.length);
      let high = 0;
      for (const value of lane.values) high = Math.max(high, value);
      const height = value => y + sample_height - 4 - (high > 0 ? value / high : 0) * (sample_height - 22);
      context.strokeStyle = state.link;
      context.lineWidth = 1.5;
      context.beginPath();
      for (let i = begin; i < end; ++i) {
        const x = this.x(lane.times[i]);
        if (i === begin) context.moveTo(x, height(lane.values[i]));
        else context.lineTo(x, height(lane.values[i - 1]));
        context.lineTo(x, height(lane.values[i]));
      }
      if (end > 0) context.lineTo(Math.max(this.x(lane.times[end - 1]), this.left), height(lane.values[end - 1]));
      context.stroke();
      context.fillStyle = state.soft;
      context.fillText(`0 to ${kdiag.value(high, lane.unit)}`, this.left + 4, y + 9);
    }

    bands() {
      const {context, state, height} = this;
      for (const [from, to] of state.bands) {
        const x = this.x(from), thickness = Math.max(this.x(to) - x, 1.5);
        if (x > this.width || x + thickness < this.left) continue;
        context.fillStyle = state.band;
        context.fillRect(x, 0, thickness, height);
      }
      if (state.selected) {
        const {row, i, y} = state.selected, x = this.x(row.starts[i]);
        context.strokeStyle = state.ink;
        context.lineWidth = 2;
        context.strokeRect(x, y - this.scroll + 1, Math.max(this.x(row.ends[i]) - x, 2), row_height - 2);
      }
      if (state.judged_to !== null) {
        context.fillStyle = state.line;
        for (const time of [0, state.judged_to]) context.fillRect(this.x(time), kdiag.ruler_height - 8, 1, height);
      }
    }

    ruler() {
      const {context, view, width, left, state} = this;
      context.fillStyle = state.panel;
      context.fillRect(0, 0, width, kdiag.ruler_height);
      const step = round_step(110 / this.scale);
      context.fillStyle = state.soft;
      for (let time = Math.ceil(view.from / step) * step; time < view.to; time += step) {
        const x = this.x(time);
        if (x < left) continue;
        context.fillRect(x, 20, 1, 10);
        if (x < width - 60) context.fillText(time === 0 ? "0" : kdiag.duration(Math.round(time)).replace(/ 0 (s|min)$/, ""), x + 3, 12);
      }
      context.fillStyle = state.high;
      for (const [from, to] of state.bands) {
        const x = this.x(from);
        if (x <= width && this.x(to) >= left) context.fillRect(Math.max(x, left), 24, Math.max(this.x(to) - x, 2), 6);
      }
    }

    lane_label(lane, y) {
      const {context, left, state} = this;
      context.fillStyle = state.soft;
      context.fillText(clip_middle(lane.name.replaceAll("_", " "), left - 20), 14, y + row_height / 2);
    }

    all(groups) {
      const {context, width, height, left, state, scroll} = this;
      context.font = kdiag.font;
      context.textBaseline = "middle";
      context.fillStyle = state.paper;
      context.fillRect(0, 0, width, height);
      for (const group of groups) {
        if (group.open)
          for (const lane of group.lanes) {
            const y = lane.y - scroll;
            if (y > height || y + lane.height < 0) continue;
            if (lane.type === "sampled") this.samples(lane, y);
            lane.rows.forEach((row, depth) => this.row(row, y + depth * row_height));
          }
      }
      this.bands();
      context.fillStyle = state.paper;
      context.fillRect(0, 0, left, height);
      for (const group of groups) {
        const y = group.y - scroll;
        if (y < height && y + group_height > 0) {
          context.fillStyle = state.panel;
          context.fillRect(0, y, width, group_height - 4);
          context.fillStyle = state.ink;
          context.fillText((group.open ? "▾ " : "▸ ") + group.name, 6, y + group_height / 2 - 2);
        }
        if (group.open) for (const lane of group.lanes) this.lane_label(lane, lane.y - scroll);
      }
      this.ruler();
    }
  }

  /** `frame`: width, height, left (of lane names), view {from, to}, scroll, state. */
  kdiag.paint = (context, groups, frame) => new Painter(context, frame).all(groups);
  kdiag.group_at = (groups, y) => groups.find(group => y >= group.y && y < group.y + group_height);
  kdiag.row_height = row_height;
}
