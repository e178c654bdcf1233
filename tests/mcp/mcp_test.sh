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

# 1,000 calls about one trace, without growth: the memory after all of them is that after the first hundred, and some.
{
  printf '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'
  for i in $(seq 1000); do
    printf '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"query","arguments":{"traces":["%s"],"expression":"sum(kernels, dur) / %d"}}}\n' "$i" "$1" "$i"
  done
} >"${TMPDIR:-/tmp}/kdiag-mcp-$$"
trap 'rm -f "${TMPDIR:-/tmp}/kdiag-mcp-$$"' EXIT
# Each call waits for the answer before it: calls that wait in the server take memory, too.
peak() { # CALLS: kilobytes
  head -n $(($1 + 1)) "${TMPDIR:-/tmp}/kdiag-mcp-$$" | python3 -c 'import resource, subprocess, sys
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
answered = 0
for call in sys.stdin.buffer:
    server.stdin.write(call)
    server.stdin.flush()
    answered += b"structuredContent" in server.stdout.readline()
server.stdin.close()
server.wait()
assert answered == '"$1"', answered
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$kdiag" mcp --root "$root"
}
few=$(peak 100) && many=$(peak 1000) || exit 1
echo "memory: $few KB after 100 calls, $many KB after 1000"
[ "$many" -le $((few + few / 10)) ] || { echo 'FAILED: the server grows'; exit 1; }
