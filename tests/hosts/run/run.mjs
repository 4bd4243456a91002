// run.mjs HOST MODULES SERVER: runs one host in the namespaces that hosts.mjs created, with the folder of this run mounted on mount_point.
// It writes what the model received to log/result.json there, which hosts.mjs compares with the golden files.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runHistory } from './history.mjs';
import { hosts } from './hosts/all.mjs';
import { isolationFault, mount_point } from './isolation.mjs';
import { launches, outcomeOf, prepareLaunch, scriptOf } from './launches.mjs';
import { runPlugin } from './plugin.mjs';
import { files, makeRepository } from './project.mjs';
import { offered, received } from './received.mjs';
import { first_settings, prompt, sessions } from './script.mjs';
import { logPath, runSession } from './session.mjs';

const fault = isolationFault();
if (fault) {
  console.error(`hosts: ${fault}. No host is started.`);
  process.exit(3);
}

const [name, modules, server] = process.argv.slice(2);
const host = hosts.find((one) => one.name === name);
const place = { modules, home: join(mount_point, 'user'), temporary: join(mount_point, 'tmp'), log: join(mount_point, 'log') };
for (const folder of [place.home, place.temporary, place.log]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

const recorder = (file) => [process.execPath, join(import.meta.dirname, 'record.mjs'), file, server, '--stdio'];
function* nothing() {}

// Returns the first request of a session without calls. `words`: the server's arguments, or undefined for a session without the server.
async function firstRequest(name, project, words) {
  const log = logPath(place.log, name);
  const { first, error } = await runSession({
    host, ...place, cwd: project, server: words && [server, ...words], script: nothing(), prompt, log,
  });
  if (error) throw error;
  return first;
}

async function runScript() {
  const project = join(place.home, 'project');
  makeRepository(project, files);
  const plain = await firstRequest('without the server', project);
  const played = [];
  for (const { name: session, play } of sessions) {
    const log = logPath(place.log, session);
    const { first, entries, error, left } = await runSession({
      host, ...place, cwd: project, server: recorder(`${log}.recording.jsonl`), script: play(), prompt, log,
    });
    if (!first) throw error;
    played.push({ name: session, offered: offered(host, first, plain), entries: received(host, first, entries), error: error?.message, left });
    if (error) break;
  }
  return played;
}

// The text that the profile `first` adds to the first request.
async function listFirst() {
  const project = join(place.home, 'project');
  rmSync(project, { recursive: true });
  makeRepository(project, { ...files, '.snapback/config.json': JSON.stringify(first_settings) });
  const plain = await firstRequest('profile first without the server', project);
  return offered(host, await firstRequest('profile first', project, ['--stdio', '--profile', 'first']), plain);
}

async function launchAll() {
  const outcomes = [];
  for (const launch of launches.filter(({ of }) => !of || host[of])) {
    const cwd = prepareLaunch(launch, place.home);
    const { entries, error } = await runSession({
      host, ...place, cwd, prompt, script: scriptOf(host, launch), log: logPath(place.log, `launch ${launch.name}`), server: [server, '--stdio'],
      words: launch.of === 'worktreeWords' ? host.worktreeWords : [],
    });
    outcomes.push(outcomeOf(launch, entries, error));
  }
  return outcomes;
}

const result = { host: name, sessions: await runScript(), first: await listFirst(), history: await runHistory({ host, place, server }), launches: await launchAll() };
const { entries, error, ...plugin } = await runPlugin({ host, place, server });
result.plugin = plugin;
result.launches.push(outcomeOf({ name: 'plugin', wanted: 'project' }, entries, error));
writeFileSync(join(place.log, 'result.json'), JSON.stringify(result));
