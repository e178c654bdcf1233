// SPDX-License-Identifier: Apache-2.0
// What stands around the drawing of a timeline: its tools, its legend, and what it does not show.
{
  const {el, button} = kdiag;

  kdiag.timeline_tools = timeline => {
    timeline.input = el("input", {type: "search", placeholder: "Search names ( / )", "aria-label": "Search slices by name", on: {
      change: event => timeline.search(event.target.value),
      keydown: event => { if (event.key === "Enter" && timeline.state.matches && event.target.value) timeline.next_match(); },
    }});
    const next = button("Next", () => timeline.next_match(), {"aria-label": "Next match"});
    timeline.steps = el("span", {}, button("◂", () => timeline.show_next(-1), {"aria-label": "Previous interval"}), " ",
      button("▸", () => timeline.show_next(1), {"aria-label": "Next interval"}));
    timeline.steps.hidden = true;
    return el("div", {class: "bar"}, timeline.input, next, timeline.found,
      button("+", () => timeline.view.zoom(0.5, 0.5), {"aria-label": "Zoom in"}), button("−", () => timeline.view.zoom(2, 0.5), {"aria-label": "Zoom out"}),
      button("All", () => timeline.view.go(timeline.view.all.from, timeline.view.all.to), {title: "Show all of the time"}), timeline.steps, timeline.place);
  };

  /** One box for each group: who cannot click into the drawing folds here. */
  kdiag.lane_choice = timeline => {
    timeline.lanes_list = el("div", {class: "bar"}, timeline.groups.map(group => el("label", {class: "small"},
      el("input", {type: "checkbox", checked: group.open, on: {change: event => timeline.fold(group, event.target.checked)}}), " ", group.name)));
    return el("details", {}, el("summary", {}, "Fold and unfold lanes"), timeline.lanes_list);
  };

  /** Where a page that could not hold every slice has each of them, as places to go to. */
  kdiag.exact_parts = timeline => {
    const named = timeline.data.exact.filter(part => part.what);
    if (named.length === 0) return null;
    return el("p", {class: "small"}, "Each event is drawn by itself in ", named.map((part, i) => [i ? (i + 1 < named.length ? ", " : " and ") : "",
      part.begins && "the beginning of ", button(part.what, () => timeline.show_part(part), {class: "plain"})]),
      ", and where findings are. Elsewhere short neighbours are merged, since a page of this size has no room for all of them.");
  };

  kdiag.left_out = timeline => {
    const texts = [];
    if (timeline.data.drawn < timeline.data.slices)
      texts.push(`${kdiag.count(timeline.data.slices)} slices are drawn as ${kdiag.count(timeline.data.drawn)}: merged ones are paler where less runs in them.`);
    const lanes = timeline.groups.reduce((sum, group) => sum + group.lanes_left_out, 0);
    if (timeline.data.groups_left_out || lanes)
      texts.push(`Lanes of ${kdiag.count(timeline.data.groups_left_out)} more devices and hosts are left out, and ${kdiag.count(lanes)} of these.`);
    const threads = timeline.groups.reduce((sum, group) => sum + group.threads_left_out, 0);
    if (threads) texts.push(`${kdiag.count(threads)} host threads with fewer events are left out.`);
    const deep = timeline.groups.flatMap(group => group.lanes).reduce((sum, lane) => sum + (lane.left_out || 0), 0);
    if (deep) texts.push(`${kdiag.count(deep)} slices that are nested too deeply are left out.`);
    const points = timeline.groups.flatMap(group => group.lanes).reduce((sum, lane) => sum + (lane.points_left_out || 0), 0);
    if (points) texts.push(`${kdiag.count(points)} samples between others are not drawn: of each part of the time the lowest and the highest are.`);
    return texts.map(text => el("p", {class: "soft small"}, text));
  };

  kdiag.timeline_legends = timeline => {
    const used = new Map();
    for (const group of timeline.groups)
      for (const lane of group.lanes) {
        if (!used.has(lane.type)) used.set(lane.type, new Set());
        for (const row of lane.rows) for (const kind of row.kinds) used.get(lane.type).add(kind);
      }
    const titles = {steps: "Steps", host: "Host", idle: "Idle: waits for", stream: "Streams"};
    return [...used].filter(([type, kinds]) => titles[type] && kinds.size).map(([type, kinds]) =>
      kdiag.legend(titles[type], [...kinds].sort((a, b) => a - b).map(kind => [timeline.state.kind_labels[kind], timeline.state.colors[kind]])));
  };
}
