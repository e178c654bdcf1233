# SPDX-License-Identifier: Apache-2.0
"""An agent that watches: telemetry comes in as text, the last minutes of it are judged again and again, and what is open is
served as OpenMetrics. Needs NumPy.

    nvidia-smi dmon -s pucmet -o DT | agent.py --port 9101
    nvidia-smi --query-gpu=timestamp,index,name,utilization.gpu,clocks.sm,power.draw --format=csv -l 1 | agent.py --port 9101
    agent.py --file gpu.prom recorded.csv
"""

from __future__ import annotations

import argparse
import collections
import http.server
import os
import sys
import threading
from typing import Any, Deque, Dict, Iterable, Iterator, List

import kdiag

SEVERITIES = ("info", "low", "medium", "high", "critical")
SECOND = len("2026/01/03 15:36:53")
MOST_LINES = 10_000  # of a tick: a stream may be no telemetry


def ticks(lines: Iterable[str]) -> Iterator[bytes]:
    """The lines of each second, with the header that stands before them: of dmon, which repeats it, and of --query-gpu."""
    header: List[str] = []
    tick: List[str] = []
    in_header = False
    for line in lines:
        if line.startswith(("#", "timestamp")):
            header = [*header, line] if in_header and len(header) < MOST_LINES else [line]
            in_header = True
        elif line.strip():
            if tick and (tick[0].lstrip()[:SECOND] != line.lstrip()[:SECOND] or len(tick) >= MOST_LINES):
                yield "".join(header + tick).encode()
                tick = []
            tick.append(line)
            in_header = False
    if tick:
        yield "".join(header + tick).encode()


class Window:
    """The last seconds of samples."""

    def __init__(self, seconds: int) -> None:
        self._length = seconds * 10**9
        self._builder = kdiag.Builder("agent", kdiag.RunInfo(producer="agent", clock="local_ns", telemetry=True))

    def add(self, piece: kdiag.Facts) -> None:
        """Adds what a piece says, and drops what is too old."""
        devices = self._builder.add_columns("devices", stated(piece, "devices"))
        samples = stated(piece, "samples")
        if "device" in samples:  # devices have other rows here than in the piece
            samples["device"] = [devices[row] if row < len(devices) else None for row in samples["device"]]
        self._builder.add_columns("samples", samples)
        self._builder.drop_before(int(samples["time"].max()) - self._length)

    def facts(self) -> kdiag.Facts:
        return self._builder.snapshot()

    @property
    def samples(self) -> int:
        return self._builder.count("samples")


def stated(facts: kdiag.Facts, table: str) -> Dict[str, Any]:
    """The columns that the input stated: others will be derived anew."""
    rows = facts[table]
    return {name: rows[name] for name, column in rows.columns.items() if column.provider == facts.inputs[0]["adapter"]}


class Findings:
    """Findings by their fingerprints. One is opened when it was in `opens` of the last `of` judgements, and closed when the
    last `closes` were without it, so that what comes and goes at a threshold is told once."""

    def __init__(self, opens: int = 2, of: int = 3, closes: int = 3) -> None:
        self._opens, self._of, self._closes = opens, of, closes
        self._history: Dict[str, Deque[bool]] = {}
        self.open: Dict[str, kdiag.Finding] = {}
        self.opened = self.closed = 0

    def judge(self, report: kdiag.Report) -> None:
        found = {finding.fingerprint: finding for finding in report.findings}
        for fingerprint in {*found, *self._history}:
            history = self._history.setdefault(fingerprint, collections.deque(maxlen=max(self._of, self._closes)))
            history.append(fingerprint in found)
            last = list(history)
            if fingerprint in self.open:
                self.open[fingerprint] = found.get(fingerprint, self.open[fingerprint])
                if len(last) >= self._closes and not any(last[-self._closes:]):
                    print("closed", self.open.pop(fingerprint).rule, flush=True)
                    self.closed += 1
                    history.clear()
            elif sum(last[-self._of:]) >= self._opens:
                finding = self.open[fingerprint] = found[fingerprint]
                print(f"opened {finding.rule} ({finding.severity}): {finding.title!r}", flush=True)
                self.opened += 1
            if fingerprint not in self.open and not any(history):
                del self._history[fingerprint]


def label(text: str) -> str:
    """The value of a label: names in titles come from whoever wrote the trace."""
    return '"' + text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n") + '"'


def metrics(findings: Findings, counted: Dict[str, int], samples: int) -> str:
    lines = ["# TYPE kdiag_finding_severity gauge",
             "# HELP kdiag_finding_severity Findings that are open: 0 info, 1 low, 2 medium, 3 high, 4 critical."]
    lines += [f"kdiag_finding_severity{{rule={label(finding.rule)},fingerprint={label(fingerprint)},"
              f"title={label(finding.title)}}} {SEVERITIES.index(finding.severity)}"
              for fingerprint, finding in findings.open.items()]
    counters = {"kdiag_findings_opened": ("Findings that were opened.", findings.opened),
                "kdiag_findings_closed": ("Findings that were closed.", findings.closed),
                "kdiag_ticks": ("Pieces of telemetry that were read.", counted["read"]),
                "kdiag_unread_ticks": ("Pieces that could not be read.", counted["unread"])}
    for name, (help, value) in counters.items():
        lines += [f"# TYPE {name} counter", f"# HELP {name} {help}", f"{name}_total {value}"]
    lines += ["# TYPE kdiag_window_samples gauge", "# HELP kdiag_window_samples Samples in the window.",
              f"kdiag_window_samples {samples}", "# EOF", ""]
    return "\n".join(lines)


class Page:
    """The metrics, served under /metrics, and written to a file."""

    def __init__(self, port: int | None, file: str | None) -> None:
        self._file = file
        self._text = "# EOF\n"
        page = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200 if self.path == "/metrics" else 404)
                self.send_header("Content-Type", "application/openmetrics-text; version=1.0.0; charset=utf-8")
                self.end_headers()
                if self.path == "/metrics":
                    self.wfile.write(page._text.encode())

            def log_message(self, *_: object) -> None:
                pass

        if port is not None:
            server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
            print(f"serving http://127.0.0.1:{server.server_address[1]}/metrics", flush=True)
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def show(self, text: str) -> None:
        self._text = text
        if self._file is not None:
            with open(self._file + ".next", "w", encoding="utf-8") as out:
                out.write(text)
            os.replace(self._file + ".next", self._file)  # nobody reads half of it


def main() -> None:
    parser = argparse.ArgumentParser(description="Watches telemetry and serves findings as OpenMetrics.")
    parser.add_argument("recorded", nargs="?", help="a recorded stream; without it standard input")
    parser.add_argument("--window", type=int, default=600, help="seconds that are judged")
    parser.add_argument("--every", type=int, default=60, help="ticks between two judgements")
    parser.add_argument("--port", type=int, help="where metrics are served on this machine; 0: any")
    parser.add_argument("--file", help="where metrics are written")
    parser.add_argument("--stay", action="store_true", help="serve on when the stream has ended")
    given = parser.parse_args()

    rules, window, findings, page = kdiag.load_rules(), Window(given.window), Findings(), Page(given.port, given.file)
    counted = {"read": 0, "unread": 0}
    stream = open(given.recorded or sys.stdin.fileno(), encoding="utf-8", errors="replace", closefd=bool(given.recorded))
    with stream as lines:
        for tick in ticks(lines):
            counted["read"] += 1
            try:
                window.add(kdiag.load(tick, name="tick", threads=1))
            except (kdiag.InputError, KeyError):  # no samples in it
                counted["unread"] += 1
            if counted["read"] % given.every == 0:
                try:
                    if window.samples:
                        findings.judge(kdiag.diagnose(window.facts(), rules))
                except kdiag.InputError as error:  # what was wrong is left out from now on
                    print(error, file=sys.stderr)
                page.show(metrics(findings, counted, window.samples))
    if given.stay:
        threading.Event().wait()


if __name__ == "__main__":
    main()
