// SPDX-License-Identifier: Apache-2.0
// Quantities as people read them, in the words of the text report: three digits, one unit.
{
  const three_digits = value => {
    const size = Math.abs(value);
    if (size === 0 || !isFinite(size)) return String(value);
    const decimals = Math.max(0, 2 - Math.floor(Math.log10(size)));
    const text = value.toFixed(Math.min(decimals, 6));
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  };
  const scaled = (value, step, units) => {
    let at = 0;
    while (at + 1 < units.length && Math.abs(value) >= step * 0.9995) value /= step, ++at;
    return three_digits(value) + " " + units[at];
  };
  kdiag.count = value => String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  kdiag.duration = ns => {
    if (ns === null || ns === undefined) return "unknown";
    const size = Math.abs(ns), sign = ns < 0 ? "-" : "";
    if (size >= 60e9) {
      const seconds = Math.round(size / 1e9), minutes = Math.floor(seconds / 60);
      return sign + (minutes < 60 ? minutes + " min " + seconds % 60 + " s"
        : Math.floor(minutes / 60) + " h " + minutes % 60 + " min");
    }
    return scaled(ns, 1000, ["ns", "us", "ms", "s"]);
  };
  kdiag.share = share => {
    const percent = share * 100;
    if (percent > 0 && percent < 0.1) return "<0.1 %";
    return (percent < 10 ? percent.toFixed(1).replace(/\.0$/, "") : percent.toFixed(0)) + " %";
  };
  /** A value in its base unit. */
  kdiag.value = (value, unit) => {
    if (value === null || value === undefined) return "unknown";
    switch (unit) {
      case "ns": return kdiag.duration(value);
      case "bytes": return scaled(value, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]);
      case "Hz": return scaled(value / 1e6, 1000, ["MHz", "GHz"]);
      case "B/s": return scaled(value, 1000, ["B/s", "kB/s", "MB/s", "GB/s", "TB/s"]);
      case "W": return three_digits(value) + " W";
      case "degC": return three_digits(value) + " °C";
      case "ratio": return kdiag.share(value);
      case "1": return Number.isInteger(value) ? kdiag.count(value) : three_digits(value);
      default: return String(value);
    }
  };
  /** A kernel's signature without what it returns, its template arguments and parameters; other names as they are. */
  kdiag.short_name = name => {
    if (!/[<(]/.test(name)) return name;
    const plain = name.replace(/^void /, "").replace(/\(anonymous namespace\)::/g, "").replace(/[<(].*$/s, "");
    const last = plain.split("::").pop();
    return last || name;
  };
  /** A row for a spreadsheet: what it would take for a formula begins with an apostrophe. */
  kdiag.csv_row = cells => cells.map(cell => {
    if (cell === null || cell === undefined) return "";
    if (typeof cell === "number") return String(cell);
    const text = /^[=+\-@\t\r]/.test(cell) ? "'" + cell : String(cell);
    return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  }).join(",");
}
