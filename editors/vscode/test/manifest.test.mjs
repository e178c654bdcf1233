// SPDX-License-Identifier: Apache-2.0
// The manifest names what there is.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const source = readFileSync('src/extension.ts', 'utf8') + readFileSync('src/command.ts', 'utf8');
const readme = readFileSync('README.md', 'utf8');

test('each command is registered, and each that is registered is declared', () => {
  const registered = [...source.matchAll(/registerCommand\('([^']+)'/g)].map((match) => match[1]);
  assert.deepEqual(manifest.contributes.commands.map((each) => each.command).sort(), registered.sort());
});

test('each setting is read and documented', () => {
  for (const name of Object.keys(manifest.contributes.configuration.properties)) {
    assert.match(source, new RegExp(`get\\('${name.replace('kdiag.', '')}'`));
    assert.ok(readme.includes(`\`${name}\``), name);
  }
});

test('a workspace that is not trusted chooses no program', () => {
  assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes('kdiag.path'));
});

test('the versions of what is installed are fixed', () => {
  for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies }))
    assert.match(version, /^\d+\.\d+\.\d+$/);
});
