// SPDX-License-Identifier: Apache-2.0
// The editor's side of `kdiag lsp`: it starts the server, and tells it of the trace in the settings.
import * as vscode from 'vscode';
import { LanguageClient, type LanguageClientOptions } from 'vscode-languageclient/node';

import { findProgram, serverSettings, type Settings } from './command';

let client: LanguageClient | undefined;

const folder = (): string | undefined => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;

function settings(): Settings {
  const ours = vscode.workspace.getConfiguration('kdiag');
  return { path: ours.get('path', 'kdiag'), trace: ours.get('trace', '') };
}

const toldToServer = () => serverSettings(settings(), folder(), process.env.HOME);

async function sayThatNoProgram(name: string): Promise<void> {
  const open = 'Open Settings';
  const chosen = await vscode.window.showErrorMessage(
    `kdiag: there is no program '${name}'. Install kdiag, or name it in the setting kdiag.path.`,
    open,
  );
  if (chosen === open) await vscode.commands.executeCommand('workbench.action.openSettings', 'kdiag.path');
}

/** Of YAML and Lua that is none of kdiag's the server says nothing. */
const options = (): LanguageClientOptions => ({
  documentSelector: [
    { scheme: 'file', language: 'yaml' },
    { scheme: 'file', language: 'lua' },
  ],
  initializationOptions: toldToServer(),
});

/** Whether somebody misses kdiag: most YAML and Lua is none of its. */
const isWanted = (name: string): boolean =>
  name !== 'kdiag' || vscode.workspace.textDocuments.some((each) => /^kdiag(_[a-z]+)?\s*:/m.test(each.getText()));

async function start(): Promise<void> {
  const name = settings().path;
  const program = findProgram(name, folder(), process.env);
  if (program === undefined) {
    if (isWanted(name)) await sayThatNoProgram(name);
    return;
  }
  client = new LanguageClient('kdiag', 'kdiag', { command: program, args: ['lsp'] }, options());
  await client.start();
}

async function stop(): Promise<void> {
  const stopped = client;
  client = undefined;
  await stopped?.stop();
}

async function chooseTrace(): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({ title: 'The trace that expressions are tried on', openLabel: 'Use' });
  if (chosen?.[0] === undefined) return;
  await vscode.workspace.getConfiguration('kdiag').update('trace', chosen[0].fsPath, vscode.ConfigurationTarget.Workspace);
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand('kdiag.chooseTrace', chooseTrace),
    vscode.commands.registerCommand('kdiag.restart', async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration('kdiag.path')) {
        await stop();
        await start();
      } else if (change.affectsConfiguration('kdiag.trace')) {
        await client?.sendNotification('workspace/didChangeConfiguration', { settings: { kdiag: toldToServer() } });
      }
    }),
  );
  await start();
}

export const deactivate = stop;
