// SPDX-License-Identifier: Apache-2.0
// The extension as it is packaged, without an editor: `vscode` is a stand-in that takes every call, and the server a script
// that writes down what it is told.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'kdiag-'));
const told = join(folder, 'told');
const settings = { path: join(folder, 'kdiag'), trace: 'run.json' };
const registered = new Map();
const shown = [], documents = [];
let settingsChanged;

writeFileSync(settings.path, `#!${process.execPath}
const { appendFileSync } = require('node:fs');
let input = Buffer.alloc(0);
const answer = (id, result) => {
  const text = JSON.stringify({ jsonrpc: '2.0', id, result });
  process.stdout.write('Content-Length: ' + Buffer.byteLength(text) + '\\r\\n\\r\\n' + text);
};
appendFileSync(${JSON.stringify(told)}, JSON.stringify({ arguments: process.argv.slice(2) }) + '\\n');
process.stdin.on('data', (piece) => {
  input = Buffer.concat([input, piece]);
  for (;;) {
    const end = input.indexOf('\\r\\n\\r\\n');
    if (end < 0) return;
    const size = Number(/Content-Length: (\\d+)/.exec(input.subarray(0, end).toString())[1]);
    if (input.length < end + 4 + size) return;
    const message = JSON.parse(input.subarray(end + 4, end + 4 + size).toString());
    input = input.subarray(end + 4 + size);
    appendFileSync(${JSON.stringify(told)}, JSON.stringify(message) + '\\n');
    if (message.method === 'exit') process.exit(0);
    if (message.id !== undefined) answer(message.id, message.method === 'initialize' ? { capabilities: {} } : null);
  }
});
`);
chmodSync(settings.path, 0o755);

/** Stands for whatever is asked of it: an object, a function, a class, an event. */
function standIn(known = {}) {
  const target = function () {};
  const proxy = new Proxy(target, {
    getPrototypeOf: () => proxy, // a bundle copies what a module has, and inherits the rest
    get: (_, name) => {
      if (name in known) return known[name];
      if (name === 'then' || name === Symbol.iterator) return undefined;
      if (name === Symbol.toPrimitive) return () => '';
      if (name === 'prototype') return target.prototype;
      return (known[name] = standIn());
    },
    apply: () => standIn(),
    construct: () => standIn(),
  });
  return proxy;
}

const uri = (path) => ({ scheme: 'file', fsPath: path, path, toString: () => `file://${path}` });
const vscode = standIn({
  version: '1.82.0',
  workspace: standIn({
    workspaceFolders: [{ uri: uri('/work'), name: 'work', index: 0 }],
    textDocuments: documents,
    notebookDocuments: [],
    getConfiguration: () => ({ get: (name, otherwise) => settings[name] ?? otherwise }),
    onDidChangeConfiguration: (listener) => {
      settingsChanged ??= listener;
      return { dispose() {} };
    },
  }),
  window: standIn({
    tabGroups: standIn({ all: [], onDidChangeTabs: () => ({ dispose() {} }) }),
    visibleTextEditors: [],
    showErrorMessage: async (text) => void shown.push(text),
  }),
  commands: standIn({
    registerCommand: (name, run) => {
      registered.set(name, run);
      return { dispose() {} };
    },
  }),
  env: standIn({ language: 'en', appName: 'stand-in' }),
  extensions: standIn({ all: [] }),
});
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
const extension = require('../dist/extension.js');

const messages = () => (existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n').map((line) => JSON.parse(line)) : []);
async function message(method) {
  for (let tries = 0; tries < 200; ++tries) {
    const found = messages().filter((each) => each.method === method).at(-1);
    if (found !== undefined) return found;
    await wait(25);
  }
  assert.fail(`the server was never told ${method}: ${shown.join()}`);
}

test('activation starts `kdiag lsp` and tells it of the trace', async () => {
  await extension.activate({ subscriptions: [] });
  assert.deepEqual((await message('initialize')).params.initializationOptions, { trace: '/work/run.json' });
  assert.deepEqual(messages()[0], { arguments: ['lsp'] });
  assert.deepEqual([...registered.keys()].sort(), ['kdiag.chooseTrace', 'kdiag.restart']);
});

test('another trace is told without a restart', async () => {
  settings.trace = '/runs/other.json';
  await settingsChanged({ affectsConfiguration: (name) => name === 'kdiag.trace' });
  const changed = await message('workspace/didChangeConfiguration');
  assert.deepEqual(changed.params.settings, { kdiag: { trace: '/runs/other.json' } });
});

test('a program that is not there is said, with the setting that names it', async () => {
  await extension.deactivate();
  await message('exit');
  settings.path = join(folder, 'missing');
  await registered.get('kdiag.restart')();
  assert.match(shown.join(), /no program '.*missing'.*kdiag\.path/);
});

test('where no document is of kdiag, nobody is told that it is missing', async () => {
  const path = process.env.PATH;
  process.env.PATH = '';
  settings.path = 'kdiag';
  shown.length = 0;
  await registered.get('kdiag.restart')();
  assert.deepEqual(shown, []);
  documents.push({ getText: () => '# limits\nkdiag: 1\n' });
  await registered.get('kdiag.restart')();
  assert.match(shown.join(), /no program 'kdiag'/);
  process.env.PATH = path;
});
