// Installs the plugin that tools/install/plugins.py writes for a host, with the host's own commands, uses it, and removes it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { trusting } from './history.mjs';
import { files, makeRepository } from './project.mjs';
import { prompt } from './script.mjs';
import { logPath, runCommands, runSession } from './session.mjs';

const writer = join(import.meta.dirname, '../../../tools/install/plugins.py');

// The portable plugin has no hooks.
const hasHooks = ({ plugin }) => plugin.folder !== 'agent';

const accident = 'rm README.md';

// The host's shell deletes a file, and the model returns it.
function* undo(host) {
  yield { step: 'launch', tool: 'snapshot_file', input: { path: 'marker.txt' } };
  if (!hasHooks(host)) return; // Without hooks, the recording of changes may begin after the accident.
  yield { step: 'destroy by shell', tool: 'shell', isBuiltIn: true, native: host.shell(accident) };
  const listed = yield { step: 'list', tool: 'history_list', input: {} };
  yield { step: 'undo', tool: 'history_undo', input: { target: /\bm\d+\b/.exec(listed)?.[0] ?? 'unknown' } };
}

// Returns sentences about what the user would miss.
function faultsOf(host, entries, project) {
  if (!hasHooks(host)) return [];
  const listed = entries.find((entry) => entry.step === 'list' && !entry.loads)?.text ?? '';
  const missing = [prompt, accident].filter((text) => !listed.includes(text));
  return [...missing.map((text) => `history_list does not name "${text}", so the plugin's hooks did not report it.`),
    ...(existsSync(join(project, 'README.md')) ? [] : ['history_undo did not return the file.'])];
}

// Returns the contents of all files in the home folder but those of the test, by path.
const contentsOf = (home) => Object.fromEntries(readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name)).filter((path) => !/^\/(project|market)\//.test(path.slice(home.length)))
  .map((path) => [path.slice(home.length + 1), readFileSync(path, 'latin1')]));

// Returns what differs between two states of the home folder: ["changed .host/settings.json", "new .host/plugins/", …].
function differences(before, after) {
  const isNew = (folder) => !Object.keys(before).some((path) => path.startsWith(folder));
  const newFolder = (path) => path.split('/').slice(0, -1).map((_, at, names) => `${names.slice(0, at + 1).join('/')}/`).find(isNew);
  const lines = Object.keys({ ...before, ...after }).sort().filter((path) => before[path] !== after[path])
    .map((path) => (path in before ? `${path in after ? 'changed' : 'deleted'} ${path}` : `new ${newFolder(path) ?? path}`));
  return [...new Set(lines)];
}

// Returns the session that uses the plugin, with `seconds` from the first command to the first answer of a tool, `left`, what differs in the
// home folder after the plugin was installed and removed, and `faults`, sentences about what the user would miss.
export async function runPlugin({ host, place, server }) {
  const { plugin } = host;
  const project = join(place.home, 'project');
  const market = join(place.home, 'market');
  rmSync(place.home, { recursive: true, force: true });
  makeRepository(project, { 'marker.txt': 'tree: as committed\n', 'README.md': files['README.md'] });
  writeFileSync(join(project, 'marker.txt'), 'tree: project\n');
  // The plugin is in another repository, in which the server must not search.
  makeRepository(market, { 'marker.txt': 'tree: repository of the plugin\n' });
  execFileSync('python3', ['-B', writer, market, server], { env: { PATH: process.env.PATH } });

  const folder = join(market, plugin.folder);
  const session = { host: { ...trusting(host), toolName: plugin.tool ?? host.toolName }, ...place, cwd: project, prompt, environment: plugin.environment };
  const at = { ...session, log: logPath(place.log, 'plugin removed'), url: 'http://127.0.0.1:9' };
  host.configure(at);
  await runCommands(at, [...plugin.list, ...plugin.validate(folder)]);
  const before = contentsOf(place.home);
  await runCommands(at, plugin.install(folder));
  const installed = contentsOf(place.home);
  if (plugin.remove) await runCommands(at, plugin.remove);
  const left = differences(before, plugin.remove ? contentsOf(place.home) : installed);

  // The hooks report only to a workspace that has a store.
  execFileSync(join(dirname(server), 'snap'), ['snapshot', 'create'], { cwd: project, env: { HOME: place.home, PATH: process.env.PATH } });
  const played = await runSession({ ...session, commands: plugin.install(folder), script: undo(host), log: logPath(place.log, 'plugin') });
  return { ...played, left, faults: faultsOf(host, played.entries, project) };
}
