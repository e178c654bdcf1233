// SPDX-License-Identifier: Apache-2.0
// A long session of an editor with `kdiag lsp`, by the client library of the protocol: replay.mjs KDIAG [SEED [EDITS]]
// A pack of a thousand lines is edited at random. At each pause the mistakes that the server has published are those of
// `kdiag rules check` on the same text; every request in between is answered. Prints how long mistakes take to come.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(new URL('../../editors/vscode/package.json', import.meta.url));
const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = require('vscode-languageserver-protocol/node');
const { TextDocument } = require('vscode-languageserver-textdocument');

const [kdiag, seed = '1', edits = '2000'] = process.argv.slice(2);
const rules = 70; // of 14 lines and an empty one
const pauseAfter = 20; // edits
const longestWait = 20_000; // ms for what the server has to say at a pause; a slow machine, not a slow server

// --- Chance ---------------------------------------------------------------------------------------------------------

/** xorshift32: numbers below n, the same for a seed. */
let state = Number(seed) * 2654435761 >>> 0 || 1;
const below = (n) => {
  state ^= state << 13; state >>>= 0;
  state ^= state >>> 17;
  state ^= state << 5; state >>>= 0;
  return state % n;
};
const oneOf = (list) => list[below(list.length)];

// --- What is edited -------------------------------------------------------------------------------------------------

const rule = (i) => `- rule: replay.rule-${i}
  title: Rule ${i} fires on \${share} of the time
  message:
  - {text: "Kernels of kind ${i} take \${busy}.", if: share > $least}
  recommend: [{do: "Look at kernels ${i}."}]
  for_each: device
  params:
    least: {type: ratio, default: ${i % 50}%, doc: Share of the wall (judgement).}
  let:
    mine: kernels where name =~ /kind_${i}/
    busy: sum(mine, dur)
    share: busy / run.wall
  when: share > $least and count(mine) > ${i}
`;
const pack = `kdiag: 1\nrules:\n${Array.from({ length: rules }, (_, i) => rule(i)).join('\n')}`;
const scraps = ['kernels', 'sum(', ')', ' where ', 'dur', '"', "'", '  ', '\n', '- ', ': ', '{', '}', '$least', '${', '=~ /x/', 'é', '𝄞', '#', '\t', 'rule: replay.rule-1', 'median(kernels, dur) > 3us'];

/** An edit of a document: what editors send, as ranges in UTF-16. */
function randomEdit(document) {
  const text = document.getText();
  const at = below(text.length + 1);
  const length = oneOf([0, 0, 0, 1, 1, 3, 12, 80]);
  const range = { start: document.positionAt(at), end: document.positionAt(Math.min(at + length, text.length)) };
  return { range, text: oneOf([() => '', () => oneOf(scraps), () => text.slice(at, at + below(60))])() };
}

// --- The session ----------------------------------------------------------------------------------------------------

const folder = mkdtempSync(join(tmpdir(), 'kdiag-'));
const file = join(folder, 'pack.yaml');
const uri = pathToFileURL(file).href;
const server = spawn(kdiag, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const ended = new Promise((resolve) => server.on('exit', (code, signal) => resolve(signal ?? code)));
const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
let published = { version: 0, diagnostics: [] };
let newer = () => {};
connection.onNotification('textDocument/publishDiagnostics', (params) => {
  if (params.uri !== uri) return;
  assert.ok(params.version >= published.version, `version ${params.version} came after ${published.version}`);
  published = params;
  newer();
});
connection.listen();

async function publishedOf(version) {
  const deadline = setTimeout(() => { console.error(`nothing was said of version ${version}`); process.exit(1); }, longestWait);
  while (published.version < version) await new Promise((resolve) => { newer = resolve; });
  clearTimeout(deadline);
  return published.diagnostics;
}

/** As `kdiag rules check` says them: code, first line and message of each. */
function checked(text) {
  writeFileSync(file, text);
  let output;
  try {
    output = execFileSync(kdiag, ['rules', 'check', '--format', 'json', file], { stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (error) {
    output = error.stdout;
  }
  return JSON.parse(output).diagnostics.map((each) => `${each.code} ${each.line ?? 1} ${each.message}`).sort();
}
const said = (diagnostics) => diagnostics.map((each) => `${each.code} ${each.range.start.line + 1} ${each.message.split('\n')[0]}`).sort();

const { capabilities } = await connection.sendRequest('initialize', {
  processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities: { textDocument: { publishDiagnostics: { versionSupport: true } } },
});
await connection.sendNotification('initialized', {});
const asked = Object.entries({
  'textDocument/hover': capabilities.hoverProvider,
  'textDocument/completion': capabilities.completionProvider,
  'textDocument/definition': capabilities.definitionProvider,
  'textDocument/references': capabilities.referencesProvider,
  'textDocument/documentSymbol': capabilities.documentSymbolProvider,
  'textDocument/foldingRange': capabilities.foldingRangeProvider,
  'textDocument/formatting': capabilities.documentFormattingProvider,
  'textDocument/semanticTokens/full': capabilities.semanticTokensProvider,
  'textDocument/codeLens': capabilities.codeLensProvider,
}).filter(([, provider]) => provider).map(([method]) => method);

let document = TextDocument.create(uri, 'yaml', 1, pack);
const undo = [];
writeFileSync(file, pack);
await connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text: pack } });
assert.deepEqual(said(await publishedOf(1)), checked(pack));

const waits = [];
let answers = 0, mistakes = 0;
for (let version = 2; version < 2 + Number(edits); ++version) {
  // Now and then what was typed is taken back, so that most of the text stays a pack.
  const back = undo.length > 0 && below(3) === 0;
  const change = back ? undo.pop() : randomEdit(document);
  const before = document.getText(change.range);
  const at = document.offsetAt(change.range.start);
  document = TextDocument.update(document, [change], version);
  if (!back) undo.push({ range: { start: document.positionAt(at), end: document.positionAt(at + change.text.length) }, text: before });
  const sent = performance.now();
  await connection.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [change] });
  if (asked.length > 0 && below(4) === 0) {
    const position = document.positionAt(below(document.getText().length + 1));
    await connection.sendRequest(oneOf(asked), {
      textDocument: { uri }, position, context: { includeDeclaration: true }, options: { tabSize: 2, insertSpaces: true },
    }).then(() => ++answers, (error) => assert.ok([-32801, -32803, -32800].includes(error.code), String(error)));
  }
  if (version % pauseAfter !== 0) continue;
  const now = await publishedOf(version);
  waits.push(performance.now() - sent);
  assert.deepEqual(said(now), checked(document.getText()), `version ${version}, seed ${seed}: ${file}`);
  mistakes += now.length;
  if (undo.length > 40) { // a fresh start: a text of nothing but mistakes tells little
    while (undo.length > 0) {
      const last = undo.pop();
      document = TextDocument.update(document, [last], ++version);
      await connection.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [last] });
    }
  }
}
await connection.sendRequest('shutdown');
await connection.sendNotification('exit');
assert.equal(await ended, 0);
waits.sort((a, b) => a - b);
console.log(`${edits} edits, ${waits.length} pauses, ${mistakes} mistakes told as \`rules check\` tells them, ${answers} answers (${asked.length} methods)`);
console.log(`from a key to its mistakes: median ${waits[waits.length >> 1].toFixed(1)} ms, slowest ${waits.at(-1).toFixed(1)} ms`);
