// SPDX-License-Identifier: Apache-2.0
// The timeline of a run: lanes, search, what is selected, and the intervals of a finding.
{
  const {el} = kdiag;
  const many_groups = 6;  // more of them start folded, but for the first

  class Timeline {
    constructor(data) {
      this.data = data;
      this.groups = kdiag.lanes(data);
      const unused = data.kinds.indexOf("unused");  // devices that were offered no work
      for (const group of this.groups)
        if (group.lanes.every(lane => lane.type === "idle" && lane.rows.every(row => row.kinds.every(kind => kind === unused)))) group.open = false;
      if (this.groups.length > many_groups) this.groups.forEach((group, i) => group.open = i < 2);
      this.state = {
        labels: data.names.map(kdiag.short_name), kind_labels: data.kinds.map(kdiag.kind_label),
        colors: data.kinds.map(kdiag.kind_color), bands: [], matches: null, selected: null, judged_to: data.judged_to,
      };
      const [from, to] = data.judged_to === null ? [data.from, data.to] : [Math.min(0, data.from), Math.max(data.judged_to, data.to)];
      this.view = new kdiag.View(from, to, () => this.request());
      if (data.judged_to > 0) this.view.set(-data.judged_to * 0.02, data.judged_to * 1.02);
      this.home = {from: this.view.from, to: this.view.to};
      this.canvas = el("canvas", {"aria-hidden": "true"});
      this.spacer = el("div", {"aria-hidden": "true"});
      this.box = el("div", {class: "view", tabindex: 0, role: "application", "aria-roledescription": "timeline",
        "aria-label": "Timeline. W and S zoom, A and D move, 0 shows all, full stop and comma select the next and the previous slice, slash searches.",
      }, this.canvas, this.spacer);
      this.selected = el("div", {class: "selected", role: "status"}, "Click a slice, or press full stop, to select one.");
      this.found = el("span", {class: "soft small", role: "status"});
      this.place = el("span", {class: "soft small", role: "status"});
      this.listen();
    }

    left() { return this.box.clientWidth < 640 ? 84 : 170; }

    request() {
      if (this.asked) return;
      this.asked = true;
      requestAnimationFrame(() => { this.asked = false; this.draw(); });
    }

    /** Gives the box the height of its lanes: only then can it scroll to each of them. */
    lay_out() {
      const full = kdiag.lay_out(this.groups);
      this.box.style.height = full + "px";  // the style sheet says how much of it is seen at a time
      this.spacer.style.height = Math.max(full - this.box.clientHeight, 0) + "px";
    }

    draw() {
      this.lay_out();
      const width = this.box.clientWidth, height = this.box.clientHeight;
      if (!width) return;
      this.canvas.style.height = height + "px";
      kdiag.fit(this.canvas, width, height);
      for (const name of ["ink", "soft", "paper", "panel", "line", "band", "link", "high"]) this.state[name] = kdiag.color(name);
      kdiag.paint(this.canvas.getContext("2d"), this.groups,
        {width, height, left: this.left(), view: this.view, scroll: this.box.scrollTop, state: this.state});
    }

    listen() {
      kdiag.navigate(this.box, this.view, () => this.left());
      this.box.addEventListener("scroll", () => this.request());
      kdiag.on_redraw(() => this.request());
      new ResizeObserver(() => this.request()).observe(this.box);
      let pressed = null;
      this.box.addEventListener("pointerdown", event => pressed = event.clientX);
      this.box.addEventListener("pointermove", event => this.hover(event));
      this.box.addEventListener("pointerleave", event => kdiag.tip(event, null));
      this.box.addEventListener("click", event => {
        if (pressed !== null && Math.abs(event.clientX - pressed) < 4) this.click(event);
      });
      this.box.addEventListener("keydown", event => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const action = {"0": () => this.view.go(this.home.from, this.home.to), Home: () => this.view.go(this.home.from, this.home.to),
          ".": () => this.step(1), ",": () => this.step(-1), "/": () => this.input.focus(), f: () => this.focus_selected(),
          Escape: () => this.clear()}[event.key];
        if (!action) return;
        event.preventDefault();
        action();
      });
    }

    time_at(event) {
      const bounds = this.box.getBoundingClientRect(), left = this.left();
      const per_px = (this.view.to - this.view.from) / (bounds.width - left);
      const x = event.clientX - bounds.left - left;
      return {time: this.view.from + x * per_px, per_px, y: event.clientY - bounds.top + this.box.scrollTop,
        outside: x < 0 || event.clientY - bounds.top < kdiag.ruler_height};
    }

    hit(event) {
      const {time, per_px, y, outside} = this.time_at(event);
      const at = outside ? null : kdiag.lane_at(this.groups, y);
      if (!at) return null;
      if (at.lane.type === "sampled") {
        const i = kdiag.first_above(at.lane.times, time) - 1;
        return i < 0 ? null : {lane: at.lane, sample: i};
      }
      const row = at.lane.rows[at.row], i = row ? kdiag.slice_at(row, time, 2 * per_px) : -1;
      return i < 0 ? null : {lane: at.lane, group: at.group, row, i, y: at.lane.y + at.row * kdiag.row_height};
    }

    describe(hit) {
      const {row, i, lane} = hit, length = row.ends[i] - row.starts[i];
      const kind = this.state.kind_labels[row.kinds[i]], name = this.data.names[row.names[i]] || kind;
      const when = `${kdiag.duration(length)} from ${kdiag.duration(row.starts[i])}`;
      const what = kind === name ? lane.name : `${kind}, ${lane.name}`;
      if (row.counts[i] === 1) return [name, when, what];
      return [`${kdiag.count(row.counts[i])} slices, the longest: ${name}`,
        `${when}; ${kdiag.duration(row.busy[i])} of it with something running`, what];
    }

    hover(event) {
      const hit = this.hit(event);
      if (!hit) return kdiag.tip(event, null);
      if (hit.sample === undefined) return kdiag.tip(event, this.describe(hit));
      const {lane, sample} = hit;
      kdiag.tip(event, [`${lane.name.replaceAll("_", " ")}: ${kdiag.value(lane.values[sample], lane.unit)}`,
        "at " + kdiag.duration(lane.times[sample])]);
    }

    click(event) {
      const {y, outside} = this.time_at(event);
      const group = kdiag.group_at(this.groups, y);
      if (group && event.clientY - this.box.getBoundingClientRect().top >= kdiag.ruler_height) return this.fold(group, !group.open);
      const hit = outside ? null : this.hit(event);
      this.select(hit && hit.sample === undefined ? hit : null);
    }

    fold(group, open) {
      group.open = open;
      if (this.lanes_list) this.lanes_list.querySelectorAll("input").forEach((box, i) => box.checked = this.groups[i].open);
      this.request();
    }

    select(hit) {
      this.state.selected = hit;
      if (hit) {
        const lines = this.describe(hit);
        this.selected.replaceChildren(el("div", {class: "name"}, lines[0]), el("div", {class: "soft"}, lines.slice(1).join(" · ")));
      } else this.selected.textContent = "Nothing is selected.";
      this.request();
    }

    /** The next slice of the row of the selected one, or the first in view. */
    step(by) {
      const before = this.state.selected;
      if (before) {
        const i = before.i + by;
        if (i < 0 || i >= before.row.starts.length) return;
        return this.reveal({...before, i});
      }
      kdiag.lay_out(this.groups);
      for (const group of this.groups.filter(one => one.open))
        for (const lane of group.lanes)
          for (const [depth, row] of lane.rows.entries()) {
            const i = kdiag.first_above(row.ends, this.view.from);
            if (i < row.starts.length && row.starts[i] < this.view.to)
              return this.reveal({group, lane, row, i, y: lane.y + depth * kdiag.row_height});
          }
    }

    /** Selects a slice and moves as far as it takes to see it. */
    reveal(hit) {
      if (!hit.group.open) this.fold(hit.group, true);
      this.lay_out();
      this.select({...hit, y: hit.lane.y + hit.lane.rows.indexOf(hit.row) * kdiag.row_height});
      const from = hit.row.starts[hit.i], to = hit.row.ends[hit.i], length = this.view.to - this.view.from;
      if (from < this.view.from || to > this.view.to) {
        const next = Math.max(length, (to - from) * 1.5), middle = (from + to) / 2;
        this.view.go(middle - next / 2, middle + next / 2);
      }
      this.scroll_to(this.state.selected.y);
    }

    scroll_to(y) {
      const top = this.box.scrollTop + kdiag.ruler_height, bottom = this.box.scrollTop + this.box.clientHeight - 40;
      if (y < top || y > bottom) this.box.scrollTop = Math.max(0, y - this.box.clientHeight / 3);
    }

    focus_selected() {
      if (!this.state.selected) return;
      const {row, i} = this.state.selected, room = Math.max(row.ends[i] - row.starts[i], 10) * 0.6;
      this.view.go(row.starts[i] - room, row.ends[i] + room);
    }

    clear() {
      this.input.value = "";
      this.state.matches = null;
      this.state.bands = [];
      this.found.textContent = this.place.textContent = "";
      this.steps.hidden = true;
      this.select(null);
    }

    /** Moves to an interval of a finding; all of them stay marked. */
    show(finding, at = 0) {
      this.state.bands = finding.intervals;
      this.open_place(finding.place);
      this.shown = {finding, at};
      const [from, to] = finding.intervals[at], room = Math.max(to - from, 1000) * 0.5;
      this.view.go(from - room, to + room);
      const of = finding.intervals_total > finding.intervals.length ? `${finding.intervals.length} (of ${kdiag.count(finding.intervals_total)})`
        : finding.intervals.length;
      this.place.textContent = `${finding.title}: interval ${at + 1} of ${of}, ${kdiag.duration(to - from)} from ${kdiag.duration(from)}`;
      this.steps.hidden = finding.intervals.length < 2;
      this.element.scrollIntoView({block: "start"});
      this.box.focus({preventScroll: true});
    }
    show_part(part) {
      const room = (part.to - part.from) * 0.02;
      this.view.go(part.from - room, part.to + room);
      this.element.scrollIntoView({block: "start"});
      this.box.focus({preventScroll: true});
    }
    /** Unfolds the lanes of a device or rank, and scrolls to them. */
    open_place(place) {
      const groups = this.groups.filter(group => place && (group.name === place || group.name.startsWith(place + " ")));
      groups.forEach(group => this.fold(group, true));
      this.lay_out();
      if (groups.length) this.box.scrollTop = Math.max(0, groups[0].y - kdiag.ruler_height - this.box.clientHeight / 3);
    }
    show_next(by) {
      const {finding, at} = this.shown, count = finding.intervals.length;
      this.show(finding, (at + by + count) % count);
    }
    /** Moves to a step by its number; `rank` may be null. */
    show_step(rank, index) {
      const host = rank === null ? "host" : `rank ${rank} host`, name = "step " + index;
      for (const group of this.groups.filter(one => one.name === host))
        for (const lane of group.lanes.filter(one => one.type === "steps"))
          for (const row of lane.rows)
            for (let i = 0; i < row.starts.length; ++i) {
              if (this.data.names[row.names[i]] !== name) continue;
              const room = (row.ends[i] - row.starts[i]) * 0.1;
              this.view.go(row.starts[i] - room, row.ends[i] + room);
              this.element.scrollIntoView({block: "start"});
              return;
            }
    }

    search(text) {
      this.input.value = text;
      const words = text.toLowerCase();
      this.state.matches = words ? this.data.names.map(name => name.toLowerCase().includes(words)) : null;
      let count = 0;
      if (words) this.each_match(() => ++count);
      this.found.textContent = words ? `${kdiag.count(count)} slices` : "";
      if (count) this.next_match();
      this.request();
    }
    each_match(take) {
      for (const group of this.groups)
        for (const lane of group.lanes)
          for (const row of lane.rows)
            for (let i = 0; i < row.starts.length; ++i) if (this.state.matches[row.names[i]]) take({group, lane, row, i});
    }
    /** The next match behind the selected slice, else the first. */
    next_match() {
      if (!this.state.matches) return;
      const now = this.state.selected ? this.state.selected.row.starts[this.state.selected.i] : -Infinity;
      let first = null, next = null;
      this.each_match(match => {
        const start = match.row.starts[match.i];
        if (!first || start < first.row.starts[first.i]) first = match;
        if (start > now && (!next || start < next.row.starts[next.i])) next = match;
      });
      this.reveal(next || first);
    }

    build() {
      this.element = el("section", {},
        el("h2", {id: "timeline"}, "Timeline"),
        el("p", {class: "soft small keys"}, "W S zoom, A D move, 0 all, F the selected slice, / search; Ctrl and the wheel zoom, dragging moves."),
        kdiag.timeline_tools(this), kdiag.exact_parts(this), el("div", {class: "timeline"}, this.box, this.selected), kdiag.timeline_legends(this), kdiag.lane_choice(this), kdiag.left_out(this));
      return this;
    }
  }

  kdiag.timeline = data => new Timeline(data).build();
}
