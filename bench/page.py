#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long the page of a trace takes in Chromium: page.py KDIAG TRACE

Size of the file, the first paint, a frame of the whole timeline and one of a thousandth of it, and the way from the whole
to a single kernel until it is drawn: in the step that the page has whole, else the first."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "page"))
from browser import Browser  # noqa: E402

FRAMES = 20
FRAME = """((from, to) => {
  const timeline = kdiag.current.timeline;
  timeline.view.set(from, to);
  const begin = performance.now();
  for (let i = 0; i < %d; ++i) timeline.draw();
  return (performance.now() - begin) / %d;
})""" % (FRAMES, FRAMES)
TO_A_KERNEL = """new Promise((done, fail) => {
  const timeline = kdiag.current.timeline, from = timeline.data.exact.length ? timeline.data.exact[0].from : -Infinity;
  timeline.view.set(timeline.view.all.from, timeline.view.all.to);
  const begin = performance.now();
  for (const group of timeline.groups)
    for (const lane of group.lanes.filter(one => one.type === "stream")) {
      const row = lane.rows[0], i = kdiag.first_above(row.starts, from);
      if (row.counts[i] !== 1) return fail(new Error("no single kernel"));
      timeline.reveal({group, lane, row, i});
      timeline.focus_selected();
      return requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begin)));
    }
})"""


def main(kdiag, trace):
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        path = os.path.join(folder, "page.html")
        subprocess.run([kdiag, trace, "--format", "html", "--output", path, "--quiet"], check=True)
        page = browser.open(path)
        slices, drawn = page.run("[kdiag.current.timeline.data.slices, kdiag.current.timeline.data.drawn]")
        whole = "kdiag.current.timeline.view.all"
        print(f"size           {os.path.getsize(path) / 1e6:8.2f} MB, {slices:,} slices drawn as {drawn:,}")
        print(f"first paint    {page.run('performance.getEntriesByType(`paint`)[0].startTime'):8.0f} ms")
        print(f"frame, all     {page.run(f'{FRAME}({whole}.from, {whole}.to)'):8.1f} ms")
        print(f"frame, 1/1000  {page.run(f'{FRAME}(0, ({whole}.to - {whole}.from) / 1000)'):8.1f} ms")
        print(f"to a kernel    {page.run(TO_A_KERNEL):8.0f} ms")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
