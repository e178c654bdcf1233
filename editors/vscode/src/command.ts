// SPDX-License-Identifier: Apache-2.0
// Which program is the server, and which trace it is told of: what follows from the settings, without the editor.
import { accessSync, constants, statSync } from 'node:fs';
import * as path from 'node:path';

/** What the settings say of one workspace. */
export interface Settings {
  path: string;
  trace: string;
}

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};

/** A path of the settings: `~` is the home folder, relative ones start at the folder of the workspace. */
export function resolved(file: string, folder: string | undefined, home: string | undefined): string {
  const expanded = home !== undefined && (file === '~' || file.startsWith('~/')) ? path.join(home, file.slice(1)) : file;
  return path.isAbsolute(expanded) || folder === undefined ? expanded : path.join(folder, expanded);
}

/** The program that `kdiag.path` names: a bare name is looked for on PATH. Nothing where there is none. */
export function findProgram(
  name: string,
  folder: string | undefined,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const candidates = name.includes('/') || name.startsWith('~')
    ? [resolved(name, folder, environment.HOME)]
    : (environment.PATH ?? '').split(path.delimiter).filter((each) => path.isAbsolute(each)).map((each) => path.join(each, name));
  return candidates.find(isProgram);
}

/** What `kdiag lsp` is told when it starts and when the settings change. */
export function serverSettings(settings: Settings, folder: string | undefined, home: string | undefined): { trace: string } {
  return { trace: settings.trace === '' ? '' : resolved(settings.trace, folder, home) };
}
