// SPDX-License-Identifier: Apache-2.0
// The timeline's data: columns of numbers in texts become typed arrays.
{
  const value_of = new Uint8Array(128);
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((digit, value) => value_of[digit.charCodeAt(0)] = value);

  /** Numbers of 0 and more: digits of base 32, the least first, all but the last of a number marked by 32. */
  const numbers = (text, Column) => {
    let count = 0;
    for (let i = 0; i < text.length; ++i) if (value_of[text.charCodeAt(i)] < 32) ++count;
    const out = new Column(count);
    for (let i = 0, at = 0, number = 0, scale = 1; i < text.length; ++i) {
      const digit = value_of[text.charCodeAt(i)];
      number += (digit & 31) * scale;
      if (digit & 32) scale *= 32;  // no shift: numbers have up to 53 bits
      else {
        out[at++] = number;
        number = 0;
        scale = 1;
      }
    }
    return out;
  };

  /** Starts and ends of what follows each other, from the gaps before and the lengths. */
  const row_of = (data, name_kinds) => {
    const starts = numbers(data.gaps, Float64Array), busy = numbers(data.lengths, Float64Array), ends = new Float64Array(starts.length);
    for (let i = 0, time = data.from; i < starts.length; ++i) {
      starts[i] = time += starts[i];
      ends[i] = time += busy[i];
    }
    const counts = new Uint32Array(starts.length).fill(1), merged = numbers(data.merged, Float64Array);
    for (let i = 0, place = 0; i < merged.length; i += 3) {
      place += merged[i];
      counts[place] = merged[i + 1];
      busy[place] = merged[i + 2];
    }
    const names = numbers(data.names, Uint32Array), kinds = new Uint16Array(names.length);
    for (let i = 0; i < names.length; ++i) kinds[i] = name_kinds[names[i]];
    return {starts, ends, names, kinds, counts, busy};
  };

  const sampled = lane => {
    const times = numbers(lane.gaps, Float64Array);
    for (let i = 0, time = lane.from; i < times.length; ++i) times[i] = time += times[i];
    return {name: lane.name, type: lane.type, unit: lane.unit, times, values: Float64Array.from(lane.values),
      points_left_out: lane.points_left_out, rows: []};
  };

  /** The lanes of a run, in the groups of the page. */
  kdiag.lanes = timeline => timeline.groups.map(group => ({
    name: group.name, threads_left_out: group.threads_left_out, lanes_left_out: group.lanes_left_out, open: true,
    lanes: group.lanes.map(lane => lane.type === "sampled" ? sampled(lane)
      : {name: lane.name, type: lane.type, left_out: lane.left_out, rows: lane.rows.map(row => row_of(row, timeline.name_kinds))}),
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
