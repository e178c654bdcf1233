# SPDX-License-Identifier: Apache-2.0
"""Rows by columns, windows that roll on, facts that go to another process: python3 test_bulk.py, as test_kdiag.py."""

import array
import multiprocessing
import os
import pickle
import subprocess
import sys
import tempfile
import unittest
import urllib.request

import kdiag

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None
try:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
except ImportError:
    text_string_to_metric_families = None

EXAMPLES = os.environ["KDIAG_EXAMPLES"]
STORM = os.path.join(EXAMPLES, "traces", "item_storm.json")
STREAM = os.path.join(EXAMPLES, "streams", "gpu_slowdown.csv")


def count(facts, table, column):
    return facts.query(f"count({table} where {column} is known)")["value"]


class Columns(unittest.TestCase):
    def test_lists_and_arrays_of_the_standard_library(self):
        builder = kdiag.Builder("bulk")
        builder.device(9)  # with one device alone all rows would be of it
        rows = builder.add_columns("kernels", {"start": [0, 10, None], "name": ["a", None, "a"]}, dur=array.array("q", [5, 6, 7]),
                                   occupancy=[0.5, float("nan"), 1], device=builder.device(3))
        self.assertEqual(list(rows), [0, 1, 2])
        more = builder.add_columns("kernels", name="b", start=memoryview(array.array("i", [20, 30])), dur=1, device=[0, None])
        self.assertEqual(list(more), [3, 4])
        builder.add_columns("api", name=["sync"] * 3, start=0, dur=1, is_sync=[True, None, False])
        facts = builder.build()
        self.assertEqual([count(facts, "kernels", name) for name in ("start", "name", "dur", "occupancy", "device")],
                         [4, 4, 5, 2, 4])
        self.assertEqual(facts.query("sum(kernels, dur)")["value"], 20)
        self.assertEqual(facts.query("count(api where is_sync is known and is_sync)")["value"], 1)

    def test_rows_by_key(self):
        builder = kdiag.Builder("keys")
        self.assertEqual(list(builder.add_columns("devices", id=[4, 5, 4], name=["A", "B", "A"])), [0, 1, 0])
        self.assertEqual(list(builder.add_columns("streams", id=7, device=[0, 1])), [0, 1])
        facts = builder.build()
        self.assertEqual(facts.query('count(streams where device.name == "B")')["value"], 1)

    def test_mistakes_name_column_and_row(self):
        builder = kdiag.Builder("wrong")
        with self.assertRaisesRegex(ValueError, "kernels.dur has 2 values, and kernels.start has 3"):
            builder.add_columns("kernels", start=[1, 2, 3], dur=[1, 2])
        with self.assertRaisesRegex(ValueError, "kernels.dur holds 1.5 in row 1"):
            builder.add_columns("kernels", dur=[1, 1.5])
        with self.assertRaisesRegex(ValueError, "another table"):
            builder.add_columns("kernels", device=[builder.add("kernels")])
        builder.add_columns("kernels", dur=[1, -1], durr=[1, 2], name=5)
        with self.assertRaises(kdiag.InputError) as raised:
            builder.snapshot()
        titles = [one.title for one in raised.exception.diagnostics]
        self.assertEqual(titles, ["unknown column 'kernels.durr'", "'kernels.dur' is a duration, and row 1 has a negative one"])
        self.assertEqual(builder.snapshot()["kernels"].rows, 3)

    def test_other_values_are_refused(self):
        builder = kdiag.Builder("mistakes")
        wrong = [("kernels", {}, "no column of kernels has a value"), ("kernels", {"name": None}, "no column"),
                 ("samples", {"value": ["1.5"]}, "samples.value holds '1.5' in row 0, which is no number"),
                 ("samples", {"value": [1.0, 10**400]}, "in row 1, which is no number"),
                 ("samples", {"value": (one for one in (1.0, 2.0))}, "is to be one value, a list, or an array"),
                 ("samples", {"value": memoryview(bytes(16)).cast("B", (4, 4))}, "an array of one dimension")]
        for table, columns, said in wrong:
            with self.subTest(said), self.assertRaisesRegex(ValueError, said):
                builder.add_columns(table, columns)
        with self.assertRaisesRegex(TypeError, "kernels.name holds bytes"):
            builder.add_columns("kernels", name=[b"gemm"])
        self.assertEqual(builder.count("kernels") + builder.count("samples"), 0)

    def test_a_misspelt_column_of_texts_is_told_by_the_library(self):
        builder = kdiag.Builder("mistakes")
        builder.add_columns("kernels", nmae=["gemm", "relu"])
        with self.assertRaises(kdiag.InputError) as refused:
            builder.build()
        self.assertIn("unknown column 'kernels.nmae'", str(refused.exception))
        self.assertIn("did you mean 'name'?", str(refused.exception))

    def test_parents_are_rows_of_the_frame(self):
        frames = {"file": list("aabcd"), "line": [1, 1, 2, 3, 4], "function": list("ffghi"),
                  "parent": [None, None, 0, 0, 2]}
        facts = kdiag.from_frames({"frames": frames, "ops": {"name": ["x"], "start": [0], "dur": [5], "frame": [4]}})
        self.assertEqual(facts.query("count(frames)")["value"], 4)  # the first two are one
        self.assertEqual(facts.query("argmax(ops, dur, frame.parent.file)")["value"], "b")
        for parents in ([1, 0, None, None, None], [9, None, None, None, None], [None, 1, None, None, None]):
            with self.assertRaisesRegex(ValueError, "frames.parent leads from row . to no row, or in a circle"):
                kdiag.from_frames({"frames": {**frames, "parent": parents}})
        for parents, said in (([None, 0], "frames.parent has 2 values, and .* has 5"), ([None, 0, 1.5, 0, 0], "1.5 in row 2"),
                              ([None, "x", 0, 0, 0], "'x' in row 1"), ([None, 0, 0, float("inf"), 0], "inf in row 3")):
            with self.subTest(said), self.assertRaisesRegex(ValueError, said):
                kdiag.from_frames({"frames": {**frames, "parent": parents}})
        self.assertEqual(kdiag.from_frames({"frames": {**frames, "parent": None}}).query("count(frames)")["value"], 4)
        chain = {"file": ["a"] * 3000, "line": list(range(3000)), "parent": [None, *range(2999)]}
        self.assertEqual(kdiag.from_frames({"frames": chain}).query("count(frames)")["value"], 3000)

    @unittest.skipIf(numpy is None, "without NumPy")
    def test_arrays_of_numpy(self):
        for dtype in ("int64", "int32", "uint8", "float64", "float32", "uint64"):
            builder = kdiag.Builder("numpy")
            starts = numpy.arange(0, 20, dtype=dtype)[::2]
            builder.add_columns("kernels", start=starts, dur=starts, occupancy=starts, device=builder.device(0),
                                regs=starts, name=numpy.array(["a", "b"] * 5))
            facts = builder.build()
            for name in ("start", "dur", "occupancy", "regs"):
                self.assertEqual(facts["kernels"][name].tolist(), starts.tolist(), (dtype, name))
        builder = kdiag.Builder("missing")
        builder.add_columns("kernels", start=numpy.array([1.0, numpy.nan]), device=numpy.array([0, 0], dtype="uint32"))
        with self.assertRaisesRegex(kdiag.InputError, "refers to devices, which has 0 rows, and row 0 names one behind them, and 1 more"):
            builder.build()
        with self.assertRaisesRegex(ValueError, "start holds 2.5 in row 1"):
            kdiag.Builder().add_columns("kernels", start=numpy.array([numpy.nan, 2.5]))
        with self.assertRaisesRegex(ValueError, "no exact whole number"):
            kdiag.Builder().add_columns("kernels", start=numpy.array([2**63], dtype="uint64"))
        with self.assertRaisesRegex(ValueError, "no number of a row"):
            kdiag.Builder().add_columns("kernels", device=numpy.array([0, -1]))

    @unittest.skipIf(pandas is None, "without pandas")
    def test_a_frame_is_no_trace(self):
        with self.assertRaisesRegex(TypeError, "from_frames"):
            kdiag.load(pandas.DataFrame({"start": [1]}))

    @unittest.skipIf(pandas is None, "without pandas")
    def test_series_of_pandas(self):
        frame = pandas.DataFrame({
            "start": pandas.array([0, None, 20], dtype="Int64"), "dur": [5, 6, 7], "occupancy": [0.5, None, 1],
            "name": pandas.Categorical(["a", None, "b"]), "device": pandas.array([0, 0, None], dtype="Int64")})
        builder = kdiag.Builder("pandas")
        builder.device(0)
        builder.device(1)
        builder.add_columns("kernels", frame)
        builder.add_columns("kernels", {"start": pandas.to_datetime([5, None], unit="ns"), "name": pandas.Series(["a", None])})
        builder.add_columns("api", name=pandas.Series(["a", "b", None], dtype="string"), start=0,
                            is_sync=pandas.array([True, None, False], dtype="boolean"))
        facts = builder.build()
        self.assertEqual([count(facts, "kernels", name) for name in frame], [3, 3, 2, 3, 2])
        self.assertEqual([count(facts, "api", name) for name in ("name", "is_sync")], [2, 2])


class Windows(unittest.TestCase):
    def test_a_window_rolls_on(self):
        builder = kdiag.Builder("window", kdiag.RunInfo(clock="unix_ns", telemetry=True))
        for second in range(30):
            builder.add_columns("samples", time=second * 10**9, value=[1e9, 2e9], series="sm_clock",
                                device=[builder.device(0), builder.device(1)])
            builder.drop_before((second - 9) * 10**9)
        self.assertEqual(builder.count("samples"), 20)
        self.assertEqual(builder.snapshot().query("count(samples)")["value"], 20)
        self.assertEqual(builder.drop_before(2**62), 20)
        with self.assertRaises(TypeError):
            builder.snapshot(maps=())


def judge(facts):
    return kdiag.diagnose(facts).json


class Bytes(unittest.TestCase):
    def test_facts_are_judged_in_another_process(self):
        facts = kdiag.load(STORM, steps=(11, 13))
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            self.assertEqual(pool.map(judge, [facts]), [judge(facts)])

    def test_bytes_lie_in_any_buffer(self):
        written = kdiag.load(STORM).to_bytes()
        for given in (bytearray(written), memoryview(written)):
            self.assertEqual(kdiag.Facts.from_bytes(given).to_bytes(), written)

    def test_bytes_of_something_else_are_refused(self):
        data = kdiag.load(STORM).to_bytes()
        for wrong in (b"", b"{}", data[:-1], data[:-8] + b"12345678"):
            with self.assertRaises(kdiag.InputError):
                kdiag.Facts.from_bytes(wrong)
        self.assertEqual(pickle.loads(pickle.dumps(kdiag.Facts.from_bytes(data))).to_bytes(), data)


@unittest.skipIf(numpy is None, "without NumPy")
class Agent(unittest.TestCase):
    AGENT = [sys.executable, "-B", os.path.join(EXAMPLES, "agent.py"), "--window", "20", "--every", "5"]

    def watch(self, stream, file):
        done = subprocess.run([*self.AGENT, "--file", file], input=stream, capture_output=True, text=True, check=True)
        with open(file, encoding="utf-8") as written:
            return done.stdout.splitlines(), written.read()

    def test_what_is_slow_for_a_while_is_opened_and_closed(self):
        with tempfile.TemporaryDirectory() as folder, open(STREAM, encoding="utf-8") as stream:
            lines = stream.readlines()
            told, closed = self.watch("".join(lines), os.path.join(folder, "all.prom"))
            self.assertEqual([one.split(":")[0] for one in told], ["opened clock.throttled (medium)", "closed clock.throttled"])
            told, opened = self.watch("".join(lines[:60]), os.path.join(folder, "slow.prom"))
        self.assertEqual(len(told), 1)
        self.assertIn("kdiag_findings_closed_total 1\n", closed)
        self.assertIn('kdiag_finding_severity{rule="clock.throttled",', opened)
        if text_string_to_metric_families is not None:
            for text in (opened, closed):
                self.assertEqual(len(list(text_string_to_metric_families(text))), 6)

    def test_metrics_are_served(self):
        with subprocess.Popen([*self.AGENT, "--port", "0", "--stay", STREAM], stdout=subprocess.PIPE, text=True) as agent:
            try:
                address = agent.stdout.readline().split()[1]
                for line in agent.stdout:
                    if line.startswith("closed"):
                        break
                text = ""
                for _ in range(100):
                    with urllib.request.urlopen(address, timeout=10) as page:
                        self.assertIn("application/openmetrics-text", page.headers["Content-Type"])
                        text = page.read().decode()
                    if "kdiag_ticks_total 90" in text:
                        break
                self.assertTrue(text.endswith("# EOF\n"))
                self.assertIn("kdiag_findings_closed_total 1", text)
            finally:
                agent.kill()


if __name__ == "__main__":
    unittest.main()
