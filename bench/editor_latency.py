#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long an editor waits for `kdiag lsp`: editor_latency.py KDIAG [CHANGES]

A pack of a thousand lines, rules with their tests as `kdiag rules new` writes them, is open. A key is pressed in a
condition in its middle, and the time is taken until the mistakes of that text are told; then until a completion and a
hover are answered. Prints median and worst of so many changes (50).
"""
import json
import re
import subprocess
import sys
import time

LINES = 1000
URI = "file:///nowhere/pack.yaml"


def pack(kdiag):
    """A rule and its tests, again and again under other names."""
    rule = subprocess.run([kdiag, "rules", "new", "team.slow"], check=True, capture_output=True, text=True).stdout
    body = rule[re.search(r"^rule: ", rule, re.M).start():].rstrip().split("\n")
    item = "\n".join(("- " if i == 0 else "  ") + line for i, line in enumerate(body)) + "\n"
    text = "kdiag: 1\npack: {name: team, version: 0.1.0}\nrules:\n"
    count = 0
    while text.count("\n") < LINES:
        count += 1
        text += item.replace("team.slow", f"team.slow-{count}")
    return text


class Server:
    def __init__(self, kdiag):
        self.process = subprocess.Popen([kdiag, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last_id = 0

    def tell(self, method, params, **more):
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def next(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def ask(self, method, params):
        self.last_id += 1
        self.tell(method, params, id=self.last_id)
        while self.next().get("id") != self.last_id:
            pass

    def mistakes_of(self, version):
        while self.next().get("params", {}).get("version") != version:
            pass


def milliseconds(action):
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1e3


def main():
    kdiag = sys.argv[1]
    changes = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    text = pack(kdiag)
    lines = text.split("\n")
    line = next(i for i, each in enumerate(lines) if i > LINES / 2 and each.startswith("  when: "))
    server = Server(kdiag)
    server.ask("initialize", {"capabilities": {}})
    document = {"uri": URI, "languageId": "yaml", "version": 1, "text": text}
    server.tell("textDocument/didOpen", {"textDocument": document})
    server.mistakes_of(1)
    place = {"textDocument": {"uri": URI}, "position": {"line": line, "character": len("  when: s")}}
    waits = {"from a key to its mistakes": [], "completion": [], "hover": []}
    for version in range(2, changes + 2):
        column = len("  when:")
        inserted = version % 2 == 0
        change = {"range": {"start": {"line": line, "character": column},
                            "end": {"line": line, "character": column + (0 if inserted else 1)}},
                  "text": " " if inserted else ""}

        def key():
            server.tell("textDocument/didChange",
                        {"textDocument": {"uri": URI, "version": version}, "contentChanges": [change]})
            server.mistakes_of(version)

        waits["from a key to its mistakes"].append(milliseconds(key))
        waits["completion"].append(milliseconds(lambda: server.ask("textDocument/completion", place)))
        waits["hover"].append(milliseconds(lambda: server.ask("textDocument/hover", place)))
    server.process.stdin.close()
    server.process.wait()
    print(f"{text.count(chr(10))} lines, {changes} changes")
    for what, times in waits.items():
        times.sort()
        print(f"{what}: median {times[len(times) // 2]:.1f} ms, worst {times[-1]:.1f} ms")


main()
