#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Conversations of the official clients of the Model Context Protocol with the tool server. Usage: mcp_test.sh KDIAG
# NODE_MODULES ROOT TRACE...
# Exit code 77, skipped: the clients are not there (`scripts/setup test` installs them where there is npm).
set -u
kdiag=$1 modules=$2 root=$3
shift 3
if ! command -v node >/dev/null || [ ! -d "$modules/@modelcontextprotocol/client" ]; then
  echo "skipped: no node, or no clients in $modules"
  exit 77
fi
node "$(dirname "$0")/converse.mjs" "$modules" "$kdiag" "$root" "$@" || exit 1

# 1,000 calls about one trace, without growth. One server is asked, and its memory is read after 100 calls and after
# 1,000: the peaks of two processes differ by a tenth on their own, by which thread unpacked what.
python3 - "$kdiag" "$root" "$1" <<'END' || exit 1
import json
import subprocess
import sys

kdiag, root, trace = sys.argv[1:]
server = subprocess.Popen([kdiag, "mcp", "--root", root], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def call(number, method, params):
    """Waits for the answer: calls that wait in the server take memory, too."""
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n")
    server.stdin.flush()
    return server.stdout.readline()


def resident():
    with open(f"/proc/{server.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


call(0, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
kilobytes = {}
for number in range(1, 1001):
    answer = call(number, "tools/call", {"name": "query", "arguments": {
        "traces": [trace], "expression": f"sum(kernels, dur) / {number}"}})
    assert b"structuredContent" in answer, answer
    if number in (100, 1000):
        kilobytes[number] = resident()
server.stdin.close()
assert server.wait() == 0
print(f"memory: {kilobytes[100]} KB after 100 calls, {kilobytes[1000]} KB after 1000")
if kilobytes[1000] > kilobytes[100] + 900:  # A kilobyte a call.
    sys.exit("FAILED: the server grows")
END
