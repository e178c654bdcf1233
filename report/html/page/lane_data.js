// SPDX-License-Identifier: Apache-2.0
// The timeline's data: columns of numbers in texts become typed arrays.
{
  /** Whole numbers with blanks between them. Character by character, since split and Number took 473 ms for
   * what this reads in 53 (45,000 slices, a busy machine). */
  const numbers = (text, Column) => {
    let count = text === "" ? 0 : 1;
    for (let i = 0; i < text.length; ++i) if (text.charCodeAt(i) === 32) ++count;
    const out = new Column(count);
    let at = 0, value = 0, sign = 1;
    for (let i = 0; i < text.length; ++i) {
      const code = text.charCodeAt(i);
      if (code === 32) {
        out[at++] = sign * value;
        value = 0;
        sign = 1;
      } else if (code === 45) sign = -1;
      else value = value * 10 + code - 48;
    }
    if (at < count) out[at] = sign * value;
    return out;
  };
  const summed = text => {
    const out = numbers(text, Float64Array);
    for (let i = 1; i < out.length; ++i) out[i] += out[i - 1];
    return out;
  };

  const row_of = data => {
    const starts = summed(data.starts), busy = numbers(data.lengths, Float64Array), ends = new Float64Array(starts.length);
    for (let i = 0; i < starts.length; ++i) ends[i] = starts[i] + busy[i];
    const counts = new Uint32Array(starts.length).fill(1), merged = numbers(data.merged, Float64Array);
    for (let i = 0; i < merged.length; i += 3) {
      counts[merged[i]] = merged[i + 1];
      busy[merged[i]] = merged[i + 2];
    }
    return {starts, ends, names: numbers(data.names, Uint32Array), kinds: numbers(data.kinds, Uint16Array), counts, busy};
  };

  /** The lanes of a run, in the groups of the page. */
  kdiag.lanes = timeline => timeline.groups.map(group => ({
    name: group.name, threads_left_out: group.threads_left_out, lanes_left_out: group.lanes_left_out, open: true,
    lanes: group.lanes.map(lane => lane.type === "sampled"
      ? {name: lane.name, type: lane.type, unit: lane.unit, times: summed(lane.times), values: Float64Array.from(lane.values),
        points_left_out: lane.points_left_out, rows: []}
      : {name: lane.name, type: lane.type, left_out: lane.left_out, rows: lane.rows.map(row_of)}),
  }));

  /** The first place of an ascending column that is above a value. */
  kdiag.first_above = (column, value) => {
    let low = 0, high = column.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (column[middle] > value) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
