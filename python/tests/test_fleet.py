# SPDX-License-Identifier: Apache-2.0
"""Many ranks on a cluster, without one: python3 test_fleet.py, as test_kdiag.py, with the command kdiag in PATH."""

import os
import pathlib
import subprocess
import tempfile
import unittest
from unittest import mock

import kdiag
from kdiag import _command

try:
    import fsspec
except ImportError:
    fsspec = None

EXAMPLES = os.environ["KDIAG_EXAMPLES"]


class Future:
    def __init__(self, work, task):
        self.work, self.task = work, task

    def result(self):
        return self.work(self.task)


class Client:
    """As that of Dask, in this process. Each task runs as often as it says; `broken` ones raise as a lost worker does.
    folder: where it runs them, and stays.
    """

    def __init__(self, times=1, broken=(), folder=None):
        self.times, self.broken, self.folder, self.options = times, broken, folder, None

    def map(self, work, tasks, **options):
        self.options = options
        if self.folder is not None:
            os.chdir(self.folder)

        def run(task):
            if any(word in str(task) for word in self.broken):
                raise RuntimeError("the worker is dead")
            return [work(task) for _ in range(self.times)][0]

        return [Future(run, task) for task in tasks]


@unittest.skipIf(_command.command() is None, "without the command kdiag")
class Fleet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.job = os.path.join(cls.kept.name, "job")
        subprocess.run([os.path.join(EXAMPLES, "traces", "slow_rank.sh"), cls.job, "8", "5"], check=True)
        cls.kdiag("summarize", cls.job, "--into", os.path.join(cls.kept.name, "local"))
        cls.local = cls.kdiag("fleet", os.path.join(cls.kept.name, "local"))

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    @staticmethod
    def kdiag(*arguments):
        return subprocess.run([_command.command(), *arguments], capture_output=True, text=True, check=True).stdout

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.into = self.folder / "summaries"

    def counts(self, made):
        return made.made, made.kept, made.failed

    def test_a_folder_gives_the_report_of_the_local_run(self):
        client = Client()
        made = kdiag.fleet.summarize(client, self.job, self.into, chunks=3, retries=5)
        self.assertEqual(made, kdiag.fleet.Made(8, 0, 0))
        self.assertEqual(client.options["retries"], 5)
        self.assertEqual(kdiag.fleet.judge(self.into).text(), self.local)
        self.assertIn("Rank 5 works 29.9 % longer", self.local)

    def test_nothing_is_counted_twice_and_what_is_there_is_kept(self):
        twice = kdiag.fleet.summarize(Client(times=2), self.job, self.into)
        self.assertEqual(self.counts(twice), (8, 0, 0))
        self.assertEqual(self.counts(kdiag.fleet.summarize(Client(), self.job, self.into)), (0, 8, 0))
        (self.into / "rank3.jsonl.kds").write_bytes((self.into / "rank3.jsonl.kds").read_bytes()[:100])
        self.assertEqual(self.counts(kdiag.fleet.summarize(Client(), self.job, self.into)), (1, 7, 0))
        (self.into / "rank9.jsonl.kds").write_bytes((self.into / "rank5.jsonl.kds").read_bytes())
        self.assertEqual(kdiag.fleet.merge([self.into, self.into / "rank2.jsonl.kds"]).query("count(all.ranks)")["value"], 8)
        self.assertEqual(kdiag.fleet.judge(self.into).text(), self.local)

    def test_a_dead_worker_and_broken_traces_leave_the_others(self):
        partly = self.folder / "partly"
        partly.mkdir()
        for rank in range(8):
            text = pathlib.Path(self.job, f"rank{rank}.jsonl").read_text(encoding="utf-8")
            partly.joinpath(f"rank{rank}.jsonl").write_text(text[:1500] if rank == 6 else text, encoding="utf-8")
        partly.joinpath("rank4.jsonl").write_text('{"traceEvents": [', encoding="utf-8")
        paths = sorted(partly.iterdir()) + [partly / "gone.jsonl"]
        made = kdiag.fleet.summarize(Client(broken=["rank2"]), paths, self.into)
        self.assertEqual(self.counts(made), (6, 0, 3))
        said = "\n".join(made.messages)
        for word in ("rank2.jsonl: the worker is dead", "rank4.jsonl: ", "rank6.jsonl: ", "gone.jsonl"):
            self.assertIn(word, said)
        report = kdiag.fleet.judge(self.into)
        self.assertIn("2 of 8 ranks of the job are not here", report.text())
        rerun = kdiag.fleet.summarize(Client(), paths, self.into)
        self.assertEqual(self.counts(rerun), (1, 6, 2))

    def test_what_ends_the_command_is_raised_so_that_it_is_tried_again(self):
        program = self.folder / "kdiag"
        program.write_text("#!/bin/sh\nkill -9 $$\n", encoding="utf-8")
        program.chmod(0o755)
        with mock.patch("kdiag.fleet.command", return_value=str(program)):
            made = kdiag.fleet.summarize(Client(), os.path.join(self.job, "rank0.jsonl"), self.into)
        self.assertEqual(self.counts(made), (0, 0, 1))
        self.assertIn("rank0.jsonl: kdiag summarize ended with -9", made.messages[0])
        with mock.patch("kdiag.fleet.command", return_value=None):
            made = kdiag.fleet.summarize(Client(), os.path.join(self.job, "rank0.jsonl"), self.into)
        self.assertIn("the command kdiag is not installed", made.messages[0])

    def test_two_traces_never_share_a_summary(self):
        with self.assertRaisesRegex(ValueError, "would have one summary: .* a folder of its own as `into`"):
            kdiag.fleet.summarize(Client(), [self.job, "/elsewhere/rank0.jsonl"], self.into)
        with self.assertRaisesRegex(ValueError, "give its traces"):
            kdiag.fleet.summarize(Client(), self.job, "s3://bucket/summaries")
        with self.assertRaisesRegex(kdiag.InputError, "no summaries"):
            kdiag.fleet.merge(self.folder)

    def test_nothing_to_summarise_is_an_error(self):
        folder = self.folder / "empty"
        folder.mkdir()
        for paths in ([], folder):
            with self.assertRaisesRegex(kdiag.InputError, "there is no trace to summarise"):
                kdiag.fleet.summarize(Client(), paths, self.into)
        for name in (".lock", "rank0.jsonl.kds"):
            (folder / name).write_text("", encoding="utf-8")
        with self.assertRaisesRegex(kdiag.InputError, "there is no trace to summarise in .*/empty"):
            kdiag.fleet.summarize(Client(), [self.job, folder], self.into)
        self.assertFalse(self.into.exists())

    def test_paths_mean_the_same_in_any_folder_and_count_once(self):
        client = Client(folder=self.folder)
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.kept.name)
        pathlib.Path(self.kept.name, "-x.jsonl").write_bytes(pathlib.Path(self.job, "rank0.jsonl").read_bytes())
        self.addCleanup(pathlib.Path(self.kept.name, "-x.jsonl").unlink)
        paths = ["job/rank0.jsonl", "job", "./job/rank0.jsonl", pathlib.Path("job"), "-x.jsonl"]
        made = kdiag.fleet.summarize(client, paths, "together")
        self.assertEqual(made, kdiag.fleet.Made(9, 0, 0))
        self.assertTrue(os.path.samefile(os.getcwd(), self.folder))  # where the tasks ran
        self.assertEqual(len(os.listdir(os.path.join(self.kept.name, "together"))), 9)
        with self.assertRaises(TypeError):
            kdiag.fleet.summarize(Client(), self.job, [])

    def test_a_task_takes_one_thread(self):
        program = self.folder / "kdiag"
        program.write_text('#!/bin/sh\necho "$@" >&2\necho 1 summarised, 0 kept\n', encoding="utf-8")
        program.chmod(0o755)
        with mock.patch("kdiag.fleet.command", return_value=str(program)):
            made = kdiag.fleet.summarize(Client(), os.path.join(self.job, "rank0.jsonl"), self.into)
        self.assertIn("--threads 1", made.messages[0])

    def test_packages_are_asked_for_where_they_are_needed(self):
        for package, call in (("distributed", lambda: kdiag.fleet.summarize("tcp://nowhere:1", self.job, self.into)),
                              ("fsspec", lambda: kdiag.fleet.merge("s3://bucket/summaries"))):
            with mock.patch.dict("sys.modules", {package: None}):
                with self.assertRaisesRegex(ImportError, f"needs {package}: .*python3-{package} of Debian"):
                    call()

    def job_at_url(self):
        """The file system in memory, with the job in /job and nothing in /summaries."""
        system = fsspec.filesystem("memory")
        for place in ("/job", "/summaries"):
            for file in system.find(place):
                system.rm_file(file)
            if system.exists(place):
                system.rm(place, recursive=True)
        for rank in range(8):
            system.pipe(f"/job/rank{rank}.jsonl", pathlib.Path(self.job, f"rank{rank}.jsonl").read_bytes())
        return system

    @unittest.skipIf(fsspec is None, "without fsspec")
    def test_a_summary_that_is_cut_is_made_again_from_a_url(self):
        self.job_at_url()
        kdiag.fleet.summarize(Client(), "memory://job/rank1.jsonl", self.into)
        summary = self.into / "rank1.jsonl.kds"
        whole = summary.read_bytes()
        summary.write_bytes(whole[:200])
        made = kdiag.fleet.summarize(Client(), "memory://job/rank1.jsonl", self.into)
        self.assertEqual(made, kdiag.fleet.Made(1, 0, 0))
        self.assertEqual(summary.read_bytes(), whole)

    @unittest.skipIf(fsspec is None, "without fsspec")
    def test_an_upload_that_fails_leaves_nothing(self):
        system = self.job_at_url()
        written = []

        def fails(part, target):
            written.extend(system.find("/summaries"))
            raise OSError("no space left")

        with mock.patch.object(type(system), "mv", side_effect=fails):
            made = kdiag.fleet.summarize(Client(), "memory://job/rank1.jsonl", "memory://summaries")
        self.assertEqual(self.counts(made), (0, 0, 1))
        self.assertIn("no space left", made.messages[0])
        self.assertRegex(written[0], "/[.]kdiag-[0-9a-f]+$")  # hidden, so that no reader takes it for a trace
        self.assertEqual(system.find("/summaries"), [])

    @unittest.skipIf(fsspec is None, "without fsspec")
    def test_patterns_in_urls(self):
        system = self.job_at_url()
        system.mv("/job/rank7.jsonl", "/job/rank[7].jsonl")
        for pattern, ranks in (("memory://job/rank?.jsonl", 7), ("memory://job/rank[0-2].jsonl", 3),
                               ("memory://job/rank[7].jsonl", 1), (f"file://{self.job}/rank*.jsonl", 8),
                               (f"file://{self.job}/rank[0-1].jsonl", 2)):
            made = kdiag.fleet.summarize(Client(), pattern, self.folder / pattern.replace("/", "_"))
            self.assertEqual(made, kdiag.fleet.Made(ranks, 0, 0), pattern)
        made = kdiag.fleet.summarize(Client(), "memory://job/rank[7].jsonl", "memory://summaries")
        self.assertEqual(made, kdiag.fleet.Made(1, 0, 0))
        with self.assertRaisesRegex(kdiag.InputError, "there is nothing at file://"):
            kdiag.fleet.summarize(Client(), f"file://{self.job}/rank*.gz", self.into)

    @unittest.skipIf(fsspec is None, "without fsspec")
    def test_the_query_of_a_url_names_no_summary(self):
        system = self.job_at_url()
        system.mv("/job/rank1.jsonl", "/job/rank1.jsonl?key=secret")
        url = "https://traces/job/rank1.jsonl?key=secret"
        with mock.patch("kdiag.fleet._file_system", return_value=(system, "/job/rank1.jsonl?key=secret")):
            for counts in ((1, 0, 0), (0, 1, 0)):
                self.assertEqual(self.counts(kdiag.fleet.summarize(Client(), url, self.into)), counts)
        self.assertEqual(os.listdir(self.into), ["rank1.jsonl.kds"])

    @unittest.skipIf(fsspec is None, "without fsspec")
    def test_urls(self):
        system = self.job_at_url()
        for into in ("memory://summaries", "file://" + str(self.into)):
            made = kdiag.fleet.summarize(Client(), "memory://job/rank*.jsonl", into)
            self.assertEqual(made, kdiag.fleet.Made(8, 0, 0), into)
            self.assertEqual(kdiag.fleet.judge(into).text(), self.local, into)
            self.assertEqual(self.counts(kdiag.fleet.summarize(Client(), "memory://job/rank*.jsonl", into)), (0, 8, 0), into)
        self.assertEqual(len(system.find("/summaries")), 8)  # none under the name that it was written by
        system.pipe("/job/rank2.jsonl", system.cat("/job/rank2.jsonl"))
        again = kdiag.fleet.summarize(Client(), ["memory://job/rank1.jsonl", "memory://job/rank2.jsonl"], "memory://summaries")
        self.assertEqual(self.counts(again), (1, 1, 0))  # what is newer than its summary
        system.touch("/job/.lock")
        made = kdiag.fleet.summarize(Client(), "memory://job", self.folder / "of_a_folder")
        self.assertEqual(made, kdiag.fleet.Made(8, 0, 0))
        system.touch("/job/node0/trace.jsonl")
        with self.assertRaisesRegex(kdiag.InputError, "has a folder in it, node0"):
            kdiag.fleet.summarize(Client(), "memory://job/", self.into)
        for nothing in ("memory://job/*.gz", "memory://jop/*"):
            with self.assertRaisesRegex(kdiag.InputError, "there is nothing at memory://jo"):
                kdiag.fleet.summarize(Client(), nothing, self.into)
        with self.assertRaises(FileNotFoundError):
            kdiag.fleet.merge("memory://summaries/gone.kds")


if __name__ == "__main__":
    unittest.main()
