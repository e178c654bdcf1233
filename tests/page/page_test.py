# SPDX-License-Identifier: Apache-2.0
"""The page in a real browser: page_test.py KDIAG EXAMPLES. Exits with 77 where there is no Chromium."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from browser import Browser, find_chromium

HOSTILE = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">"\'\u202e\u2028&lt;<!--'


def write_trace(folder, name, rank, scale=1, kernel="gemm", ranks=1):
    """A training loop of 20 steps whose step 12 takes three times as long; `scale` makes all of it longer."""
    events, at = [], 0.0
    for step in range(20):
        length = (3000 if step == 12 else 1000) * scale
        events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1, "ts": at, "dur": length})
        for i in range(8):
            begin, number = at + i * length / 8, step * 8 + i
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": begin + 1, "dur": 4,
                           "args": {"correlation": number}})
            events.append({"ph": "X", "cat": "kernel", "name": kernel, "pid": 0, "tid": 7, "ts": begin + 10, "dur": length / 16,
                           "args": {"device": 0, "stream": 7, "correlation": number}})
        at += length
    trace = {"deviceProperties": [{"id": 0, "name": "GPU"}], "traceEvents": events}
    if ranks > 1:
        trace["distributedInfo"] = {"rank": rank, "world_size": ranks, "backend": "nccl"}
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(trace, file)
    return path


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="kdiag-page-")
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def page(self, *arguments, **how):
        path = os.path.join(self.folder.name, f"page{len(os.listdir(self.folder.name))}.html")
        subprocess.run([KDIAG, *arguments, "--format", "html", "--output", path, "--quiet"], check=True)
        self.assertLess(os.path.getsize(path), 2_000_000)
        return self.browser.open(path, **how)

    def trace(self, name="trace.json", **how):
        return write_trace(self.folder.name, name, how.pop("rank", 0), **how)

    def assert_quiet(self, page):
        self.assertEqual(page.complaints(), [])
        self.assertEqual(page.requests(), [])

    def test_example(self):
        page = self.page(os.path.join(EXAMPLES, "traces/item_storm.json"))
        titles = page.run("[...document.querySelectorAll('h2')].map(title => title.textContent)")
        self.assertEqual(titles[:3], ["Findings", "Where the time went", "Timeline"])
        self.assertIn("aten::item", page.run("document.querySelector('.verdict').textContent"))
        self.assertGreater(page.run("document.querySelectorAll('.card').length"), 1)
        self.assert_quiet(page)

    def test_show_lands_on_the_intervals(self):
        page = self.page(os.path.join(EXAMPLES, "traces/item_storm.json"))
        buttons = page.run("document.querySelectorAll('button.show').length")
        self.assertGreater(buttons, 1)
        for i in range(buttons):
            page.run(f"document.querySelectorAll('button.show')[{i}].click()")
            page.settle()
            shown = page.run("""(() => {
              const {timeline} = kdiag.current, {view, shown, state} = timeline;
              return {view: [view.from, view.to], interval: shown.finding.intervals[shown.at], bands: state.bands.length,
                all: shown.finding.intervals.length};
            })()""")
            (low, high), (start, end) = shown["view"], shown["interval"]
            self.assertLess(low, start)
            self.assertGreater(high, end)
            self.assertLess(high - low, 3 * (end - start) + 3000)
            self.assertEqual(shown["bands"], shown["all"])
            # An interval of idle time begins where a slice of the idle lane does: the slices at its edges are exact.
            self.assertTrue(page.run("""(() => {
              const {timeline} = kdiag.current, [start] = timeline.shown.finding.intervals[0];
              return timeline.groups.some(group => group.lanes.some(lane => lane.rows.some(row => row.starts.includes(start))));
            })()"""))
        self.assert_quiet(page)

    def test_keys_move_and_select(self):
        page = self.page(os.path.join(EXAMPLES, "traces/item_storm.json"))
        span = "kdiag.current.timeline.view.to - kdiag.current.timeline.view.from"
        page.run("kdiag.current.timeline.box.focus()")
        whole = page.run(span)
        page.press("w", 87)
        self.assertLess(page.run(span), whole)
        place = page.run("kdiag.current.timeline.view.from")
        page.press("d", 68)
        self.assertGreater(page.run("kdiag.current.timeline.view.from"), place)
        page.press("0", 48)
        self.assertAlmostEqual(page.run(span), whole, delta=1)
        page.press(".", 190)
        first = page.run("document.querySelector('.selected').textContent")
        page.press(".", 190)
        self.assertNotEqual(page.run("document.querySelector('.selected').textContent"), first)
        page.press("/", 191)
        self.assertEqual(page.run("document.activeElement.type"), "search")
        self.assert_quiet(page)

    def test_search_finds_every_slice(self):
        page = self.page(self.trace())
        page.run("kdiag.current.timeline.search('gemm')")
        self.assertEqual(page.run("kdiag.current.timeline.found.textContent"), "160 slices")
        self.assertIn("gemm", page.run("document.querySelector('.selected').textContent"))
        self.assert_quiet(page)

    def test_tables_sort_filter_and_copy(self):
        page = self.page(os.path.join(EXAMPLES, "traces/item_storm.json"))
        csv = page.run("kdiag.current_csv()").splitlines()
        self.assertEqual(csv[0].split(",")[:3], ["name", "class", "total (ns)"])
        self.assertIn("ampere_sgemm_128x64_tn,gemm,4677456", csv[1])
        page.run("document.querySelectorAll('[role=tabpanel] th button')[3].click()")  # by calls
        self.assertEqual(page.run("document.querySelectorAll('[role=tabpanel] th')[3].getAttribute('aria-sort')"), "descending")
        page.run("""(() => {
          const box = document.querySelector('[role=tabpanel] input');
          box.value = 'sgemm';
          box.dispatchEvent(new Event('input'));
        })()""")
        self.assertEqual(page.run("document.querySelectorAll('[role=tabpanel] tbody tr').length"), 1)
        self.assertEqual(page.run("kdiag.csv_row(['=1+1', 'a,b', 3, null])"), "'=1+1,\"a,b\",3,")
        self.assert_quiet(page)

    def test_a_million_events(self):
        """Most are merged; single kernels of the steps that the page names can be zoomed to."""
        path, steps, launches = os.path.join(self.folder.name, "million.json"), 100, 5000
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"traceEvents": [{}')
            for step in range(steps):
                at, long = step * 60_000, 2 if step == 70 else 0
                file.write(',{"ph":"X","cat":"user_annotation","name":"ProfilerStep#%d","pid":1,"tid":1,"ts":%d,"dur":%d}' % (step, at, 59_000 + long))
                for i in range(launches):
                    number, begin = step * launches + i, at + 11 * i
                    file.write(',{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":%d,"dur":5,"args":{"correlation":%d}}'
                               ',{"ph":"X","cat":"kernel","name":"k%d","pid":0,"tid":7,"ts":%d,"dur":%d,"args":{"device":0,"stream":7,"correlation":%d}}' %
                               (begin, number, i % 7, begin + 6, 3 + i % 5, number))
            file.write("]}")
        page = self.page(path)
        slices, drawn, named = page.run("""(data => [data.slices, data.drawn, data.exact.filter(part => part.what).map(part => part.what)])(
          kdiag.current.timeline.data)""")
        self.assertGreater(slices, 1_000_000)
        self.assertLess(drawn, 160_000)
        self.assertEqual(named[:2], ["step 49, the median", "step 70, the slowest"])
        page.run("[...document.querySelectorAll('button.plain')].find(one => one.textContent === 'step 70, the slowest').click()")
        page.settle()
        kernels = page.run("""(() => {
          const {timeline} = kdiag.current, {from, to} = timeline.data.exact[1];
          const group = timeline.groups[1], lane = group.lanes.find(lane => lane.type === "stream"), row = lane.rows[0];
          const inside = [...row.starts.keys()].filter(i => row.starts[i] >= from && row.ends[i] <= to), view = [timeline.view.from, timeline.view.to];
          timeline.reveal({group, lane, row, i: inside[2]});
          timeline.focus_selected();
          return {view, part: [from, to], singles: inside.filter(i => row.counts[i] === 1).length,
            lengths: inside.slice(0, 5).map(i => row.ends[i] - row.starts[i]), all: row.counts.reduce((sum, count) => sum + count)};
        })()""")
        self.assertLess(kernels["view"][1] - kernels["view"][0], 2 * (kernels["part"][1] - kernels["part"][0]))
        self.assertGreaterEqual(kernels["singles"], launches - 1)
        self.assertEqual(kernels["all"], steps * launches)
        self.assertEqual(kernels["lengths"], [(3 + i % 5) * 1000 for i in range(5)])
        page.settle()
        self.assertLess(page.run("kdiag.current.timeline.view.to - kdiag.current.timeline.view.from"), 3 * 5000)
        self.assertIn("5 us from", page.run("document.querySelector('.selected').textContent"))
        self.assert_quiet(page)

    def test_steps_that_stand_out(self):
        page = self.page(self.trace())
        self.assertIn("step 12", page.run("document.querySelector('#steps').parentElement.textContent"))
        page.run("[...document.querySelectorAll('button.plain')].find(one => one.textContent.startsWith('step 12')).click()")
        page.settle()
        view = page.run("[kdiag.current.timeline.view.from, kdiag.current.timeline.view.to]")
        self.assertLess(view[1] - view[0], 4_000_000)
        self.assert_quiet(page)

    def test_ranks_of_a_fleet(self):
        """Steps of all ranks last as long as each other: the map shows who was waited for, and leads to its steps."""
        job = os.path.join(self.folder.name, "job")
        subprocess.run([os.path.join(EXAMPLES, "traces", "slow_rank.sh"), job, "8", "5"], check=True)
        page = self.page("fleet", job)
        find = "[...document.querySelectorAll('canvas')].find(one => (one.getAttribute('aria-label') || '').includes('without waits'))"
        self.assertIn("rank 5 has the longest time without waits", page.run(find + ".getAttribute('aria-label')"))
        page.wait(find + ".width !== 300")  # until its size is known and it is drawn, it has that of all canvases
        colors = page.run("""(canvas => {
            const bounds = canvas.getBoundingClientRect(), ratio = canvas.width / bounds.width;
            const strip = canvas.getContext("2d").getImageData(bounds.width / 2 * ratio, 0, 1, canvas.height).data;
            return [1, 4, 5, 6].map(row => [...strip.slice(4 * Math.floor((row * 24 + 12) * ratio)).slice(0, 4)].join());
          })(%s)""" % find)
        self.assertEqual(colors[0], colors[1])
        self.assertEqual(colors[0], colors[3])
        self.assertNotEqual(colors[0], colors[2])
        page.run("""(canvas => {
            canvas.scrollIntoView();
            const bounds = canvas.getBoundingClientRect();
            canvas.dispatchEvent(new MouseEvent("click", {clientX: bounds.left + bounds.width / 2, clientY: bounds.top + 5 * 24 + 12}));
          })(%s)""" % find)
        self.assertEqual(page.run("document.querySelector('#steps').parentElement.querySelector('select').selectedOptions[0].textContent"), "rank 5")
        self.assert_quiet(page)

    def test_many_ranks(self):
        ranks = 64
        for rank in range(ranks):
            self.trace(f"rank{rank}.json", rank=rank, ranks=ranks, scale=1.2 if rank == 5 else 1)
        page = self.page(*[os.path.join(self.folder.name, f"rank{rank}.json") for rank in range(ranks)])
        self.assertEqual(page.run("kdiag.current.run.steps.length"), ranks)
        self.assertIn("rank 5 has the longest time", page.run("[...document.querySelectorAll('canvas')].map(one => one.getAttribute('aria-label')).join()"))
        self.assertEqual(page.run("kdiag.current.timeline.groups.length"), 2 * ranks)
        folded = "kdiag.current.timeline.groups.find(group => group.name === 'rank 40 GPU 0')"
        self.assertEqual(page.run(folded + ".open"), False)
        page.run("kdiag.current.timeline.show({title: 'late', place: 'rank 40', intervals: [[0, 1000]], intervals_total: 1})")
        page.settle()
        seen = page.run("(group => [group.open, group.y - kdiag.current.timeline.box.scrollTop, kdiag.current.timeline.box.clientHeight])(" + folded + ")")
        self.assertTrue(seen[0] and 0 < seen[1] < seen[2], seen)
        self.assert_quiet(page)

    def test_comparison(self):
        fast, slow = self.trace("fast.json"), self.trace("slow.json", scale=2)
        page = self.page("compare", fast, slow)
        text = page.run("document.querySelector('#comparison').parentElement.textContent")
        for words in ("REGRESSION", "Times of cycles", "Where the difference went", "What changed most"):
            self.assertIn(words, text)
        page.run("""(() => {
          const choice = document.querySelector('nav select');
          choice.value = '1';
          choice.dispatchEvent(new Event('change'));
        })()""")
        page.wait("kdiag.current.complete")
        self.assertEqual(page.run("kdiag.current.run.judged"), False)
        self.assertTrue(page.run("kdiag.current.timeline !== null"))
        self.assert_quiet(page)

    def test_plan(self):
        trace = os.path.join(EXAMPLES, "traces/item_storm.json")
        known = json.loads(subprocess.run([KDIAG, "plan", trace, "--format", "json"], check=True, capture_output=True).stdout)
        recordings = known["plans"][0]["recordings"]
        self.assertGreater(len(recordings), 1)
        for width, dark in ((390, False), (1280, True)):
            page = self.page("plan", trace, width=width, dark=dark)
            self.assertEqual(page.run("[...document.querySelectorAll('pre.record')].map(one => one.textContent)"),
                             [one["command"] for one in recordings])
            text = page.run("document.body.innerText")
            for one in recordings:
                for words in (one["how"], one["overhead"], *one["settles"], *one["facts"]):
                    self.assertIn(words, text)
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), width)
            page.run("document.querySelector('.card button').click()")
            page.wait("document.querySelector('.card button').textContent === 'Copied'")
            self.assert_quiet(page)

    def test_names_stay_text(self):
        for kernel in (HOSTILE, HOSTILE + "k" * 100_000):
            page = self.page(self.trace("hostile.json", kernel=kernel))
            page.run("document.querySelectorAll('details').forEach(one => one.open = true)")
            self.assertEqual(page.run("document.querySelectorAll('script').length"), 2)
            self.assertEqual(page.run("document.querySelectorAll('img').length"), 0)
            self.assertIsNone(page.run("window.hacked"))
            self.assertIn("</script><script>", page.run("document.querySelector('[role=tabpanel]').textContent"))
            self.assertNotIn("\u202e", page.run("document.body.innerText"))
            self.assert_quiet(page)

    def test_print_shows_what_the_screen_shows(self):
        page = self.page(os.path.join(EXAMPLES, "traces/item_storm.json"), dark=True)
        page.run("dispatchEvent(new Event('beforeprint'))")
        page.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        page.settle()
        self.assertEqual(page.run("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        text = page.run("document.body.innerText")
        for words in ("ampere_sgemm_128x64_tn", "calls", "aten::_local_scalar_dense"):
            self.assertIn(words, text)
        self.assertNotIn("Show on timeline", text)
        page.run("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(page.run("document.querySelectorAll('.card details[open]').length"), 0)

    def test_the_policy_refuses_what_is_not_the_page(self):
        page = self.page(os.path.join(EXAMPLES, "traces/item_storm.json"))
        self.assertEqual(page.run("fetch('data:text/plain,x').then(() => 'loaded', () => 'refused')"), "refused")
        page.run("""(() => {
          const script = document.createElement('script');
          script.textContent = 'window.hacked = 1';
          document.body.append(script);
          const button = document.createElement('button');
          button.setAttribute('onclick', 'window.hacked = 1');
          document.body.append(button);
          button.click();
        })()""")
        self.assertIsNone(page.run("window.hacked"))

    def test_themes_and_widths(self):
        for width in (390, 1280):
            for dark in (False, True):
                page = self.page(os.path.join(EXAMPLES, "traces/item_storm.json"), width=width, dark=dark)
                self.assertLessEqual(page.run("document.documentElement.scrollWidth"), width)
                paper = page.run("getComputedStyle(document.body).backgroundColor")
                self.assertEqual(paper == "rgb(20, 23, 28)", dark)
                self.assert_quiet(page)

    def test_texts_can_be_read_in_both_themes(self):
        for dark in (False, True):
            page = self.page("compare", os.path.join(EXAMPLES, "traces/item_storm.json"), self.trace("other.json"), dark=dark)
            page.run("document.querySelectorAll('details').forEach(one => one.open = true)")
            poor = page.run("""(() => {
              const parts = color => color.match(/[\\d.]+/g).map(Number);
              const light = ([r, g, b]) => [r, g, b].map(part => part / 255).map(part =>
                part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4).reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
              const below = element => {
                for (let one = element; one; one = one.parentElement) {
                  const color = parts(getComputedStyle(one).backgroundColor);
                  if (color.length === 3 || color[3] === 1) return color;
                }
                return [255, 255, 255];
              };
              const texts = [...document.querySelectorAll('#page *')].filter(one => one.checkVisibility() &&
                [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim()));
              return texts.map(one => {
                const [a, b] = [light(parts(getComputedStyle(one).color)), light(below(one))].sort((x, y) => y - x);
                return [(a + 0.05) / (b + 0.05), one.className, one.textContent.slice(0, 40)];
              }).filter(([ratio]) => ratio < 4.5);  // WCAG 2, 1.4.3
            })()""")
            self.assertEqual(poor, [])

    def test_everything_that_can_be_pressed_has_a_name(self):
        page = self.page(os.path.join(EXAMPLES, "traces/item_storm.json"))
        nodes = page.call("Accessibility.getFullAXTree")["nodes"]
        roles = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "tab", "image", "application"}
        wanted = [node for node in nodes if not node.get("ignored") and node.get("role", {}).get("value") in roles]
        self.assertGreater(len(wanted), 15)
        unnamed = [node["role"]["value"] for node in wanted if not node.get("name", {}).get("value")]
        self.assertEqual(unnamed, [])
        small = page.run("""[...document.querySelectorAll('#page *')].filter(one => one.childNodes.length && one.textContent &&
          parseFloat(getComputedStyle(one).fontSize) < 12).map(one => one.tagName)""")
        self.assertEqual(small, [])


if __name__ == "__main__":
    if not find_chromium():
        print("skipped: there is no Chromium; on Debian: scripts/setup test")
        sys.exit(77)
    KDIAG, EXAMPLES = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
