# SPDX-License-Identifier: Apache-2.0
"""Whether a real Prometheus reads what the agents serve; skipped (77) where there is none.

    prometheus.py file FILE                 which is served as node exporter's textfile collector would
    prometheus.py agent COMMAND...          which says `serving http://HOST:PORT/metrics`, and then serves it

It scrapes each second until its own HTTP interface answers what the page says of findings and counts.
"""

import functools
import http.server
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

PATIENCE_S = 120.0  # judgement: it takes 3 on an idle machine
COUNTS = ("kdiag_findings_opened_total", "kdiag_findings_closed_total", "kdiag_window_samples")
FINDING = "kdiag_finding_severity"


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {".prom": "application/openmetrics-text; version=1.0.0; charset=utf-8"}

    def log_message(self, *_):
        pass


def served(file):
    """The address under which a file is served from now on."""
    path = pathlib.Path(file).resolve()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=path.parent))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"127.0.0.1:{server.server_address[1]}", f"/{path.name}"


def fetched(url):
    """The text of a page; None: nobody answers."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.read().decode()
    except (OSError, urllib.error.URLError):
        return None


def stated(text):
    """What an exposition says: counts by name, severities of findings by their titles."""
    out = {name: float(value) for name, value in re.findall(r"(?m)^(\w+) (\S+)$", text) if name in COUNTS}
    for title, severity in re.findall(rf'(?m)^{FINDING}{{.*title="(.*)"}} (\S+)$', text):
        out[title] = float(severity)
    return out


def known(prometheus):
    """The same, as Prometheus answers it."""
    out = {}
    for name in (*COUNTS, FINDING):
        answer = fetched(f"http://{prometheus}/api/v1/query?" + urllib.parse.urlencode({"query": name}))
        for series in json.loads(answer)["data"]["result"] if answer else []:
            out[series["metric"].get("title", name)] = float(series["value"][1])
    return out


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def scrape(target, path, folder, agent):
    """Lets Prometheus scrape a page until it knows what stands there; what is wrong, or None. Ends with an agent that ends."""
    config = folder / "prometheus.yml"
    config.write_text(f"""global: {{scrape_interval: 1s, scrape_timeout: 1s}}
scrape_configs:
- job_name: kdiag
  metrics_path: {path}
  static_configs: [{{targets: ["{target}"]}}]
""", encoding="utf-8")
    subprocess.run(["promtool", "check", "config", config], check=True, stdout=subprocess.DEVNULL)
    listen = f"127.0.0.1:{free_port()}"
    log = folder / "log"
    with open(log, "wb") as out:
        prometheus = subprocess.Popen(
            ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder / 'data'}",
             f"--web.listen-address={listen}"], stdout=out, stderr=out)
    try:
        until = time.monotonic() + PATIENCE_S
        expected, found = {}, {}
        programs = [program for program in (prometheus, agent) if program is not None]
        while time.monotonic() < until and all(program.poll() is None for program in programs):
            expected, found = stated(fetched(f"http://{target}{path}") or ""), known(listen)
            if expected.keys() >= set(COUNTS) and found == expected:
                print("Prometheus knows", found)
                return None
            time.sleep(0.2)
        return f"the page says {expected}, Prometheus {found}:\n{log.read_text(encoding='utf-8', errors='replace')}"
    finally:
        prometheus.terminate()
        prometheus.wait()


def main():
    if not shutil.which("prometheus") or not shutil.which("promtool"):
        sys.exit(77)
    agent = None
    if sys.argv[1] == "file":
        target, path = served(sys.argv[2])
    else:
        agent = subprocess.Popen(sys.argv[2:], stdout=subprocess.PIPE, text=True)
        target, path = re.match(r"serving http://([^/]+)(/\S*)", agent.stdout.readline()).groups()
    try:
        with tempfile.TemporaryDirectory() as folder:
            sys.exit(scrape(target, path, pathlib.Path(folder), agent))
    finally:
        if agent is not None:
            agent.terminate()
            agent.wait()


if __name__ == "__main__":
    main()
