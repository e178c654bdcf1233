// SPDX-License-Identifier: Apache-2.0
// Which program and which trace the settings name.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { build } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'kdiag-'));
await build({ entryPoints: ['src/command.ts'], bundle: true, platform: 'node', format: 'esm', outfile: join(folder, 'command.mjs') });
const { findProgram, resolved, serverSettings } = await import(join(folder, 'command.mjs'));

const program = (...parts) => {
  const file = join(folder, ...parts);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o755);
  return file;
};

test('a bare name is looked for on PATH, in its order', () => {
  const first = program('a', 'kdiag'), second = program('b', 'kdiag');
  const PATH = `${join(folder, 'a')}:${join(folder, 'b')}`;
  assert.equal(findProgram('kdiag', undefined, { PATH }), first);
  assert.equal(findProgram('kdiag', undefined, { PATH: join(folder, 'b') }), second);
  assert.equal(findProgram('kdiag', undefined, {}), undefined);
});

test('a folder of PATH that depends on where the editor was started is none', () => {
  program('kdiag');
  assert.equal(findProgram('kdiag', folder, { PATH: '.:' }), undefined);
});

test('a path starts at the folder of the workspace, or at home', () => {
  const file = program('tools', 'kdiag');
  assert.equal(findProgram('tools/kdiag', folder, {}), file);
  assert.equal(findProgram('~/tools/kdiag', undefined, { HOME: folder }), file);
  assert.equal(findProgram(file, undefined, {}), file);
  assert.equal(resolved('trace.json', undefined, undefined), 'trace.json');
});

test('what cannot be run is no program', () => {
  writeFileSync(join(folder, 'text'), '');
  assert.equal(findProgram(join(folder, 'text'), undefined, {}), undefined);
  assert.equal(findProgram(folder, undefined, {}), undefined);
});

test('the trace is told with its whole path, and none as none', () => {
  assert.deepEqual(serverSettings({ path: '', trace: 'runs/a.json' }, '/work', undefined), { trace: '/work/runs/a.json' });
  assert.deepEqual(serverSettings({ path: '', trace: '' }, '/work', undefined), { trace: '' });
});
