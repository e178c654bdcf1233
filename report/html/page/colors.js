// SPDX-License-Identifier: Apache-2.0
// One colour for each kind of slice and each line of the account. The main ones are those of M. Okabe and K. Ito, "Color
// Universal Design" (2008), which people with colour blindness tell apart; the others differ in lightness, too.
{
  const okabe_ito = {blue: "#0072b2", sky: "#56b4e9", green: "#009e73", yellow: "#f0e442", orange: "#e69f00",
    vermilion: "#d55e00", purple: "#cc79a7"};
  const colors = {
    gemm: okabe_ito.blue, conv: okabe_ito.sky, attention: okabe_ito.purple, norm: okabe_ito.green,
    elementwise: okabe_ito.orange, reduce: okabe_ito.yellow, communication: okabe_ito.vermilion, copy: "#7f7f7f",
    memset: "#bfbfbf", optimizer: "#8c6d31", other: "#a3b1c6",
    blocking_call: okabe_ito.vermilion, other_device: "#f4b9d2", input: okabe_ito.orange, host_collective: okabe_ito.purple,
    allocation: "#8c564b", copy_call: "#6b6b6b", slow_call: "#9467bd", first_use: okabe_ito.yellow, compile: "#bcbd22",
    gc: "#e377c2", capture: "#aec7e8", system_call: "#393b79", launch_bound: okabe_ito.blue, launch_latency: okabe_ito.sky,
    queued: okabe_ito.green, host_work: "#74c476", python: "#31a354", unrecorded: "#969696", unused: "#d9d9d9",
    host_sync: okabe_ito.vermilion, data_loading: okabe_ito.orange, runtime: "#9467bd", launch: okabe_ito.sky,
    no_work: "#c7c7c7", unknown: "#dcdcdc",
    op: "#6f9bd1", call: "#b39ddb", range: "#80b98d", "system call": "#b07c7c",
    steady: "#8fb8a8", warmup: okabe_ito.yellow, partial: "#cfcfcf", step: "#8fb8a8", compute: okabe_ito.blue,
  };
  const spare = ["#5f8dd3", "#d38d5f", "#5fd38d", "#8d5fd3", "#d35f8d", "#8dd35f"];
  kdiag.kind_color = kind => {
    if (Object.hasOwn(colors, kind)) return colors[kind];
    const last = kind.split(".").pop();  // idle.host_sync, kernel.gemm
    if (Object.hasOwn(colors, last)) return colors[last];
    let sum = 0;
    for (const letter of kind) sum = (sum * 31 + letter.codePointAt(0)) % 9973;
    return spare[sum % spare.length];
  };
  /** Black or white, whichever can be read on a colour (relative luminance of WCAG 2). */
  kdiag.ink_on = color => {
    const part = at => {
      const value = parseInt(color.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) > 0.18 ? "#111111" : "#ffffff";
  };
  kdiag.kind_label = kind => kind.replaceAll("_", " ");
}
