# SPDX-License-Identifier: Apache-2.0
"""Cancelling, limits of time, interrupts, and callbacks of calls: python3 test_calls.py, as test_kdiag.py."""

import copy
import gc
import io
import os
import pickle
import signal
import threading
import time
import unittest
import weakref

import kdiag
from kdiag._functions import Calls
from kdiag._library import Context

EXAMPLES = os.environ["KDIAG_EXAMPLES"]
STORM = os.path.join(EXAMPLES, "traces", "item_storm.json")
CALLS = ("kdiag: 1\nrules:\n- {rule: a.b, title: t, for_each: run, impact: 1ns,"
         " when: 'asked(count(kernels)) * sum(ops, dur) > 0ns'}\n")


class Endless:
    """A trace that does not end for long, and tells when it is read."""

    def __init__(self):
        self.started = threading.Event()
        self.begun = False
        self.end = time.monotonic() + 20

    def read(self, size):
        if not self.begun:
            self.begun = True
            return b'{"traceEvents": ['
        self.started.set()
        time.sleep(0.01)
        return b" " * min(size, 1000) if time.monotonic() < self.end else b""


def rules_with(function):
    return kdiag.load_rules(text=CALLS, builtin=False,
                            functions=[kdiag.Function(function, ["number"], "number", name="asked")])


class Functions(unittest.TestCase):
    def test_what_a_function_raises_ends_its_own_call_alone(self):
        own, both, caught = threading.local(), threading.Barrier(2, timeout=20), []

        def asked(count):
            if getattr(own, "fails", False):
                both.wait()  # both calls ask at once
                raise LookupError("of one call")
            if getattr(own, "waits", False):
                both.wait()
                ended.wait(20)  # the other call has ended
            return count

        rules, facts, ended = rules_with(asked), kdiag.load(STORM), threading.Event()

        def fail():
            own.fails = True
            try:
                facts.query("asked(1)", rules)
            except LookupError as error:
                caught.append(error)
            ended.set()

        worker = threading.Thread(target=fail)
        worker.start()
        answers = []

        def wait():
            own.waits = True
            answers.append(facts.query("asked(2)", rules)["value"])

        other = threading.Thread(target=wait)
        other.start()
        worker.join()
        other.join()
        self.assertEqual([str(error) for error in caught], ["of one call"])
        self.assertEqual(answers, [2])

    def test_of_several_calls_none_is_stopped_that_did_not_ask(self):
        contexts = [Context(), Context()]
        calls, error = Calls(context.failure for context in contexts), LookupError()
        calls.keep(error)
        self.assertEqual([context.failure.error for context in contexts], [None, None])
        calls.discard(contexts[1].failure)
        calls.keep(error)
        self.assertEqual([context.failure.error for context in contexts], [error, None])

    def test_what_was_judged_before_a_stop_is_kept(self):
        token = kdiag.CancelToken()
        rules = kdiag.load_rules(
            text="kdiag: 1\nrules:\n- {rule: a.first, title: t, when: count(kernels) > 0}\n" + CALLS.split("\n", 2)[2],
            builtin=False, functions=[kdiag.Function(lambda count: token.cancel(), ["number"], "number", name="asked")])
        facts = kdiag.load(STORM)
        with self.assertRaises(kdiag.Cancelled) as stopped:
            kdiag.diagnose(facts, rules, cancel=token, threads=1, keep_partial=True)
        self.assertEqual(stopped.exception.report.tally["fired"], 1)
        with self.assertRaises(kdiag.Stopped) as stopped:
            kdiag.diagnose(facts, rules, cancel=token)
        self.assertIsNone(stopped.exception.report)
        token.reset()
        with self.assertRaises(kdiag.Cancelled) as stopped:
            kdiag.compare(facts, facts, rules, cancel=token, keep_partial=True)
        self.assertIsNotNone(stopped.exception.report)


class Cancelling(unittest.TestCase):
    def test_a_token_stops_a_call_from_another_thread(self):
        token, trace = kdiag.CancelToken(), Endless()
        worker = threading.Thread(target=lambda: (trace.started.wait(), token.cancel()))
        worker.start()
        with self.assertRaises(kdiag.Cancelled):
            kdiag.load(trace, cancel=token)
        worker.join()
        self.assertTrue(token.cancelled)

    def test_a_token_stops_calls_of_other_threads(self):
        token, trace, caught = kdiag.CancelToken(), Endless(), []

        def work():
            try:
                kdiag.load(trace, cancel=token)
            except kdiag.Cancelled as error:
                caught.append(error)

        worker = threading.Thread(target=work)
        worker.start()
        trace.started.wait()
        token.cancel()
        worker.join()
        self.assertEqual(len(caught), 1)

    def test_a_cancelled_token_stops_every_call_until_it_is_reset(self):
        token, facts, rules = kdiag.CancelToken(), kdiag.load(STORM), kdiag.load_rules()
        calls = [
            lambda: kdiag.load(STORM, cancel=token),
            lambda: kdiag.diagnose(facts, rules, cancel=token),
            lambda: kdiag.diagnose(STORM, rules, cancel=token),
            lambda: kdiag.compare(facts, facts, rules, cancel=token),
            lambda: kdiag.diagnose(facts, os.path.join(EXAMPLES, "rules", "loss_reads.yaml"), cancel=token),
            lambda: facts.query("run.wall", cancel=token),
            lambda: facts.explain("host.sync-stall", cancel=token),
            lambda: kdiag.run_rule_tests(os.path.join(EXAMPLES, "rules"), cancel=token),
            lambda: kdiag.export(STORM, io.BytesIO(), cancel=token),
            lambda: small_run().build(cancel=token),
        ]
        token.cancel()
        for call in calls:
            with self.assertRaises(kdiag.Cancelled):
                call()
        token.reset()
        for call in calls:
            call()

    def test_a_signal_handler_cancels(self):
        token, trace = kdiag.CancelToken(), Endless()
        before = signal.signal(signal.SIGUSR1, lambda number, frame: token.cancel())
        try:
            worker = threading.Thread(target=lambda: (trace.started.wait(), os.kill(os.getpid(), signal.SIGUSR1)))
            worker.start()
            with self.assertRaises(kdiag.Cancelled):
                kdiag.load(trace, cancel=token)
            worker.join()
        finally:
            signal.signal(signal.SIGUSR1, before)

    def setUp(self):  # shells start what runs in the background without the handler
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)

    def test_an_interrupt_ends_a_call(self):
        trace = Endless()
        worker = threading.Thread(target=lambda: (trace.started.wait(), os.kill(os.getpid(), signal.SIGINT)))
        worker.start()
        with self.assertRaises(KeyboardInterrupt):
            kdiag.load(trace)
        self.assertLess(time.monotonic(), trace.end)  # stopped, and not read to its end
        worker.join()
        self.assertGreater(len(kdiag.diagnose(STORM).findings), 0)

    def test_a_second_interrupt_leaves_a_callback_that_waits(self):
        started, go_on, ended = threading.Event(), threading.Event(), threading.Event()

        def read(size):
            started.set()
            go_on.wait(30)
            ended.set()
            return b""

        def interrupt():
            started.wait()
            while not left.wait(0.05):
                os.kill(os.getpid(), signal.SIGINT)

        left = threading.Event()
        worker = threading.Thread(target=interrupt)
        worker.start()
        while True:  # further interrupts may come until the worker sees that the call was left
            try:
                if not left.is_set():
                    kdiag.load(read)
            except KeyboardInterrupt:
                left.set()
            try:
                left.wait()
                worker.join()
                break
            except KeyboardInterrupt:
                pass
        self.assertFalse(ended.is_set())
        go_on.set()
        self.assertTrue(ended.wait(30))


class Timeouts(unittest.TestCase):
    def test_calls_that_take_longer_are_stopped(self):
        with self.assertRaises(kdiag.DeadlineExceeded):
            kdiag.load(Endless(), timeout=0.05)
        facts, rules = kdiag.load(STORM), rules_with(lambda n: time.sleep(0.3) or 1)
        for call in (lambda: kdiag.diagnose(facts, rules, timeout=0.05),
                     lambda: facts.explain("a.b", rules, timeout=0.05),
                     lambda: facts.query("asked(count(kernels)) * sum(ops, dur)", rules, timeout=0.05)):
            with self.assertRaises(kdiag.DeadlineExceeded):
                call()


def small_run():
    builder = kdiag.Builder()
    builder.add("kernels", name="gemm", start=0, dur=1000, device=builder.device(0))
    return builder


class Callbacks(unittest.TestCase):
    def test_progress_is_told(self):
        told = []

        class Slow:
            name = "slow.json"

            def __init__(self):
                self.file = open(STORM, "rb")

            def read(self, size):
                time.sleep(0.15)
                return self.file.read(size)

        trace = Slow()
        with trace.file:
            kdiag.load(trace, progress=lambda *arguments: told.append(arguments))
        self.assertEqual(told[0][0], "slow.json")
        self.assertIsNone(told[0][2])
        self.assertEqual(told, sorted(told, key=lambda entry: entry[1]))

    def test_notes_and_warnings_are_logged(self):
        told = []
        with open(STORM, "rb") as file:
            facts = kdiag.load(file.read()[:-2000], log=lambda *arguments: told.append(arguments))
        notes = [note["id"] for note in facts.inputs[0]["notes"]]
        self.assertEqual([entry[1] for entry in told], notes)
        self.assertIn(told[0][0], ("error", "warning", "note"))
        self.assertTrue(told[0][2].startswith("trace: "))

    def test_what_callbacks_raise_is_raised(self):
        def fail(*arguments):
            raise LookupError("of the host")

        facts = kdiag.load(STORM)
        cases = {
            "progress": lambda: kdiag.load(Endless(), progress=fail),
            "log": lambda: kdiag.load(cut_storm(), log=fail),
            "read": lambda: kdiag.load(fail),
            "sniff": lambda: kdiag.load(STORM, adapters=[kdiag.Adapter("a", fail, lambda reader, rows: None)]),
            "adapter": lambda: kdiag.load(STORM, adapters=[kdiag.Adapter("a", lambda head: 100, fail)]),
            "diagnose": lambda: kdiag.diagnose(facts, rules_with(fail)),
            "explain": lambda: facts.explain("a.b", rules_with(fail)),
            "query": lambda: facts.query("asked(1)", rules_with(fail)),
            "write": lambda: kdiag.export(STORM, type("File", (), {"write": fail})()),
        }
        for name, call in cases.items():
            for run in (call, lambda: in_thread(call)):
                with self.subTest(name), self.assertRaisesRegex(LookupError, "of the host"):
                    run()
        self.assertIsNotNone(facts.query("run.wall")["value"])

    def test_a_result_of_a_wrong_type_is_raised(self):
        facts = kdiag.load(STORM)
        with self.assertRaises(ValueError):
            facts.query("asked(1)", rules_with(lambda n: "many"))
        with self.assertRaisesRegex(TypeError, "binary mode"):
            kdiag.load(lambda size: "text")
        with self.assertRaises(ValueError):
            kdiag.load(lambda size: b" " * (size + 1))
        with self.assertRaises(ValueError):
            kdiag.load(STORM, adapters=[kdiag.Adapter("a", lambda head: "sure", lambda reader, rows: None)])

    def test_nothing_of_a_call_is_kept(self):
        class Watched:
            def __call__(self, *arguments):
                return None

            def fail(self, *arguments):
                raise LookupError

        gc.disable()
        try:
            for use in (lambda w: kdiag.load(STORM, progress=w, log=w),
                        lambda w: kdiag.load(w.fail),
                        lambda w: kdiag.load(STORM, adapters=[kdiag.Adapter("a", lambda head: 0, w)]),
                        lambda w: kdiag.diagnose(STORM, rules_with(w)),
                        lambda w: kdiag.diagnose(STORM, rules_with(w.fail))):
                watched = Watched()
                alive = weakref.ref(watched)
                try:
                    use(watched)
                except LookupError:
                    pass
                del watched
                self.assertIsNone(alive())
        finally:
            gc.enable()

    def test_functions_live_as_long_as_their_rules(self):
        rules = rules_with(lambda n: n)
        gc.collect()
        self.assertEqual(kdiag.load(STORM).query("asked(7)", rules)["value"], 7)
        self.assertEqual(len(kdiag.diagnose(STORM, rules).findings), 1)


def cut_storm():
    with open(STORM, "rb") as file:
        return file.read()[:-2000]


def in_thread(call):
    """Runs a call in another thread, where it is made directly."""
    raised = []

    def work():
        try:
            call()
        except Exception as error:
            raised.append(error)

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()
    if raised:
        raise raised[0]


class Numbers(unittest.TestCase):
    def test_what_does_not_fit_is_refused(self):
        for call in (lambda: kdiag.load(STORM, threads=-1), lambda: kdiag.load(STORM, max_rows=-1),
                     lambda: kdiag.load(STORM, from_ns=2**63), lambda: kdiag.load(STORM, rank=2**64)):
            with self.assertRaises(OverflowError):
                call()
        facts = kdiag.load(STORM)
        for run in (1, -1, 2**64, 2**70):
            for call in (lambda: facts.tables(run), lambda: facts.table("kernels", run), lambda: facts.text(0, run)):
                with self.assertRaises(IndexError):
                    call()
        with self.assertRaises(OverflowError):
            facts.text(2**32)
        with self.assertRaisesRegex(ValueError, "NUL character"):
            kdiag.load(STORM + "\0.json")
        with self.assertRaises(ValueError):
            kdiag.load(STORM).query("run.wall\0")


class Times(unittest.TestCase):
    def test_what_is_no_time_is_refused(self):
        for timeout in (-1, -0.001, float("inf"), float("nan")):
            with self.assertRaisesRegex(ValueError, "timeout"):
                kdiag.load(STORM, timeout=timeout)
        with self.assertRaises(TypeError):
            kdiag.load(STORM, timeout="1")

    def test_any_other_time_will_do(self):
        self.assertEqual(kdiag.load(STORM, timeout=1e300).run_count, 1)
        for trace in (Endless(), STORM, "no/such/file"):
            with self.assertRaises(kdiag.DeadlineExceeded):
                kdiag.load(trace, timeout=0)


class Copies(unittest.TestCase):
    def test_a_copy_of_what_cannot_change_is_the_thing_itself(self):
        facts, rules = kdiag.load(STORM), kdiag.load_rules()
        for thing in (facts, rules, kdiag.diagnose(facts, rules)):
            self.assertIs(copy.copy(thing), thing)
            self.assertIs(copy.deepcopy([thing])[0], thing)
            if thing is facts:
                continue
            with self.assertRaisesRegex(TypeError, "cannot be pickled"):
                pickle.dumps(thing)

    def test_facts_are_iterated_by_their_tables(self):
        facts = kdiag.load(STORM)
        self.assertEqual(list(facts), facts.tables())
        self.assertIn("kernels", facts)
        self.assertNotIn("samples", facts)
        self.assertNotIn(0, facts)


if __name__ == "__main__":
    unittest.main()
