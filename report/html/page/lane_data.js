// SPDX-License-Identifier: Apache-2.0
// The timeline's data: columns of numbers in texts become typed arrays.
{
  const numbers = text => text === "" ? [] : text.split(" ").map(Number);
  const summed = text => {
    let sum = 0;
    return Float64Array.from(numbers(text), step => sum += step);
  };

  const row_of = data => {
    const starts = summed(data.starts), lengths = Float64Array.from(numbers(data.lengths));
    const ends = starts.map((start, i) => start + lengths[i]);
    const counts = new Uint32Array(starts.length).fill(1), busy = lengths.slice();
    const merged = numbers(data.merged);
    for (let i = 0; i < merged.length; i += 3) {
      counts[merged[i]] = merged[i + 1];
      busy[merged[i]] = merged[i + 2];
    }
    return {starts, ends, names: Uint32Array.from(numbers(data.names)), kinds: Uint16Array.from(numbers(data.kinds)), counts, busy};
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
