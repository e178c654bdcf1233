# SPDX-License-Identifier: Apache-2.0
"""Where traces come from, and which part of them is judged: python3 test_inputs.py, as test_kdiag.py."""

import io
import mmap
import os
import pathlib
import unittest

import kdiag

EXAMPLES = os.environ["KDIAG_EXAMPLES"]
STORM = os.path.join(EXAMPLES, "traces", "item_storm.json")


def content_of(path):
    with open(path, "rb") as file:
        return file.read()


def names(facts):
    return [entry["path"] for entry in facts.inputs]


class Sources(unittest.TestCase):
    def setUp(self):
        self.content = content_of(STORM)
        self.wall = kdiag.load(STORM).query("run.wall")["value"]

    def check(self, inputs, called, **options):
        facts = kdiag.load(inputs, **options)
        self.assertEqual(facts.query("run.wall")["value"], self.wall)
        self.assertEqual(names(facts), [called])

    def test_paths(self):
        self.check(STORM, STORM)
        self.check([pathlib.Path(STORM)], STORM)

    def test_memory(self):
        self.check(self.content, "trace")
        self.check(bytearray(self.content), "mine", name="mine")
        self.check(memoryview(self.content), "trace")
        self.check(memoryview(b"xx" + self.content)[2:], "trace")
        self.check([memoryview(bytearray(self.content))], "trace")
        with open(STORM, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            self.check(mapped, "trace")

    def test_a_buffer_may_change_again_afterwards(self):
        content = bytearray(self.content)
        self.check(content, "trace")
        content.clear()  # refused while something points into it

    def test_files_and_functions(self):
        with open(STORM, "rb") as file:
            self.check(file, STORM)
        with open(STORM, "rb", buffering=0) as file:
            self.check([file], STORM)
        self.check(io.BytesIO(self.content), "trace")
        self.check(io.BytesIO(self.content).read, "mine", name="mine")

    def test_numbers_of_open_files(self):
        with open(STORM, "rb") as file:
            self.check(file.fileno(), "trace")
            file.seek(0)  # it stays open
            self.assertEqual(file.read(), self.content)

    def test_names(self):
        self.check({"mine.json": self.content}, "mine.json")
        facts = kdiag.load({"a_rank0.json": self.content, "a_rank1.json": io.BytesIO(self.content)})
        self.assertEqual(sorted(names(facts)), ["a_rank0.json", "a_rank1.json"])
        facts = kdiag.load([self.content, self.content])
        self.assertEqual(sorted(names(facts)), ["trace", "trace (2)"])

    def test_what_is_no_trace(self):
        for wrong in (1.5, None, True, [None], {"name": STORM}):
            with self.subTest(wrong), self.assertRaises(TypeError):
                kdiag.load(wrong)
        with open(STORM) as file, self.assertRaisesRegex(TypeError, "binary mode"):
            kdiag.load(file)
        with self.assertRaises(kdiag.InputError):
            kdiag.load(b"")

    def test_sources_of_a_diagnosis(self):
        expected = kdiag.diagnose(STORM).data["findings"]
        self.assertEqual(kdiag.diagnose(io.BytesIO(self.content), name=STORM).data["findings"], expected)


class Parts(unittest.TestCase):
    def test_a_window_of_time(self):
        whole = kdiag.load(STORM)
        count = whole.query("count(kernels)")["value"]
        half = whole.query("run.wall")["value"] // 2
        first = kdiag.load(STORM, to_ns=half).query("count(kernels)")["value"]
        second = kdiag.load(STORM, from_ns=half).query("count(kernels)")["value"]
        self.assertTrue(0 < first < count)
        self.assertTrue(0 < second < count)
        middle = kdiag.load(STORM, from_ns=half // 2, to_ns=half).query("count(kernels)")["value"]
        self.assertTrue(0 < middle < first)

    def test_options_of_loading_are_for_what_is_not_loaded(self):
        facts = kdiag.load(STORM)
        with self.assertRaisesRegex(TypeError, "steps"):
            kdiag.diagnose(facts, steps=(12, 13))
        with self.assertRaisesRegex(TypeError, "steps"):
            kdiag.diagnose(STORM, baseline=facts, steps=(12, 13))
        with self.assertRaisesRegex(TypeError, "max_rows"):
            kdiag.compare(facts, STORM, max_rows=100)
        with self.assertRaises(TypeError):
            kdiag.diagnose(STORM, stepz=(12, 13))
        kdiag.diagnose(STORM, baseline=STORM, steps=(12, 13))


if __name__ == "__main__":
    unittest.main()
