// SPDX-License-Identifier: Apache-2.0
// Bundles the extension with what it uses, and the licences of all that is in the bundle: node build.mjs [--minify]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';

const { metafile } = await build({
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  external: ['vscode'],
  format: 'cjs',
  metafile: true,
  minify: process.argv.includes('--minify'),
  platform: 'node',
  target: 'node18',
});

const packages = new Set(
  Object.keys(metafile.inputs).map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter(Boolean),
);
const licence = (folder) => {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) throw new Error(`${folder} has no licence`);
  return `${folder.replace(/^.*node_modules\//, '')}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
};
writeFileSync('dist/LICENSES.txt', [...packages].sort().map(licence).join(`\n${'-'.repeat(80)}\n\n`));
