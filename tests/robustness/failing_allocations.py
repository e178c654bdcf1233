# SPDX-License-Identifier: Apache-2.0
"""Fails allocations of calls of the Python package, one at a time: each time MemoryError is raised, nothing leaks, and the
call works again: failing_allocations.py EXAMPLES, with the failing allocator in LD_PRELOAD."""

import ctypes
import gc
import io
import os
import sys
import threading

import kdiag

EXAMPLES = sys.argv[1]
STORM = os.path.join(EXAMPLES, "traces", "item_storm.json")
PRICE = ("kdiag: 1\nrules:\n- rule: test.price\n  title: It costs ${price(3)}\n  for_each: run\n"
         "  when: price(count(kernels)) > 1\n")
POINTS = 40  # of each: the library's own test fails all of them
allocator = ctypes.CDLL(None)


class Seen:
    """What happened to the allocations since `fail_after`."""

    def __init__(self):
        made, thrown, inside_re2 = ctypes.c_long(), ctypes.c_int(), ctypes.c_int()
        allocator.failing_end(ctypes.byref(made), ctypes.byref(thrown), ctypes.byref(inside_re2))
        self.made, self.thrown, self.inside_re2 = made.value, bool(thrown.value), bool(inside_re2.value)


def fail_after(allocations):
    allocator.failing_fail_after(ctypes.c_long(allocations))


def diagnose():
    report = kdiag.diagnose(STORM, threads=1)
    return report.json, report.markdown, report.sarif, str(report), report.findings[0].rule


def look_at_facts():
    facts = kdiag.load(STORM, threads=1)
    return facts.tables(), list(facts["ops"]["name"][:3]), facts.query("sum(kernels, dur)")


def build():
    builder = kdiag.Builder("mine")
    device = builder.device(0)
    for step in range(3):
        builder.add("kernels", name="gemm", start=step * 1000, dur=400, device=device)
    return builder.build().query("sum(kernels, dur)")


def read_by_the_host():
    with open(STORM, "rb") as file:
        content = file.read()
    return kdiag.load(io.BytesIO(content), threads=1).tables(), kdiag.load(content, threads=1).tables()


def price(count):
    """Of so many kernels."""
    return 2.0 * count


def call_the_host():
    function = kdiag.Function(price, parameters=["number"], result="number")
    rules = kdiag.load_rules(text=PRICE, builtin=False, functions=[function])
    return kdiag.diagnose(STORM, rules, threads=1).json


def make_mistakes():
    try:
        kdiag.load(os.path.join(EXAMPLES, "no-such-trace.json"))
    except kdiag.InputError as error:
        return str(error), [(d.id, d.title) for d in error.diagnostics]
    return None


def check(name, work):
    """The number of allocations that failed, and what was wrong."""
    wrong = []
    for _ in range(2):  # what is made once for a process
        fail_after(-1)
        expected = work()
        made = Seen().made
    failed = 0
    for point in range(0, made, max(1, made // POINTS)):
        gc.collect()
        before = allocator.failing_alive()
        fail_after(point)
        raised = answer = None
        try:
            answer = work()
        except BaseException as error:  # whatever comes is looked at
            raised = error
        seen = Seen()
        failed += seen.thrown
        # RE2 gives room back, where the C++ library goes on without memory. An error for another reason may have no
        # memory for its text, which then says so.
        unneeded = seen.inside_re2 and answer == expected
        if seen.thrown and not unneeded and not isinstance(raised, MemoryError) and (not answer or answer[0] != "out of memory"):
            wrong.append(f"{name}: allocation {point} failed: {raised!r}")
        if not seen.thrown and raised is not None and not isinstance(raised, MemoryError):
            wrong.append(f"{name}: allocation {point} did not fail: {raised!r}")
        raised = answer = None
        gc.collect()
        lost = allocator.failing_alive() - before
        allocator.failing_forget_lost(ctypes.c_long(before))
        if lost != 0 and not seen.inside_re2:
            wrong.append(f"{name}: allocation {point}: {lost} blocks leaked")
    if work() != expected:
        wrong.append(f"{name}: another answer afterwards")
    return failed, wrong


def main():
    allocator.failing_alive.restype = ctypes.c_long
    failed, wrong = 0, []
    for work in (diagnose, look_at_facts, build, read_by_the_host, call_the_host, make_mistakes):
        more, complaints = check(work.__name__, work)
        failed += more
        wrong += complaints
    print(f"{failed} allocations failed, one at a time; {len(wrong)} were not handled")
    print("\n".join(wrong[:20]))
    return 1 if wrong or failed == 0 else 0


# From the main thread the package calls by another one, which may still hold handles when the call has returned.
result = []
thread = threading.Thread(target=lambda: result.append(main()))
thread.start()
thread.join()
sys.exit(result[0] if result else 1)
