// SPDX-License-Identifier: Apache-2.0
// Holds conversations with `kdiag mcp` by the official clients of the protocol: asks for a diagnosis, asks for every number of
// it again, by the server and by the command, and looks at the schemas of all answers.
// Usage: node converse.mjs NODE_MODULES KDIAG ROOT TRACE...   (traces are relative to ROOT)
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

const [modules, kdiag, root, ...traces] = process.argv.slice(2);
const require = createRequire(path.resolve(modules, 'here.js'));
const Ajv = require('ajv/dist/2020').default;
const mostTokens = 4000; // of the texts of one conversation

let failures = 0;
let numbers = 0;
function fail(what) {
  if (++failures <= 20) console.log(`FAILED: ${what}`);
}

/** Each value that has an expression, with the view in which it is asked. */
function* valuesOf(data, view) {
  if (Array.isArray(data)) for (const item of data) yield* valuesOf(item, view);
  else if (data !== null && typeof data === 'object') {
    const inner = data.view ?? view;
    if ('expression' in data && 'value' in data) yield [data, inner];
    else for (const item of Object.values(data)) yield* valuesOf(item, inner);
  }
}

/** As many tokens as the server counts. */
function tokensOf(text) {
  const bytes = Buffer.byteLength(text);
  const ascii = [...text].filter((c) => c < '\x80').length;
  return Math.ceil(ascii / 3) + bytes - ascii;
}

/** Texts are shortened in answers; numbers are as they are. */
function sameNumbers(a, b) {
  if (typeof a === 'number' || a === null || typeof a === 'boolean') return Object.is(a, b);
  if (Array.isArray(a)) return a.every((item, i) => sameNumbers(item, b[i]));
  if (typeof a === 'object') return Object.keys(a).every((key) => !(key in b) || sameNumbers(a[key], b[key]));
  return true;
}

function byCommand(trace, value, view) {
  const args = ['query', '--no-config', value.expression, path.join(root, trace), '--format', 'json'];
  if (view) args.push('--in', view.rule, '--run', view.run, '--subject', view.subject);
  return JSON.parse(execFileSync(kdiag, args, { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }));
}

async function converse(client, trace, ajv) {
  const { tools } = await client.listTools();
  const check = Object.fromEntries(tools.map((tool) => [tool.name, ajv.compile(tool.outputSchema)]));
  let spent = 0;
  const call = async (name, args, free) => {
    const result = await client.callTool({ name, arguments: args });
    if (result.isError) return fail(`${trace}: ${name}: ${result.content[0].text}`);
    if (!check[name](result.structuredContent)) fail(`${trace}: ${name}: ${ajv.errorsText(check[name].errors)}`);
    const tokens = tokensOf(result.content[0].text);
    if (args.max_tokens && tokens > args.max_tokens) fail(`${trace}: ${name} takes ${tokens} tokens of ${args.max_tokens}`);
    if (!free) spent += tokens;
    return result.structuredContent;
  };

  const found = await call('diagnose', { traces: [trace], max_tokens: 2000 });
  const rule = found?.findings[0]?.rule ?? 'gpu.low-utilization';
  await call('explain', { traces: [trace], rule, max_tokens: 1000 });
  await call('plan', { traces: [trace], max_tokens: 1000 });
  if (spent > mostTokens) fail(`${trace}: the conversation takes ${spent} tokens`);
  if (!found) return;

  const all = [...valuesOf(found)];
  const several = found.runs.length > 1;
  for (const [value, view] of all) {
    if (several && !view) continue; // one value of many runs: the answer is a list
    const args = { traces: [trace], expression: value.expression, max_tokens: 20000, ...(view ?? {}) };
    const again = (await call('query', args, true))?.answers[0];
    const printed = byCommand(trace, value, view);
    for (const [who, answer] of [['query', again], ['the command', printed]])
      for (const key of ['value', 'low', 'high'])
        if (key in value && !(answer && key in answer && sameNumbers(value[key], answer[key])))
          fail(`${trace}: ${value.expression}: ${JSON.stringify(value[key])}, ${who}: ${JSON.stringify(answer?.[key])}`);
    ++numbers;
  }
}

async function withClient(Client, Transport, options, use) {
  const client = new Client({ name: 'kdiag-test', version: '1' }, options);
  await client.connect(new Transport({ command: kdiag, args: ['mcp', '--root', root] }));
  await use(client);
  await client.close();
}

const sdk = await import(path.resolve(modules, '@modelcontextprotocol/sdk/dist/esm/client/index.js'));
const stdio = await import(path.resolve(modules, '@modelcontextprotocol/sdk/dist/esm/client/stdio.js'));
const ajv = () => new Ajv({ strict: false, allErrors: true });
await withClient(sdk.Client, stdio.StdioClientTransport, {}, async (client) => {
  for (const trace of traces) await converse(client, trace, ajv());
  const { resources } = await client.listResources();
  if (resources.length === 0) fail('there are no resources');
  const page = await client.readResource({ uri: 'kdiag://rules/host.sync-stall' });
  if (!page.contents[0].text.includes('host.sync-stall')) fail('the page of a rule');
  const outside = await client.callTool({ name: 'diagnose', arguments: { traces: ['/etc/passwd'] } });
  if (!outside.isError) fail('a file outside of the root is read');
});

// The stateless revision, by the client that speaks it.
const newer = await import(path.resolve(modules, '@modelcontextprotocol/client/dist/index.mjs'));
const newerStdio = await import(path.resolve(modules, '@modelcontextprotocol/client/dist/stdio.mjs'));
await withClient(newer.Client, newerStdio.StdioClientTransport,
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  async (client) => converse(client, traces[0], ajv()));

console.log(`${traces.length + 1} conversations, ${numbers} numbers asked again, ${failures} mistakes`);
process.exit(failures === 0 && numbers > 0 ? 0 : 1);
