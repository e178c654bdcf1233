# SPDX-License-Identifier: Apache-2.0
"""What a host brings: facts by rows, formats, functions: python3 test_host.py, as test_kdiag.py."""

import io
import os
import pathlib
import sqlite3
import tempfile
import threading
import unittest
from unittest import mock

import kdiag
from kdiag._abi import lib

try:
    import numpy
except ImportError:
    numpy = None

EXAMPLES = os.environ["KDIAG_EXAMPLES"]
STORM = os.path.join(EXAMPLES, "traces", "item_storm.json")
ACME = os.path.join(EXAMPLES, "traces", "short.acme")


def value(facts, expression, rules=None):
    return facts.query(expression, rules)["value"]


class Rows(unittest.TestCase):
    def test_facts_of_rows(self):
        builder = kdiag.Builder("mine", kdiag.RunInfo(producer="my profiler", clock="device", rank=3, world_size=8))
        device = builder.device(0)
        builder.set(device, name="NVIDIA H100")
        stream = builder.stream(device, 7)
        thread = builder.thread(100, 101)
        for step in range(3):
            builder.add("kernels", name="gemm", start=step * 1000, dur=400, device=device, stream=stream)
        builder.add("ops", name="aten::mm", start=0, dur=100, thread=thread, rank=None)
        builder.declare("copies")
        facts = builder.build()
        self.assertEqual(value(facts, "sum(kernels, dur)"), 1200)
        self.assertEqual(facts.inputs[0]["path"], "mine")
        self.assertEqual(facts.inputs[0]["producer"], "my profiler")
        self.assertIn("copies", facts.tables())
        self.assertEqual(facts["ops"].rows, 1)
        self.assertEqual(value(facts, 'count(kernels where device.name == "NVIDIA H100")'), 3)
        self.assertGreater(kdiag.diagnose(facts).tally["clear"], 0)
        with self.assertRaises(ValueError):
            builder.add("kernels")
        with self.assertRaises(ValueError):
            builder.build()

    def test_a_rank_and_a_boolean(self):
        builder = kdiag.Builder()
        builder.add("kernels", start=0, dur=10, device=builder.device(0))
        builder.set(builder.device(0), clocks_pinned=True)
        builder.set(builder.rank(5), host="node-1")
        facts = builder.build()
        self.assertEqual(value(facts, "count(devices where clocks_pinned)"), 1)
        self.assertEqual(value(facts, 'count(ranks where host == "node-1")'), 1)

    def test_owners_and_positions(self):
        builder = kdiag.Builder()
        rank = builder.rank(5)
        caller = builder.frame("train.py", 40, "main", "function")
        frame = builder.frame("model.py", 7, "forward", parent=caller)
        self.assertNotEqual((frame.table, frame.index), (caller.table, caller.index))
        builder.add("kernels", start=100, dur=10, device=builder.device(0, rank=rank))
        builder.add("ops", name="aten::mm", start=100, dur=10, thread=builder.thread(1, 2, rank=rank), frame=frame)
        builder.set(builder.run(), producer="mine")
        self.assertEqual(builder.count("kernels"), 1)
        self.assertEqual(builder.count("no such table"), 0)
        builder.shift_times(1000)
        facts = builder.build()
        self.assertEqual(value(facts, "count(devices where rank.id == 5)"), 1)
        self.assertEqual(value(facts, "count(ops where frame.line == 7 and thread.rank.id == 5)"), 1)
        self.assertEqual(value(facts, 'count(frames where file == "model.py" and parent.line == 40)'), 1)
        with self.assertRaises(OverflowError):
            kdiag.Builder().frame("a.py", 2**64)

    def test_a_part_of_the_rows(self):
        def built(**scope):
            builder = kdiag.Builder()
            for start in range(0, 10_000, 1000):
                builder.add("kernels", start=start, dur=400, device=builder.device(0))
            return value(builder.build(**scope), "count(kernels)")

        self.assertEqual(built(), 10)
        self.assertLess(built(to_ns=5000), 10)
        with self.assertRaises(TypeError):
            built(stepz=3)

    def test_mistakes_are_told_at_once(self):
        builder = kdiag.Builder()
        builder.add("kernls", dur=1)
        builder.add("kernels", durr=1)
        builder.add("kernels", dur="long", device=builder.device(0))
        with self.assertRaises(kdiag.InputError) as caught:
            builder.build()
        self.assertEqual([found.id for found in caught.exception.diagnostics], ["K302", "K301", "K222"])
        builder = kdiag.Builder()
        with self.assertRaises(TypeError):
            builder.add("kernels", dur=[1])
        with self.assertRaises(OverflowError):
            builder.add("kernels", dur=2**63)
        with self.assertRaises(ValueError):
            kdiag.Builder("mine", kdiag.RunInfo(clock="wall"))

    @unittest.skipIf(numpy is None, "without NumPy")
    def test_numbers_of_numpy(self):
        builder = kdiag.Builder()
        for duration in numpy.array([10, 20], dtype=numpy.int32):
            builder.add("kernels", start=numpy.uint64(0), dur=duration, occupancy=numpy.float32(0.5),
                        device=builder.device(0))
        self.assertEqual(value(builder.build(), "sum(kernels, dur)"), 30)


class Formats(unittest.TestCase):
    def acme(self, read):
        return kdiag.Adapter("acme", lambda head: 95 if head.startswith(b"#acme 1\n") else 0, read)

    def test_an_adapter(self):
        def read(reader, rows):
            self.assertFalse(reader.cancelled)
            for line in reader:
                try:
                    name, start, duration = line.decode().split(", ")
                    rows.add("kernels", name=name, start=round(float(start) * 1000), dur=round(float(duration) * 1000),
                             device=rows.device(0))
                except ValueError:
                    if not line.startswith(b"#"):
                        reader.skip(line.decode().strip())
            return kdiag.RunInfo(producer="Acme", clock="device")

        with open(ACME, "rb") as file:
            content = file.read()
        facts = kdiag.load({"a.acme": content}, adapters=[self.acme(read)])
        entry = facts.inputs[0]
        self.assertEqual((entry["adapter"], entry["producer"]), ("acme", "Acme"))
        self.assertIn("this line is no kernel", [note["text"] for note in entry["notes"] if note["id"] == "K602"][0])
        self.assertEqual(facts["kernels"].rows, content.count(b", ") // 2)
        with self.assertRaises(kdiag.InputError):
            kdiag.load({"a.acme": content})

    def test_text_and_the_whole_of_an_input(self):
        texts = []

        def read(reader, rows):
            texts.append(io.TextIOWrapper(reader, encoding="utf-8").read())
            rows.add("kernels", start=0, dur=1, device=rows.device(0))

        kdiag.load(ACME, adapters=[self.acme(read)])
        with open(ACME, encoding="utf-8") as file:
            self.assertEqual(texts, [file.read()])

    def test_what_an_adapter_got_ends_with_it(self):
        kept = []

        def read(reader, rows):
            kept.extend((reader, rows))
            rows.add("kernels", start=0, dur=1, device=rows.device(0))

        kdiag.load(ACME, adapters=[self.acme(read)])
        with self.assertRaises(ValueError):
            kept[0].read()
        with self.assertRaises(ValueError):
            kept[1].add("kernels")
        self.assertFalse(kept[0].cancelled)

    def test_what_a_reader_knows_of_its_input(self):
        seen = []

        def sniff(head):
            seen.append((head[:2], head.complete, head.json, head.has_key("acme"), head.has_table("acme")))
            kept.append(head)
            return 95 if head.has_key("acme") else 0

        def read(reader, rows):
            kept.append(reader.head)
            self.assertEqual((reader.input_name, reader.file, reader.head.json), ("a.json", "", "{"))
            self.assertTrue(reader.head.has_key("acme"))
            for label in ("first", "second"):
                reader.run(kdiag.RunInfo(label=label, clock="device", world_size=4))
                rows.add("kernels", start=0, dur=len(label), device=rows.device(0))
            reader.note("K640", "of the buffer", 3)
            reader.count_events(7)
            with self.assertRaises(ValueError):
                reader.note("K999")

        kept = []
        facts = kdiag.load({"a.json": b'{"acme": 1}'}, adapters=[kdiag.Adapter("acme", sniff, read)])
        self.assertEqual(seen[0], (b'{"', True, "{", True, False))
        self.assertEqual(facts.run_count, 2)
        self.assertEqual([answer["value"] for answer in facts.query("sum(kernels, dur)")], [5, 6])
        entry = facts.inputs[0]
        self.assertEqual(entry["events"], 7)
        self.assertEqual([note["count"] for note in entry["notes"] if note["id"] == "K640"], [3])
        for head in kept:
            with self.assertRaises(ValueError):
                head.has_key("acme")

    def test_why_a_reader_refuses(self):
        statuses = {1: ValueError, 2: MemoryError, 9: kdiag.Error}
        for ask, function in ((lambda reader: reader.note("K640"), "kdiag_reader_note"),
                              (lambda reader: reader.run(kdiag.RunInfo()), "kdiag_reader_run")):
            for status, raised in statuses.items():
                with self.subTest(function, status=status), self.assertRaises(raised):
                    with mock.patch.object(lib, function, return_value=status):
                        kdiag.load(ACME, adapters=[self.acme(lambda reader, rows: ask(reader))])

    def test_a_database_of_an_adapter(self):
        def read(reader, rows):
            database = sqlite3.connect(reader.file)
            for start, dur in database.execute("SELECT start, dur FROM acme"):
                rows.add("kernels", start=start, dur=dur, device=rows.device(0))
            database.close()

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "acme.db")
            database = sqlite3.connect(path)
            database.execute("CREATE TABLE acme (start, dur)")
            database.execute("INSERT INTO acme VALUES (0, 5), (10, 7)")
            database.commit()
            database.close()
            adapter = kdiag.Adapter("acme", lambda head: 95 * head.has_table("acme"), read)
            with open(path, "rb") as file:
                for trace in (path, file):
                    self.assertEqual(value(kdiag.load(trace, adapters=[adapter]), "sum(kernels, dur)"), 12)

    def test_an_adapter_that_never_asks_is_stopped_by_limits(self):
        def read(reader, rows):
            device = rows.device(0)
            while reader.read(1):
                rows.add("kernels", start=0, dur=1, device=device)

        with self.assertRaises(kdiag.LimitExceeded):
            kdiag.load(b"#acme 1\n" + bytes(200_000), adapters=[self.acme(read)], max_rows=5_000)

    def test_an_adapter_that_fails_when_it_is_stopped_does_not_hide_why(self):
        def read(reader, rows):
            device = rows.device(0)
            while not reader.cancelled:
                rows.add("kernels", start=0, dur=1, device=device)
                if token is not None:
                    token.cancel()
            raise EOFError("the input is cut off")

        def called(**options):
            with self.assertRaises((kdiag.Error, EOFError)) as caught:
                kdiag.load(b"#acme 1\n", adapters=[self.acme(read)], **options)
            return type(caught.exception)

        token = None
        self.assertIs(called(max_rows=5_000), kdiag.LimitExceeded)
        self.assertIs(called(timeout=0.05), kdiag.DeadlineExceeded)
        token = kdiag.CancelToken()
        self.assertIs(called(cancel=token), kdiag.Cancelled)

    def test_mistakes_in_rows_of_an_adapter(self):
        with self.assertRaises(kdiag.InputError) as caught:
            kdiag.load(ACME, adapters=[self.acme(lambda reader, rows: rows.set(rows.device(0), nam="x"))])
        self.assertIn("K301", [found.id for found in caught.exception.diagnostics])

    def test_a_cut_input_is_the_error_of_the_library(self):
        import gzip

        content = gzip.compress(b"#acme 1\n" + os.urandom(200_000))[:-50_000]
        with self.assertRaises(kdiag.InputError):
            kdiag.load(content, adapters=[self.acme(lambda reader, rows: reader.read() and None)])

    def test_a_mapping(self):
        mapping = os.path.join(EXAMPLES, "maps", "gpu_monitor.yaml")
        trace = os.path.join(EXAMPLES, "traces", "gpu_monitor.jsonl")
        with open(mapping, encoding="utf-8") as file:
            text = file.read()
        for used in (kdiag.load_map(mapping), kdiag.load_map(text=text)):
            self.assertGreater(kdiag.load(trace, maps=[used])["samples"].rows, 0)
        for path in (mapping, pathlib.Path(mapping)):
            self.assertGreater(kdiag.load(trace, maps=[path])["samples"].rows, 0)
            self.assertGreater(kdiag.load(trace, maps=path)["samples"].rows, 0)
        for maps in (kdiag.load_map(mapping), (path for path in [mapping])):
            self.assertEqual(kdiag.diagnose(trace, baseline=trace, maps=maps).runs[1]["role"], "baseline")
        exported = io.BytesIO()
        kdiag.export(trace, exported, maps=mapping)
        self.assertGreater(kdiag.load(exported.getvalue())["samples"].rows, 0)
        with self.assertRaises(kdiag.RulesError):
            kdiag.load_map("no/such.yaml")
        with self.assertRaises(kdiag.InputError):
            kdiag.load(trace)
        with self.assertRaises(kdiag.RulesError) as caught:
            kdiag.load_map(text="kdiag_map: 1\nformats: 3\n", name="bad.yaml")
        self.assertEqual(caught.exception.diagnostics[0].source, "bad.yaml")
        with self.assertRaises(TypeError):
            kdiag.load_map()


    def test_mappings_are_loaded_within_the_limits_of_the_call(self):
        token = kdiag.CancelToken()
        token.cancel()
        for call in (lambda **options: kdiag.load(STORM, maps="no/such.yaml", **options),
                     lambda **options: kdiag.compare(STORM, maps=["no/such.yaml"], **options),
                     lambda **options: kdiag.export(STORM, io.BytesIO(), maps=["no/such.yaml"], **options)):
            with self.assertRaises(kdiag.Cancelled):
                call(cancel=token)
            with self.assertRaises(kdiag.DeadlineExceeded):
                call(timeout=0)
            with self.assertRaisesRegex(kdiag.RulesError, "no/such.yaml"):
                call()


class Functions(unittest.TestCase):
    def rules(self, *functions):
        return kdiag.load_rules(builtin=False, functions=functions)

    def test_values_of_every_type(self):
        def described(name, share, good):
            """What it is.

            More."""
            return f"{name} {share} {good} ü"

        rules = self.rules(
            kdiag.Function(described, ["string", "ratio", "bool"], "string"),
            kdiag.Function(lambda x: 2 * x, ["time"], "time", name="twice"),
            kdiag.Function(lambda x: x > 1, ["number"], "bool", name="many"),
            kdiag.Function(lambda x: None, ["number"], "number", name="nothing"))
        facts = kdiag.load(STORM)
        self.assertEqual(value(facts, 'described("a", 0.5, true)', rules), "a 0.5 True ü")
        self.assertEqual(value(facts, "twice(run.wall)", rules), 2 * value(facts, "run.wall"))
        self.assertIs(value(facts, "many(2)", rules), True)
        self.assertIsNone(value(facts, "nothing(1)", rules))
        with self.assertRaises(kdiag.RulesError):
            facts.query("twice(1)", rules)
        with self.assertRaisesRegex(kdiag.RulesError, r"What it is\."):
            facts.query("described(1)", rules)

    def test_texts_of_several_threads(self):
        rules = self.rules(kdiag.Function(lambda name: name + "!", ["string"], "string", name="loud"))
        facts, found = kdiag.load(STORM), []

        def work(text):
            found.extend(value(facts, f'loud("{text}")', rules) == text + "!" for _ in range(50))

        workers = [threading.Thread(target=work, args=(letter * 100,)) for letter in "abcd"]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(found, [True] * 200)

    def test_rule_files_of_the_host(self):
        texts = {"site/all.yaml": "kdiag: 1\nimport: [names.yaml]\nrules:\n- {rule: my.far, title: t, when: many}\n",
                 "site/names.yaml": b"kdiag: 1\ndefine:\n- {name: many, type: bool, expr: count(kernels) > 20}\n"}
        rules = kdiag.load_rules("site/all.yaml", builtin=False, read_file=texts.get)
        self.assertEqual([rule.id for rule in rules], ["my.far"])
        with self.assertRaisesRegex(kdiag.RulesError, "the host has none of that name"):
            kdiag.load_rules("site/other.yaml", builtin=False, read_file=texts.get)
        with self.assertRaises(ZeroDivisionError):
            kdiag.load_rules("site/all.yaml", builtin=False, read_file=lambda path: 1 // 0)

    def test_functions_are_called_in_rules(self):
        text = ("kdiag: 1\nrules:\n- {rule: a.b, title: 'costs ${cost(3)}', for_each: run, when: cost(3) > 1,"
                " impact: run.wall}\n")
        rules = kdiag.load_rules(text=text, builtin=False,
                                 functions=[kdiag.Function(lambda n: n * 7, ["number"], "number", name="cost")])
        self.assertEqual(kdiag.diagnose(STORM, rules).findings[0].title, "costs 21")


if __name__ == "__main__":
    unittest.main()
